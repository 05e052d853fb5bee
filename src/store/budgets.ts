// budgets: what all nodes, runs and processes of one home share: starts in a time, and nodes at a time (spec 3.3).
//   B1. Taking is one transaction: processes that race for the last start or slot never get more than there are.
//   B2. Starts are counted by the machine's time since boot, which no clock step changes. Across a boot the wall clock decides; a start
//       that seems to lie in the future counts as one of now, so nothing waits longer than one period because of a clock.
//   B3. First come, first served. Whoever does not take what is there for limits.budgetTurnMs is passed over until it does, so that
//       nobody is held up by a run that is busy or hangs. Those whose process is gone are passed over at once.
//   B4. A slot is held while its owner lives, and while its command may (`isHeld`); then it is free without anybody giving it back.
//   B5. Who wants both gets both in one transaction, or neither: nothing is held while the other is waited for.
//   B6. A start counts from the moment at which it was taken, or from a later one that became known (`countLater`).
// Deliberately absent: waiting (the engine's business), clocks (`Moment` is passed in).

import { ok, type Result } from "../base/result.ts";
import { queuesOf, type Share } from "./budget-queues.ts";
import type { Database } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { IsAlive, Owner } from "./journal.ts";

/** `upMs`: since the machine's boot, the same for all its processes; `boot` names that boot. */
export interface Moment {
  wallMs: number;
  upMs: number;
  boot: string;
}

export interface Holder {
  run: string;
  path: string;
  number: number;
  owner: Owner;
}

export interface Wanted {
  rate?: { key: string; limit: number; perMs: number };
  concurrency?: { key: string; limit: number };
}

export type BudgetKind = "rate" | "concurrency";
/** `untilMs` (wall clock): when it will be its turn, if all before it take theirs. */
export type Taken = { taken: true } | { taken: false; waits: BudgetKind; untilMs?: number };

export interface Liveness {
  isAlive: IsAlive;
  /** Whether the command of an attempt may still run though its owner is gone. */
  isHeld(slot: Holder): boolean;
}

export interface Budgets {
  /** What is wanted, all of it; or a place in the queue of what is lacking, kept until it is taken or given back. Errors: store-*. */
  take(who: Omit<Holder, "owner">, wanted: Wanted, owner: Owner, now: Moment): Result<Taken, StoreError>;
  /** Those of `run` whose turn it is; they are given limits.budgetTurnMs to take it. */
  turns(owner: Owner, now: Moment): Result<{ run: string; path: string }[], StoreError>;
  /** The attempt is over, or the node does not want to start any more: its slot and its place are free. */
  giveBack(run: string, path?: string): Result<boolean, StoreError>;
  /** A start that was taken at a moment counts from a later one on. */
  countLater(key: string, taken: Moment, from: Moment): Result<void, StoreError>;
  /** A run that goes on in another process: what it holds and where it stands is that one's. Answers with the paths. */
  adopt(run: string, owner: Owner): Result<{ slots: string[]; waits: string[] }, StoreError>;
}

type Node = { run: string; path: string };

export function openBudgets(database: Database, liveness: Liveness): Budgets {
  const queues = queuesOf(database, liveness);

  function take(who: Omit<Holder, "owner">, wanted: Wanted, owner: Owner, now: Moment): Result<Taken, StoreError> {
    return database.transaction((): Result<Taken, StoreError> => {
      const shares = sharesOf(wanted);
      for (const share of shares) queues.settle(share, now);
      const lacking = shares.find((share) => !queues.isItsTurn(share, who, now));
      if (lacking === undefined) {
        leave(who.run, who.path);
        for (const share of shares) enter(share, who, owner, now);
        return ok({ taken: true });
      }
      queueUp(lacking, who, owner);
      queues.isItsTurn(lacking, who, now);
      const untilMs = lacking.budget === "rate" ? queues.turnAtMs(lacking, who, now) : undefined;
      return ok({ taken: false, waits: lacking.budget, ...(untilMs === undefined ? {} : { untilMs }) });
    });
  }

  function enter({ budget, key, perMs }: Share, who: Omit<Holder, "owner">, owner: Owner, now: Moment): void {
    if (budget === "rate")
      database.run(
        "INSERT INTO rate_starts (key, at_ms, up_ms, boot, per_ms) VALUES (?, ?, ?, ?, ?)",
        key,
        now.wallMs,
        now.upMs,
        now.boot,
        perMs,
      );
    else
      database.run(
        "INSERT OR REPLACE INTO slots (run, path, number, key, owner) VALUES (?, ?, ?, ?, ?)",
        who.run,
        who.path,
        who.number,
        key,
        JSON.stringify(owner),
      );
  }

  /** Its place in the queue, which it has already when it waits for the same. */
  function queueUp({ budget, key, most, perMs }: Share, { run, path }: Node, owner: Owner): void {
    const kept = database.get("SELECT budget, key FROM budget_waits WHERE run = ? AND path = ?", run, path);
    if (kept?.budget === budget && kept.key === key) return;
    leave(run, path);
    database.run(
      "INSERT INTO budget_waits (budget, key, most, per_ms, run, path, token, owner) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      budget,
      key,
      most,
      perMs,
      run,
      path,
      owner.token,
      JSON.stringify(owner),
    );
  }

  function leave(run: string, path: string): void {
    database.run("DELETE FROM budget_waits WHERE run = ? AND path = ?", run, path);
  }

  function turns(owner: Owner, now: Moment): Result<Node[], StoreError> {
    return database.transaction(() => {
      const mine: Node[] = [];
      for (const row of database.all("SELECT DISTINCT budget, key FROM budget_waits WHERE token = ?", owner.token)) {
        const share = { budget: row.budget as BudgetKind, key: row.key as string };
        queues.settle(share, now);
        for (const { token, run, path } of queues.inTurn(share, now))
          if (token === owner.token) mine.push({ run, path });
      }
      return ok(mine);
    });
  }

  function giveBack(run: string, path?: string): Result<boolean, StoreError> {
    return database.transaction(() => {
      const of = path === undefined ? "run = ?" : "run = ? AND path = ?";
      const values = path === undefined ? [run] : [run, path];
      const had = ["slots", "budget_waits"].some((table) =>
        database.get(`SELECT 1 FROM ${table} WHERE ${of}`, ...values),
      );
      for (const table of ["slots", "budget_waits"]) database.run(`DELETE FROM ${table} WHERE ${of}`, ...values);
      return ok(had);
    });
  }

  function countLater(key: string, taken: Moment, from: Moment): Result<void, StoreError> {
    return database.transaction(() => {
      database.run(
        `UPDATE rate_starts SET at_ms = ?, up_ms = ? WHERE n =
           (SELECT n FROM rate_starts WHERE key = ? AND up_ms = ? AND boot = ? ORDER BY n LIMIT 1)`,
        from.wallMs,
        from.upMs,
        key,
        taken.upMs,
        taken.boot,
      );
      return ok(undefined);
    });
  }

  function adopt(run: string, owner: Owner): Result<{ slots: string[]; waits: string[] }, StoreError> {
    const paths = (table: string): string[] =>
      database.all(`SELECT path FROM ${table} WHERE run = ?`, run).map((row) => row.path as string);
    // Nearly every run has nothing of this: then nothing is written.
    const had = database.guard(() => ok({ slots: paths("slots"), waits: paths("budget_waits") }));
    if (!had.ok || had.value.slots.length + had.value.waits.length === 0) return had;
    return database.transaction(() => {
      database.run("UPDATE slots SET owner = ? WHERE run = ?", JSON.stringify(owner), run);
      database.run(
        "UPDATE budget_waits SET owner = ?, token = ?, due_ms = NULL WHERE run = ?",
        JSON.stringify(owner),
        owner.token,
        run,
      );
      return had;
    });
  }

  return { take, turns, giveBack, countLater, adopt };
}

function sharesOf({ rate, concurrency }: Wanted): Share[] {
  return [
    ...(concurrency === undefined
      ? []
      : [{ budget: "concurrency" as const, key: concurrency.key, most: concurrency.limit, perMs: 0 }]),
    ...(rate === undefined ? [] : [{ budget: "rate" as const, key: rate.key, most: rate.limit, perMs: rate.perMs }]),
  ];
}
