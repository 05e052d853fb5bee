// The part of the journal that is the same in every SQL database: everything but writing to a run (journal.ts has the contract).
//   Q1. A record that cannot be decoded affects only its own run.

import { limits } from "../base/limits.ts";
import { after, type Now } from "../base/now.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import type { RunStatus } from "../scheduler/state.ts";
import { OPEN_STATUSES } from "../scheduler/statuses.ts";
import { type Asking, all, run as execute, get, type Sql } from "./ask.ts";
import type { SqlRow } from "./database.ts";
import { partOfOpen, recordDamaged, runAmbiguous, runClaimed, runNotFound, type StoreError } from "./error.ts";
import type { IsAlive, Journal, PlacedEvent, PlacedPage, RunPage, RunQuery, RunRow } from "./journal.ts";
import { decodeEvent } from "./row.ts";
import { pageOfRuns } from "./run-query.ts";
import { ownerOf, readRow } from "./sqlite-row.ts";

export const BY_ID = "SELECT * FROM runs WHERE id = ?";

type Reading = Omit<
  Journal,
  "createRun" | "append" | "claim" | "release" | "lastPosition" | "othersChange" | "check" | "close"
>;

export abstract class SqlJournal implements Reading {
  protected readonly sql: Sql;

  constructor(sql: Sql) {
    this.sql = sql;
  }

  /** Positions up to which every transaction has ended, as a condition on `pos`. */
  protected readonly settled: string = "";
  /** The columns of an event's row that `decode` needs. */
  protected readonly columns: string = "seq, body";

  protected decode(run: string, row: SqlRow): Result<RunEvent, StoreError> {
    return decodeEvent(run, Number(row.seq), String(row.body));
  }

  read(run: string, fromSeq = 1, limit = Number.POSITIVE_INFINITY): Now<Result<RunEvent[], StoreError>> {
    const events: RunEvent[] = [];
    const seen = this.sql.guard(() => this.visiting(run, fromSeq, limit, (event) => events.push(event)));
    return after(seen, (visited) => (visited.ok ? ok(events) : visited));
  }

  readonly each: Journal["each"] = (run, fromSeq, visit) =>
    this.sql.guard(() => this.visiting(run, fromSeq, Number.POSITIVE_INFINITY, visit));

  readAll(afterPosition: number, limit: number = limits.journalPageEvents): Now<Result<PlacedPage, StoreError>> {
    const sql = `SELECT pos, ${this.columns}, id FROM events JOIN runs ON run = key
                 WHERE pos > ?${this.settled} ORDER BY pos LIMIT ?`;
    const most = Math.max(1, Math.min(limit, limits.journalPageEvents));
    const decode = (row: SqlRow) => this.decode(String(row.id), row);
    return this.sql.guard(function* () {
      const rows = yield* all(sql, afterPosition, most);
      const events = rows.flatMap((row): PlacedEvent[] => {
        const event = decode(row);
        return event.ok ? [{ position: Number(row.pos), event: event.value }] : [];
      });
      return ok({ events, position: Number(rows.at(-1)?.pos ?? afterPosition) });
    });
  }

  lastSeq(run: string): Now<Result<number, StoreError>> {
    return this.sql.guard(function* () {
      const head = yield* get("SELECT last_seq FROM runs WHERE id = ?", run);
      return head ? ok(Number(head.last_seq)) : err(runNotFound(run));
    });
  }

  leftRuns(): Now<Result<string[], StoreError>> {
    const sql =
      "SELECT id FROM runs INDEXED BY runs_left WHERE owner_token IS NOT NULL AND ended_at IS NOT NULL ORDER BY id";
    return this.sql.guard(function* () {
      return ok((yield* all(sql)).map((row) => row.id as string));
    });
  }

  listRuns(query: RunQuery = {}): Now<Result<RunPage, StoreError>> {
    return this.sql.guard(function* () {
      const { rows, next } = yield* pageOfRuns(query);
      const shown = rows.map((row) => ({ id: String(row.id), read: readRow(row) }));
      const damaged = shown.filter(({ read }) => !read.ok).map(({ id }) => id);
      return ok({
        runs: shown.flatMap(({ read }) => (read.ok ? [read.value] : [])),
        ...(next !== undefined && { next }),
        ...(damaged.length > 0 && { damaged }),
      });
    });
  }

  endedSince(sinceMs: number): Now<Result<RunRow[], StoreError>> {
    return this.sql.guard(function* () {
      const sql =
        "SELECT * FROM runs INDEXED BY runs_by_end WHERE ended_at IS NOT NULL AND parent IS NULL AND ended_at >= ? ORDER BY ended_at";
      const rows = yield* all(sql, new Date(sinceMs).toISOString());
      return ok(
        rows.flatMap((row) => {
          const read = readRow(row);
          return read.ok ? [read.value] : [];
        }),
      );
    });
  }

  /** The user whose newest run `latest` is. Undefined: all runs are of one. */
  protected readonly user: string | undefined = undefined;

  findRun(name: string): Now<Result<RunRow, StoreError>> {
    const { user } = this;
    return this.sql.guard(function* () {
      const wanted = name.toLowerCase();
      const exact = wanted === "latest" ? yield* latest(user) : yield* get(BY_ID, wanted);
      if (exact) return readRow(exact);
      if (!/^[0-9a-z]+$/.test(wanted)) return err(runNotFound(name));
      const top = yield* begun(wanted, "parent IS NULL");
      const matches = top.length > 0 ? top : yield* begun(wanted, "parent IS NOT NULL");
      if (matches.length > 1)
        return err(
          runAmbiguous(
            name,
            matches.map((row) => row.id as string),
          ),
        );
      return matches[0] ? readRow(matches[0]) : err(runNotFound(name));
    });
  }

  deleteRun(run: string, isAlive: IsAlive): Now<Result<string[], StoreError>> {
    return this.sql.transaction(() => deleting(run, isAlive));
  }

  removedSince(n?: number): Now<Result<{ n: number; runs: string[] }, StoreError>> {
    return this.sql.guard(function* () {
      const rows = n === undefined ? [] : yield* all("SELECT n, run FROM removed_runs WHERE n > ? ORDER BY n", n);
      const last = yield* get("SELECT max(n) AS n FROM removed_runs");
      return ok({ n: Number(last?.n ?? 0), runs: rows.map(({ run }) => String(run)) });
    });
  }

  openCounts: Journal["openCounts"] = () =>
    this.sql.guard(function* () {
      const counted = (yield* all(COUNTED, ...OPEN_STATUSES)).map(
        ({ file, status, part, runs, empty, asking, requests }) => ({
          ...{ file: String(file), status: status as RunStatus, isPart: Number(part) === 1 },
          ...{ runs: Number(runs), empty: Number(empty), asking: Number(asking), requests: Number(requests) },
        }),
      );
      return ok(counted);
    });

  /** Reads page by page, so that no long read transaction holds back the writers' checkpoints. */
  private *visiting(
    run: string,
    fromSeq: number,
    limit: number,
    visit: (event: RunEvent) => unknown,
  ): Asking<Result<number, StoreError>> {
    const head = yield* get("SELECT key FROM runs WHERE id = ?", run);
    if (!head) return err(runNotFound(run));
    const firstSeq = Math.max(1, fromSeq);
    let seq = firstSeq;
    for (let left = limit; left > 0; left -= limits.journalPageEvents) {
      const pageEvents = Math.min(left, limits.journalPageEvents);
      const sql = `SELECT ${this.columns} FROM events WHERE run = ? AND seq >= ? ORDER BY seq LIMIT ?`;
      const rows = yield* all(sql, head.key!, seq, pageEvents);
      for (const row of rows) {
        if (row.seq !== seq) return err(recordDamaged(run, seq));
        const event = this.decode(run, row);
        if (!event.ok) return event;
        seq++;
        if (visit(event.value) === false) return ok(seq - firstSeq);
      }
      if (rows.length < pageEvents) break;
    }
    return ok(seq - firstSeq);
  }
}

/** Counts unfinished runs from an index, without reading their rows. */
const COUNTED = `SELECT file, status, CASE WHEN parent IS NULL THEN 0 ELSE 1 END AS part, count(*) AS runs,
    sum(CASE WHEN last_seq = 0 THEN 1 ELSE 0 END) AS empty, sum(CASE WHEN waiting > 0 THEN 1 ELSE 0 END) AS asking,
    sum(waiting) AS requests
  FROM runs INDEXED BY runs_by_status WHERE status IN (${OPEN_STATUSES.map(() => "?").join(", ")}) GROUP BY 1, 2, 3`;

function begun(wanted: string, whose: string) {
  const sql = `SELECT * FROM runs WHERE id > ? AND id < ? AND ${whose} ORDER BY id DESC LIMIT ?`;
  return all(sql, wanted, `${wanted}~`, limits.ambiguousRunsShown);
}

function* latest(user: string | undefined): Asking<SqlRow | undefined> {
  const [where, values] = user === undefined ? ["", []] : [" AND by_user = ?", [user]];
  const newest = (more: string) =>
    get(`SELECT * FROM runs WHERE parent IS NULL${where}${more} ORDER BY id DESC LIMIT 1`, ...values);
  return (yield* newest(" AND kind <> 'test'")) ?? (yield* newest(""));
}

function* deleting(run: string, isAlive: IsAlive): Asking<Result<string[], StoreError>> {
  const self = yield* get(BY_ID, run);
  if (!self) return err(runNotFound(run));
  const parent = self.parent === null ? undefined : yield* get(BY_ID, self.parent!);
  if (parent && parent.ended_at === null) return err(partOfOpen(run, String(parent.id)));
  const family = [self];
  for (const parent of family) family.push(...(yield* all("SELECT * FROM runs WHERE parent = ?", parent.id!)));
  for (const row of family) {
    const owner = ownerOf(row);
    if (owner && isAlive(owner)) return err(runClaimed(row.id as string, owner));
  }
  for (const { key, id } of family) {
    // The row first: an append that is under way ends before, and none begins after it.
    yield* execute("DELETE FROM runs WHERE key = ?", key!);
    yield* execute("DELETE FROM events WHERE run = ?", key!);
    yield* execute("INSERT INTO removed_runs (run) VALUES (?)", id!);
  }
  const oldest = "SELECT max(n) FROM removed_runs";
  yield* execute(`DELETE FROM removed_runs WHERE n <= (${oldest}) - ?`, limits.removedRunsKept);
  return ok(family.map((row) => row.id as string));
}
