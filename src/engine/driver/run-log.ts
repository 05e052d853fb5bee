// run-log: holds the events of one run until they are committed, and the state that they fold to (spec 3.1, 5.3).
//   G1. A recorded event is masked and folded at once, and written with the next commit: all pending events in order,
//       or none.
//   G2. Subscribers see an event only after its commit.
// Deliberately absent: when to commit (run-driver.ts R2), how (driver-work.ts).

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
  private readonly pending: RunEvent[] = [];
  private groupMax = GROUP_EVENTS_MAX;

  constructor(given: { id: string; state: RunState; seq: number; clock: Clock; work: RunLog["work"] }) {
    this.id = given.id;
    this.state = given.state;
    this.seq = given.seq;
    this.clock = given.clock;
    this.work = given.work;
  }

  /** Records the start of a run, completely or not at all. */
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

  /** Throws if the store refuses. */
  commit(): void {
    if (this.pending.length === 0) return;
    const events = this.pending.splice(0);
    this.work.commit(events, this.state);
    for (const event of events) this.work.onEvent(event);
  }
}
