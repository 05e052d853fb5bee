// turn-timer: schedules the next turn of a run's loop and its commits (spec 5.3).
//   T1. Each is scheduled once, however often it is requested before it happens.
//   T2. There is one wake-up time: the last one set.

import type { Clock } from "../clock.ts";

export class TurnTimer {
  private readonly clock: Clock;
  private unwake: (() => void) | undefined;
  private soon = false;
  private closing = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Whether a turn is already scheduled. */
  get isSoon(): boolean {
    return this.soon;
  }

  /** Runs `work` after timers and signals had their turn. */
  later(work: () => void): void {
    if (this.soon) return;
    this.soon = true;
    setImmediate(() => {
      this.soon = false;
      work();
    });
  }

  /**
   * Runs `work` before control returns to the event loop: a tick requested in a microtask runs after all microtasks.
   */
  beforeLoop(work: () => void): void {
    if (this.closing) return;
    this.closing = true;
    queueMicrotask(() =>
      process.nextTick(() => {
        this.closing = false;
        work();
      }),
    );
  }

  /** T2. */
  at(wakeAtMs: number, work: () => void): void {
    this.sleep();
    this.unwake = this.clock.at(wakeAtMs, work);
  }

  /** Cancels the wake-up time. */
  sleep(): void {
    this.unwake?.();
    this.unwake = undefined;
  }
}
