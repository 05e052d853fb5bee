// turns: when the loop of one run gets its next turn, and when what it recorded is committed at the latest (spec 5.3).
//   T1. Each is asked for once, however often it is wanted until it comes.
//   T2. Of times to wake there is one: the last that was named.
// Deliberately absent: what is done then (run-driver.ts).

import type { Clock } from "./clock.ts";

export class Turns {
  private readonly clock: Clock;
  private unwake: (() => void) | undefined;
  private soon = false;
  private closing = false;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** A turn comes by itself. */
  get isSoon(): boolean {
    return this.soon;
  }

  /** After timers and signals had theirs. */
  later(work: () => void): void {
    if (this.soon) return;
    this.soon = true;
    setImmediate(() => {
      this.soon = false;
      work();
    });
  }

  /** Before control goes back to the event loop: a tick that is asked for in a microtask comes when no microtask is left. */
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

  /** No time is waited for any more. */
  sleep(): void {
    this.unwake?.();
    this.unwake = undefined;
  }
}
