// time-limit: the time that a subflow may take; while it waits for people it stands still (spec 1.2 `timeout`, 3.5).

import type { Clock } from "../clock.ts";

export interface TimeLimit {
  /** It works; `over` is called when the time is used up. */
  go(): void;
  /** It is at rest, or has ended. */
  stop(): void;
}

/** `limitMs` absent: no limit. `spentMs`: used up in an earlier process. */
export function timeLimit(
  clock: Clock,
  { limitMs, spentMs }: { limitMs: number | undefined; spentMs: number },
  over: () => void,
): TimeLimit {
  let leftMs = (limitMs ?? 0) - spentMs;
  let running: { sinceMs: number; off: () => void } | undefined;
  return {
    go: () => {
      if (limitMs === undefined || running !== undefined) return;
      running = { sinceMs: clock.upMs(), off: clock.at(clock.nowMs() + Math.max(0, leftMs), over) };
    },
    stop: () => {
      if (running === undefined) return;
      running.off();
      leftMs -= clock.upMs() - running.sinceMs;
      running = undefined;
    },
  };
}
