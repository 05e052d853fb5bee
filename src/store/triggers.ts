// triggers: how far each trigger has come, and the starts that were decided (spec 2.5).
//   T1. A start is decided in the transaction that moves its trigger on, under the run id that it will have. Whoever is killed in between
//       finds it again, and the run of that id exists at most once: never lost, never doubled.
//   T2. A trigger has one start a key, of a schedule its time.
//   T3. What is over leaves: starts beyond limits.triggerStartsKept, triggers that no document has had for limits.triggersKeptMs.
// Deliberately absent: cron, clocks, folders.

import { limits } from "../base/limits.ts";
import { ok, type Result } from "../base/result.ts";
import type { Trigger } from "../scheduler/event.ts";
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

export type NewStart = Omit<DueStart, "n">;

export interface Triggers {
  /** As it stands; one that was never seen begins now. Errors: store-*. */
  seen(id: string, nowMs: number): Result<TriggerState, StoreError>;
  state(id: string): Result<TriggerState | undefined, StoreError>;
  /** Paused, or going on: then from now. */
  pause(id: string, paused: boolean, nowMs: number): Result<void, StoreError>;
  /** T1. Moves the trigger on and records what is to start; a start whose key was there before is left out. Answers with those recorded. */
  decide(
    id: string,
    to: { sinceMs: number; last?: TriggerLast },
    starts: readonly NewStart[],
  ): Result<DueStart[], StoreError>;
  /** What is decided and not yet a run, oldest first. */
  due(): Result<DueStart[], StoreError>;
  /** It is a run now, or will be none. */
  settle(n: number, state: "started" | "dropped", last?: TriggerLast): Result<void, StoreError>;
  /** Runs that this trigger has started, newest first. */
  runsOf(id: string, most: number): Result<string[], StoreError>;
  /** Paths and marks of a watch. */
  watched(id: string): Result<Map<string, string>, StoreError>;
  /** What lies there already. */
  remember(id: string, marks: Iterable<readonly [path: string, mark: string]>): Result<void, StoreError>;
  /** T1 for a watch: what it has seen of a path, together with the start that comes of it. `mark` absent: the file is gone. */
  decideWatched(
    id: string,
    path: string,
    mark: string | undefined,
    to: { sinceMs: number; last: TriggerLast },
    start: NewStart | undefined,
  ): Result<DueStart[], StoreError>;
  /** T3. */
  tidy(nowMs: number): Result<void, StoreError>;
}

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

  return {
    seen: (id, nowMs) =>
      database.transaction(() => {
        database.run("INSERT OR IGNORE INTO triggers (id, since_ms, seen_ms) VALUES (?, ?, ?)", id, nowMs, nowMs);
        database.run("UPDATE triggers SET seen_ms = ? WHERE id = ?", nowMs, id);
        return ok(stateOf(find(id)!));
      }),
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
      database.guard(() => ok(database.all("SELECT * FROM trigger_starts WHERE state = 'due' ORDER BY n").map(dueOf))),
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
    decideWatched: (id, path, mark, to, start) =>
      database.transaction(() => {
        if (mark === undefined) database.run("DELETE FROM watched WHERE trigger = ? AND path = ?", id, path);
        else database.run("INSERT OR REPLACE INTO watched (trigger, path, mark) VALUES (?, ?, ?)", id, path, mark);
        move(id, start === undefined ? { sinceMs: to.sinceMs } : to);
        return ok(start === undefined ? [] : record(start));
      }),
    tidy: (nowMs) =>
      database.transaction(() => {
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
