// The queues of nodes that wait for a budget, and whose turn it is (budgets.ts
// B2-B4). Called inside a write transaction.

import { limits } from "../base/limits.ts";
import type { BudgetKind, Liveness, Moment } from "./budgets.ts";
import type { Database, SqlRow } from "./database.ts";
import type { Owner } from "./journal.ts";

/** A budget for one node: its key and how many starts or slots there are. `perMs`: the period of a rate. */
export interface Share {
  budget: BudgetKind;
  key: string;
  most: number;
  perMs: number;
}

interface Waiter extends Share {
  ticket: number;
  run: string;
  path: string;
  token: string;
  dueMs: number | undefined;
}

export interface Queues {
  /** Removes expired starts, and slots whose holders are gone. */
  settle(of: Pick<Share, "budget" | "key">, now: Moment): void;
  /** The nodes that may take theirs now, in order. */
  inTurn(of: Pick<Share, "budget" | "key">, now: Moment): Waiter[];
  /** Whether it is this node's turn. A node that is not in the queue comes last. */
  isItsTurn(share: Share, node: { run: string; path: string }, now: Moment): boolean;
  /** For a rate: when the node's turn comes (wall clock), if all nodes before it take theirs as soon as possible. */
  turnAtMs(share: Share, node: { run: string; path: string }, now: Moment): number;
}

const PAGE = 20;

export function queuesOf(database: Database, liveness: Liveness): Queues {
  return new SqliteQueues(database, liveness);
}

class SqliteQueues implements Queues {
  private readonly database: Database;
  private readonly liveness: Liveness;

  constructor(database: Database, liveness: Liveness) {
    this.database = database;
    this.liveness = liveness;
  }

  settle({ budget, key }: Pick<Share, "budget" | "key">, now: Moment): void {
    if (budget === "rate") this.settleStarts(key, now);
    else this.settleSlots(key);
  }

  /** B2: converts all starts to the time since this boot. */
  private settleStarts(key: string, { wallMs, upMs, boot }: Moment): void {
    this.database.run(
      "UPDATE rate_starts SET up_ms = ? - max(0, ? - at_ms), boot = ? WHERE key = ? AND boot <> ?3",
      upMs,
      wallMs,
      boot,
      key,
    );
    this.database.run(
      "DELETE FROM rate_starts WHERE key = ? AND up_ms + (SELECT max(per_ms) FROM rate_starts WHERE key = ?1) <= ?",
      key,
      upMs,
    );
  }

  /** B4. */
  private settleSlots(key: string): void {
    for (const row of this.database.all("SELECT run, path, number, owner FROM slots WHERE key = ?", key)) {
      const owner = ownerOf(row);
      const slot = { run: row.run as string, path: row.path as string, number: row.number as number, owner };
      if (!this.liveness.isAlive(owner) && !this.liveness.isHeld(slot))
        this.database.run("DELETE FROM slots WHERE run = ? AND path = ?", slot.run, slot.path);
    }
  }

  private used({ budget, key, perMs }: Share, { upMs }: Moment): number {
    const row =
      budget === "rate"
        ? this.database.get("SELECT count(*) AS n FROM rate_starts WHERE key = ? AND up_ms > ?", key, upMs - perMs)
        : this.database.get("SELECT count(*) AS n FROM slots WHERE key = ?", key);
    return Number(row?.n ?? 0);
  }

  inTurn(of: Pick<Share, "budget" | "key">, now: Moment): Waiter[] {
    return this.look(of, now).turn;
  }

  /** `ahead`: how many of them are expected to take theirs. `all`: no one is waiting after them. */
  private look(of: Pick<Share, "budget" | "key">, now: Moment): { turn: Waiter[]; ahead: number; all: boolean } {
    const turn: Waiter[] = [];
    let ahead = 0;
    for (const waiter of this.waiting(of)) {
      const isFree = ahead + this.used(waiter, now) < waiter.most;
      if (isFree !== (waiter.dueMs !== undefined)) this.due(waiter, isFree ? now.upMs : null);
      if (!isFree) return { turn, ahead, all: false };
      turn.push(waiter);
      if (waiter.dueMs === undefined || now.upMs - waiter.dueMs <= limits.budgetTurnMs) ahead += 1;
    }
    return { turn, ahead, all: true };
  }

  isItsTurn(share: Share, node: { run: string; path: string }, now: Moment): boolean {
    const { turn, ahead, all } = this.look(share, now);
    if (turn.some((waiter) => isOf(waiter, node))) return true;
    return all && ahead + this.used(share, now) < share.most;
  }

  turnAtMs(share: Share, node: { run: string; path: string }, now: Moment): number {
    const place = this.database.get(
      `SELECT count(*) AS n FROM budget_waits WHERE budget = ? AND key = ? AND ticket <
         (SELECT ticket FROM budget_waits WHERE run = ? AND path = ?)`,
      share.budget,
      share.key,
      node.run,
      node.path,
    );
    const starts = this.database
      .all(
        "SELECT up_ms FROM rate_starts WHERE key = ? AND up_ms > ? ORDER BY up_ms",
        share.key,
        now.upMs - share.perMs,
      )
      .map((row) => Number(row.up_ms))
      .slice(-share.most);
    const free = share.most - starts.length;
    for (let n = 0; n < free; n++) starts.push(now.upMs);
    const behind = Math.max(0, Number(place?.n ?? 0) - free);
    const startMs = starts[behind % share.most] ?? now.upMs;
    return now.wallMs + startMs - now.upMs + share.perMs * (1 + Math.floor(behind / share.most));
  }

  /** Nodes whose process is alive, in order of arrival. Read lazily. */
  private *waiting({ budget, key }: Pick<Share, "budget" | "key">): Iterable<Waiter> {
    const alive = new Map<string, boolean>();
    for (let ticket = 0; ; ) {
      const rows = this.database.all(
        "SELECT * FROM budget_waits WHERE budget = ? AND key = ? AND ticket > ? ORDER BY ticket LIMIT ?",
        budget,
        key,
        ticket,
        PAGE,
      );
      for (const row of rows) {
        const token = row.token as string;
        ticket = row.ticket as number;
        if (!alive.has(token)) alive.set(token, this.liveness.isAlive(ownerOf(row)));
        if (alive.get(token) === true) yield toWaiter(row);
      }
      if (rows.length < PAGE) return;
    }
  }

  private due({ ticket }: Waiter, upMs: number | null): void {
    this.database.run("UPDATE budget_waits SET due_ms = ? WHERE ticket = ?", upMs, ticket);
  }
}

function isOf(waiter: Waiter, { run, path }: { run: string; path: string }): boolean {
  return waiter.run === run && waiter.path === path;
}

function ownerOf(row: SqlRow): Owner {
  return JSON.parse(row.owner as string) as Owner;
}

function toWaiter(row: SqlRow): Waiter {
  return {
    budget: row.budget as BudgetKind,
    key: row.key as string,
    most: row.most as number,
    perMs: row.per_ms as number,
    ticket: row.ticket as number,
    run: row.run as string,
    path: row.path as string,
    token: row.token as string,
    dueMs: row.due_ms === null ? undefined : Number(row.due_ms),
  };
}
