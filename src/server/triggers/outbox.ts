// outbox: starts that were decided become runs, in their order, as far as the run before allows (spec 2.5 overlap).
//   O1. A start stays on record until its run is: after a kill it is found again, and its run begins once.
//   O2. Starts of one trigger begin one after the other. With `queue`, and of times that were made up for, each waits for the end of the
//       one before; `cancel` ends the one before and waits for its end; with `allow` they run side by side.
//   O3. One trigger never holds up another.
// Deliberately absent: deciding (schedules.ts, watches.ts).

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import type { Result } from "../../base/result.ts";
import type { RunHandle } from "../../engine/contract.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { DueStart, RunRow, ServerStore, TriggerLast } from "../../store/index.ts";
import type { Log } from "../log.ts";
import type { StartAsk } from "./starting.ts";

export type Manner = "skip" | "queue" | "cancel" | "allow";

export interface OutboxGround {
  store: ServerStore;
  log: Log;
  nowMs(): number;
  start(ask: StartAsk): Promise<Result<RunHandle | undefined, Failure>>;
  cancel(run: RunRow): Promise<unknown>;
  /** How a trigger's starts go together; of one that no document has any more, nothing. */
  mannerOf(trigger: string): Manner | undefined;
  /** Something of it is other than before. */
  changed(trigger: string): void;
}

export class Outbox {
  private readonly ground: OutboxGround;
  private readonly busy = new Set<string>();
  private readonly running = new Map<string, Set<string>>();
  private readonly cancelled = new Set<string>();
  private again: NodeJS.Timeout | undefined;
  /** Not before it is known how starts of a trigger go together. */
  private closed = true;

  constructor(ground: OutboxGround) {
    this.ground = ground;
  }

  open(): void {
    this.closed = false;
    this.go();
  }

  /** Begins what can begin. Called whenever something was decided, or a run has ended. */
  go(): void {
    if (this.closed) return;
    const due = this.ground.store.triggers.due();
    if (!due.ok) {
      this.later(due.error.code);
      return;
    }
    for (const start of due.value) if (!this.busy.has(start.trigger)) void this.begin(start);
  }

  /** Whether a run that this trigger has started is not over. */
  isUnfinished(trigger: string): boolean {
    return this.unfinished(trigger).length > 0;
  }

  /** Starts of it that are decided and have not begun. */
  waiting(trigger: string): number {
    const waiting = this.ground.store.triggers.waiting(trigger);
    return waiting.ok ? waiting.value : 0;
  }

  heard(event: RunEvent): void {
    if (/^run\.(?:succeeded|failed|cancelled|timed-out)$/.test(event.type)) {
      this.cancelled.delete(event.run);
      this.go();
    }
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.again);
  }

  private unfinished(trigger: string): RunRow[] {
    const { triggers, journal } = this.ground.store;
    const runs = triggers.runsOf(trigger, limits.triggerRunsAtOnce);
    return (runs.ok ? runs.value : []).flatMap((run) => {
      const row = journal.findRun(run);
      return row.ok && row.value.endedAt === undefined ? [row.value] : [];
    });
  }

  /** One start a trigger at a time: the next one is looked at when this one is on its way. */
  private async begin(start: DueStart): Promise<void> {
    const { trigger } = start;
    this.busy.add(trigger);
    try {
      if (!this.mayBegin(start)) return;
      const begun = await this.ground.start(start);
      if (this.closed) return;
      // The store was busy or full: it stays due.
      if (!begun.ok && begun.error.code.startsWith("store-")) {
        this.later(begun.error.code);
        return;
      }
      const at = start.startedBy.kind === "schedule" ? start.key : new Date(this.ground.nowMs()).toISOString();
      const path = start.startedBy.kind === "file" ? { file: start.startedBy.by ?? "" } : {};
      const last: TriggerLast = begun.ok
        ? { at, ...path, run: start.run }
        : { at, ...path, skipped: begun.error.message };
      if (!begun.ok)
        this.ground.log.warn({ trigger, run: start.run, code: begun.error.code }, "a trigger could not start its run");
      else if (begun.value !== undefined) this.follow(trigger, begun.value);
      const settled = this.ground.store.triggers.settle(start.n, begun.ok ? "started" : "dropped", last);
      if (!settled.ok) {
        this.later(settled.error.code);
        return;
      }
      this.ground.changed(trigger);
      setImmediate(() => this.go());
    } finally {
      this.busy.delete(trigger);
    }
  }

  /** O2. */
  private mayBegin({ trigger }: DueStart): boolean {
    const manner = this.ground.mannerOf(trigger) ?? "allow";
    if (manner === "allow") return (this.running.get(trigger)?.size ?? 0) < limits.triggerRunsAtOnce;
    const before = this.unfinished(trigger);
    if (manner === "cancel")
      for (const row of before) {
        if (this.cancelled.has(row.id)) continue;
        this.cancelled.add(row.id);
        void this.ground.cancel(row);
      }
    return before.length === 0;
  }

  private follow(trigger: string, handle: RunHandle): void {
    const runs = this.running.get(trigger) ?? new Set();
    this.running.set(trigger, runs.add(handle.id));
    const over = (): void => {
      runs.delete(handle.id);
      this.go();
    };
    handle.done.then(over, over);
  }

  private later(code: string): void {
    this.ground.log.error({ code }, "the store does not answer; triggers are looked at again");
    clearTimeout(this.again);
    this.again = setTimeout(() => this.go(), limits.triggerAgainMs).unref();
  }
}
