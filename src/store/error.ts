// All errors of the store, with a constructor for each. Codes are stable, and docs/reference/data-directory.md lists
// them. Messages name the file or run and the next step. They never contain the content of an event.

import type { LockHolder } from "./holder.ts";
import type { Owner } from "./journal.ts";

export type StoreErrorCode =
  | "run-not-found"
  | "run-ambiguous"
  | "run-exists"
  | "run-claimed"
  | "run-not-ended"
  | "not-owner"
  | "journal-gap"
  | "journal-stale"
  | "record-damaged"
  | "run-unsigned"
  | "output-missing"
  | "output-name"
  | "backup-exists"
  | "store-full"
  | "store-busy"
  | "store-read-only"
  | "store-permissions"
  | "store-damaged"
  | "store-foreign"
  | "store-newer"
  | "store-failed"
  | "store-unreachable"
  | "store-refused"
  | "store-not-set-up"
  | "store-moved"
  | "move-failed"
  | "database-url";

type Plain = Exclude<StoreErrorCode, "run-claimed" | "record-damaged">;

/** `owner`: the process that works on the run. `run`: the full id of the run. */
export type StoreError =
  | { code: "run-claimed"; message: string; owner: Owner }
  | { code: "record-damaged"; message: string; run: string }
  | { code: Plain; message: string; hint?: string };

const made = (code: Plain, message: string, hint?: string): StoreError => ({ code, message, hint });

export const runNotFound = (run: string): StoreError =>
  made(
    "run-not-found",
    run === "latest" ? "You have not started a run yet." : `There is no run "${run}". To list runs, use: curlew runs`,
  );

export const runAmbiguous = (run: string, matches: string[]): StoreError =>
  made("run-ambiguous", `"${run}" matches several runs: ${matches.join(", ")}. Use more characters of the id.`);

export const runExists = (run: string): StoreError => made("run-exists", `A run with the id "${run}" already exists.`);

export const runClaimed = (run: string, owner: Owner): StoreError => ({
  code: "run-claimed",
  message: `Process ${owner.pid} is working on run "${run}".`,
  owner,
});

export const partOfOpen = (run: string, parent: string): StoreError =>
  made(
    "run-not-ended",
    `Run ${run} is part of run ${parent}, which has not ended.`,
    `"curlew runs cancel ${parent}" ends it.`,
  );

export const notOwner = (run: string, owner: Owner | undefined): StoreError =>
  made(
    "not-owner",
    owner
      ? `Run "${run}" now belongs to process ${owner.pid}. This process may no longer write to it.`
      : `This process did not claim run "${run}", so it may not write to it.`,
  );

/** `seq` is not the next number. Too high means a gap, too low a duplicate or a writer that is behind. */
export const outOfOrder = (run: string, expectedSeq: number, seq: number): StoreError =>
  seq > expectedSeq
    ? made("journal-gap", `Event ${seq} of run "${run}" would leave a gap: event ${expectedSeq} comes next.`)
    : made("journal-stale", `Event ${seq} of run "${run}" is already recorded: event ${expectedSeq} comes next.`);

export const recordDamaged = (run: string, seq: number): StoreError => ({
  code: "record-damaged",
  message: `Curlew can't read event ${seq} of run "${run}". Other runs are not affected. For details, run: curlew doctor`,
  run,
});

/** It was written by hand, or changed. */
export const runUnsigned = (run: string, seq: number): StoreError =>
  made(
    "run-unsigned",
    `Event ${seq} of run ${run} was not written with the key of this cluster, so nothing continues from it.`,
  );

/** The run's row in the index is damaged. */
export const rowDamaged = (run: string): StoreError => ({
  code: "record-damaged",
  message: `The index entry of run "${run}" was changed. Other runs are not affected. For details, run: curlew doctor`,
  run,
});

export const outputMissing = (run: string, file: string): StoreError =>
  made("output-missing", `Run "${run}" has no output file "${file}".`);

export const outputName = (run: string, file: string): StoreError =>
  made("output-name", `${JSON.stringify(file)} of run ${JSON.stringify(run)} is not the name of an output file.`);

export const backupExists = (path: string): StoreError =>
  made("backup-exists", `${path} already exists, or is in the data directory. A backup needs a new folder.`);

export const storeFull = (path: string): StoreError =>
  made(
    "store-full",
    `The disk of ${path} is full. Everything recorded before is safe. Remove something else from this disk, and try again or resume the run.`,
  );

export const storeBusy = (path: string, holder?: LockHolder): StoreError =>
  made("store-busy", `${path} is locked by ${lockedBy(holder)}`);

const lockedBy = (holder: LockHolder | undefined): string => {
  if (holder === undefined) return 'another process that does not release it. Try again; "curlew doctor" says more.';
  const { pid, isStopped } = holder;
  if (!isStopped)
    return `process ${pid}, which does not release it. Try again. To see what it is, run: ps -p ${pid} -f`;
  return `process ${pid}, which is suspended. Continue it with "kill -CONT ${pid}", or end it with "kill -KILL ${pid}". Everything recorded is safe.`;
};

/** The next step if Curlew can't use a data directory. */
export const OTHER_HOME = "choose another folder with --home or CURLEW_HOME.";

export const storeReadOnly = (path: string, instead = OTHER_HOME): StoreError =>
  made("store-read-only", `Curlew can't write to ${path}. Check who owns it, or ${instead}`);

export const storePermissions = (path: string, mode: number): StoreError =>
  made(
    "store-permissions",
    `Other users may write to ${path} (mode ${mode.toString(8)}), so its history can't be trusted. Run: chmod go-w ${path}`,
  );

export const storeDamaged = (path: string, detail: string): StoreError =>
  made("store-damaged", `${path} is damaged (${detail}). Restore a backup, or move it away to start a new history.`);

export const storeForeign = (path: string): StoreError =>
  made(
    "store-foreign",
    `${path} is the database of another program. Choose another folder with --home or CURLEW_HOME.`,
  );

export const storeNewer = (path: string, version: number, known: number): StoreError =>
  made(
    "store-newer",
    `${path} was written by a newer version of Curlew (format ${version}, this version reads up to ${known}). Update Curlew.`,
  );

export const storeFailed = (path: string, detail: string): StoreError => made("store-failed", `${path}: ${detail}`);

/** `path`: the URL of the database without its password. */
export const storeUnreachable = (path: string, detail: string): StoreError =>
  made(
    "store-unreachable",
    `The database ${path} can't be reached (${detail}). Check that it is running, and try again.`,
  );

export const storeRefused = (path: string, detail: string): StoreError =>
  made("store-refused", `The database ${path} refused the connection: ${detail}`);

export const storeNotSetUp = (path: string): StoreError =>
  made("store-not-set-up", `The database ${path} isn't set up for this version of Curlew. Run: curlew db init`);

export const databaseUrl = (detail: string): StoreError =>
  made("database-url", `The URL of the database is not valid. ${detail}`);

/** `to`: where the history is now. */
export const storeMoved = (path: string, to: string): StoreError =>
  made(
    "store-moved",
    `The history of ${path} was moved to ${to}. Use it there with --db, or bring it back with: curlew db move --from`,
  );

export const moveFailed = (message: string): StoreError => made("move-failed", message);
