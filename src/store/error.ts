// All errors of the store, with a constructor for each. Codes are stable, and
// docs/reference/data-directory.md lists them.
// Messages name the file or run and the next step. They never contain the content of an event.

import type { LockHolder } from "./holder.ts";
import type { Owner } from "./journal.ts";

export type StoreError =
  | { code: "run-not-found"; message: string; run: string }
  | { code: "run-ambiguous"; message: string; run: string; matches: string[] }
  | { code: "run-exists"; message: string; run: string }
  | { code: "run-claimed"; message: string; run: string; owner: Owner }
  | { code: "run-not-ended"; message: string; run: string; hint: string }
  | { code: "not-owner"; message: string; run: string; owner?: Owner }
  | { code: "journal-gap"; message: string; run: string; expectedSeq: number; seq: number }
  | { code: "journal-stale"; message: string; run: string; expectedSeq: number; seq: number }
  | { code: "record-damaged"; message: string; run: string; seq: number }
  | { code: "output-missing"; message: string; run: string; file: string }
  | { code: "output-name"; message: string; run: string; file: string }
  | { code: "backup-exists"; message: string; path: string }
  | { code: "store-full"; message: string; path: string }
  | { code: "store-busy"; message: string; path: string; pid?: number }
  | { code: "store-read-only"; message: string; path: string }
  | { code: "store-permissions"; message: string; path: string; mode: number }
  | { code: "store-damaged"; message: string; path: string }
  | { code: "store-foreign"; message: string; path: string }
  | { code: "store-newer"; message: string; path: string; version: number; known: number }
  | { code: "store-failed"; message: string; path: string };

export type StoreErrorCode = StoreError["code"];

export const runNotFound = (run: string): StoreError => ({
  code: "run-not-found",
  run,
  message: run === "latest" ? "There is no run yet." : `No run is called "${run}". "curlew runs" lists them.`,
});

export const runAmbiguous = (run: string, matches: string[]): StoreError => ({
  code: "run-ambiguous",
  run,
  matches,
  message: `"${run}" is the start of several run ids: ${matches.join(", ")}. Give more characters.`,
});

export const runExists = (run: string): StoreError => ({
  code: "run-exists",
  run,
  message: `A run with the id "${run}" exists already.`,
});

export const runClaimed = (run: string, owner: Owner): StoreError => ({
  code: "run-claimed",
  run,
  owner,
  message: `Run "${run}" is being worked on by process ${owner.pid}.`,
});

export const partOfOpen = (run: string, parent: string): StoreError => ({
  code: "run-not-ended",
  run,
  message: `Run ${run} is part of run ${parent}, which has not ended.`,
  hint: `"curlew runs cancel ${parent}" ends it.`,
});

export const notOwner = (run: string, owner: Owner | undefined): StoreError => ({
  code: "not-owner",
  run,
  ...(owner && { owner }),
  message: owner
    ? `Run "${run}" now belongs to process ${owner.pid}; this one may no longer write to it.`
    : `Run "${run}" was not claimed by this process, so it may not write to it.`,
});

/** `seq` is not the next number. Too high means a gap, too low a duplicate or a writer that is behind. */
export const outOfOrder = (run: string, expectedSeq: number, seq: number): StoreError => ({
  code: seq > expectedSeq ? "journal-gap" : "journal-stale",
  run,
  expectedSeq,
  seq,
  message:
    seq > expectedSeq
      ? `Event ${seq} of run "${run}" would leave a gap: event ${expectedSeq} comes next.`
      : `Event ${seq} of run "${run}" is on record already: event ${expectedSeq} comes next.`,
});

export const recordDamaged = (run: string, seq: number): StoreError => ({
  code: "record-damaged",
  run,
  seq,
  message: `Event ${seq} of run "${run}" cannot be read. Other runs are not affected; "curlew doctor" says more.`,
});

/** The run's row in the index is damaged. */
export const rowDamaged = (run: string): StoreError => ({
  code: "record-damaged",
  run,
  seq: 0,
  message: `The index entry of run "${run}" is not the one that was written. Other runs are not affected; "curlew doctor" says more.`,
});

export const outputMissing = (run: string, file: string): StoreError => ({
  code: "output-missing",
  run,
  file,
  message: `Run "${run}" has no output file "${file}".`,
});

export const outputName = (run: string, file: string): StoreError => ({
  code: "output-name",
  run,
  file,
  message: `${JSON.stringify(file)} of run ${JSON.stringify(run)} is not a name of an output file.`,
});

export const backupExists = (path: string): StoreError => ({
  code: "backup-exists",
  path,
  message: `${path} exists already, or is in the home itself. A backup overwrites nothing: name a new folder.`,
});

export const storeFull = (path: string): StoreError => ({
  code: "store-full",
  path,
  message: `There is no space left to write to ${path}. Everything recorded before is safe. Free some space and resume the run.`,
});

export const storeBusy = (path: string, holder?: LockHolder): StoreError => ({
  code: "store-busy",
  path,
  ...(holder && { pid: holder.pid }),
  message: `${path} is locked by ${lockedBy(holder)}`,
});

const lockedBy = (holder: LockHolder | undefined): string => {
  if (holder === undefined) return 'another process that does not release it. Try again; "curlew doctor" says more.';
  const { pid, isStopped } = holder;
  if (!isStopped) return `process ${pid}, which does not release it. Try again; "ps -p ${pid} -f" says what it is.`;
  return `process ${pid}, which was stopped. "kill -CONT ${pid}" continues it, "kill -KILL ${pid}" ends it. Everything recorded is safe.`;
};

export const storeReadOnly = (path: string): StoreError => ({
  code: "store-read-only",
  path,
  message: `${path} cannot be written to. Check who owns it, or choose another folder with --home or CURLEW_HOME.`,
});

export const storePermissions = (path: string, mode: number): StoreError => ({
  code: "store-permissions",
  path,
  mode,
  message: `Other users may write to ${path} (mode ${mode.toString(8)}), so its history cannot be trusted. Run "chmod go-w ${path}".`,
});

export const storeDamaged = (path: string, detail: string): StoreError => ({
  code: "store-damaged",
  path,
  message: `${path} is damaged (${detail}). Put a backup in its place, or move it away to start a new history.`,
});

export const storeForeign = (path: string): StoreError => ({
  code: "store-foreign",
  path,
  message: `${path} is a database of another program. Choose another folder with --home or CURLEW_HOME.`,
});

export const storeNewer = (path: string, version: number, known: number): StoreError => ({
  code: "store-newer",
  path,
  version,
  known,
  message: `${path} was written by a newer Curlew (format ${version}, this one knows up to ${known}). Update Curlew.`,
});

export const storeFailed = (path: string, detail: string): StoreError => ({
  code: "store-failed",
  path,
  message: `${path}: ${detail}`,
});
