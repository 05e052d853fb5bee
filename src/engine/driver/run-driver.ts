// run-driver: drives one run: plan, record, act, record, fold (spec 3.1, 5.3).
//   R1. An event is recorded and folded before it is acted on. `attempt.started` is committed before its process
//       exists. Launches, subscribers, and the end wait for the store's answer. (`commitThenLaunch`)
//   R2. Events are committed in groups: before an attempt starts, before control returns to the event loop, and at the
//       end. Subscribers see an event only after its commit. (run-log.ts)
//   R3. Every action of the plan is taken once at a time (`taken`). Its outcome is recorded only if the plan still
//       contains the action. There is no second list of work.
//   R4. A run is idle if nothing is taken, nothing runs, and no timer is pending. An idle run waits for approval, whose
//       deadline does not keep it active.
//   R5. A suspended subflow keeps its attempt. It continues when it has news and a slot is free. (suspended.ts)
//   R6. A driver that fails leaves everything as a killed process would, and resuming the run finds it.

import type { Failure } from "../../base/failure.ts";
import type { Now } from "../../base/now.ts";
import { impossible, type Result } from "../../base/result.ts";
import type { Attempt, AttemptEnding, Before, FoundAttempt, Prepared, Suspension } from "../../kinds/executor.ts";
import type { Action } from "../../scheduler/action.ts";
import { isAnswer } from "../../scheduler/approvals.ts";
import type { EventBody, RunEvent } from "../../scheduler/event.ts";
import { plan } from "../../scheduler/plan.ts";
import { busyCount, isFinished, type RunState, stateAt, waitsForPeople } from "../../scheduler/state.ts";
import type { Repeats } from "../actions/attempt-end.ts";
import { neverStartedEvent, pausedEvent, startedEvent } from "../actions/attempt-events.ts";
import type { Clock } from "../clock.ts";
import { type AttemptObserver, AttemptTracker } from "./attempt-tracker.ts";
import {
  attemptKey,
  type ComputedAction,
  keyOf,
  placeOf,
  type Ready,
  type RunWork,
  type StartAction,
} from "./driver-work.ts";
import { RunLog } from "./run-log.ts";
import { Suspended } from "./suspended.ts";
import { TurnTimer } from "./turn-timer.ts";

/** Milliseconds that the loop may decide nodes before timers and signals get a turn. */
const TURN_MS = 20;

export class RunDriver {
  readonly id: string;
  /** Settles when the run has ended or waits for approval. */
  readonly done: Promise<RunState>;
  private readonly clock: Clock;
  private readonly timer: TurnTimer;
  private readonly work: RunWork;
  private readonly log: RunLog;
  private readonly taken = new Set<string>();
  private readonly answers = new Map<string, readonly EventBody[]>();
  private readonly tracker: AttemptTracker;
  private readonly running: Map<string, Attempt>;
  private readonly suspended: Suspended;
  private launches: (() => void)[] = [];
  /** Groups of events whose launches are still to come. */
  private unlaunched = 0;
  /** Attempts whose ends are recorded with the next commit. */
  private ended: Attempt[] = [];
  private settle!: { resolve(state: RunState): void; reject(reason: unknown): void };
  private over = false;
  /** When the plan has something to do without news. */
  private wakeAtMs: number | undefined;

  constructor(given: { id: string; state: RunState; seq: number; clock: Clock; work: RunWork }) {
    this.id = given.id;
    this.clock = given.clock;
    this.timer = new TurnTimer(given.clock);
    this.work = given.work;
    this.log = new RunLog({ ...given, failed: (reason) => this.fail(reason) });
    this.tracker = new AttemptTracker(given.work, () => this.state, this.observer());
    this.running = this.tracker.running;
    this.suspended = new Suspended(this.running);
    this.done = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
  }

  /** Number of the next event. */
  get nextSeq(): number {
    return this.log.seq + 1;
  }

  private get state(): RunState {
    return this.log.state;
  }

  /** Records external events (a start, a cancellation, a grant) and continues. Answers whether they are durable. */
  tell(...bodies: EventBody[]): Now<boolean> {
    // The end, or another answer, may be on its way to the store.
    if (this.over || isFinished(this.state) || bodies.some((body) => this.isTooLate(body))) return false;
    this.guard(() => {
      for (const body of bodies) this.record(body);
      this.turn();
    });
    return this.durable();
  }

  private isTooLate(body: EventBody): boolean {
    if (body.type !== "approval.granted" && body.type !== "approval.rejected") return false;
    const node = stateAt(this.state, body.path);
    const at = new Date(this.clock.nowMs()).toISOString();
    return node === undefined || !isAnswer(this.state, node, { hash: body.hash, at });
  }

  /** Whether everything recorded so far is, or comes to be, durable. */
  durable(): Now<boolean> {
    if (this.log.isDurable || this.over) return this.log.isDurable;
    return new Promise((resolve) => {
      this.log.commit(() => resolve(true));
      this.done.catch(() => resolve(false));
    });
  }

  /** Records the start of a run, completely or not at all. Fails with the store's error; nothing has started then. */
  async open(...bodies: EventBody[]): Promise<void> {
    try {
      await this.log.open(bodies, () => this.guard(() => this.turn()));
    } catch (reason) {
      this.over = true;
      throw reason;
    }
  }

  /** Records the start of a run that another engine drives. */
  async onlyOpen(...bodies: EventBody[]): Promise<void> {
    this.over = true;
    await this.log.open(bodies, () => {});
  }

  /** Something was recorded in a suspended subflow's run. It continues when a slot is free. */
  wake(): void {
    if (this.over || this.suspended.size === 0) return;
    this.lookForNews((any) => {
      if (any) this.turn();
    });
  }

  /** Continues without news: the first turn of a resumed run. */
  go(): void {
    this.guard(() => this.turn());
  }

  /** Adopts an earlier process's attempt of a subflow whose run can be resumed. Call it before the first turn. */
  adopt(action: StartAction, attempt: Attempt): void {
    const key = attemptKey(action.path, action.number);
    this.tracker.follow(action, attempt);
    if (stateAt(this.state, action.path)?.paused === undefined) this.launches.push(() => attempt.pausing?.resume());
    else this.suspended.add(key, action);
  }

  /** A budget that the node waits for may have room. */
  free(path: string): void {
    const waiting = this.state.waitingBudget.get(path);
    if (waiting === undefined) return;
    void this.tell({ type: "budget.freed", node: this.state.graph.nodes[waiting.node]?.id ?? impossible(path), path });
  }

  /**
   * Looks for an earlier attempt whose command may still be running. Undefined if that is impossible. Call it before
   * the first turn.
   */
  find(action: StartAction, before: Before): FoundAttempt | undefined {
    return this.tracker.find(action, before);
  }

  /** Kills every running attempt. Their ends are recorded as they arrive. */
  kill(): void {
    this.tracker.kill();
  }

  /** Records, starts, and ends nothing more, as if the process were gone. `done` never settles then. */
  leave(): void {
    this.over = true;
    this.timer.sleep();
  }

  /** `may-wait`: no caller relies on the events being durable on return. */
  private turn(commit?: "may-wait"): void {
    const until = this.clock.nowMs() + TURN_MS;
    for (;;) {
      this.resumeStirred();
      const next = plan(this.state, this.clock.nowMs());
      this.wakeAtMs = next.wakeAtMs;
      let progressed = false;
      for (const action of next.actions) {
        const failed = this.begin(action);
        if (failed === "waits") continue;
        progressed = true;
        // A failure changes what is wanted, so the rest of this plan is outdated.
        if (failed === "replan") break;
      }
      if (!progressed) break;
      if (this.clock.nowMs() >= until) {
        this.timer.later(() => this.go());
        break;
      }
    }
    // Preparation may finish before control returns to the event loop. Its start then shares this commit.
    const waits = commit === "may-wait" && this.launches.length === 0 && this.taken.size > 0;
    if (waits && !isFinished(this.state)) this.timer.beforeLoop(() => this.guard(() => this.commitThenLaunch()));
    else this.commitThenLaunch();
  }

  /** `waits`: nothing was recorded. `replan`: the recorded events may change other actions of the same plan. */
  private begin(action: Action): "waits" | "recorded" | "replan" {
    if (action.do === "cancel-attempt") {
      const attempt = attemptKey(action.path, action.number);
      this.suspended.delete(attempt);
      // R1: the reason for the cancellation is on disk before the attempt is cancelled.
      this.launches.push(() => this.running.get(attempt)?.cancel());
      return "waits";
    }
    if (action.do === "resume-attempt") return this.resumeAttempt(attemptKey(action.path, action.number));
    const key = keyOf(action);
    const answer = this.answers.get(key);
    if (answer !== undefined) {
      this.answers.delete(key);
      return this.recordAll(answer);
    }
    if (this.taken.has(key)) return "waits";
    return action.do === "start-attempt" ? this.beginAttempt(action, key) : this.beginAnswer(action, key);
  }

  private beginAnswer(action: ComputedAction, key: string): "waits" | "recorded" | "replan" {
    const answer = this.work.answer(action, this.state);
    if (!(answer instanceof Promise)) return this.recordAll(answer);
    this.take(key, answer, (events) => this.answers.set(key, events));
    return "waits";
  }

  private beginAttempt(action: StartAction, key: string): "waits" | "recorded" | "replan" {
    const prepared = this.work.prepare(action, this.state);
    if (!(prepared instanceof Promise)) return this.startAttempt(action, prepared);
    // Recorded when prepared, if the plan still contains it: a run that has failed since then starts nothing.
    this.take(key, prepared, (ready) => {
      const asked = plan(this.state, this.clock.nowMs()).actions;
      if (asked.some((other) => keyOf(other) === key)) this.startAttempt(action, ready);
      else if (ready.ok) ready.value.discard?.();
    });
    return "waits";
  }

  private startAttempt(action: StartAction, ready: Result<Ready, Failure>): "recorded" | "replan" {
    if (ready.ok && "instead" in ready.value) return this.recordAll([ready.value.instead]);
    const prepared = ready as Result<Prepared, Failure>;
    const { seq } = this.record(startedEvent(action, prepared, this.nextSeq));
    if (!prepared.ok) {
      this.record(this.work.ended(action, neverStartedEvent(prepared.error), this.state));
      return "replan";
    }
    this.launches.push(() => this.tracker.launch(action, prepared.value, String(seq)));
    return "recorded";
  }

  /** Receives the reports about running attempts. */
  private observer(): AttemptObserver {
    return {
      suspended: (action, suspension) => this.guard(() => this.pause(action, suspension)),
      adopted: (action) => void this.tell({ type: "attempt.adopted", ...placeOf(action) }),
      ended: (action, attempt, ending, repeats) => this.guard(() => this.end(action, attempt, ending, repeats)),
      failed: (reason) => this.fail(reason),
    };
  }

  private end(action: StartAction, attempt: Attempt, ending: AttemptEnding, repeats?: Repeats): void {
    const key = attemptKey(action.path, action.number);
    this.running.delete(key);
    this.suspended.delete(key);
    this.record(this.work.ended(action, ending, this.state, repeats));
    this.ended.push(attempt);
    this.turn("may-wait");
  }

  private pause(action: StartAction, suspension: Suspension): void {
    this.suspended.add(attemptKey(action.path, action.number), action);
    this.record(pausedEvent(action, suspension));
    this.turn();
  }

  private resumeStirred(): void {
    for (const key of this.suspended.pendingInput) {
      if (busyCount(this.state) >= this.state.concurrency) return;
      this.resumeAttempt(key);
    }
  }

  private resumeAttempt(key: string): "waits" | "recorded" {
    const action = this.suspended.take(key);
    if (action === undefined) return "waits";
    this.record({ type: "attempt.resumed", ...placeOf(action) });
    this.launches.push(() => this.running.get(key)?.pausing?.resume());
    return "recorded";
  }

  private take<T>(key: string, promise: Promise<T>, then: (value: T) => void): void {
    this.taken.add(key);
    promise.then(
      (value) =>
        this.guard(() => {
          this.taken.delete(key);
          then(value);
          this.turn("may-wait");
        }),
      (reason) => this.fail(reason),
    );
  }

  private recordAll(bodies: readonly EventBody[]): "recorded" | "replan" {
    let changed: "recorded" | "replan" = "recorded";
    for (const body of bodies) {
      this.record(body);
      if (body.type === "node.failed" || body.type.startsWith("run.")) changed = "replan";
    }
    return changed;
  }

  private record(body: EventBody): RunEvent {
    if (this.over) impossible(`${body.type} after the end of run ${this.id}`);
    return this.log.record(body);
  }

  /** R1. Each group of events has its own launches, and its own look at the end of the run. */
  private commitThenLaunch(): void {
    const { ended, launches } = this;
    this.ended = [];
    this.launches = [];
    this.unlaunched += 1;
    this.log.commit(() =>
      this.guard(() => {
        for (const attempt of ended) attempt.recorded?.();
        for (const launch of launches) launch();
        this.unlaunched -= 1;
        if (this.unlaunched === 0 && this.log.isDurable) this.suspend();
      }),
    );
  }

  /** R4. */
  private suspend(): void {
    const { wakeAtMs } = this;
    this.timer.sleep();
    if (isFinished(this.state)) {
      this.finish();
      return;
    }
    const isIdle =
      !this.timer.isSoon &&
      this.state.waitingBudget.size === 0 &&
      this.taken.size === 0 &&
      this.running.size === this.suspended.size;
    if (isIdle && (wakeAtMs === undefined || waitsForPeople(this.state))) {
      if (this.suspended.size === 0) this.finish();
      else this.lookBeforeRest();
    } else if (wakeAtMs !== undefined) this.timer.at(wakeAtMs, () => this.go());
  }

  /** The run rests, unless there is news for a suspended subflow, or something was recorded while this looked. */
  private lookBeforeRest(): void {
    const { seq } = this.log;
    this.taken.add("look");
    this.lookForNews((any) => {
      this.taken.delete("look");
      if (any || this.log.seq !== seq) this.timer.later(() => this.go());
      else this.finish();
    });
  }

  private lookForNews(then: (any: boolean) => void): void {
    this.suspended.lookForPendingInput(this.state).then(
      (any) => this.guard(() => then(any)),
      (reason) => this.fail(reason),
    );
  }

  private finish(): void {
    if (this.over) return;
    this.over = true;
    this.timer.sleep();
    this.settle.resolve(this.state);
  }

  /** An internal fault or a store that refuses ends the driver. */
  private guard(work: () => void): void {
    if (this.over) return;
    try {
      work();
    } catch (reason) {
      this.fail(reason);
    }
  }

  /** R6. */
  fail(reason: unknown): void {
    if (this.over) return;
    this.over = true;
    this.timer.sleep();
    this.tracker.leave();
    this.settle.reject(reason);
  }
}
