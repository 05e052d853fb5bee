// The queues of nodes that wait for a budget, and whose turn it is (budgets.ts
// B2-B4). Called inside a write transaction.

import { limits } from "../base/limits.ts";
import { type Asking, all, run as execute, get } from "./ask.ts";
import type { BudgetKind, Liveness, Moment } from "./budgets.ts";
import type { SqlRow } from "./database.ts";
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

const PAGE = 20;

export class Queues {
  private readonly liveness: Liveness;

  constructor(liveness: Liveness) {
    this.liveness = liveness;
  }

  /** Removes expired starts, and slots whose holders are gone. */
  settle({ budget, key }: Pick<Share, "budget" | "key">, now: Moment): Asking<void> {
    return budget === "rate" ? settleStarts(key, now) : this.settleSlots(key);
  }

  /** B4. */
  private *settleSlots(key: string): Asking<void> {
    for (const row of yield* all("SELECT run, path, number, owner FROM slots WHERE key = ?", key)) {
      const owner = ownerOf(row);
      const slot = { run: row.run as string, path: row.path as string, number: row.number as number, owner };
      if (!this.liveness.isAlive(owner) && this.liveness.isHeld(slot) === false)
        yield* execute("DELETE FROM slots WHERE run = ? AND path = ?", slot.run, slot.path);
    }
  }

  /** The nodes that may take theirs now, in order. */
  *inTurn(of: Pick<Share, "budget" | "key">, now: Moment): Asking<Waiter[]> {
    return (yield* this.look(of, now)).turn;
  }

  /** `ahead`: how many of them are expected to take theirs. `all`: no one is waiting after them. */
  private *look(
    of: Pick<Share, "budget" | "key">,
    now: Moment,
  ): Asking<{ turn: Waiter[]; ahead: number; all: boolean }> {
    const turn: Waiter[] = [];
    let ahead = 0;
    const alive = new Map<string, boolean>();
    // Nodes whose process is alive, in order of arrival.
    for (let ticket = 0; ; ) {
      const rows = yield* all(WAITING, of.budget, of.key, ticket, PAGE);
      for (const row of rows) {
        const waiter = toWaiter(row);
        ticket = waiter.ticket;
        if (!alive.has(waiter.token)) alive.set(waiter.token, this.liveness.isAlive(ownerOf(row)));
        if (alive.get(waiter.token) !== true) continue;
        const isFree = ahead + (yield* used(waiter, now)) < waiter.most;
        if (isFree !== (waiter.dueMs !== undefined)) yield* due(waiter, isFree ? now.upMs : null);
        if (!isFree) return { turn, ahead, all: false };
        turn.push(waiter);
        if (waiter.dueMs === undefined || now.upMs - waiter.dueMs <= limits.budgetTurnMs) ahead += 1;
      }
      if (rows.length < PAGE) return { turn, ahead, all: true };
    }
  }

  /** Whether it is this node's turn. A node that is not in the queue comes last. */
  *isItsTurn(share: Share, node: { run: string; path: string }, now: Moment): Asking<boolean> {
    const { turn, ahead, all } = yield* this.look(share, now);
    if (turn.some((waiter) => isOf(waiter, node))) return true;
    return all && ahead + (yield* used(share, now)) < share.most;
  }

  /** For a rate: when the node's turn comes (wall clock), if all nodes before it take theirs as soon as possible. */
  *turnAtMs(share: Share, node: { run: string; path: string }, now: Moment): Asking<number> {
    const place = yield* get(
      `SELECT count(*) AS n FROM budget_waits WHERE budget = ? AND key = ? AND ticket <
         (SELECT ticket FROM budget_waits WHERE run = ? AND path = ?)`,
      ...[share.budget, share.key, node.run, node.path],
    );
    const counted = "SELECT up_ms FROM rate_starts WHERE key = ? AND up_ms > ? ORDER BY up_ms";
    const starts = (yield* all(counted, share.key, now.upMs - share.perMs))
      .map((row) => Number(row.up_ms))
      .slice(-share.most);
    const free = share.most - starts.length;
    for (let n = 0; n < free; n++) starts.push(now.upMs);
    const behind = Math.max(0, Number(place?.n ?? 0) - free);
    const startMs = starts[behind % share.most] ?? now.upMs;
    return now.wallMs + startMs - now.upMs + share.perMs * (1 + Math.floor(behind / share.most));
  }
}

const WAITING = "SELECT * FROM budget_waits WHERE budget = ? AND key = ? AND ticket > ? ORDER BY ticket LIMIT ?";

/** B2: converts all starts to the time since this boot. */
function* settleStarts(key: string, { wallMs, upMs, boot }: Moment): Asking<void> {
  yield* execute(
    `UPDATE rate_starts SET up_ms = CASE WHEN at_ms < ? THEN ? - (? - at_ms) ELSE ? END, boot = ?
       WHERE key = ? AND boot <> ?`,
    ...[wallMs, upMs, wallMs, upMs, boot, key, boot],
  );
  yield* execute(
    "DELETE FROM rate_starts WHERE key = ? AND up_ms + (SELECT max(per_ms) FROM rate_starts WHERE key = ?) <= ?",
    ...[key, key, upMs],
  );
}

function* used({ budget, key, perMs }: Share, { upMs }: Moment): Asking<number> {
  const row =
    budget === "rate"
      ? yield* get("SELECT count(*) AS n FROM rate_starts WHERE key = ? AND up_ms > ?", key, upMs - perMs)
      : yield* get("SELECT count(*) AS n FROM slots WHERE key = ?", key);
  return Number(row?.n ?? 0);
}

function* due({ ticket }: Waiter, upMs: number | null): Asking<void> {
  yield* execute("UPDATE budget_waits SET due_ms = ? WHERE ticket = ?", upMs, ticket);
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
