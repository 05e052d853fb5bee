// Decides starts when a schedule's time comes (spec 2.5).
//   C1. Each time is decided once: the decision and the schedule's new position are one
//       transaction (store/triggers.ts T1).
//   C2. Times missed while no server ran, the machine slept, or the document was invalid are handled as `catchUp` says.
//       Times missed while the schedule was paused are skipped.
//   C3. A new schedule counts from now.
//   C4. Only schedules that are due are examined, even among thousands: the next time of each is known.
//   C5. If the clock is set back, nothing is started again, and future times count from the new time.

import { limits } from "../../base/limits.ts";
import { oneAtATime } from "../../base/one-at-a-time.ts";
import type { NewStart } from "../../store/index.ts";
import { machineZone, nextTimes } from "../../workflow/next-times.ts";
import type { ScheduleTrigger } from "../../workflow/triggers/index.ts";
import type { ActiveTrigger } from "./active-trigger.ts";
import type { ActiveKind, KindDeps, ListedTrigger } from "./kind.ts";
import { dueTimes } from "./times.ts";

type Schedule = ActiveTrigger<ScheduleTrigger>;

export type SchedulesDeps = Pick<
  KindDeps,
  "store" | "log" | "clock" | "newRunId" | "decided" | "isUnfinished" | "waiting"
>;

export class Schedules implements ActiveKind<ScheduleTrigger> {
  private readonly deps: SchedulesDeps;
  private armed: Schedule[] = [];
  /** For the list of workflows, which needs the schedules of every document. */
  private byPath = new Map<string, Schedule[]>();
  /** C4. By trigger id, which changes when the cron expression or zone changes. */
  private nextMs = new Map<string, number>();
  private unwait: () => void = () => {};
  private closed = false;
  private lookedMs = 0;

  constructor(deps: SchedulesDeps) {
    this.deps = deps;
  }

  async arm(armed: readonly Schedule[]): Promise<void> {
    this.byPath = Map.groupBy(armed, ({ path }) => path);
    this.armed = armed.filter(({ problem }) => problem === undefined);
    const ids = new Set(this.armed.map(({ id }) => id));
    this.nextMs = new Map([...this.nextMs].filter(([id]) => ids.has(id)));
    await this.look();
  }

  /** Decides what is due and waits for the next time. */
  readonly look = oneAtATime(async () => {
    this.unwait();
    if (this.closed) return;
    const nowMs = this.deps.clock.nowMs();
    // C5
    if (nowMs < this.lookedMs) this.nextMs.clear();
    this.lookedMs = nowMs;
    const come = this.armed.filter(({ id }) => (this.nextMs.get(id) ?? 0) <= nowMs);
    if ((await this.come(come, nowMs)) > 0) this.deps.decided();
    const nextMs = [...this.nextMs.values()].reduce((next, ms) => Math.min(next, ms), Number.POSITIVE_INFINITY);
    if (!this.closed && Number.isFinite(nextMs)) this.unwait = this.deps.clock.at(nextMs, () => void this.look());
  });

  list(schedules: readonly Schedule[]): ListedTrigger[] {
    const nowMs = this.deps.clock.nowMs();
    return schedules.map(({ trigger }) => {
      const { cron, timezone = machineZone(), catchUp, overlap } = trigger;
      return {
        title: `schedule ${cron}, ${timezone} (catchUp ${catchUp}, overlap ${overlap})`,
        fields: { timezone },
        next: nextTimes(trigger, nowMs, limits.nextTimesShown).map((time) => new Date(time).toISOString()),
      };
    });
  }

  /** The next time at which a schedule of the document starts a run. */
  async nextAtOf(path: string): Promise<string | undefined> {
    const nowMs = this.deps.clock.nowMs();
    const next: number[] = [];
    for (const { id, trigger, problem } of this.byPath.get(path) ?? []) {
      const state = await this.deps.store.triggers.state(id);
      const isStopped = problem !== undefined || (state.ok && state.value?.paused === true);
      if (!isStopped) next.push(...nextTimes(trigger, nowMs, 1));
    }
    return next.length === 0 ? undefined : new Date(Math.min(...next)).toISOString();
  }

  async disarm(): Promise<void> {
    this.closed = true;
    this.unwait();
    await this.look();
  }

  /** Handles schedules that are due or whose next time is unknown (C3). Returns the number of starts decided. */
  private async come(all: readonly Schedule[], nowMs: number): Promise<number> {
    if (all.length === 0) return 0;
    const ids = all.map(({ id }) => id);
    const states = await this.deps.store.triggers.allSeen(ids, nowMs);
    if (!states.ok)
      this.deps.log.error({ code: states.error.code }, "the store does not answer; schedules are looked at again");
    let starts = 0;
    for (const [at, armed] of all.entries()) {
      const state = states.ok ? states.value[at] : undefined;
      const decided =
        state === undefined ? undefined : state.paused ? 0 : await this.decide(armed, state.sinceMs, nowMs);
      const next = decided === undefined ? nowMs + limits.triggerAgainMs : nextTimes(armed.trigger, nowMs, 1)[0];
      this.nextMs.set(armed.id, next ?? Number.POSITIVE_INFINITY);
      starts += decided ?? 0;
    }
    return starts;
  }

  /** Returns the number of starts, or undefined if the decision could not be recorded. */
  private async decide({ id, file, trigger }: Schedule, afterMs: number, nowMs: number): Promise<number | undefined> {
    const due = dueTimes(trigger, { afterMs, nowMs });
    if (due.times.length === 0 && !due.left) return 0;
    const at = new Date(due.times.at(-1) ?? nowMs).toISOString();
    const why = due.times.length === 0 ? "no server was running at that time" : await this.overlap(id, trigger);
    const starts = why !== undefined ? [] : due.times.map((timeMs, nth) => this.startAt(id, file, timeMs, nth));
    const to = { sinceMs: nowMs, last: why === undefined ? undefined : { at, skipped: why } };
    const decided = await this.deps.store.triggers.decide(id, to, starts);
    if (!decided.ok) {
      this.deps.log.error({ code: decided.error.code, trigger: id }, "a time could not be recorded; it is due again");
      return undefined;
    }
    return decided.value.length;
  }

  /** Why the start is skipped because of earlier runs. */
  private async overlap(id: string, { overlap }: ScheduleTrigger): Promise<string | undefined> {
    if (overlap === "skip" && ((await this.deps.isUnfinished(id)) || (await this.deps.waiting(id)) > 0))
      return "the run before had not ended";
    if (overlap === "queue" && (await this.deps.waiting(id)) >= limits.catchUpMax)
      return `${limits.catchUpMax} runs before it are already waiting`;
    return undefined;
  }

  private startAt(trigger: string, file: string, timeMs: number, nth: number): NewStart {
    const key = new Date(timeMs).toISOString();
    return { run: this.deps.newRunId(nth), trigger, key, startedBy: { kind: "schedule", by: key, at: key }, file };
  }
}
