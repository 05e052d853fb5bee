// budgets (local): what the runs of this process take of the budgets that all processes of a home share, and who is told that it is
// their turn (spec 3.3).
//   B1. What an attempt took is given back after its end is on record, never before.
//   B2. Whoever waits here is told at once when this process gives something back, within limits.budgetPollMs when another one does.
//   B3. When a run goes on in this process, what it had taken and where it stood are its own again; what it took for an attempt
//       that never began is given back.
//   B4. An attempt whose one call was made some time after its start counts from then on: what a service counts is what arrives there.

import { existsSync } from "node:fs";
import type { HttpCall } from "../../base/http-call.ts";
import { limits } from "../../base/limits.ts";
import type { Result } from "../../base/result.ts";
import { isTagAlive, stateOf, tagOf } from "../../nodes/index.ts";
import { endFile } from "../../nodes/runner/places.ts";
import type { EventBody, RunEvent } from "../../scheduler/event.ts";
import type { RunState } from "../../scheduler/state.ts";
import type { Budgets, Holder, Moment, Owner, Store, StoreError } from "../../store/index.ts";
import type { Clock } from "../clock.ts";
import type { RunWork, StartAction } from "../driver-work.ts";
import type { Shares } from "../shared.ts";
import { bootId } from "./owner.ts";
import { StoreFault } from "./recording.ts";

/** The wall clock and the machine's own do not tick at the same moment. */
const CLOCKS_APART_MS = 1;

/** Ends that give back what an attempt, or a node that waits, has. */
const ENDS: ReadonlySet<string> = new Set([
  "attempt.succeeded",
  "attempt.failed",
  "attempt.timed-out",
  "attempt.cancelled",
  "attempt.lost",
  "attempt.not-started",
  "node.skipped",
  "node.failed",
  "cache.answered",
  "approval.requested",
]);

export interface BudgetGround {
  budgets: Budgets;
  owner: Owner;
  clock: Clock;
  /** A node may try again. */
  freed(run: string, path: string): void;
}

export class LocalBudgets {
  private readonly ground: BudgetGround;
  /** Paths that have something, by run; those that wait, by run and path. */
  private readonly holding = new Map<string, Set<string>>();
  private readonly waiting = new Set<string>();
  /** Starts that were taken of a rate, by run and path. */
  private readonly starts = new Map<string, { key: string; perMs: number; at: Moment }>();
  private unpoll: (() => void) | undefined;
  private looking = false;
  private closed = false;

  constructor(ground: BudgetGround) {
    this.ground = ground;
  }

  /** What a run's driver asks for. */
  of(run: string, commit: RunWork["commit"]): Pick<RunWork, "commit" | "take"> {
    return {
      take: (action, ready) =>
        "shares" in ready && ready.shares !== undefined ? this.take(run, action, ready.shares) : undefined,
      commit: (events, state) => {
        commit(events, state);
        this.recorded(run, events);
      },
    };
  }

  /** Takes what the attempt needs; or what is recorded instead of its start. */
  private take(run: string, { node, path, number }: StartAction, { wanted, shown }: Shares): EventBody | undefined {
    const at = this.moment();
    const taken = must(this.ground.budgets.take({ run, path, number }, wanted, this.ground.owner, at));
    this.holdingOf(run).add(path);
    const name = `${run} ${path}`;
    if (taken.taken) {
      if (wanted.rate !== undefined) this.starts.set(name, { ...wanted.rate, at });
      this.waiting.delete(name);
      return undefined;
    }
    this.waiting.add(name);
    this.poll();
    const { waits, untilMs } = taken;
    const until = untilMs === undefined ? {} : { until: new Date(untilMs + CLOCKS_APART_MS).toISOString() };
    return { type: "budget.awaited", node, path, number, for: waits, key: shown[waits] ?? "", ...until };
  }

  /** B1. */
  private recorded(run: string, events: readonly RunEvent[]): void {
    const holding = this.holding.get(run);
    if (holding === undefined) return;
    for (const event of events) {
      if (!ENDS.has(event.type) || !("path" in event) || !holding.delete(event.path)) continue;
      if ("end" in event) this.countWhenCalled(`${run} ${event.path}`, event.end?.http);
      this.starts.delete(`${run} ${event.path}`);
      this.giveBack(run, event.path);
    }
  }

  /** B4. Of several calls nobody knows when the first was made. A store that refuses lets the start count as it did. */
  private countWhenCalled(name: string, calls: readonly HttpCall[] = []): void {
    const start = this.starts.get(name);
    const [call] = calls;
    if (start === undefined || call === undefined || calls.length > 1) return;
    const now = this.moment();
    const connected = call.timings?.tlsMs ?? call.timings?.connectMs ?? 0;
    const agoMs = Math.max(0, Math.floor(call.durationMs - connected));
    const from = { ...now, wallMs: now.wallMs - agoMs, upMs: now.upMs - agoMs };
    if (from.upMs <= start.at.upMs || now.upMs - start.at.upMs >= start.perMs) return;
    this.ground.budgets.countLater(start.key, start.at, from);
  }

  /** B3. What is recorded: waits that the store does not know any more try again. */
  adopt(run: string, state: RunState): EventBody[] {
    const had = must(this.ground.budgets.adopt(run, this.ground.owner));
    for (const path of had.slots) {
      if (state.running.has(path)) this.holdingOf(run).add(path);
      else this.giveBack(run, path);
    }
    for (const path of had.waits) {
      this.holdingOf(run).add(path);
      this.waiting.add(`${run} ${path}`);
    }
    if (this.waiting.size > 0) this.poll();
    return [...state.waitingBudget.values()]
      .filter(({ path }) => !had.waits.includes(path))
      .map(({ node, path }) => ({ type: "budget.freed", node: state.graph.nodes[node]!.id, path }));
  }

  /** The run is over here, whatever it came to. */
  leave(run: string): void {
    if (this.closed || !this.holding.has(run)) return;
    for (const path of this.holding.get(run) ?? []) {
      this.waiting.delete(`${run} ${path}`);
      this.starts.delete(`${run} ${path}`);
    }
    this.holding.delete(run);
    // A store that refuses now lets go when this process is gone.
    if (this.ground.budgets.giveBack(run).ok) this.lookSoon();
  }

  /** The run stopped in the middle: what its commands have stays theirs, its places in queues go. */
  stop(run: string): void {
    for (const path of this.holding.get(run) ?? []) {
      this.starts.delete(`${run} ${path}`);
      if (this.waiting.delete(`${run} ${path}`) && !this.closed) this.ground.budgets.giveBack(run, path);
    }
    this.holding.delete(run);
  }

  close(): void {
    for (const run of [...this.holding.keys()]) this.leave(run);
    this.closed = true;
    this.unpoll?.();
  }

  private giveBack(run: string, path: string): void {
    this.waiting.delete(`${run} ${path}`);
    if (must(this.ground.budgets.giveBack(run, path))) this.lookSoon();
  }

  private lookSoon(): void {
    if (this.looking || this.waiting.size === 0) return;
    this.looking = true;
    setImmediate(() => {
      this.looking = false;
      this.look();
    });
  }

  /** B2. */
  private look(): void {
    if (this.closed || this.waiting.size === 0) return;
    const turns = this.ground.budgets.turns(this.ground.owner, this.moment());
    // A store that is busy now is asked again with the next poll.
    if (turns.ok) for (const { run, path } of turns.value) this.ground.freed(run, path);
  }

  private poll(): void {
    if (this.unpoll !== undefined || this.closed) return;
    const { clock } = this.ground;
    this.unpoll = clock.at(clock.nowMs() + limits.budgetPollMs, () => {
      this.unpoll = undefined;
      this.look();
      if (this.waiting.size > 0) this.poll();
    });
  }

  private moment(): Moment {
    const { clock } = this.ground;
    return { wallMs: clock.nowMs(), upMs: clock.upMs(), boot: bootId() };
  }

  private holdingOf(run: string): Set<string> {
    const known = this.holding.get(run) ?? new Set<string>();
    this.holding.set(run, known);
    return known;
  }
}

function must<T>(result: Result<T, StoreError>): T {
  if (result.ok) return result.value;
  throw new StoreFault(result.error);
}

/**
 * Whether the command of an attempt may still be at work though the engine that started it is gone (spec 3.4): a process of it is there,
 * or its runner lives and has not written down how it ended.
 */
export function mayStillRun({ run, path, number, owner }: Holder, store: Store): boolean {
  if (owner.bootId !== bootId()) return false;
  let open: { stem: string; runner: string | undefined } | undefined;
  const read = store.journal.each(run, 1, (event) => {
    if (!("number" in event) || event.path !== path || event.number !== number) return true;
    if (event.type === "attempt.started") open = { stem: String(event.seq), runner: event.detail.runner };
    else if (ENDS.has(event.type)) open = undefined;
    return true;
  });
  if (!read.ok || open === undefined) return false;
  return isTagAlive(tagOf(run, open.stem)) || isKept(run, open.stem, open.runner, store);
}

function isKept(run: string, stem: string, runner: string | undefined, store: Store): boolean {
  const folder = store.outputs.folder(run);
  if (runner === undefined || !folder.ok || stateOf(runner).state !== "alive") return false;
  return !existsSync(endFile(folder.value, stem));
}
