// time-limit: the time that a subflow may take; while it waits for people it stands still (spec 1.2 `timeout`, 3.5).

import type { Clock } from "../clock.ts";

export interface TimeLimit {
  /** It works; `over` is called when the time is used up. */
  go(): void;
  /** It is at rest, or has ended. */
  stop(): void;
}

const GRAIN_MS = 20;

/** `limitMs` absent: no limit. `spentMs`: used up in an earlier process. */
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
  // A clock that was set ahead rings too early. What is left may be less than the two clocks can tell.
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
