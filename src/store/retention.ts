// Removes old runs and frees their disk space (spec 5.6 "retention is our own job").
//   R1. Only runs whose end is on record are removed. Active, waiting, and damaged runs, and
//       those claimed by a living process, stay.
//   R2. Runs that ended first are removed first, so an interrupted removal has removed the least important ones.
//   R3. Freed space is returned to the disk: outputs, database pages, and the write-ahead log.

import fs from "node:fs";
import path from "node:path";
import type { AtOnce } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import type { RunStatus } from "../scheduler/state.ts";
import { type Asking, all, answered, get } from "./ask.ts";
import type { Database, SqlRow } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { IsAlive, Journal, RunRow } from "./journal.ts";
import type { Outputs } from "./outputs.ts";

export interface RetentionRule {
  /** Ended before this time (ISO 8601, UTC). */
  endedBefore?: string;
  /** Only runs beyond this number of the newest finished ones (of `statuses`, if given). */
  keep?: number;
  statuses?: readonly RunStatus[];
  /** At most this many runs per call. */
  most?: number;
}

export interface Removed {
  /** Removed runs, oldest first, without those of their subflows, which were removed with them. */
  runs: Pick<RunRow, "id" | "name" | "status" | "endedAt">[];
  /** Disk space that was freed. */
  freedBytes: number;
}

interface Deps {
  home: string;
  database: Database;
  journal: AtOnce<Journal>;
}

type Files = Deps & { outputs: Outputs };

/** Pages to return per step. Other writers wait no longer than one step takes. */
const PAGES_AT_ONCE = 2_000;
/** A file from before incremental vacuum is copied if at least this share of it is empty. */
const EMPTY_SHARE_MIN = 0.25;

/** The runs that would be removed, earliest end first. */
export function runsToRemove({ database, journal }: Deps, leaving: RetentionRule): Result<RunRow[], StoreError> {
  return database.guard(() => {
    const rows = answered(database, candidates(leaving)).map((row) => journal.findRun(String(row.id)));
    return ok(rows.flatMap((row) => (row.ok && row.value.endedAt !== undefined ? [row.value] : [])));
  });
}

/** Ids of runs that would be removed. */
export function* candidates({ endedBefore, keep, statuses, most }: RetentionRule): Asking<SqlRow[]> {
  const marks = statuses?.map(() => "?").join(", ");
  const ended = `FROM runs INDEXED BY runs_by_end WHERE ended_at IS NOT NULL AND parent IS NULL${marks === undefined ? "" : ` AND status IN (${marks})`}`;
  const own = [...(statuses ?? [])];
  const last =
    keep === undefined
      ? undefined
      : yield* get(`SELECT ended_at, id ${ended} ORDER BY ended_at DESC, id DESC LIMIT 1 OFFSET ?`, ...own, keep);
  if (keep !== undefined && last === undefined) return [];
  const terms: { sql: string; values: string[] }[] = [];
  if (endedBefore !== undefined) terms.push({ sql: "ended_at < ?", values: [endedBefore] });
  if (last !== undefined)
    terms.push({ sql: "(ended_at, id) <= (?, ?)", values: [String(last.ended_at), String(last.id)] });
  return yield* all(
    `SELECT id ${ended}${terms.map(({ sql }) => ` AND ${sql}`).join("")} ORDER BY ended_at, id LIMIT ?`,
    ...own,
    ...terms.flatMap(({ values }) => values),
    most ?? Number.MAX_SAFE_INTEGER,
  );
}

/**
 * Removes the run, the runs of its subflows, and all their outputs. Calls `before` with each id before its files are
 * removed. Errors: run-not-found, run-claimed, store-*.
 */
export function removeWithFiles(
  { journal, outputs }: Pick<Files, "journal" | "outputs">,
  run: string,
  isAlive: IsAlive,
  before?: (id: string) => void,
): Result<string[], StoreError> {
  const removed = journal.deleteRun(run, isAlive);
  if (!removed.ok) return removed;
  for (const id of removed.value) {
    before?.(id);
    const gone = outputs.remove(id);
    if (!gone.ok) return gone;
  }
  return removed;
}

/** R1 to R3. Errors: store-*. */
export function removeOldRuns(deps: Files, leaving: RetentionRule, isAlive: IsAlive): Result<Removed, StoreError> {
  const found = runsToRemove(deps, leaving);
  if (!found.ok) return found;
  const runs: Removed["runs"] = [];
  let freedBytes = 0;
  const count = (run: string): void => {
    freedBytes += bytesOf(path.join(deps.home, "runs", run));
  };
  for (const { id, name, status, endedAt } of found.value) {
    const removed = removeWithFiles(deps, id, isAlive, count);
    // Another process resumed or removed the run after it was selected.
    if (!removed.ok && (removed.error.code === "run-claimed" || removed.error.code === "run-not-found")) continue;
    if (!removed.ok) return removed;
    runs.push({ id, name, status, endedAt });
  }
  if (runs.length === 0) return ok({ runs, freedBytes });
  const compacted = compact(deps);
  return compacted.ok ? ok({ runs, freedBytes: freedBytes + compacted.value }) : compacted;
}

/** R3 for the database. Returns the bytes freed. Another active process can keep some in use, which are freed later. */
function compact({ home, database }: Pick<Deps, "home" | "database">): Result<number, StoreError> {
  const before = databaseBytes(home);
  return database.guard(() => {
    const number = (pragma: string) => Number(Object.values(database.get(`PRAGMA ${pragma}`) ?? {})[0]);
    const INCREMENTAL = 2;
    if (number("auto_vacuum") === INCREMENTAL) {
      while (number("freelist_count") > 0) {
        const left = number("freelist_count");
        database.all(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
        if (number("freelist_count") >= left) break;
      }
    } else if (number("freelist_count") > EMPTY_SHARE_MIN * number("page_count")) {
      database.run("PRAGMA auto_vacuum = INCREMENTAL");
      database.script("VACUUM");
    }
    // Do not wait for readers: the next checkpoint truncates the log.
    const patience = number("busy_timeout");
    database.get("PRAGMA busy_timeout = 100");
    database.get("PRAGMA wal_checkpoint(TRUNCATE)");
    database.get(`PRAGMA busy_timeout = ${patience}`);
    return ok(Math.max(0, before - databaseBytes(home)));
  });
}

function databaseBytes(home: string): number {
  const sizes = ["curlew.db", "curlew.db-wal"].map((name) =>
    fs.statSync(path.join(home, name), { throwIfNoEntry: false }),
  );
  return sizes.reduce((sum, stat) => sum + (stat?.size ?? 0), 0);
}

/** The space that removing the folder frees. Files with other hard links do not count. */
export function bytesOf(folder: string): number {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const stats = names.map((name) => fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false }));
  return stats.reduce((sum, stat) => sum + (stat === undefined || stat.nlink > 1 ? 0 : stat.blocks * 512), 0);
}
