// attempt-tracker: tracks the attempts of one run from their launch to their end (spec 3.1, 3.4).
//   F1. Reports each rest, adoption, and end of an attempt as it happens. The end is reported once, together with the
//       value of the node's `retry.on` expression.

import type { Attempt, AttemptEnding, Before, FoundAttempt, Prepared, Suspension } from "../../kinds/executor.ts";
import type { GrowthListener } from "../../process/output.ts";
import type { RunState } from "../../scheduler/state.ts";
import type { Repeats } from "../actions/attempt-end.ts";
import { attemptKey, type RunWork, type StartAction } from "./driver-work.ts";

/** Receives the reports. Its methods must not throw. */
export interface AttemptObserver {
  suspended(action: StartAction, suspension: Suspension): void;
  adopted(action: StartAction): void;
  ended(action: StartAction, attempt: Attempt, ending: AttemptEnding, repeats?: Repeats): void;
  /** Called for an internal fault. */
  failed(reason: unknown): void;
}

export class AttemptTracker {
  /** By `attemptKey`. */
  readonly running = new Map<string, Attempt>();
  private readonly work: Pick<RunWork, "find" | "onGrowth" | "repeats">;
  private readonly state: () => RunState;
  private readonly observer: AttemptObserver;

  constructor(work: AttemptTracker["work"], state: () => RunState, observer: AttemptObserver) {
    this.work = work;
    this.state = state;
    this.observer = observer;
  }

  launch(action: StartAction, prepared: Prepared, stem: string): void {
    this.follow(action, prepared.start(stem, this.growthOf(action, stem)));
  }

  /** Looks for an attempt of an earlier process whose command may still be supervised by its runner. */
  find(action: StartAction, before: Before): FoundAttempt | undefined {
    const attempt = this.work.find(action, this.state(), before, this.growthOf(action, before.stem));
    if (attempt !== undefined) this.follow(action, attempt);
    return attempt;
  }

  private growthOf({ path, number }: StartAction, stem: string): GrowthListener | undefined {
    const { onGrowth } = this.work;
    return onGrowth && ((...growth) => onGrowth({ path, number, stem }, ...growth));
  }

  /** F1. */
  follow(action: StartAction, attempt: Attempt): void {
    this.running.set(attemptKey(action.path, action.number), attempt);
    const { observer } = this;
    attempt.pausing?.onRest((suspension) => observer.suspended(action, suspension));
    attempt.found?.then(({ adopted }) => adopted && observer.adopted(action)).catch(observer.failed);
    attempt.done
      .then((ending) => {
        const asked = this.work.repeats(action, ending, this.state());
        return asked === undefined
          ? observer.ended(action, attempt, ending)
          : asked.then((repeats) => observer.ended(action, attempt, ending, repeats));
      })
      .catch(observer.failed);
  }

  kill(): void {
    for (const attempt of this.running.values()) attempt.kill();
  }

  /** Leaves the attempts that can continue without this driver, and kills the others. */
  leave(): void {
    for (const attempt of this.running.values()) {
      if (attempt.leave === undefined) attempt.kill();
      else attempt.leave();
    }
    this.running.clear();
  }
}
