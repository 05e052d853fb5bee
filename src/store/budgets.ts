// Limits shared by all nodes, runs, and processes of a data directory: starts per
// period, and nodes at a time (spec 3.3).
//   B1. Taking is one transaction, so processes that compete for the last start or slot never exceed the limit.
//   B2. Starts are counted by the machine's time since boot, which changes of the clock do not affect. Across
//       boots, the wall clock is used. A start that seems to be in the future counts as now, so no wrong clock
//       delays a node by more than one period.
//   B3. First come, first served. A node that does not use its turn for limits.budgetTurnMs is passed over until it
//       does, so that a busy or hanging run blocks no one. Nodes whose process is gone are passed over at once.
//   B4. A slot is held while its owner is alive or its command may be running (`isHeld`).
//       After that it is free automatically.
//   B5. A node that needs both a start and a slot gets both in one transaction, or neither. It never
//       holds one while it waits for the other.
//   B6. A start counts from the moment it was taken, or from a later moment if one becomes known (`countLater`).
// Deliberately absent: waiting (the engine does it), and clocks (`Moment` is passed in).

import { ok, type Result } from "../base/result.ts";
import { type Queues, queuesOf, type Share } from "./budget-queues.ts";
import type { Database } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { IsAlive, Owner } from "./journal.ts";

/** `upMs`: time since boot in milliseconds, the same for all processes. `boot`: the id of the boot. */
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
/** `untilMs` (wall clock): when its turn comes, if all nodes before it take theirs. */
export type Taken = { taken: true } | { taken: false; waits: BudgetKind; untilMs?: number };

export interface Liveness {
  isAlive: IsAlive;
  /** Whether the command of an attempt may still be running although its owner is gone. */
  isHeld(slot: Holder): boolean;
}

export interface Budgets {
  /**
   * Takes everything in `wanted`, or queues for what is missing. The place is kept until it is used or given back.
   * Errors: store-*.
   */
  take(who: Omit<Holder, "owner">, wanted: Wanted, owner: Owner, now: Moment): Result<Taken, StoreError>;
  /** The nodes of the owner's runs whose turn it is. They have limits.budgetTurnMs to take it. */
  turns(owner: Owner, now: Moment): Result<{ run: string; path: string }[], StoreError>;
  /** Frees the slot and the place of an attempt that has ended, or of a node that no longer wants to start. */
  giveBack(run: string, path?: string): Result<boolean, StoreError>;
  /** Makes a start count from a later moment. */
  countLater(key: string, taken: Moment, from: Moment): Result<void, StoreError>;
  /** Transfers a run's slots and places to the process that resumes it. Returns the paths. */
  adopt(run: string, owner: Owner): Result<{ slots: string[]; waits: string[] }, StoreError>;
}

type Node = { run: string; path: string };

export function openBudgets(database: Database, liveness: Liveness): Budgets {
  return new SqliteBudgets(database, liveness);
}

class SqliteBudgets implements Budgets {
  private readonly database: Database;
  private readonly queues: Queues;

  constructor(database: Database, liveness: Liveness) {
    this.database = database;
    this.queues = queuesOf(database, liveness);
  }

  take(who: Omit<Holder, "owner">, wanted: Wanted, owner: Owner, now: Moment): Result<Taken, StoreError> {
    return this.database.transaction((): Result<Taken, StoreError> => {
      const shares = sharesOf(wanted);
      for (const share of shares) this.queues.settle(share, now);
      const lacking = shares.find((share) => !this.queues.isItsTurn(share, who, now));
      if (lacking === undefined) {
        this.leave(who.run, who.path);
        for (const share of shares) this.enter(share, who, owner, now);
        return ok({ taken: true });
      }
      this.queueUp(lacking, who, owner);
      this.queues.isItsTurn(lacking, who, now);
      const untilMs = lacking.budget === "rate" ? this.queues.turnAtMs(lacking, who, now) : undefined;
      return ok({ taken: false, waits: lacking.budget, ...(untilMs === undefined ? {} : { untilMs }) });
    });
  }

  private enter({ budget, key, perMs }: Share, who: Omit<Holder, "owner">, owner: Owner, now: Moment): void {
    if (budget === "rate")
      this.database.run(
        "INSERT INTO rate_starts (key, at_ms, up_ms, boot, per_ms) VALUES (?, ?, ?, ?, ?)",
        key,
        now.wallMs,
        now.upMs,
        now.boot,
        perMs,
      );
    else
      this.database.run(
        "INSERT OR REPLACE INTO slots (run, path, number, key, owner) VALUES (?, ?, ?, ?, ?)",
        who.run,
        who.path,
        who.number,
        key,
        JSON.stringify(owner),
      );
  }

  /** Adds the node to the queue. If it is already waiting for the same, it keeps its place. */
  private queueUp({ budget, key, most, perMs }: Share, { run, path }: Node, owner: Owner): void {
    const kept = this.database.get("SELECT budget, key FROM budget_waits WHERE run = ? AND path = ?", run, path);
    if (kept?.budget === budget && kept.key === key) return;
    this.leave(run, path);
    this.database.run(
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

  private leave(run: string, path: string): void {
    this.database.run("DELETE FROM budget_waits WHERE run = ? AND path = ?", run, path);
  }

  turns(owner: Owner, now: Moment): Result<Node[], StoreError> {
    return this.database.transaction(() => {
      const mine: Node[] = [];
      for (const row of this.database.all(
        "SELECT DISTINCT budget, key FROM budget_waits WHERE token = ?",
        owner.token,
      )) {
        const share = { budget: row.budget as BudgetKind, key: row.key as string };
        this.queues.settle(share, now);
        for (const { token, run, path } of this.queues.inTurn(share, now))
          if (token === owner.token) mine.push({ run, path });
      }
      return ok(mine);
    });
  }

  giveBack(run: string, path?: string): Result<boolean, StoreError> {
    return this.database.transaction(() => {
      const of = path === undefined ? "run = ?" : "run = ? AND path = ?";
      const values = path === undefined ? [run] : [run, path];
      const had = ["slots", "budget_waits"].some((table) =>
        this.database.get(`SELECT 1 FROM ${table} WHERE ${of}`, ...values),
      );
      for (const table of ["slots", "budget_waits"]) this.database.run(`DELETE FROM ${table} WHERE ${of}`, ...values);
      return ok(had);
    });
  }

  countLater(key: string, taken: Moment, from: Moment): Result<void, StoreError> {
    return this.database.transaction(() => {
      this.database.run(
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

  adopt(run: string, owner: Owner): Result<{ slots: string[]; waits: string[] }, StoreError> {
    const paths = (table: string): string[] =>
      this.database.all(`SELECT path FROM ${table} WHERE run = ?`, run).map((row) => row.path as string);
    // Most runs have neither. Skip the write then.
    const had = this.database.guard(() => ok({ slots: paths("slots"), waits: paths("budget_waits") }));
    if (!had.ok || had.value.slots.length + had.value.waits.length === 0) return had;
    return this.database.transaction(() => {
      this.database.run("UPDATE slots SET owner = ? WHERE run = ?", JSON.stringify(owner), run);
      this.database.run(
        "UPDATE budget_waits SET owner = ?, token = ?, due_ms = NULL WHERE run = ?",
        JSON.stringify(owner),
        owner.token,
        run,
      );
      return had;
    });
  }
}

function sharesOf({ rate, concurrency }: Wanted): Share[] {
  return [
    ...(concurrency === undefined
      ? []
      : [{ budget: "concurrency" as const, key: concurrency.key, most: concurrency.limit, perMs: 0 }]),
    ...(rate === undefined ? [] : [{ budget: "rate" as const, key: rate.key, most: rate.limit, perMs: rate.perMs }]),
  ];
}
