// subflow-timeout: the time limit of a subflow, which does not count while the subflow waits for approval (spec 1.2
// `timeout`, 3.5).

import type { Clock } from "../clock.ts";

export interface TimeLimit {
  /** Starts the timer. `over` is called when the time is used up. */
  go(): void;
  /** Stops the timer. */
  stop(): void;
}

const GRAIN_MS = 20;

/** `limitMs` absent: no limit. `spentMs`: time used in an earlier process. */
export function timeLimit(
  clock: Clock,
  { limitMs, spentMs }: { limitMs: number | undefined; spentMs: number },
  over: () => void,
): TimeLimit {
  let leftMs = (limitMs ?? 0) - spentMs;
  let running: { sinceMs: number; off: () => void } | undefined;
  const wait = (sinceMs: number): void => {
    const restMs = Math.max(0, leftMs - (clock.upMs() - sinceMs));
    running = { sinceMs, off: clock.at(clock.nowMs() + restMs, () => (isOver(sinceMs) ? over() : wait(sinceMs))) };
  };
  // A clock that was set ahead fires too early. The remaining time may be below the resolution of the two clocks.
  const isOver = (sinceMs: number): boolean => leftMs - (clock.upMs() - sinceMs) <= GRAIN_MS;
  return {
    go: () => {
      if (limitMs !== undefined && running === undefined) wait(clock.upMs());
    },
    stop: () => {
      if (running === undefined) return;
      running.off();
      leftMs -= clock.upMs() - running.sinceMs;
      running = undefined;
    },
  };
}
