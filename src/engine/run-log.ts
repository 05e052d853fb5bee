// run-log: the events of one run on their way to disk, and the state that they fold to (spec 3.1, 5.3).
//   G1. What is recorded is folded at once, without the run's secrets, and is on disk with the next commit: all of it, in order, or none.
//   G2. Subscribers see an event only after its commit.
// Deliberately absent: when a commit is due (run-driver.ts R2), how it is made (driver-work.ts).

import type { EventBody, RunEvent } from "../scheduler/event.ts";
import { evolve } from "../scheduler/evolve.ts";
import type { RunState } from "../scheduler/state.ts";
import type { Clock } from "./clock.ts";
import type { RunWork } from "./driver-work.ts";

/** Events kept back before they are committed, at the most. */
const GROUP_EVENTS_MAX = 2_000;

export class RunLog {
  state: RunState;
  /** Of the last event. */
  seq: number;
  private readonly id: string;
  private readonly clock: Clock;
  private readonly work: Pick<RunWork, "commit" | "mask" | "onEvent">;
  private readonly pending: RunEvent[] = [];
  private groupMax = GROUP_EVENTS_MAX;

  constructor(given: { id: string; state: RunState; seq: number; clock: Clock; work: RunLog["work"] }) {
    this.id = given.id;
    this.state = given.state;
    this.seq = given.seq;
    this.clock = given.clock;
    this.work = given.work;
  }

  /** The beginning of a run: durable as a whole or not at all. */
  open(bodies: readonly EventBody[]): void {
    this.groupMax = Number.POSITIVE_INFINITY;
    for (const body of bodies) this.record(body);
    this.groupMax = GROUP_EVENTS_MAX;
    this.commit();
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
    if (this.pending.length >= this.groupMax) this.commit();
    return event;
  }

  /** Throws when the store refuses. */
  commit(): void {
    if (this.pending.length === 0) return;
    const events = this.pending.splice(0);
    this.work.commit(events, this.state);
    for (const event of events) this.work.onEvent(event);
  }
}
