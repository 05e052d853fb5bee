// Decides starts when a schedule's time comes (spec 2.5).
//   C1. Each time is decided once: the decision and the schedule's new position are one
//       transaction (store/triggers.ts T1).
//   C2. Times missed while no server ran, the machine slept, or the document was invalid are handled as `catchUp` says.
//       Times missed while the schedule was paused are skipped.
//   C3. A new schedule counts from now.
//   C4. Only schedules that are due are examined, even among thousands: the next time of each is known.
//   C5. If the clock is set back, nothing is started again, and future times count from the new time.

import type { Log } from "../../app/log.ts";
import { limits } from "../../base/limits.ts";
import type { Clock } from "../../engine/clock.ts";
import type { NewStart, ServerStore } from "../../store/index.ts";
import type { ScheduleTrigger } from "../../workflow/triggers.ts";
import type { ActiveTrigger } from "./active-trigger.ts";
import { dueTimes, nextTimes } from "./times.ts";

export interface SchedulesDeps {
  store: ServerStore;
  log: Log;
  clock: Clock;
  /** Run ids sort by time. `aheadMs` keeps the order of ids created at the same moment. */
  newRunId(aheadMs: number): string;
  isUnfinished(trigger: string): boolean;
  waiting(trigger: string): number;
  /** Called when starts were decided. */
  decided(): void;
  changed(trigger: string): void;
}

export class Schedules {
  private readonly deps: SchedulesDeps;
  private armed: ActiveTrigger<ScheduleTrigger>[] = [];
  /** C4. By trigger id, which changes when the cron expression or zone changes. */
  private nextMs = new Map<string, number>();
  private unwait: () => void = () => {};
  private closed = false;
  private lookedMs = 0;

  constructor(deps: SchedulesDeps) {
    this.deps = deps;
  }

  /** Replaces the schedules. */
  arm(armed: ActiveTrigger<ScheduleTrigger>[]): void {
    this.armed = armed.filter(({ problem }) => problem === undefined);
    const ids = new Set(this.armed.map(({ id }) => id));
    this.nextMs = new Map([...this.nextMs].filter(([id]) => ids.has(id)));
    this.look();
  }

  /** Decides what is due and waits for the next time. */
  look(): void {
    this.unwait();
    if (this.closed) return;
    const nowMs = this.deps.clock.nowMs();
    // C5
    if (nowMs < this.lookedMs) this.nextMs.clear();
    this.lookedMs = nowMs;
    const come = this.armed.filter(({ id }) => (this.nextMs.get(id) ?? 0) <= nowMs);
    if (this.come(come, nowMs) > 0) this.deps.decided();
    const nextMs = [...this.nextMs.values()].reduce((next, ms) => Math.min(next, ms), Number.POSITIVE_INFINITY);
    if (Number.isFinite(nextMs)) this.unwait = this.deps.clock.at(nextMs, () => this.look());
  }

  close(): void {
    this.closed = true;
    this.unwait();
  }

  /** Handles schedules that are due or whose next time is unknown (C3). Returns the number of starts decided. */
  private come(all: readonly ActiveTrigger<ScheduleTrigger>[], nowMs: number): number {
    if (all.length === 0) return 0;
    const ids = all.map(({ id }) => id);
    const states = this.deps.store.triggers.allSeen(ids, nowMs);
    if (!states.ok)
      this.deps.log.error({ code: states.error.code }, "the store does not answer; schedules are looked at again");
    let starts = 0;
    for (const [at, armed] of all.entries()) {
      const state = states.ok ? states.value[at] : undefined;
      const decided = state === undefined ? undefined : state.paused ? 0 : this.decide(armed, state.sinceMs, nowMs);
      const next = decided === undefined ? nowMs + limits.triggerAgainMs : nextTimes(armed.trigger, nowMs, 1)[0];
      this.nextMs.set(armed.id, next ?? Number.POSITIVE_INFINITY);
      starts += decided ?? 0;
    }
    return starts;
  }

  /** Returns the number of starts, or undefined if the decision could not be recorded. */
  private decide(
    { id, file, trigger }: ActiveTrigger<ScheduleTrigger>,
    afterMs: number,
    nowMs: number,
  ): number | undefined {
    const due = dueTimes(trigger, { afterMs, nowMs });
    if (due.times.length === 0 && !due.left) return 0;
    const at = new Date(due.times.at(-1) ?? nowMs).toISOString();
    const why = due.times.length === 0 ? "it passed while no server ran" : this.overlap(id, trigger);
    const starts = why !== undefined ? [] : due.times.map((timeMs, nth) => this.startAt(id, file, timeMs, nth));
    const to = { sinceMs: nowMs, ...(why === undefined ? {} : { last: { at, skipped: why } }) };
    const decided = this.deps.store.triggers.decide(id, to, starts);
    if (!decided.ok) {
      this.deps.log.error({ code: decided.error.code, trigger: id }, "a time could not be recorded; it is due again");
      return undefined;
    }
    this.deps.changed(id);
    return decided.value.length;
  }

  /** Why the start is skipped because of earlier runs. */
  private overlap(id: string, { overlap }: ScheduleTrigger): string | undefined {
    if (overlap === "skip" && (this.deps.isUnfinished(id) || this.deps.waiting(id) > 0))
      return "the run before was not over";
    if (overlap === "queue" && this.deps.waiting(id) >= limits.catchUpMax)
      return `${limits.catchUpMax} runs before it wait already`;
    return undefined;
  }

  private startAt(trigger: string, file: string, timeMs: number, nth: number): NewStart {
    const key = new Date(timeMs).toISOString();
    return { run: this.deps.newRunId(nth), trigger, key, startedBy: { kind: "schedule", by: key }, file };
  }
}
