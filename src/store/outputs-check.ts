// Checks that the files named in the journals exist, are long enough, and have not changed
// (spec 3.4: the store checks itself).
//   F1. Only final facts are compared with a file: a value in a file, and the output of an attempt that has ended.
//   F2. No run is resumed with a value that differs from the recorded one (`wrongValue`).
//   F3. No run is resumed if its journal has lost its end (`lostEnd`), because it would
//       repeat what was done after that point.
// Outputs larger than limits.hashedBytesMax, and those of older versions, have no checksum.

import { createHash } from "node:crypto";
import { limits } from "../base/limits.ts";
import type { AtOnce } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import type { StoreError } from "./error.ts";
import type { Finding, Journal } from "./journal.ts";
import type { Outputs } from "./outputs.ts";

const FINDINGS_MAX = 100;
/** Files that are kept until the run is removed. Sealed ones are removed earlier. */
const KEPT = /^\d+(?:-\d+)?\.(?:out|err|val)$/;

/** For every run with a readable journal. The journal's own check reports the others. */
export function checkOutputs(journal: AtOnce<Journal>, outputs: Outputs): Result<Finding[], StoreError> {
  const findings: Finding[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = journal.listRuns({ children: "all", limit: 1_000, cursor });
    if (!page.ok) return page;
    for (const { id } of page.value.runs) {
      const short = lostEnd(id, outputs.newest(id), journal.lastSeq(id));
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
 * F3. Finds files of a command whose start is not on record. Events are missing then, because a disk did not keep what
 * it confirmed, or the database was replaced by an older one. `newest`: of the outputs, read before `last`, because both
 * grow while a run is active.
 */
export function lostEnd(
  run: string,
  newest: Result<number, StoreError>,
  last: Result<number, StoreError>,
): Finding | undefined {
  if (!newest.ok || !last.ok || newest.value <= last.value) return undefined;
  const message = `The journal of run "${run}" ends with event ${last.value}, but there is output of event ${newest.value}. The journal has lost its end.`;
  return { code: "journal-truncated", run, message };
}

/**
 * The first value in a file that differs from its record, with its node. `isMeant` selects the values to check.
 * Reads at most limits.valuesCheckedBytesMax, newest values first.
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
    return [{ code: "output-missing", run, message: `Run "${run}" no longer has the output file "${file}".` }];
  if (size.value >= bytes) {
    if (sha256 === undefined || hashOf(run, file, bytes, outputs) === sha256) return [];
    const message = `The output file "${file}" of run "${run}" was changed.`;
    return [{ code: "output-changed", run, message }];
  }
  const message = `The output file "${file}" of run "${run}" has ${size.value} bytes, but at least ${bytes} were written.`;
  return [{ code: "output-truncated", run, message }];
}

/** Hash of the first `bytes` bytes. Undefined if they cannot be read. */
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

/** The journal's record of a file. */
interface Named {
  bytes: number;
  sha256?: string;
}

function namedFiles(run: string, journal: AtOnce<Journal>): Map<string, Named> {
  const { files, see } = collected();
  journal.each(run, 1, see);
  return files;
}

/** Collects what the events passed to `see` record about files. */
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

/** Undefined unless the file is one of those that are kept. */
function fileOf(event: RunEvent): (Named & { file: string }) | undefined {
  if (!("value" in event) || event.value === undefined || !("file" in event.value)) return undefined;
  const { file, bytes, sha256, sealed } = event.value;
  return sealed === undefined && KEPT.test(file) ? { file, bytes, sha256 } : undefined;
}

/** A value may be part of its command's output, so the longer record is used. */
function longer(value: Named, known: Named | undefined): Named {
  return known !== undefined && known.bytes >= value.bytes ? known : value;
}

interface Ended {
  stdout?: Named & { secret?: true };
  stderr?: Named;
}

const pathOf = (event: RunEvent): string => ("path" in event ? event.path : "");
