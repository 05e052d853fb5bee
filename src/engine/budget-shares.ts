// budget-shares: takes the shares of this process's runs from the budgets of the data directory, and wakes runs whose
// turn has come (spec 3.3).
//   B1. An attempt's share is returned after its end is recorded, never before. The next attempt of the node may take or
//       await its own while that is recorded, and keeps it.
//   B2. A waiting node is woken at once if this process returns a share, and within limits.budgetPollMs if another one
//       does.
//   B3. A run resumed by this process gets back its shares and its places in queues. Shares of attempts that never
//       started are returned.
//   B4. If an attempt made exactly one call, the rate counts from the time of that call, because services count
//       arrivals.

import { existsSync } from "node:fs";
import type { Failure } from "../base/failure.ts";
import type { HttpCall } from "../base/http-call.ts";
import { limits } from "../base/limits.ts";
import { after, type Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import { andThen } from "../kinds/values.ts";
import { bootId, stateOf } from "../process/identity.ts";
import { endFile } from "../process/runner/runner-dir.ts";
import { isTagAlive, tagOf } from "../process/tree.ts";
import type { EventBody, RunEvent } from "../scheduler/event.ts";
import type { RunState } from "../scheduler/state.ts";
import type { Budgets, Holder, Moment, Owner, Store, StoreError } from "../store/index.ts";
import type { Shares } from "./actions/shared-limits.ts";
import type { Clock } from "./clock.ts";
import type { Ready, RunWork, StartAction } from "./driver/driver-work.ts";
import { StoreFault } from "./driver/recording.ts";

/** The wall clock and the monotonic clock do not tick at the same moment. */
const CLOCKS_APART_MS = 1;

/** Events that return the share of an attempt or of a waiting node. */
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

export interface BudgetDeps {
  budgets: Budgets;
  owner: Owner;
  clock: Clock;
  /** The node may try again. */
  freed(run: string, path: string): void;
}

export class LocalBudgets {
  private readonly deps: BudgetDeps;
  /** The newest attempt that holds or awaits a share, by run and path. `waiting` has those that wait. */
  private readonly holding = new Map<string, Map<string, number>>();
  private readonly waiting = new Set<string>();
  /** Starts that count against a rate, by run and path. */
  private readonly starts = new Map<string, { key: string; perMs: number; at: Moment }>();
  private unpoll: (() => void) | undefined;
  private looking = false;
  private closed = false;

  constructor(deps: BudgetDeps) {
    this.deps = deps;
  }

  /** The budget part of a run's driver. */
  of(run: string, { commit, prepare }: Pick<RunWork, "commit" | "prepare">): Pick<RunWork, "commit" | "prepare"> {
    return {
      prepare: (action, state) =>
        andThen(prepare(action, state), (ready) =>
          "shares" in ready && ready.shares !== undefined ? this.take(run, action, ready, ready.shares) : ok(ready),
        ),
      commit: (events, state) => after(commit(events, state), () => this.recorded(run, events)),
    };
  }

  /** Takes what the attempt needs. Returns the event to record if it has to wait. */
  private take(
    run: string,
    { node, path, number }: StartAction,
    ready: Ready,
    { wanted, shown }: Shares,
  ): Now<Result<Ready, Failure>> {
    const at = this.moment();
    const name = `${run} ${path}`;
    // The plan may have changed when the share is there. If the store refuses, the end of the run returns it.
    const unwanted = (): void => {
      this.waiting.delete(name);
      void after(this.deps.budgets.giveBack(run, path), ({ ok }) => ok && this.lookSoon());
    };
    this.holdingOf(run).set(path, number);
    return after(this.deps.budgets.take({ run, path, number }, wanted, this.deps.owner, at), (result) => {
      const taken = must(result);
      if (taken.taken) {
        if (wanted.rate !== undefined) this.starts.set(name, { ...wanted.rate, at });
        this.waiting.delete(name);
        const discard = (): void => {
          ready.discard?.();
          unwanted();
        };
        return ok({ ...ready, discard });
      }
      ready.discard?.();
      this.waiting.add(name);
      this.poll();
      const { waits, untilMs } = taken;
      const until = untilMs === undefined ? {} : { until: new Date(untilMs + CLOCKS_APART_MS).toISOString() };
      const key = shown[waits] ?? "";
      return ok({
        instead: { type: "budget.awaited", node, path, number, for: waits, key, ...until },
        discard: unwanted,
      });
    });
  }

  /** B1. */
  private recorded(run: string, events: readonly RunEvent[]): Now<void> {
    const holding = this.holding.get(run);
    let done: Now<unknown> = true;
    for (const event of holding === undefined ? [] : events) {
      if (!ENDS.has(event.type) || !("path" in event) || !holding?.has(event.path)) continue;
      // It starts again under the same number, and with the same share.
      if (event.type === "attempt.not-started") continue;
      const { path } = event;
      const number = event.type.startsWith("attempt.") && "number" in event ? event.number : undefined;
      const isLast = number === undefined || holding.get(path) === number;
      const counted = isLast && "end" in event ? this.countWhenCalled(`${run} ${path}`, event.end?.http) : undefined;
      if (isLast) this.forget(run, path);
      const before = done;
      done = after(counted, () => after(before, () => this.giveBack(run, path, number)));
    }
    return after(done, () => undefined);
  }

  private forget(run: string, path: string): void {
    this.holding.get(run)?.delete(path);
    this.waiting.delete(`${run} ${path}`);
    this.starts.delete(`${run} ${path}`);
  }

  /** B4. With several calls the time of the first is unknown. If the store refuses, the start itself keeps counting. */
  private countWhenCalled(name: string, calls: readonly HttpCall[] = []): Now<unknown> {
    const start = this.starts.get(name);
    const [call] = calls;
    if (start === undefined || call === undefined || calls.length > 1) return;
    const now = this.moment();
    const connected = call.timings?.tlsMs ?? call.timings?.connectMs ?? 0;
    const agoMs = Math.max(0, Math.floor(call.durationMs - connected));
    const from = { ...now, wallMs: now.wallMs - agoMs, upMs: now.upMs - agoMs };
    if (from.upMs <= start.at.upMs || now.upMs - start.at.upMs >= start.perMs) return;
    return this.deps.budgets.countLater(start.key, start.at, from);
  }

  /** B3. Returns the events to record: nodes whose place in the queue is gone try again. */
  async adopt(run: string, state: RunState): Promise<EventBody[]> {
    const had = must(await this.deps.budgets.adopt(run, this.deps.owner));
    for (const path of had.slots) {
      const running = state.running.get(path);
      if (running !== undefined) this.holdingOf(run).set(path, running.attempts);
      else await this.giveBack(run, path);
    }
    for (const path of had.waits) {
      this.holdingOf(run).set(path, state.waitingBudget.get(path)?.attempts ?? 0);
      this.waiting.add(`${run} ${path}`);
    }
    if (this.waiting.size > 0) this.poll();
    return [...state.waitingBudget.values()]
      .filter(({ path }) => !had.waits.includes(path))
      .map(({ node, path }) => ({ type: "budget.freed", node: state.graph.nodes[node]!.id, path }));
  }

  /** The run has ended or stopped in this process. */
  async leave(run: string): Promise<void> {
    if (this.closed || !this.holding.has(run)) return;
    for (const path of [...(this.holding.get(run)?.keys() ?? [])]) this.forget(run, path);
    this.holding.delete(run);
    // If the store refuses now, the shares are returned when this process is gone.
    if ((await this.deps.budgets.giveBack(run)).ok) this.lookSoon();
  }

  /** The run stopped in the middle: its commands keep their shares, its places in queues are given up. */
  async stop(run: string): Promise<void> {
    const holding = [...(this.holding.get(run)?.keys() ?? [])];
    this.holding.delete(run);
    for (const path of holding) {
      this.starts.delete(`${run} ${path}`);
      if (this.waiting.delete(`${run} ${path}`) && !this.closed) await this.deps.budgets.giveBack(run, path);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.holding.keys()].map((run) => this.leave(run)));
    this.closed = true;
    this.unpoll?.();
  }

  private giveBack(run: string, path: string, number?: number): Now<void> {
    return after(this.deps.budgets.giveBack(run, path, number), (given) => {
      if (must(given)) this.lookSoon();
    });
  }

  private lookSoon(): void {
    if (this.looking || this.waiting.size === 0) return;
    this.looking = true;
    setImmediate(() => {
      this.looking = false;
      void this.look();
    });
  }

  /** B2. */
  private look(): Now<void> {
    if (this.closed || this.waiting.size === 0) return;
    return after(this.deps.budgets.turns(this.deps.owner, this.moment()), (turns) => {
      // If the store is busy, the next poll asks again.
      if (turns.ok) for (const { run, path } of turns.value) this.deps.freed(run, path);
    });
  }

  private poll(): void {
    if (this.unpoll !== undefined || this.closed) return;
    const { clock } = this.deps;
    this.unpoll = clock.at(clock.nowMs() + limits.budgetPollMs, () => {
      this.unpoll = undefined;
      void after(this.look(), () => this.waiting.size > 0 && this.poll());
    });
  }

  private moment(): Moment {
    const { clock } = this.deps;
    return { wallMs: clock.nowMs(), upMs: clock.upMs(), boot: bootId() };
  }

  private holdingOf(run: string): Map<string, number> {
    const known = this.holding.get(run) ?? new Map<string, number>();
    this.holding.set(run, known);
    return known;
  }
}

function must<T>(result: Result<T, StoreError>): T {
  if (result.ok) return result.value;
  throw new StoreFault(result.error);
}

/**
 * Whether an attempt's command may still be running although its engine is gone (spec 3.4): one of its processes
 * exists, or its runner lives and has not recorded its end.
 */
export function mayStillRun({ run, path, number, owner }: Holder, store: Store): Now<boolean> {
  if (owner.bootId !== bootId()) return false;
  let open: { stem: string; runner: string | undefined } | undefined;
  const read = store.journal.each(run, 1, (event) => {
    if (!("number" in event) || event.path !== path || event.number !== number) return true;
    if (event.type === "attempt.started") open = { stem: String(event.seq), runner: event.detail.runner };
    else if (ENDS.has(event.type)) open = undefined;
    return true;
  });
  return after(read, ({ ok }) => {
    if (!ok || open === undefined) return false;
    return isTagAlive(tagOf(run, open.stem)) || isKept(run, open.stem, open.runner, store);
  });
}

function isKept(run: string, stem: string, runner: string | undefined, store: Store): boolean {
  const folder = store.outputs.folder(run);
  if (runner === undefined || !folder.ok || stateOf(runner).state !== "alive") return false;
  return !existsSync(endFile(folder.value, stem));
}
