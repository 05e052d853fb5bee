// Limits that all runs of a data directory share: starts per period, and nodes at a time (spec 3.3).
//   B1. Taking is one transaction, so processes that compete for the last start or slot never exceed the limit.
//   B2. Starts are counted by the time since boot, which changes of the clock do not affect. Across boots, the wall
//       clock is used, and a start that seems to be in the future counts as now.
//   B3. First come, first served. A node that does not use its turn for limits.budgetTurnMs, or whose process is gone,
//       is passed over.
//   B4. A slot is held while its owner is alive or its command may be running (`isHeld`).
//   B5. A node that needs both a start and a slot gets both in one transaction, or neither. An attempt that has its slot
//       has both: the answer to an earlier try was lost, or it was not started and starts again.
//   B6. A start counts from the moment it was taken, or from a later moment if one becomes known (`countLater`).

import { after, type Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import { type Asking, all, run as execute, get, type Sql } from "./ask.ts";
import { Queues, type Share } from "./budget-queues.ts";
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
  isHeld(slot: Holder): Now<boolean>;
}

export interface Budgets {
  /**
   * Takes everything in `wanted`, or queues for what is missing. The place is kept until it is used or given back.
   * Errors: store-*.
   */
  take(who: Omit<Holder, "owner">, wanted: Wanted, owner: Owner, now: Moment): Now<Result<Taken, StoreError>>;
  /** The nodes of the owner's runs whose turn it is. They have limits.budgetTurnMs to take it. */
  turns(owner: Owner, now: Moment): Now<Result<{ run: string; path: string }[], StoreError>>;
  /**
   * Frees the slot and the place of a node that no longer wants to start. `number`: only the slot of this attempt, which
   * has ended. The next one may have taken or queued for its own before.
   */
  giveBack(run: string, path?: string, number?: number): Now<Result<boolean, StoreError>>;
  /** Makes a start count from a later moment. */
  countLater(key: string, taken: Moment, from: Moment): Now<Result<void, StoreError>>;
  /** Transfers a run's slots and places to the process that resumes it. Returns the paths. */
  adopt(run: string, owner: Owner): Now<Result<{ slots: string[]; waits: string[] }, StoreError>>;
}

type Node = { run: string; path: string };

export function openBudgets(sql: Sql, liveness: Liveness): Budgets {
  return new SqlBudgets(sql, liveness);
}

class SqlBudgets implements Budgets {
  private readonly sql: Sql;
  private readonly queues: Queues;

  constructor(sql: Sql, liveness: Liveness) {
    this.sql = sql;
    this.queues = new Queues(liveness);
  }

  readonly take: Budgets["take"] = (who, wanted, owner, now) =>
    this.sql.transaction(() => this.taking(who, sharesOf(wanted), owner, now));

  private *taking(
    who: Omit<Holder, "owner">,
    shares: readonly Share[],
    owner: Owner,
    now: Moment,
  ): Asking<Result<Taken, StoreError>> {
    const has = yield* get(
      "SELECT 1 FROM slots WHERE run = ? AND path = ? AND number = ?",
      who.run,
      who.path,
      who.number,
    );
    if (has !== undefined) return ok({ taken: true });
    for (const share of shares) yield* this.queues.settle(share, now);
    let lacking: Share | undefined;
    for (const share of shares)
      if (lacking === undefined && !(yield* this.queues.isItsTurn(share, who, now))) lacking = share;
    if (lacking === undefined) {
      yield* leave(who.run, who.path);
      for (const share of shares) yield* enter(share, who, owner, now);
      return ok({ taken: true });
    }
    yield* queueUp(lacking, who, owner);
    yield* this.queues.isItsTurn(lacking, who, now);
    const untilMs = lacking.budget === "rate" ? yield* this.queues.turnAtMs(lacking, who, now) : undefined;
    return ok({ taken: false, waits: lacking.budget, untilMs });
  }

  readonly turns: Budgets["turns"] = (owner, now) => this.sql.transaction(() => this.theirTurns(owner, now));

  private *theirTurns(owner: Owner, now: Moment): Asking<Result<Node[], StoreError>> {
    const mine: Node[] = [];
    for (const row of yield* all("SELECT DISTINCT budget, key FROM budget_waits WHERE token = ?", owner.token)) {
      const share = { budget: row.budget as BudgetKind, key: row.key as string };
      yield* this.queues.settle(share, now);
      for (const { token, run, path } of yield* this.queues.inTurn(share, now))
        if (token === owner.token) mine.push({ run, path });
    }
    return ok(mine);
  }

  readonly giveBack: Budgets["giveBack"] = (run, path, number) =>
    this.sql.transaction(function* () {
      const values = [run, path, number].filter((value) => value !== undefined);
      const of = ["run = ?", "path = ?", "number <= ?"].slice(0, values.length).join(" AND ");
      let had = false;
      for (const table of number === undefined ? ["slots", "budget_waits"] : ["slots"]) {
        had ||= (yield* get(`SELECT 1 FROM ${table} WHERE ${of}`, ...values)) !== undefined;
        yield* execute(`DELETE FROM ${table} WHERE ${of}`, ...values);
      }
      return ok(had);
    });

  readonly countLater: Budgets["countLater"] = (key, taken, from) =>
    this.sql.transaction(function* () {
      yield* execute(
        `UPDATE rate_starts SET at_ms = ?, up_ms = ? WHERE n =
           (SELECT n FROM rate_starts WHERE key = ? AND up_ms = ? AND boot = ? ORDER BY n LIMIT 1)`,
        ...[from.wallMs, from.upMs, key, taken.upMs, taken.boot],
      );
      return ok(undefined);
    });

  readonly adopt: Budgets["adopt"] = (run, owner) => {
    function* paths(table: string): Asking<string[]> {
      return (yield* all(`SELECT path FROM ${table} WHERE run = ?`, run)).map((row) => row.path as string);
    }
    const held = this.sql.guard(function* () {
      return ok({ slots: yield* paths("slots"), waits: yield* paths("budget_waits") });
    });
    // Most runs have neither. Skip the write then.
    return after(held, (had) => {
      if (!had.ok || had.value.slots.length + had.value.waits.length === 0) return had;
      return this.sql.transaction(function* () {
        const by = JSON.stringify(owner);
        yield* execute("UPDATE slots SET owner = ? WHERE run = ?", by, run);
        const sql = "UPDATE budget_waits SET owner = ?, token = ?, due_ms = NULL WHERE run = ?";
        yield* execute(sql, by, owner.token, run);
        return had;
      });
    });
  };
}

function* enter({ budget, key, perMs }: Share, who: Omit<Holder, "owner">, owner: Owner, now: Moment): Asking<void> {
  if (budget === "rate")
    yield* execute(
      "INSERT INTO rate_starts (key, at_ms, up_ms, boot, per_ms) VALUES (?, ?, ?, ?, ?)",
      ...[key, now.wallMs, now.upMs, now.boot, perMs],
    );
  else
    yield* execute(
      `INSERT INTO slots (run, path, number, key, owner) VALUES (?, ?, ?, ?, ?) ON CONFLICT (run, path)
         DO UPDATE SET number = excluded.number, key = excluded.key, owner = excluded.owner`,
      ...[who.run, who.path, who.number, key, JSON.stringify(owner)],
    );
}

/** Adds the node to the queue. If it is already waiting for the same, it keeps its place. */
function* queueUp({ budget, key, most, perMs }: Share, { run, path }: Node, owner: Owner): Asking<void> {
  const kept = yield* get("SELECT budget, key FROM budget_waits WHERE run = ? AND path = ?", run, path);
  if (kept?.budget === budget && kept.key === key) return;
  yield* leave(run, path);
  yield* execute(
    "INSERT INTO budget_waits (budget, key, most, per_ms, run, path, token, owner) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    ...[budget, key, most, perMs, run, path, owner.token, JSON.stringify(owner)],
  );
}

function* leave(run: string, path: string): Asking<void> {
  yield* execute("DELETE FROM budget_waits WHERE run = ? AND path = ?", run, path);
}

function sharesOf({ rate, concurrency }: Wanted): Share[] {
  return [
    ...(concurrency === undefined
      ? []
      : [{ budget: "concurrency" as const, key: concurrency.key, most: concurrency.limit, perMs: 0 }]),
    ...(rate === undefined ? [] : [{ budget: "rate" as const, key: rate.key, most: rate.limit, perMs: rate.perMs }]),
  ];
}
