// run-log: holds the events of one run until they are committed, and the state that they fold to (spec 3.1, 5.3).
//   G1. A recorded event is masked and folded at once, and written with the next commit: all pending events in order,
//       or none.
//   G2. Subscribers see an event only after its commit.
//   G3. One group is on its way to the store at a time. Events recorded in that time are the next group.

import { after, type Now } from "../../base/now.ts";
import type { EventBody, RunEvent } from "../../scheduler/event.ts";
import { evolve } from "../../scheduler/evolve.ts";
import type { RunState } from "../../scheduler/state.ts";
import type { Clock } from "../clock.ts";
import type { RunWork } from "./driver-work.ts";

/** Maximum number of events before a commit. */
const GROUP_EVENTS_MAX = 2_000;

export class RunLog {
  state: RunState;
  /** Number of the last event. */
  seq: number;
  private readonly id: string;
  private readonly clock: Clock;
  private readonly work: Pick<RunWork, "commit" | "mask" | "onEvent">;
  /** Called if the store refuses late. */
  readonly failed: (reason: unknown) => void;
  private readonly pending: RunEvent[] = [];
  /** Called after the next group. */
  private waiting: (() => void)[] = [];
  private isWriting = false;
  private groupMax = GROUP_EVENTS_MAX;

  constructor(given: Pick<RunLog, "state" | "seq" | "failed"> & { id: string; clock: Clock; work: RunLog["work"] }) {
    this.id = given.id;
    this.state = given.state;
    this.seq = given.seq;
    this.clock = given.clock;
    this.work = given.work;
    this.failed = given.failed;
  }

  /** Whether everything recorded is durable. */
  get isDurable(): boolean {
    return !this.isWriting && this.pending.length === 0;
  }

  /** Records the start of a run, completely or not at all, then calls `then`. */
  open(bodies: readonly EventBody[], then: () => void): Now<void> {
    this.groupMax = Number.POSITIVE_INFINITY;
    for (const body of bodies) this.record(body);
    this.groupMax = GROUP_EVENTS_MAX;
    this.waiting.push(then);
    return this.write();
  }

  record(body: EventBody): RunEvent {
    this.seq += 1;
    const event: RunEvent = {
      seq: this.seq,
      at: new Date(this.clock.nowMs()).toISOString(),
      run: this.id,
      ...this.work.mask(body),
    };
    this.state = evolve(this.state, event);
    this.pending.push(event);
    if (this.pending.length >= this.groupMax) this.commit(() => {});
    return event;
  }

  /** Makes everything recorded durable, then calls `then`. Throws if the store refuses, or calls `failed` later. */
  commit(then: () => void): void {
    this.waiting.push(then);
    if (this.isWriting) return;
    const written = this.write();
    if (written instanceof Promise) written.catch(this.failed);
  }

  private write(): Now<void> {
    const events = this.pending.splice(0);
    const waiting = this.waiting;
    this.waiting = [];
    this.isWriting = true;
    return after(events.length === 0 ? undefined : this.work.commit(events, this.state), () => {
      this.isWriting = false;
      for (const event of events) this.work.onEvent(event);
      for (const then of waiting) then();
      if (this.waiting.length > 0 && !this.isWriting) return this.write();
    });
  }
}
