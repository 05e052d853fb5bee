// triggers: how far each trigger has come, and the starts that were decided (spec 2.5).
//   T1. A start is decided in the transaction that moves its trigger on, under the run id that it will have. Whoever is killed in between
//       finds it again, and the run of that id exists at most once: never lost, never doubled.
//   T2. A trigger has one start a key, of a schedule its time.
//   T3. What is over leaves: starts beyond limits.triggerStartsKept, triggers that no document has had for limits.triggersKeptMs.
//   T4. What a document said when it was last sound is known while it is not, by the next server too.
// Deliberately absent: cron, clocks, folders.

import { limits } from "../base/limits.ts";
import { ok, type Result } from "../base/result.ts";
import type { Trigger } from "../scheduler/event.ts";
import type { DocumentTrigger } from "../workflow/triggers.ts";
import type { Database, SqlRow } from "./database.ts";
import type { StoreError } from "./error.ts";

export interface TriggerState {
  paused: boolean;
  sinceMs: number;
  last?: TriggerLast;
}

/** What came of it last. `at`: the schedule's time, or when it was seen. */
export interface TriggerLast {
  at: string;
  run?: string;
  file?: string;
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

/** `mark` absent: the file is gone. */
export interface WatchedChange {
  path: string;
  mark?: string;
  start?: NewStart;
}

export type NewStart = Omit<DueStart, "n">;

export interface Triggers {
  /** As it stands; one that was never seen begins now. Errors: store-*. */
  seen(id: string, nowMs: number): Result<TriggerState, StoreError>;
  /** The same of many, in one commit; in their order. */
  allSeen(ids: readonly string[], nowMs: number): Result<TriggerState[], StoreError>;
  state(id: string): Result<TriggerState | undefined, StoreError>;
  /** Paused, or going on: then from now. */
  pause(id: string, paused: boolean, nowMs: number): Result<void, StoreError>;
  /** T1. Moves the trigger on and records what is to start; a start whose key was there before is left out. Answers with those recorded. */
  decide(
    id: string,
    to: { sinceMs: number; last?: TriggerLast },
    starts: readonly NewStart[],
  ): Result<DueStart[], StoreError>;
  /** Of each trigger the oldest start that is decided and not yet a run. */
  due(): Result<DueStart[], StoreError>;
  /** How many of a trigger are. */
  waiting(id: string): Result<number, StoreError>;
  /** It is a run now, or will be none. */
  settle(n: number, state: "started" | "dropped", last?: TriggerLast): Result<void, StoreError>;
  /** Runs that this trigger has started, newest first. */
  runsOf(id: string, most: number): Result<string[], StoreError>;
  /** Paths and marks of a watch. */
  watched(id: string): Result<Map<string, string>, StoreError>;
  /** What lies there already. */
  remember(id: string, marks: Iterable<readonly [path: string, mark: string]>): Result<void, StoreError>;
  /** T1 for a watch: what it has seen of files, together with the starts that come of it. */
  decideWatched(id: string, nowMs: number, changes: readonly WatchedChange[]): Result<DueStart[], StoreError>;
  /** T4, by file. */
  documents(): Result<Map<string, DocumentTrigger[]>, StoreError>;
  /** They say this now, in one commit; nothing: it has no triggers any more, or is gone. */
  say(
    all: readonly (readonly [file: string, says: readonly DocumentTrigger[]])[],
    nowMs: number,
  ): Result<void, StoreError>;
  /** T3. */
  tidy(nowMs: number): Result<void, StoreError>;
}

const SEEN_EVERY_MS = 86_400_000;

export function openTriggers(database: Database): Triggers {
  const stateOf = (row: SqlRow): TriggerState => ({
    paused: row.paused === 1,
    sinceMs: Number(row.since_ms),
    ...(typeof row.last === "string" ? { last: JSON.parse(row.last) } : {}),
  });
  const find = (id: string): SqlRow | undefined => database.get("SELECT * FROM triggers WHERE id = ?", id);

  function move(id: string, { sinceMs, last }: { sinceMs: number; last?: TriggerLast }): void {
    database.run("UPDATE triggers SET since_ms = max(since_ms, ?) WHERE id = ?", sinceMs, id);
    if (last !== undefined) database.run("UPDATE triggers SET last = ? WHERE id = ?", JSON.stringify(last), id);
  }

  function record(start: NewStart): DueStart[] {
    const known = database.get("SELECT 1 FROM trigger_starts WHERE trigger = ? AND key = ?", start.trigger, start.key);
    if (known !== undefined) return [];
    database.run(
      "INSERT INTO trigger_starts (run, trigger, key, started_by, file, event, state) VALUES (?, ?, ?, ?, ?, ?, 'due')",
      ...[start.run, start.trigger, start.key, JSON.stringify(start.startedBy), start.file, start.event ?? null],
    );
    const row = database.get("SELECT n FROM trigger_starts WHERE run = ?", start.run);
    return [{ ...start, n: Number(row?.n) }];
  }

  function see(id: string, nowMs: number): TriggerState {
    // From a clock that was ahead: times that were decided are known by their keys (record).
    database.run("UPDATE triggers SET since_ms = ? WHERE id = ? AND since_ms > ?", nowMs, id, nowMs);
    const known = find(id);
    if (known === undefined)
      database.run("INSERT INTO triggers (id, since_ms, seen_ms) VALUES (?, ?, ?)", id, nowMs, nowMs);
    // Now and then is enough: it is there for T3.
    else if (nowMs - Number(known.seen_ms) > SEEN_EVERY_MS)
      database.run("UPDATE triggers SET seen_ms = ? WHERE id = ?", nowMs, id);
    return stateOf(known ?? find(id)!);
  }

  return {
    seen: (id, nowMs) => database.transaction(() => ok(see(id, nowMs))),
    allSeen: (ids, nowMs) => database.transaction(() => ok(ids.map((id) => see(id, nowMs)))),
    state: (id) =>
      database.guard(() => {
        const row = find(id);
        return ok(row === undefined ? undefined : stateOf(row));
      }),
    pause: (id, paused, nowMs) =>
      database.transaction(() => {
        database.run(
          "UPDATE triggers SET paused = ?, since_ms = max(since_ms, ?) WHERE id = ?",
          paused ? 1 : 0,
          nowMs,
          id,
        );
        return ok(undefined);
      }),
    decide: (id, to, starts) =>
      database.transaction(() => {
        move(id, to);
        return ok(starts.flatMap(record));
      }),
    due: () =>
      database.guard(() => {
        const oldest = "SELECT min(n) FROM trigger_starts WHERE state = 'due' GROUP BY trigger";
        return ok(database.all(`SELECT * FROM trigger_starts WHERE n IN (${oldest}) ORDER BY n`).map(dueOf));
      }),
    waiting: (id) =>
      database.guard(() => {
        const row = database.get("SELECT count(*) AS n FROM trigger_starts WHERE state = 'due' AND trigger = ?", id);
        return ok(Number(row?.n));
      }),
    settle: (n, state, last) =>
      database.transaction(() => {
        const row = database.get("SELECT trigger FROM trigger_starts WHERE n = ?", n);
        database.run("UPDATE trigger_starts SET state = ?, event = NULL WHERE n = ?", state, n);
        if (row !== undefined && last !== undefined)
          database.run("UPDATE triggers SET last = ? WHERE id = ?", JSON.stringify(last), String(row.trigger));
        return ok(undefined);
      }),
    runsOf: (id, most) =>
      database.guard(() => {
        const sql = "SELECT run FROM trigger_starts WHERE trigger = ? AND state = 'started' ORDER BY n DESC LIMIT ?";
        return ok(database.all(sql, id, most).map((row) => String(row.run)));
      }),
    watched: (id) =>
      database.guard(() => {
        const rows = database.all("SELECT path, mark FROM watched WHERE trigger = ?", id);
        return ok(new Map(rows.map((row) => [String(row.path), String(row.mark)])));
      }),
    remember: (id, marks) =>
      database.transaction(() => {
        for (const [path, mark] of marks)
          database.run("INSERT OR REPLACE INTO watched (trigger, path, mark) VALUES (?, ?, ?)", id, path, mark);
        return ok(undefined);
      }),
    decideWatched: (id, nowMs, changes) =>
      database.transaction(() => {
        const due = changes.flatMap(({ path, mark, start }) => {
          if (mark === undefined) database.run("DELETE FROM watched WHERE trigger = ? AND path = ?", id, path);
          else database.run("INSERT OR REPLACE INTO watched (trigger, path, mark) VALUES (?, ?, ?)", id, path, mark);
          return start === undefined ? [] : record(start);
        });
        const path = changes.findLast(({ start }) => start !== undefined)?.path;
        const at = new Date(nowMs).toISOString();
        move(id, { sinceMs: nowMs, ...(path === undefined ? {} : { last: { at, file: path } }) });
        return ok(due);
      }),
    documents: () =>
      database.guard(() => {
        const rows = database.all("SELECT file, says FROM trigger_documents");
        return ok(new Map(rows.map(({ file, says }) => [String(file), JSON.parse(String(says))])));
      }),
    say: (all, nowMs) =>
      database.transaction(() => {
        for (const [file, says] of all)
          if (says.length === 0) database.run("DELETE FROM trigger_documents WHERE file = ?", file);
          else
            database.run(
              "INSERT OR REPLACE INTO trigger_documents (file, says, seen_ms) VALUES (?, ?, ?)",
              ...[file, JSON.stringify(says), nowMs],
            );
        return ok(undefined);
      }),
    tidy: (nowMs) =>
      database.transaction(() => {
        database.run("DELETE FROM trigger_documents WHERE seen_ms < ?", nowMs - limits.triggersKeptMs);
        database.run("DELETE FROM triggers WHERE seen_ms < ?", nowMs - limits.triggersKeptMs);
        database.run("DELETE FROM watched WHERE trigger NOT IN (SELECT id FROM triggers)");
        const sql = "SELECT n FROM trigger_starts WHERE state <> 'due' ORDER BY n DESC LIMIT 1 OFFSET ?";
        const last = database.get(sql, limits.triggerStartsKept);
        if (last !== undefined)
          database.run("DELETE FROM trigger_starts WHERE state <> 'due' AND n <= ?", Number(last.n));
        return ok(undefined);
      }),
  };
}

function dueOf(row: SqlRow): DueStart {
  return {
    n: Number(row.n),
    run: String(row.run),
    trigger: String(row.trigger),
    key: String(row.key),
    startedBy: JSON.parse(String(row.started_by)),
    file: String(row.file),
    ...(typeof row.event === "string" ? { event: row.event } : {}),
  };
}
