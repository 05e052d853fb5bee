// schedules: at its time, a schedule decides a start (spec 2.5).
//   C1. A time is decided once: deciding it and moving the schedule beyond it is one transaction (store/triggers.ts T1).
//   C2. What passed while no server ran, the machine slept or the document was wrong is made up for as `catchUp` says; what passed while
//       the schedule was paused is passed.
//   C3. A schedule that is seen for the first time begins now.
//   C5. A clock that was set back: what was started is not started again, and what is still to come counts from then on.
//   C4. Of thousands only those are looked at whose time has come: the next time of each is known.

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
  /** C4. By trigger; the id of one that says another time or zone is another. */
  private nextMs = new Map<string, number>();
  private unwait: () => void = () => {};
  private closed = false;
  private lookedMs = 0;

  constructor(ground: SchedulesGround) {
    this.ground = ground;
  }

  /** From now on these. */
  arm(armed: Armed<ScheduleTrigger>[]): void {
    this.armed = armed.filter(({ problem }) => problem === undefined);
    const ids = new Set(this.armed.map(({ id }) => id));
    this.nextMs = new Map([...this.nextMs].filter(([id]) => ids.has(id)));
    this.look();
  }

  /** Decides what is due, and waits for the next time. */
  look(): void {
    this.unwait();
    if (this.closed) return;
    const nowMs = this.ground.clock.nowMs();
    // C5
    if (nowMs < this.lookedMs) this.nextMs.clear();
    this.lookedMs = nowMs;
    const come = this.armed.filter(({ id }) => (this.nextMs.get(id) ?? 0) <= nowMs);
    if (this.come(come, nowMs) > 0) this.ground.decided();
    const nextMs = [...this.nextMs.values()].reduce((next, ms) => Math.min(next, ms), Number.POSITIVE_INFINITY);
    if (Number.isFinite(nextMs)) this.unwait = this.ground.clock.at(nextMs, () => this.look());
  }

  close(): void {
    this.closed = true;
    this.unwait();
  }

  /** Their time has come, or nobody knows yet when it does (C3). Answers with how many starts were decided. */
  private come(all: readonly Armed<ScheduleTrigger>[], nowMs: number): number {
    if (all.length === 0) return 0;
    const ids = all.map(({ id }) => id);
    const states = this.ground.store.triggers.allSeen(ids, nowMs);
    if (!states.ok)
      this.ground.log.error({ code: states.error.code }, "the store does not answer; schedules are looked at again");
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

  /** Nothing: it could not be recorded. */
  private decide({ id, file, trigger }: Armed<ScheduleTrigger>, afterMs: number, nowMs: number): number | undefined {
    const due = dueTimes(trigger, { afterMs, nowMs });
    if (due.times.length === 0 && !due.left) return 0;
    const at = new Date(due.times.at(-1) ?? nowMs).toISOString();
    const why = due.times.length === 0 ? "it passed while no server ran" : this.overlap(id, trigger);
    const starts = why !== undefined ? [] : due.times.map((timeMs, nth) => this.startAt(id, file, timeMs, nth));
    const to = { sinceMs: nowMs, ...(why === undefined ? {} : { last: { at, skipped: why } }) };
    const decided = this.ground.store.triggers.decide(id, to, starts);
    if (!decided.ok) {
      this.ground.log.error({ code: decided.error.code, trigger: id }, "a time could not be recorded; it is due again");
      return undefined;
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
