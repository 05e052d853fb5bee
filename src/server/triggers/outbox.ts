// Turns decided starts into runs, in order, according to the trigger's overlap setting (spec 2.5 overlap).
//   O1. A start stays on record until its run is recorded. After a kill it is found
//       again, and the run starts only once.
//   O2. Starts of a trigger run in order. With `queue`, and for missed times, each waits for the one before to end.
//       With `cancel`, the one before is cancelled first. With `allow`, they run in parallel.
//   O3. Triggers do not block each other.

import type { Log } from "../../app/log.ts";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { oneAtATime } from "../../base/one-at-a-time.ts";
import type { Result } from "../../base/result.ts";
import type { RunHandle } from "../../engine/contract.ts";
import { isRunEnd, type RunEvent } from "../../scheduler/event.ts";
import type { DueStart, RunRow, ServerStore, TriggerLast } from "../../store/index.ts";
import { mayStartLater, type StartAsk } from "./starting.ts";

export type OverlapPolicy = "skip" | "queue" | "cancel" | "allow";

export interface OutboxDeps {
  store: ServerStore;
  log: Log;
  nowMs(): number;
  start(ask: StartAsk): Promise<Result<RunHandle | undefined, Failure>>;
  cancel(run: RunRow): Promise<Result<void, Failure>>;
  isOthers(file: string): boolean;
  /** How the starts of a trigger may overlap. Undefined if no document declares it any more. */
  overlapPolicyOf(trigger: string): OverlapPolicy | undefined;
}

export class Outbox {
  private readonly deps: OutboxDeps;
  private readonly busy = new Set<string>();
  /** Busy triggers that were to be looked at again: the run before may have ended since. */
  private readonly missed = new Set<string>();
  /** The last settled start of each trigger. A list of due starts that was asked for before may still have it. */
  private readonly settled = new Map<string, number>();
  private readonly running = new Map<string, Set<string>>();
  private readonly cancelled = new Set<string>();
  private again: NodeJS.Timeout | undefined;
  /** True until the overlap settings are known. */
  private closed = true;

  constructor(deps: OutboxDeps) {
    this.deps = deps;
  }

  open(): void {
    this.closed = false;
    void this.dispatch();
  }

  /** Starts what can start. Call it after each decision and each end of a run. */
  readonly dispatch = oneAtATime(async () => {
    if (this.closed) return;
    const due = await this.deps.store.triggers.due();
    if (!due.ok) {
      this.later(due.error.code);
      return;
    }
    for (const start of due.value.filter(({ file }) => !this.deps.isOthers(file)))
      if (this.busy.has(start.trigger)) this.missed.add(start.trigger);
      else if (start.n > (this.settled.get(start.trigger) ?? 0)) void this.begin(start);
  });

  /** Whether a run of this trigger has not ended. */
  async isUnfinished(trigger: string): Promise<boolean> {
    return (await this.unfinished(trigger)).length > 0;
  }

  /** The number of its decided starts that are not runs yet. */
  async waiting(trigger: string): Promise<number> {
    const waiting = await this.deps.store.triggers.waiting(trigger);
    return waiting.ok ? waiting.value : 0;
  }

  onRunEvent(event: RunEvent): void {
    if (!isRunEnd(event)) return;
    this.cancelled.delete(event.run);
    void this.dispatch();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.again);
  }

  private async unfinished(trigger: string): Promise<RunRow[]> {
    const { triggers, journal } = this.deps.store;
    const runs = await triggers.runsOf(trigger, limits.triggerRunsAtOnce);
    const rows = await Promise.all((runs.ok ? runs.value : []).map((run) => journal.findRun(run)));
    return rows.flatMap((row) => (row.ok && row.value.endedAt === undefined ? [row.value] : []));
  }

  /** Handles one start per trigger at a time. The next follows once this one is under way. */
  private async begin(start: DueStart): Promise<void> {
    const { trigger } = start;
    this.busy.add(trigger);
    try {
      if (!(await this.mayBegin(start)) || this.closed) return;
      const begun = await this.deps.start(start);
      if (this.closed) return;
      if (!begun.ok && mayStartLater(begun.error.code)) {
        this.later(begun.error.code);
        return;
      }
      // A schedule's start is caused by its time.
      const { by, at = new Date(this.deps.nowMs()).toISOString() } = start.startedBy;
      const cause = by === at ? undefined : by;
      const last: TriggerLast = begun.ok
        ? { at, by: cause, run: start.run }
        : { at, by: cause, skipped: begun.error.message };
      if (!begun.ok)
        this.deps.log.warn({ trigger, run: start.run, code: begun.error.code }, "a trigger could not start its run");
      else if (begun.value !== undefined) this.follow(trigger, begun.value);
      const settled = await this.deps.store.triggers.settle(start.n, begun.ok ? "started" : "dropped", last);
      if (!settled.ok) {
        this.later(settled.error.code);
        return;
      }
      this.settled.set(trigger, start.n);
      setImmediate(() => void this.dispatch());
    } finally {
      this.busy.delete(trigger);
      if (this.missed.delete(trigger)) setImmediate(() => void this.dispatch());
    }
  }

  /** O2. */
  private async mayBegin({ trigger }: DueStart): Promise<boolean> {
    const manner = this.deps.overlapPolicyOf(trigger) ?? "allow";
    if (manner === "allow") return (this.running.get(trigger)?.size ?? 0) < limits.triggerRunsAtOnce;
    const before = await this.unfinished(trigger);
    if (manner === "cancel") for (const row of before) if (!this.cancelled.has(row.id)) void this.cancel(row);
    return before.length === 0;
  }

  /** While a server starts, it may be taking up the run, which can't be cancelled then. */
  private async cancel(row: RunRow): Promise<void> {
    this.cancelled.add(row.id);
    const done = await this.deps.cancel(row);
    if (done.ok || done.error.code === "run-ended") return;
    this.cancelled.delete(row.id);
    this.later(done.error.code);
  }

  private follow(trigger: string, handle: RunHandle): void {
    const runs = this.running.get(trigger) ?? new Set();
    this.running.set(trigger, runs.add(handle.id));
    const over = (): void => {
      runs.delete(handle.id);
      void this.dispatch();
    };
    handle.done.then(over, over);
  }

  private later(code: string): void {
    this.deps.log.error({ code }, "a trigger could not start its run yet; Curlew tries again");
    clearTimeout(this.again);
    this.again = setTimeout(() => void this.dispatch(), limits.triggerAgainMs).unref();
  }
}
