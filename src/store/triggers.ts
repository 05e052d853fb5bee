// The state of each trigger, and the starts that were decided (spec 2.5).
//   T1. A start is decided in the transaction that advances its trigger, together with its run id. After a kill, the
//       start is found again, and a run with that id exists at most once. No start is lost or repeated.
//   T2. A trigger has one start per key. The key of a schedule's start is its time.
//   T3. Old data is removed: starts beyond limits.triggerStartsKept, and triggers absent from all
//       documents for limits.triggersKeptMs.
//   T4. The triggers of a document's last valid version are kept while it is invalid, even for the next server.

import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import type { Trigger } from "../scheduler/event.ts";
import type { DocumentTrigger } from "../workflow/triggers/index.ts";
import { type Asking, all, run as execute, get, type Sql } from "./ask.ts";
import type { SqlRow } from "./database.ts";
import type { StoreError } from "./error.ts";

export interface TriggerState {
  paused: boolean;
  sinceMs: number;
  last?: TriggerLast;
}

/** The last result. `at`: the schedule's time, or when the change was seen. */
export interface TriggerLast {
  at: string;
  run?: string;
  /** Its cause, such as the path of a file. */
  by?: string;
  skipped?: string;
}

/** A decided start. */
export interface DueStart {
  n: number;
  run: string;
  trigger: string;
  key: string;
  startedBy: Trigger;
  file: string;
  event?: string;
}

/** `mark` is absent if the file was removed. */
export interface WatchedChange {
  path: string;
  mark?: string;
  start?: NewStart;
}

export type NewStart = Omit<DueStart, "n">;

export interface Triggers {
  /** The trigger's state. A new trigger counts from now. Errors: store-*. */
  seen(id: string, nowMs: number): Now<Result<TriggerState, StoreError>>;
  /** The same for several triggers, in one commit. The result has their order. */
  allSeen(ids: readonly string[], nowMs: number): Now<Result<TriggerState[], StoreError>>;
  state(id: string): Now<Result<TriggerState | undefined, StoreError>>;
  /** Pauses the trigger, or resumes it from now. */
  pause(id: string, paused: boolean, nowMs: number): Now<Result<void, StoreError>>;
  /**
   * T1. Advances the trigger and records its starts, except those whose key exists already. Returns the recorded ones.
   */
  decide(
    id: string,
    to: { sinceMs: number; last?: TriggerLast },
    starts: readonly NewStart[],
  ): Now<Result<DueStart[], StoreError>>;
  /** For each trigger, the oldest decided start that is not a run yet. */
  due(): Now<Result<DueStart[], StoreError>>;
  /** The number of a trigger's decided starts that are not runs yet. */
  waiting(id: string): Now<Result<number, StoreError>>;
  /** Marks the start as a run, or as dropped. */
  settle(n: number, state: "started" | "dropped", last?: TriggerLast): Now<Result<void, StoreError>>;
  /** Runs that this trigger started, newest first. */
  runsOf(id: string, most: number): Now<Result<string[], StoreError>>;
  /** The known paths of a watch and their marks. */
  watched(id: string): Now<Result<Map<string, string>, StoreError>>;
  /** Records files that exist already. */
  remember(id: string, marks: Iterable<readonly [path: string, mark: string]>): Now<Result<void, StoreError>>;
  /** T1 for a watch: records the changes seen, together with the resulting starts. */
  decideWatched(id: string, nowMs: number, changes: readonly WatchedChange[]): Now<Result<DueStart[], StoreError>>;
  /** T4: the triggers by file. */
  documents(): Now<Result<Map<string, DocumentTrigger[]>, StoreError>>;
  /** Stores the triggers of documents in one commit. An empty list: the document has none any more, or was removed. */
  say(
    all: readonly (readonly [file: string, says: readonly DocumentTrigger[]])[],
    nowMs: number,
  ): Now<Result<void, StoreError>>;
  /** T3. */
  tidy(nowMs: number): Now<Result<void, StoreError>>;
}

const SEEN_EVERY_MS = 86_400_000;

export function openTriggers(sql: Sql): Triggers {
  return new SqlTriggers(sql);
}

class SqlTriggers implements Triggers {
  private readonly sql: Sql;

  constructor(sql: Sql) {
    this.sql = sql;
  }

  readonly seen: Triggers["seen"] = (id, nowMs) =>
    this.sql.transaction(function* () {
      return ok(yield* see(id, nowMs));
    });

  readonly allSeen: Triggers["allSeen"] = (ids, nowMs) =>
    this.sql.transaction(function* () {
      const states: TriggerState[] = [];
      for (const id of ids) states.push(yield* see(id, nowMs));
      return ok(states);
    });

  readonly state: Triggers["state"] = (id) =>
    this.sql.guard(function* () {
      const row = yield* find(id);
      return ok(row === undefined ? undefined : stateOf(row));
    });

  readonly pause: Triggers["pause"] = (id, paused, nowMs) =>
    this.sql.transaction(function* () {
      yield* execute("UPDATE triggers SET paused = ? WHERE id = ?", paused ? 1 : 0, id);
      yield* move(id, { sinceMs: nowMs });
      return ok(undefined);
    });

  readonly decide: Triggers["decide"] = (id, to, starts) =>
    this.sql.transaction(function* () {
      yield* move(id, to);
      const due: DueStart[] = [];
      for (const start of starts) due.push(...(yield* record(start)));
      return ok(due);
    });

  readonly due: Triggers["due"] = () =>
    this.sql.guard(function* () {
      const oldest = "SELECT min(n) FROM trigger_starts WHERE state = 'due' GROUP BY trigger";
      return ok((yield* all(`SELECT * FROM trigger_starts WHERE n IN (${oldest}) ORDER BY n`)).map(dueOf));
    });

  readonly waiting: Triggers["waiting"] = (id) =>
    this.sql.guard(function* () {
      const row = yield* get("SELECT count(*) AS n FROM trigger_starts WHERE state = 'due' AND trigger = ?", id);
      return ok(Number(row?.n));
    });

  readonly settle: Triggers["settle"] = (n, state, last) =>
    this.sql.transaction(function* () {
      const row = yield* get("SELECT trigger FROM trigger_starts WHERE n = ?", n);
      yield* execute("UPDATE trigger_starts SET state = ?, event = NULL WHERE n = ?", state, n);
      if (row !== undefined && last !== undefined)
        yield* execute("UPDATE triggers SET last = ? WHERE id = ?", JSON.stringify(last), String(row.trigger));
      return ok(undefined);
    });

  readonly runsOf: Triggers["runsOf"] = (id, most) =>
    this.sql.guard(function* () {
      const sql = "SELECT run FROM trigger_starts WHERE trigger = ? AND state = 'started' ORDER BY n DESC LIMIT ?";
      return ok((yield* all(sql, id, most)).map((row) => String(row.run)));
    });

  readonly watched: Triggers["watched"] = (id) =>
    this.sql.guard(function* () {
      const rows = yield* all("SELECT path, mark FROM watched WHERE trigger = ?", id);
      return ok(new Map(rows.map((row) => [String(row.path), String(row.mark)])));
    });

  readonly remember: Triggers["remember"] = (id, marks) =>
    this.sql.transaction(function* () {
      for (const [path, mark] of marks) yield* remembered(id, path, mark);
      return ok(undefined);
    });

  readonly decideWatched: Triggers["decideWatched"] = (id, nowMs, changes) =>
    this.sql.transaction(function* () {
      const due: DueStart[] = [];
      for (const { path, mark, start } of changes) {
        if (mark === undefined) yield* execute("DELETE FROM watched WHERE trigger = ? AND path = ?", id, path);
        else yield* remembered(id, path, mark);
        if (start !== undefined) due.push(...(yield* record(start)));
      }
      const path = changes.findLast(({ start }) => start !== undefined)?.path;
      const at = new Date(nowMs).toISOString();
      yield* move(id, { sinceMs: nowMs, last: path === undefined ? undefined : { at, by: path } });
      return ok(due);
    });

  readonly documents: Triggers["documents"] = () =>
    this.sql.guard(function* () {
      const rows = yield* all("SELECT file, says FROM trigger_documents");
      return ok(new Map(rows.map(({ file, says }) => [String(file), JSON.parse(String(says))])));
    });

  readonly say: Triggers["say"] = (all, nowMs) =>
    this.sql.transaction(function* () {
      for (const [file, says] of all)
        if (says.length === 0) yield* execute("DELETE FROM trigger_documents WHERE file = ?", file);
        else
          yield* execute(
            `INSERT INTO trigger_documents (file, says, seen_ms) VALUES (?, ?, ?)
               ON CONFLICT (file) DO UPDATE SET says = excluded.says, seen_ms = excluded.seen_ms`,
            ...[file, JSON.stringify(says), nowMs],
          );
      return ok(undefined);
    });

  readonly tidy: Triggers["tidy"] = (nowMs) =>
    this.sql.transaction(function* () {
      yield* execute("DELETE FROM trigger_documents WHERE seen_ms < ?", nowMs - limits.triggersKeptMs);
      yield* execute("DELETE FROM triggers WHERE seen_ms < ?", nowMs - limits.triggersKeptMs);
      yield* execute("DELETE FROM watched WHERE trigger NOT IN (SELECT id FROM triggers)");
      const sql = "SELECT n FROM trigger_starts WHERE state <> 'due' ORDER BY n DESC LIMIT 1 OFFSET ?";
      const last = yield* get(sql, limits.triggerStartsKept);
      if (last !== undefined)
        yield* execute("DELETE FROM trigger_starts WHERE state <> 'due' AND n <= ?", Number(last.n));
      return ok(undefined);
    });
}

function stateOf(row: SqlRow): TriggerState {
  return {
    paused: row.paused === 1,
    sinceMs: Number(row.since_ms),
    last: typeof row.last === "string" ? JSON.parse(row.last) : undefined,
  };
}

function find(id: string): Asking<SqlRow | undefined> {
  return get("SELECT * FROM triggers WHERE id = ?", id);
}

function* move(id: string, { sinceMs, last }: { sinceMs: number; last?: TriggerLast }): Asking<void> {
  yield* execute("UPDATE triggers SET since_ms = ? WHERE id = ? AND since_ms < ?", sinceMs, id, sinceMs);
  if (last !== undefined) yield* execute("UPDATE triggers SET last = ? WHERE id = ?", JSON.stringify(last), id);
}

function* record(start: NewStart): Asking<DueStart[]> {
  const sql = "SELECT 1 FROM trigger_starts WHERE trigger = ? AND key = ?";
  if ((yield* get(sql, start.trigger, start.key)) !== undefined) return [];
  yield* execute(
    "INSERT INTO trigger_starts (run, trigger, key, started_by, file, event, state) VALUES (?, ?, ?, ?, ?, ?, 'due')",
    ...[start.run, start.trigger, start.key, JSON.stringify(start.startedBy), start.file, start.event ?? null],
  );
  const row = yield* get("SELECT n FROM trigger_starts WHERE run = ?", start.run);
  return [{ ...start, n: Number(row?.n) }];
}

function* see(id: string, nowMs: number): Asking<TriggerState> {
  // The clock was ahead when this was written. Times that were already decided are recognised by their keys (record).
  yield* execute("UPDATE triggers SET since_ms = ? WHERE id = ? AND since_ms > ?", nowMs, id, nowMs);
  const known = yield* find(id);
  if (known === undefined)
    yield* execute("INSERT INTO triggers (id, since_ms, seen_ms) VALUES (?, ?, ?)", id, nowMs, nowMs);
  // An occasional update is enough for T3.
  else if (nowMs - Number(known.seen_ms) > SEEN_EVERY_MS)
    yield* execute("UPDATE triggers SET seen_ms = ? WHERE id = ?", nowMs, id);
  return stateOf(known ?? (yield* find(id))!);
}

function* remembered(id: string, path: string, mark: string): Asking<void> {
  const sql =
    "INSERT INTO watched (trigger, path, mark) VALUES (?, ?, ?) ON CONFLICT (trigger, path) DO UPDATE SET mark = excluded.mark";
  yield* execute(sql, id, path, mark);
}

function dueOf(row: SqlRow): DueStart {
  return {
    n: Number(row.n),
    run: String(row.run),
    trigger: String(row.trigger),
    key: String(row.key),
    startedBy: JSON.parse(String(row.started_by)),
    file: String(row.file),
    event: typeof row.event === "string" ? row.event : undefined,
  };
}
