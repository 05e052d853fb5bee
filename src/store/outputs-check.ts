// outputs-check: whether the files that the journals name are there, and as long as they say or longer (spec 3.4: the store checks itself).
//   F1. Only what an event says for good is held against a file: a value in a file, and what an attempt has printed, once it has ended.
// Deliberately absent: what is in the files. Output is written without sums, at the speed of the disk.

import { ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import type { StoreError } from "./error.ts";
import type { Finding, Journal } from "./journal.ts";
import type { Outputs } from "./outputs.ts";

const FINDINGS_MAX = 100;
/** Files of a run that are kept until it is removed; sealed ones go before. */
const KEPT = /^\d+(?:-\d+)?\.(?:out|err|val)$/;

/** Of every run whose journal can be read; the others are found by the journal's own check. */
export function checkOutputs(journal: Journal, outputs: Outputs): Result<Finding[], StoreError> {
  const findings: Finding[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = journal.listRuns({ children: "all", limit: 1_000, ...(cursor === undefined ? {} : { cursor }) });
    if (!page.ok) return page;
    for (const { id } of page.value.runs)
      for (const [file, bytes] of namedFiles(id, journal)) {
        if (findings.length >= FINDINGS_MAX) return ok(findings);
        findings.push(...wrongWith(id, file, bytes, outputs));
      }
    if (page.value.next === undefined) return ok(findings);
    cursor = page.value.next;
  }
}

function wrongWith(run: string, file: string, bytes: number, outputs: Outputs): Finding[] {
  const size = outputs.size(run, file);
  if (!size.ok)
    return [{ code: "output-missing", run, message: `Run "${run}" has no output file "${file}" any more.` }];
  if (size.value >= bytes) return [];
  const message = `Output file "${file}" of run "${run}" has ${size.value} bytes, and at least ${bytes} were written.`;
  return [{ code: "output-short", run, message }];
}

/** Names with sizes. */
function namedFiles(run: string, journal: Journal): Map<string, number> {
  const files = new Map<string, number>();
  const open = new Map<string, { stdoutFile?: string; stderrFile?: string }>();
  journal.each(run, 1, (event) => {
    if (event.type === "attempt.started") open.set(event.path, event.detail);
    const end = "end" in event ? (event.end as Ended | undefined) : undefined;
    const detail = end === undefined || !event.type.startsWith("attempt.") ? undefined : open.get(pathOf(event));
    if (end !== undefined && detail !== undefined) {
      if (detail.stdoutFile && end.stdout?.bytes && !end.stdout.secret) files.set(detail.stdoutFile, end.stdout.bytes);
      if (detail.stderrFile && end.stderr?.bytes) files.set(detail.stderrFile, end.stderr.bytes);
    }
    const value = "value" in event ? (event.value as { file?: string; bytes?: number; sealed?: string }) : {};
    if (value.file !== undefined && value.bytes !== undefined && value.sealed === undefined && KEPT.test(value.file))
      files.set(value.file, Math.max(value.bytes, files.get(value.file) ?? 0));
  });
  return files;
}

interface Ended {
  stdout?: { bytes: number; secret?: true };
  stderr?: { bytes: number };
}

const pathOf = (event: RunEvent): string => ("path" in event ? event.path : "");
