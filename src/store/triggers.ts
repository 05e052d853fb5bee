// The state of each trigger, and the starts that were decided (spec 2.5).
//   T1. A start is decided in the transaction that advances its trigger, together with its run id. After a kill, the
//       start is found again, and a run with that id exists at most once. No start is lost or repeated.
//   T2. A trigger has one start per key. The key of a schedule's start is its time.
//   T3. Old data is removed: starts beyond limits.triggerStartsKept, and triggers absent from all
//       documents for limits.triggersKeptMs.
//   T4. The triggers of a document's last valid version are kept while it is invalid, even for the next server.
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

/** The last result. `at`: the schedule's time, or when the change was seen. */
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

/** `mark` is absent if the file was removed. */
export interface WatchedChange {
  path: string;
  mark?: string;
  start?: NewStart;
}

export type NewStart = Omit<DueStart, "n">;

export interface Triggers {
  /** The trigger's state. A new trigger counts from now. Errors: store-*. */
  seen(id: string, nowMs: number): Result<TriggerState, StoreError>;
  /** The same for several triggers, in one commit. The result has their order. */
  allSeen(ids: readonly string[], nowMs: number): Result<TriggerState[], StoreError>;
  state(id: string): Result<TriggerState | undefined, StoreError>;
  /** Pauses the trigger, or resumes it from now. */
  pause(id: string, paused: boolean, nowMs: number): Result<void, StoreError>;
  /**
   * T1. Advances the trigger and records its starts, except those whose key exists already. Returns the recorded ones.
   */
  decide(
    id: string,
    to: { sinceMs: number; last?: TriggerLast },
    starts: readonly NewStart[],
  ): Result<DueStart[], StoreError>;
  /** For each trigger, the oldest decided start that is not a run yet. */
  due(): Result<DueStart[], StoreError>;
  /** The number of a trigger's decided starts that are not runs yet. */
  waiting(id: string): Result<number, StoreError>;
  /** Marks the start as a run, or as dropped. */
  settle(n: number, state: "started" | "dropped", last?: TriggerLast): Result<void, StoreError>;
  /** Runs that this trigger started, newest first. */
  runsOf(id: string, most: number): Result<string[], StoreError>;
  /** The known paths of a watch and their marks. */
  watched(id: string): Result<Map<string, string>, StoreError>;
  /** Records files that exist already. */
  remember(id: string, marks: Iterable<readonly [path: string, mark: string]>): Result<void, StoreError>;
  /** T1 for a watch: records the changes seen, together with the resulting starts. */
  decideWatched(id: string, nowMs: number, changes: readonly WatchedChange[]): Result<DueStart[], StoreError>;
  /** T4: the triggers by file. */
  documents(): Result<Map<string, DocumentTrigger[]>, StoreError>;
  /** Stores the triggers of documents in one commit. An empty list: the document has none any more, or was removed. */
  say(
    all: readonly (readonly [file: string, says: readonly DocumentTrigger[]])[],
    nowMs: number,
  ): Result<void, StoreError>;
  /** T3. */
  tidy(nowMs: number): Result<void, StoreError>;
}

const SEEN_EVERY_MS = 86_400_000;

export function openTriggers(database: Database): Triggers {
  return new SqliteTriggers(database);
}

class SqliteTriggers implements Triggers {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  private readonly stateOf = (row: SqlRow): TriggerState => ({
    paused: row.paused === 1,
    sinceMs: Number(row.since_ms),
    ...(typeof row.last === "string" ? { last: JSON.parse(row.last) } : {}),
  });
  private readonly find = (id: string): SqlRow | undefined =>
    this.database.get("SELECT * FROM triggers WHERE id = ?", id);

  private move(id: string, { sinceMs, last }: { sinceMs: number; last?: TriggerLast }): void {
    this.database.run("UPDATE triggers SET since_ms = max(since_ms, ?) WHERE id = ?", sinceMs, id);
    if (last !== undefined) this.database.run("UPDATE triggers SET last = ? WHERE id = ?", JSON.stringify(last), id);
  }

  private record(start: NewStart): DueStart[] {
    const known = this.database.get(
      "SELECT 1 FROM trigger_starts WHERE trigger = ? AND key = ?",
      start.trigger,
      start.key,
    );
    if (known !== undefined) return [];
    this.database.run(
      "INSERT INTO trigger_starts (run, trigger, key, started_by, file, event, state) VALUES (?, ?, ?, ?, ?, ?, 'due')",
      ...[start.run, start.trigger, start.key, JSON.stringify(start.startedBy), start.file, start.event ?? null],
    );
    const row = this.database.get("SELECT n FROM trigger_starts WHERE run = ?", start.run);
    return [{ ...start, n: Number(row?.n) }];
  }

  private see(id: string, nowMs: number): TriggerState {
    // The clock was ahead when this was written. Times that were already decided are recognised by their keys (record).
    this.database.run("UPDATE triggers SET since_ms = ? WHERE id = ? AND since_ms > ?", nowMs, id, nowMs);
    const known = this.find(id);
    if (known === undefined)
      this.database.run("INSERT INTO triggers (id, since_ms, seen_ms) VALUES (?, ?, ?)", id, nowMs, nowMs);
    // An occasional update is enough for T3.
    else if (nowMs - Number(known.seen_ms) > SEEN_EVERY_MS)
      this.database.run("UPDATE triggers SET seen_ms = ? WHERE id = ?", nowMs, id);
    return this.stateOf(known ?? this.find(id)!);
  }

  readonly seen: Triggers["seen"] = (id, nowMs) => this.database.transaction(() => ok(this.see(id, nowMs)));

  readonly allSeen: Triggers["allSeen"] = (ids, nowMs) =>
    this.database.transaction(() => ok(ids.map((id) => this.see(id, nowMs))));

  readonly state: Triggers["state"] = (id) =>
    this.database.guard(() => {
      const row = this.find(id);
      return ok(row === undefined ? undefined : this.stateOf(row));
    });

  readonly pause: Triggers["pause"] = (id, paused, nowMs) =>
    this.database.transaction(() => {
      this.database.run(
        "UPDATE triggers SET paused = ?, since_ms = max(since_ms, ?) WHERE id = ?",
        paused ? 1 : 0,
        nowMs,
        id,
      );
      return ok(undefined);
    });

  readonly decide: Triggers["decide"] = (id, to, starts) =>
    this.database.transaction(() => {
      this.move(id, to);
      return ok(starts.flatMap((start) => this.record(start)));
    });

  readonly due: Triggers["due"] = () =>
    this.database.guard(() => {
      const oldest = "SELECT min(n) FROM trigger_starts WHERE state = 'due' GROUP BY trigger";
      return ok(this.database.all(`SELECT * FROM trigger_starts WHERE n IN (${oldest}) ORDER BY n`).map(dueOf));
    });

  readonly waiting: Triggers["waiting"] = (id) =>
    this.database.guard(() => {
      const row = this.database.get("SELECT count(*) AS n FROM trigger_starts WHERE state = 'due' AND trigger = ?", id);
      return ok(Number(row?.n));
    });

  readonly settle: Triggers["settle"] = (n, state, last) =>
    this.database.transaction(() => {
      const row = this.database.get("SELECT trigger FROM trigger_starts WHERE n = ?", n);
      this.database.run("UPDATE trigger_starts SET state = ?, event = NULL WHERE n = ?", state, n);
      if (row !== undefined && last !== undefined)
        this.database.run("UPDATE triggers SET last = ? WHERE id = ?", JSON.stringify(last), String(row.trigger));
      return ok(undefined);
    });

  readonly runsOf: Triggers["runsOf"] = (id, most) =>
    this.database.guard(() => {
      const sql = "SELECT run FROM trigger_starts WHERE trigger = ? AND state = 'started' ORDER BY n DESC LIMIT ?";
      return ok(this.database.all(sql, id, most).map((row) => String(row.run)));
    });

  readonly watched: Triggers["watched"] = (id) =>
    this.database.guard(() => {
      const rows = this.database.all("SELECT path, mark FROM watched WHERE trigger = ?", id);
      return ok(new Map(rows.map((row) => [String(row.path), String(row.mark)])));
    });

  readonly remember: Triggers["remember"] = (id, marks) =>
    this.database.transaction(() => {
      for (const [path, mark] of marks)
        this.database.run("INSERT OR REPLACE INTO watched (trigger, path, mark) VALUES (?, ?, ?)", id, path, mark);
      return ok(undefined);
    });

  readonly decideWatched: Triggers["decideWatched"] = (id, nowMs, changes) =>
    this.database.transaction(() => {
      const due = changes.flatMap(({ path, mark, start }) => {
        if (mark === undefined) this.database.run("DELETE FROM watched WHERE trigger = ? AND path = ?", id, path);
        else this.database.run("INSERT OR REPLACE INTO watched (trigger, path, mark) VALUES (?, ?, ?)", id, path, mark);
        return start === undefined ? [] : this.record(start);
      });
      const path = changes.findLast(({ start }) => start !== undefined)?.path;
      const at = new Date(nowMs).toISOString();
      this.move(id, { sinceMs: nowMs, ...(path === undefined ? {} : { last: { at, file: path } }) });
      return ok(due);
    });

  readonly documents: Triggers["documents"] = () =>
    this.database.guard(() => {
      const rows = this.database.all("SELECT file, says FROM trigger_documents");
      return ok(new Map(rows.map(({ file, says }) => [String(file), JSON.parse(String(says))])));
    });

  readonly say: Triggers["say"] = (all, nowMs) =>
    this.database.transaction(() => {
      for (const [file, says] of all)
        if (says.length === 0) this.database.run("DELETE FROM trigger_documents WHERE file = ?", file);
        else
          this.database.run(
            "INSERT OR REPLACE INTO trigger_documents (file, says, seen_ms) VALUES (?, ?, ?)",
            ...[file, JSON.stringify(says), nowMs],
          );
      return ok(undefined);
    });

  readonly tidy: Triggers["tidy"] = (nowMs) =>
    this.database.transaction(() => {
      this.database.run("DELETE FROM trigger_documents WHERE seen_ms < ?", nowMs - limits.triggersKeptMs);
      this.database.run("DELETE FROM triggers WHERE seen_ms < ?", nowMs - limits.triggersKeptMs);
      this.database.run("DELETE FROM watched WHERE trigger NOT IN (SELECT id FROM triggers)");
      const sql = "SELECT n FROM trigger_starts WHERE state <> 'due' ORDER BY n DESC LIMIT 1 OFFSET ?";
      const last = this.database.get(sql, limits.triggerStartsKept);
      if (last !== undefined)
        this.database.run("DELETE FROM trigger_starts WHERE state <> 'due' AND n <= ?", Number(last.n));
      return ok(undefined);
    });
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
