// Turns decided starts into runs, in order, according to the trigger's overlap setting (spec 2.5 overlap).
//   O1. A start stays on record until its run is recorded. After a kill it is found
//       again, and the run starts only once.
//   O2. Starts of a trigger run in order. With `queue`, and for missed times, each waits for the one before to end.
//       With `cancel`, the one before is cancelled first. With `allow`, they run in parallel.
//   O3. Triggers do not block each other.
// Deliberately absent: deciding starts (schedules.ts, watches.ts).

import type { Log } from "../../app/log.ts";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import type { Result } from "../../base/result.ts";
import type { RunHandle } from "../../engine/contract.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { DueStart, RunRow, ServerStore, TriggerLast } from "../../store/index.ts";
import type { StartAsk } from "./starting.ts";

export type OverlapPolicy = "skip" | "queue" | "cancel" | "allow";

export interface OutboxDeps {
  store: ServerStore;
  log: Log;
  nowMs(): number;
  start(ask: StartAsk): Promise<Result<RunHandle | undefined, Failure>>;
  cancel(run: RunRow): Promise<unknown>;
  /** How the starts of a trigger may overlap. Undefined if no document declares it any more. */
  overlapPolicyOf(trigger: string): OverlapPolicy | undefined;
  /** Called when the trigger's state changes. */
  changed(trigger: string): void;
}

export class Outbox {
  private readonly deps: OutboxDeps;
  private readonly busy = new Set<string>();
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
    this.dispatch();
  }

  /** Starts what can start. Call it after each decision and each end of a run. */
  dispatch(): void {
    if (this.closed) return;
    const due = this.deps.store.triggers.due();
    if (!due.ok) {
      this.later(due.error.code);
      return;
    }
    for (const start of due.value) if (!this.busy.has(start.trigger)) void this.begin(start);
  }

  /** Whether a run of this trigger has not ended. */
  isUnfinished(trigger: string): boolean {
    return this.unfinished(trigger).length > 0;
  }

  /** The number of its decided starts that are not runs yet. */
  waiting(trigger: string): number {
    const waiting = this.deps.store.triggers.waiting(trigger);
    return waiting.ok ? waiting.value : 0;
  }

  onRunEvent(event: RunEvent): void {
    if (/^run\.(?:succeeded|failed|cancelled|timed-out)$/.test(event.type)) {
      this.cancelled.delete(event.run);
      this.dispatch();
    }
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.again);
  }

  private unfinished(trigger: string): RunRow[] {
    const { triggers, journal } = this.deps.store;
    const runs = triggers.runsOf(trigger, limits.triggerRunsAtOnce);
    return (runs.ok ? runs.value : []).flatMap((run) => {
      const row = journal.findRun(run);
      return row.ok && row.value.endedAt === undefined ? [row.value] : [];
    });
  }

  /** Handles one start per trigger at a time. The next follows once this one is under way. */
  private async begin(start: DueStart): Promise<void> {
    const { trigger } = start;
    this.busy.add(trigger);
    try {
      if (!this.mayBegin(start)) return;
      const begun = await this.deps.start(start);
      if (this.closed) return;
      // The store was busy or full: the start stays due.
      if (!begun.ok && begun.error.code.startsWith("store-")) {
        this.later(begun.error.code);
        return;
      }
      const at = start.startedBy.kind === "schedule" ? start.key : new Date(this.deps.nowMs()).toISOString();
      const path = start.startedBy.kind === "file" ? { file: start.startedBy.by ?? "" } : {};
      const last: TriggerLast = begun.ok
        ? { at, ...path, run: start.run }
        : { at, ...path, skipped: begun.error.message };
      if (!begun.ok)
        this.deps.log.warn({ trigger, run: start.run, code: begun.error.code }, "a trigger could not start its run");
      else if (begun.value !== undefined) this.follow(trigger, begun.value);
      const settled = this.deps.store.triggers.settle(start.n, begun.ok ? "started" : "dropped", last);
      if (!settled.ok) {
        this.later(settled.error.code);
        return;
      }
      this.deps.changed(trigger);
      setImmediate(() => this.dispatch());
    } finally {
      this.busy.delete(trigger);
    }
  }

  /** O2. */
  private mayBegin({ trigger }: DueStart): boolean {
    const manner = this.deps.overlapPolicyOf(trigger) ?? "allow";
    if (manner === "allow") return (this.running.get(trigger)?.size ?? 0) < limits.triggerRunsAtOnce;
    const before = this.unfinished(trigger);
    if (manner === "cancel")
      for (const row of before) {
        if (this.cancelled.has(row.id)) continue;
        this.cancelled.add(row.id);
        void this.deps.cancel(row);
      }
    return before.length === 0;
  }

  private follow(trigger: string, handle: RunHandle): void {
    const runs = this.running.get(trigger) ?? new Set();
    this.running.set(trigger, runs.add(handle.id));
    const over = (): void => {
      runs.delete(handle.id);
      this.dispatch();
    };
    handle.done.then(over, over);
  }

  private later(code: string): void {
    this.deps.log.error({ code }, "the store does not answer; triggers are looked at again");
    clearTimeout(this.again);
    this.again = setTimeout(() => this.dispatch(), limits.triggerAgainMs).unref();
  }
}
