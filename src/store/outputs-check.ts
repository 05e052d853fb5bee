// outputs-check: whether the files that the journals name are there, as long as they say or longer, and what was printed is still what
// was printed (spec 3.4: the store checks itself).
//   F1. Only what an event says for good is held against a file: a value in a file, and what an attempt has printed, once it has ended.
//   F2. Nobody goes on with a value that is not what was recorded (`wrongValue`).
//   F3. Nobody goes on with a run whose journal has lost its end (`lostEnd`): what was done after it would be done again.
// Deliberately absent: checksums of outputs larger than limits.hashedBytesMax, and of those that an older version recorded.

import { createHash } from "node:crypto";
import { limits } from "../base/limits.ts";
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
    const page = journal.listRuns({ children: "all", limit: 1_000, cursor });
    if (!page.ok) return page;
    for (const { id } of page.value.runs) {
      const short = lostEnd(id, journal, outputs);
      if (short !== undefined) findings.push(short);
      for (const [file, named] of namedFiles(id, journal)) {
        if (findings.length >= FINDINGS_MAX) return ok(findings);
        findings.push(...wrongWith(id, file, named, outputs));
      }
    }
    if (page.value.next === undefined) return ok(findings);
    cursor = page.value.next;
  }
}

/**
 * F3. Files of a command whose start is not on record: the journal is not what it was (a disk that had not written what it said it had, an
 * older database put in its place).
 */
export function lostEnd(run: string, journal: Pick<Journal, "lastSeq">, outputs: Outputs): Finding | undefined {
  const newest = outputs.newest(run);
  // Looked at afterwards: of a run that goes on, both grow.
  const last = journal.lastSeq(run);
  if (!newest.ok || !last.ok || newest.value <= last.value) return undefined;
  const message = `The journal of run "${run}" ends with event ${last.value}, and there is output of event ${newest.value}: it has lost its end.`;
  return { code: "journal-short", run, message };
}

/**
 * The first value in a file that is not there as it was recorded, and whose it is. `isMeant`: of others nothing is read. At most
 * limits.valuesCheckedBytesMax are read, the newest first.
 */
export function wrongValue(
  run: string,
  events: readonly RunEvent[],
  outputs: Outputs,
  isMeant: (file: string) => boolean = () => true,
): { path: string; finding: Finding } | undefined {
  const { files, see } = collected();
  for (const event of events) see(event);
  const seen = new Set<string>();
  let left = limits.valuesCheckedBytesMax;
  for (const event of events.toReversed()) {
    const value = fileOf(event);
    if (value === undefined || seen.has(value.file) || !isMeant(value.file)) continue;
    seen.add(value.file);
    const { bytes, sha256 } = files.get(value.file) ?? value;
    if (sha256 !== undefined) left -= bytes;
    const [finding] = wrongWith(run, value.file, { bytes, sha256: left < 0 ? undefined : sha256 }, outputs);
    if (finding !== undefined) return { path: "path" in event ? event.path : "", finding };
  }
  return undefined;
}

function wrongWith(run: string, file: string, { bytes, sha256 }: Named, outputs: Outputs): Finding[] {
  const size = outputs.size(run, file);
  if (!size.ok)
    return [{ code: "output-missing", run, message: `Run "${run}" has no output file "${file}" any more.` }];
  if (size.value >= bytes) {
    if (sha256 === undefined || hashOf(run, file, bytes, outputs) === sha256) return [];
    const message = `Output file "${file}" of run "${run}" is not what was written.`;
    return [{ code: "output-changed", run, message }];
  }
  const message = `Output file "${file}" of run "${run}" has ${size.value} bytes, and at least ${bytes} were written.`;
  return [{ code: "output-short", run, message }];
}

/** Of the first so many bytes; undefined when they cannot be read. */
function hashOf(run: string, file: string, bytes: number, outputs: Outputs): string | undefined {
  const hash = createHash("sha256");
  for (let from = 0; from < bytes; ) {
    const chunk = outputs.range(run, file, from, Math.min(bytes - from, limits.outputRangeBytesMax));
    if (!chunk.ok || chunk.value.bytes.length === 0) return undefined;
    hash.update(chunk.value.bytes);
    from += chunk.value.bytes.length;
  }
  return hash.digest("hex");
}

/** What the journal says of a file. */
interface Named {
  bytes: number;
  sha256?: string;
}

function namedFiles(run: string, journal: Journal): Map<string, Named> {
  const { files, see } = collected();
  journal.each(run, 1, see);
  return files;
}

/** What the events that are seen say of files. */
function collected(): { files: Map<string, Named>; see(event: RunEvent): void } {
  const files = new Map<string, Named>();
  const open = new Map<string, { stdoutFile?: string; stderrFile?: string }>();
  const see = (event: RunEvent): void => {
    if (event.type === "attempt.started") open.set(event.path, event.detail);
    const end = "end" in event ? (event.end as Ended | undefined) : undefined;
    const detail = end === undefined || !event.type.startsWith("attempt.") ? undefined : open.get(pathOf(event));
    if (end !== undefined && detail !== undefined) {
      if (detail.stdoutFile && end.stdout?.bytes && !end.stdout.secret) files.set(detail.stdoutFile, end.stdout);
      if (detail.stderrFile && end.stderr?.bytes) files.set(detail.stderrFile, end.stderr);
    }
    const value = fileOf(event);
    if (value !== undefined) files.set(value.file, longer(value, files.get(value.file)));
  };
  return { files, see };
}

/** In a file that is kept. */
function fileOf(event: RunEvent): (Named & { file: string }) | undefined {
  if (!("value" in event) || event.value === undefined || !("file" in event.value)) return undefined;
  const { file, bytes, sha256, sealed } = event.value;
  return sealed === undefined && KEPT.test(file) ? { file, bytes, sha256 } : undefined;
}

/** A value may be a part of what its command printed. */
function longer(value: Named, known: Named | undefined): Named {
  return known !== undefined && known.bytes >= value.bytes ? known : value;
}

interface Ended {
  stdout?: Named & { secret?: true };
  stderr?: Named;
}

const pathOf = (event: RunEvent): string => ("path" in event ? event.path : "");
