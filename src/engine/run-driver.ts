// run-driver: drives one run: plan, record, act, record, fold (spec 3.1, 5.3).
//   R1. An event is recorded and folded before anything is done because of it; `attempt.started` is committed before its process exists.
//   R2. Events are committed in groups: at the latest before an attempt starts, before control goes back to the event loop, and at the end.
//       Subscribers see an event only after its commit.
//   R3. Every action that plan asks for is taken once at a time (`taken`); what an action found out is recorded only if plan still
//       wants it. There is no second list of what to do.
//   R4. A run is idle when nothing is taken, nothing runs and no time is waited for; an unfinished idle run waits for a person. That the
//       time to answer ends some day is no reason to stay: it is recorded, and looked at when the run goes on.
//   R5. A subflow at rest keeps its attempt; it goes on when there is news in it, and a slot is free.
// Deliberately absent: a path of its own after a restart. A resumed run is a folded journal and the same loop.

import type { Failure } from "../base/failure.ts";
import { impossible, type Result } from "../base/result.ts";
import type {
  Attempt,
  AttemptEnding,
  Before,
  FoundAttempt,
  GrowthListener,
  Prepared,
  Rest,
} from "../nodes/executor.ts";
import type { Now } from "../nodes/values.ts";
import type { Action } from "../scheduler/action.ts";
import type { EventBody, RunEvent } from "../scheduler/event.ts";
import { evolve } from "../scheduler/evolve.ts";
import { plan } from "../scheduler/plan.ts";
import { busyCount, type RunState, stateAt, waitsForPeople } from "../scheduler/state.ts";
import type { Repeats } from "./attempt-end.ts";
import type { CacheName } from "./cached.ts";
import type { Clock } from "./clock.ts";
import type { Shares } from "./shared.ts";

/** How long the loop may decide nodes before timers and signals get their turn. */
const TURN_MS = 20;
/** Events kept back before they are committed, at the most. */
const GROUP_EVENTS_MAX = 2_000;

/** What one run needs of the engine around it. */
export interface RunWork {
  /** Makes the events durable, in one transaction. Throws when the store refuses. */
  commit(events: readonly RunEvent[], state: RunState): void;
  /** The event without the run's secrets: nothing else is folded, kept or shown (4.2). */
  mask(body: EventBody): EventBody;
  /** Computes what an action without a process asks for. */
  answer(action: ComputedAction, state: RunState): Now<readonly EventBody[]>;
  /** What an attempt needs to start; or, when a person has to look first, what is asked. */
  prepare(action: StartAction, state: RunState): Now<Result<Ready, Failure>>;
  /** Takes what the attempt shares with others; or what is recorded because it has to wait for that. */
  take(action: StartAction, ready: Ready): EventBody | undefined;
  /** An attempt that was running when its program died. */
  find(action: StartAction, state: RunState, before: Before, onGrowth?: GrowthListener): FoundAttempt | undefined;
  onEvent(event: RunEvent): void;
  /** Output of the attempt whose files `stem` names has grown; absent when nobody wants to know. */
  onGrowth?: ((attempt: { path: string; number: number; stem: string }, ...growth: Growth) => void) | undefined;
  /** What the node's `retry.on` says of a failure, when it is an expression; else nothing. */
  repeats(action: StartAction, ending: AttemptEnding, state: RunState): Promise<Repeats> | undefined;
  /** The event that ends an attempt, with its retry time decided by the node's policy. */
  ended(action: StartAction, ending: AttemptEnding, state: RunState, repeats?: Repeats): EventBody;
}

export type Growth = Parameters<GrowthListener>;
/** `instead`: what is recorded instead of a start: a person is asked, or the cache has the answer. */
export type Ready = (Prepared & { shares?: Shares; cacheName?: CacheName }) | { instead: EventBody };
export type StartAction = Extract<Action, { do: "start-attempt" }>;
export type ComputedAction = Exclude<Action, { do: "start-attempt" | "cancel-attempt" | "resume-attempt" }>;

export class RunDriver {
  readonly id: string;
  /** Settles when the run is finished or waits for a person. */
  readonly done: Promise<RunState>;
  private state: RunState;
  private seq: number;
  private readonly clock: Clock;
  private readonly work: RunWork;
  private readonly pending: RunEvent[] = [];
  private readonly taken = new Set<string>();
  private readonly answers = new Map<string, readonly EventBody[]>();
  private readonly running = new Map<string, Attempt>();
  /** Subflows at rest, and those of them that can go on. */
  private readonly resting = new Map<string, StartAction>();
  private readonly news = new Set<string>();
  private launches: (() => void)[] = [];
  /** Whose ends are recorded with the next commit. */
  private ended: Attempt[] = [];
  private unwake: (() => void) | undefined;
  private groupMax = GROUP_EVENTS_MAX;
  private scheduled = false;
  private committing = false;
  private settle!: { resolve(state: RunState): void; reject(reason: unknown): void };
  private over = false;

  constructor(given: { id: string; state: RunState; seq: number; clock: Clock; work: RunWork }) {
    this.id = given.id;
    this.state = given.state;
    this.seq = given.seq;
    this.clock = given.clock;
    this.work = given.work;
    this.done = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
  }

  /** The number of the event that is recorded next. */
  get nextSeq(): number {
    return this.seq + 1;
  }

  /** Records what happened outside (a start, a cancel, a grant) and goes on. */
  tell(...bodies: EventBody[]): void {
    if (this.over) return;
    this.guard(() => {
      for (const body of bodies) this.record(body);
      this.turn();
    });
  }

  /** The beginning of a run: it is durable as a whole or not at all. Throws what the store says against it; nothing has begun then. */
  open(...bodies: EventBody[]): void {
    try {
      this.groupMax = Number.POSITIVE_INFINITY;
      for (const body of bodies) this.record(body);
      this.groupMax = GROUP_EVENTS_MAX;
      this.commit();
    } catch (reason) {
      this.over = true;
      throw reason;
    }
    this.guard(() => this.turn());
  }

  /** Something was recorded in a subflow's run that rests: it goes on when there is a slot. */
  stir(): void {
    if (!this.over && this.lookForNews()) this.go();
  }

  /** Goes on without news: the first turn of a resumed run. */
  go(): void {
    this.guard(() => this.turn());
  }

  /** A subflow's attempt of before a restart, whose run can be gone on with. To be called before the first turn. */
  adopt(action: StartAction, attempt: Attempt): void {
    const key = attemptKey(action.path, action.number);
    this.follow(action, attempt);
    if (stateAt(this.state, action.path)?.paused === undefined) this.launches.push(() => attempt.pausing?.resume());
    else this.resting.set(key, action);
    this.lookForNews();
  }

  /** A budget that the node waits for may have room for it. */
  free(path: string): void {
    const waiting = this.state.waitingBudget.get(path);
    if (waiting === undefined) return;
    this.tell({ type: "budget.freed", node: this.state.graph.nodes[waiting.node]?.id ?? impossible(path), path });
  }

  /** An attempt of before whose command may have been kept; undefined when nothing of its kind can be. Before the first turn, as `adopt`. */
  seek(action: StartAction, before: Before): FoundAttempt | undefined {
    const attempt = this.work.find(action, this.state, before, this.growthOf(action, before.stem));
    if (attempt !== undefined) this.follow(action, attempt);
    return attempt;
  }

  /** Ends every running attempt at once; their ends are recorded as they come. */
  kill(): void {
    for (const attempt of this.running.values()) attempt.kill();
  }

  /** Records and begins nothing more, and ends nothing: as if the process were gone. `done` never settles then. */
  leave(): void {
    this.over = true;
    this.unwake?.();
  }

  /** `may-wait`: nobody outside takes what was recorded for durable when this returns. */
  private turn(commit?: "may-wait"): void {
    const until = this.clock.nowMs() + TURN_MS;
    let wakeAtMs: number | undefined;
    for (;;) {
      this.resumeStirred();
      const next = plan(this.state, this.clock.nowMs());
      wakeAtMs = next.wakeAtMs;
      let progressed = false;
      for (const action of next.actions) {
        const failed = this.begin(action);
        if (failed === "waits") continue;
        progressed = true;
        // A failure changes what is wanted; the rest of this plan is no longer to be trusted.
        if (failed === "replan") break;
      }
      if (!progressed) break;
      if (this.clock.nowMs() >= until) {
        this.later();
        break;
      }
    }
    // What is being prepared may be done before control goes back to the event loop: then its start shares a commit with this.
    const waits = commit === "may-wait" && this.launches.length === 0 && this.taken.size > 0;
    if (waits && !isFinished(this.state)) this.commitBeforeLoop();
    else this.commitThenLaunch();
    this.rest(wakeAtMs);
  }

  /** R2. A tick that is asked for in a microtask comes when no microtask is left. */
  private commitBeforeLoop(): void {
    if (this.committing) return;
    this.committing = true;
    queueMicrotask(() =>
      process.nextTick(() => {
        this.committing = false;
        this.guard(() => this.commitThenLaunch());
      }),
    );
  }

  /** `waits`: nothing was recorded now. `replan`: what was recorded may change other actions of the same plan. */
  private begin(action: Action): "waits" | "recorded" | "replan" {
    if (action.do === "cancel-attempt") {
      const attempt = attemptKey(action.path, action.number);
      this.resting.delete(attempt);
      this.news.delete(attempt);
      // R1: why it is cancelled is on disk before it is told.
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
    // Recorded as soon as it is prepared, if plan still asks for it then: a run that failed meanwhile starts nothing.
    this.take(key, prepared, (ready) => {
      const asked = plan(this.state, this.clock.nowMs()).actions;
      if (asked.some((other) => keyOf(other) === key)) this.startAttempt(action, ready);
      else if (ready.ok && "discard" in ready.value) ready.value.discard?.();
    });
    return "waits";
  }

  private startAttempt(action: StartAction, ready: Result<Ready, Failure>): "recorded" | "replan" {
    if (ready.ok && "instead" in ready.value) return this.recordAll([ready.value.instead]);
    const awaited = ready.ok ? this.work.take(action, ready.value) : undefined;
    if (awaited !== undefined) {
      if (ready.ok && "discard" in ready.value) ready.value.discard?.();
      return this.recordAll([awaited]);
    }
    const prepared = ready as Result<Prepared, Failure>;
    const { node, path, number } = action;
    const shown = prepared.ok ? prepared.value.shown : {};
    const started = this.record({
      type: "attempt.started",
      node,
      path,
      number,
      detail: {
        ...shown,
        ...(ready.ok && "cacheName" in ready.value && ready.value.cacheName && { cache: ready.value.cacheName }),
        ...(prepared.ok ? { stdoutFile: `${this.seq + 1}.out`, stderrFile: `${this.seq + 1}.err` } : {}),
      },
    });
    if (!prepared.ok) {
      const ending: AttemptEnding = {
        status: "failed",
        failure: prepared.error,
        value: { text: "" },
        facts: { durationMs: 0 },
      };
      this.record(this.work.ended(action, ending, this.state));
      return "replan";
    }
    this.launches.push(() => this.launch(action, prepared.value, String(started.seq)));
    return "recorded";
  }

  private launch(action: StartAction, prepared: Prepared, stem: string): void {
    this.follow(action, prepared.start(stem, this.growthOf(action, stem)));
  }

  private growthOf({ path, number }: StartAction, stem: string): GrowthListener | undefined {
    const { onGrowth } = this.work;
    return onGrowth && ((...growth) => onGrowth({ path, number, stem }, ...growth));
  }

  /** Waits for the attempt's end, and for its rests. */
  private follow(action: StartAction, attempt: Attempt): void {
    const key = attemptKey(action.path, action.number);
    this.running.set(key, attempt);
    attempt.pausing?.onRest((rest) => this.guard(() => this.pause(action, rest)));
    const end = (ending: AttemptEnding, repeats?: Repeats): void =>
      this.guard(() => {
        this.running.delete(key);
        this.resting.delete(key);
        this.news.delete(key);
        this.record(this.work.ended(action, ending, this.state, repeats));
        this.ended.push(attempt);
        this.turn("may-wait");
      });
    attempt.found
      ?.then(({ adopted }) => adopted && this.tell({ type: "attempt.adopted", ...placeOf(action) }))
      .catch((reason) => this.fail(reason));
    attempt.done
      .then((ending) => {
        const asked = this.work.repeats(action, ending, this.state);
        return asked === undefined ? end(ending) : asked.then((repeats) => end(ending, repeats));
      })
      .catch((reason) => this.fail(reason));
  }

  private pause(action: StartAction, { waiting, seen, wakeAtMs }: Rest): void {
    const { node, path, number } = action;
    this.resting.set(attemptKey(path, number), action);
    const wake = wakeAtMs === undefined ? {} : { wakeAt: new Date(wakeAtMs).toISOString() };
    this.record({
      type: "attempt.paused",
      node,
      path,
      number,
      waiting: waiting.map((inside) => `${path}/${inside}`),
      seen,
      ...wake,
    });
    this.turn();
  }

  /** R5. What was answered from elsewhere while this run was busy, or was not running. */
  private lookForNews(): boolean {
    for (const [key, { path }] of this.resting) {
      const seen = stateAt(this.state, path)?.paused?.seen;
      if (seen !== undefined && this.running.get(key)?.pausing?.hasNews(seen)) this.news.add(key);
    }
    return this.news.size > 0;
  }

  private resumeStirred(): void {
    for (const key of this.news) {
      if (busyCount(this.state) >= this.state.concurrency) return;
      this.resumeAttempt(key);
    }
  }

  private resumeAttempt(key: string): "waits" | "recorded" {
    this.news.delete(key);
    const action = this.resting.get(key);
    if (action === undefined) return "waits";
    const { node, path, number } = action;
    this.resting.delete(key);
    this.record({ type: "attempt.resumed", node, path, number });
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
    this.seq += 1;
    const event: RunEvent = {
      seq: this.seq,
      at: new Date(this.clock.nowMs()).toISOString(),
      run: this.id,
      ...this.work.mask(body),
    };
    this.state = evolve(this.state, event);
    this.pending.push(event);
    if (this.pending.length >= this.groupMax) this.commit();
    return event;
  }

  private commitThenLaunch(): void {
    this.commit();
    for (const attempt of this.ended.splice(0)) attempt.recorded?.();
    const launches = this.launches;
    this.launches = [];
    for (const launch of launches) launch();
  }

  private commit(): void {
    if (this.pending.length === 0) return;
    const events = this.pending.splice(0);
    this.work.commit(events, this.state);
    for (const event of events) this.work.onEvent(event);
  }

  /** R4. */
  private rest(wakeAtMs: number | undefined): void {
    this.unwake?.();
    this.unwake = undefined;
    if (isFinished(this.state)) {
      this.finish();
      return;
    }
    const isIdle =
      !this.scheduled &&
      this.state.waitingBudget.size === 0 &&
      this.taken.size === 0 &&
      this.running.size === this.resting.size;
    if (isIdle && (wakeAtMs === undefined || waitsForPeople(this.state))) {
      if (this.lookForNews()) this.later();
      else this.finish();
    } else if (wakeAtMs !== undefined) this.unwake = this.clock.at(wakeAtMs, () => this.go());
  }

  private finish(): void {
    if (this.over) return;
    this.over = true;
    this.unwake?.();
    this.settle.resolve(this.state);
  }

  private later(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.go();
    });
  }

  /** What must never be (a store that refuses, a contradiction) ends the driver; the journal keeps what was committed. */
  private guard(work: () => void): void {
    if (this.over) return;
    try {
      work();
    } catch (reason) {
      this.fail(reason);
    }
  }

  private fail(reason: unknown): void {
    if (this.over) return;
    this.over = true;
    this.unwake?.();
    this.kill();
    this.settle.reject(reason);
  }
}

export function isFinished(state: RunState): boolean {
  return (
    state.status === "succeeded" ||
    state.status === "failed" ||
    state.status === "cancelled" ||
    state.status === "timed-out"
  );
}

function keyOf(action: Action): string {
  const number = "number" in action ? action.number : "index" in action ? action.index : "";
  return "path" in action ? `${action.do} ${action.path} ${number}` : action.do;
}

function placeOf({ node, path, number }: StartAction): { node: string; path: string; number: number } {
  return { node, path, number };
}

function attemptKey(path: string, number: number): string {
  return `${path} ${number}`;
}
