// schedules: at its time, a schedule decides a start (spec 2.5).
//   C1. A time is decided once: deciding it and moving the schedule beyond it is one transaction (store/triggers.ts T1).
//   C2. What passed while no server ran, the machine slept or the document was wrong is made up for as `catchUp` says; what passed while
//       the schedule was paused is passed.
//   C3. A schedule that is seen for the first time begins now.

import { limits } from "../../base/limits.ts";
import type { Clock } from "../../engine/clock.ts";
import type { NewStart, ServerStore } from "../../store/index.ts";
import type { ScheduleTrigger } from "../../workflow/triggers.ts";
import type { Log } from "../log.ts";
import type { Armed } from "./armed.ts";
import { dueTimes, nextTimes } from "./times.ts";

export interface SchedulesGround {
  store: ServerStore;
  log: Log;
  clock: Clock;
  /** Ids sort by their time: those of one moment are told apart by `aheadMs`. */
  newRunId(aheadMs: number): string;
  isUnfinished(trigger: string): boolean;
  waiting(trigger: string): number;
  /** Starts were decided. */
  decided(): void;
  changed(trigger: string): void;
}

export class Schedules {
  private readonly ground: SchedulesGround;
  private armed: Armed<ScheduleTrigger>[] = [];
  private unwait: () => void = () => {};
  private closed = false;

  constructor(ground: SchedulesGround) {
    this.ground = ground;
  }

  /** From now on these. */
  arm(armed: Armed<ScheduleTrigger>[]): void {
    this.armed = armed.filter(({ problem }) => problem === undefined);
    for (const { id } of this.armed) this.ground.store.triggers.seen(id, this.ground.clock.nowMs());
    this.look();
  }

  /** Decides what is due, and waits for the next time. */
  look(): void {
    this.unwait();
    if (this.closed) return;
    const nowMs = this.ground.clock.nowMs();
    let decided = 0;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const armed of this.armed) {
      const state = this.ground.store.triggers.state(armed.id);
      if (!state.ok) {
        this.ground.log.error({ code: state.error.code }, "the store does not answer; schedules are looked at again");
        nextMs = Math.min(nextMs, nowMs + limits.triggerAgainMs);
        continue;
      }
      if (state.value === undefined || state.value.paused) continue;
      decided += this.decide(armed, state.value.sinceMs, nowMs);
      nextMs = Math.min(nextMs, nextTimes(armed.trigger, nowMs, 1)[0] ?? Number.POSITIVE_INFINITY);
    }
    if (decided > 0) this.ground.decided();
    if (Number.isFinite(nextMs)) this.unwait = this.ground.clock.at(nextMs, () => this.look());
  }

  close(): void {
    this.closed = true;
    this.unwait();
  }

  private decide({ id, file, trigger }: Armed<ScheduleTrigger>, afterMs: number, nowMs: number): number {
    const due = dueTimes(trigger, { afterMs, nowMs });
    if (due.times.length === 0 && !due.left) return 0;
    const at = new Date(due.times.at(-1) ?? nowMs).toISOString();
    const why = due.times.length === 0 ? "it passed while no server ran" : this.overlap(id, trigger);
    const starts = why !== undefined ? [] : due.times.map((timeMs, nth) => this.startAt(id, file, timeMs, nth));
    const to = { sinceMs: nowMs, ...(why === undefined ? {} : { last: { at, skipped: why } }) };
    const decided = this.ground.store.triggers.decide(id, to, starts);
    if (!decided.ok) {
      this.ground.log.error({ code: decided.error.code, trigger: id }, "a time could not be recorded; it is due again");
      return 0;
    }
    this.ground.changed(id);
    return decided.value.length;
  }

  /** Why it is left out, seen from the runs before. */
  private overlap(id: string, { overlap }: ScheduleTrigger): string | undefined {
    if (overlap === "skip" && (this.ground.isUnfinished(id) || this.ground.waiting(id) > 0))
      return "the run before was not over";
    if (overlap === "queue" && this.ground.waiting(id) >= limits.catchUpMax)
      return `${limits.catchUpMax} runs before it wait already`;
    return undefined;
  }

  private startAt(trigger: string, file: string, timeMs: number, nth: number): NewStart {
    const key = new Date(timeMs).toISOString();
    return { run: this.ground.newRunId(nth), trigger, key, startedBy: { kind: "schedule", by: key }, file };
  }
}
