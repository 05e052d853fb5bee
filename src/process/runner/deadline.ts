// deadline: the time from which another machine may repeat this machine's commands (spec 6.4 M6).
//   D1. Its clock counts the time that the machine sleeps, and is the same for all processes of a machine. Timers do not
//       count it, so the clock is looked at several times a second.
// Without a cluster there is no deadline.

import { uptime } from "node:os";
import { limits } from "../../base/limits.ts";

/** D1. Milliseconds since the machine started. It may be a second coarse. */
export function sinceBootMs(): number {
  return uptime() * 1_000;
}

export interface Deadline {
  /** On the clock of `sinceBootMs`. Replaces the one before. Undefined: none. */
  set(atMs: number | undefined): void;
  isOver(): boolean;
}

/** `over` is called once for each deadline that passes. */
export function createDeadline(over: () => void): Deadline {
  let at: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const isOver = (): boolean => at !== undefined && sinceBootMs() >= at;
  const look = (): void => {
    if (at === undefined) return;
    if (isOver()) over();
    else timer = setTimeout(look, Math.min(Math.max(1, at - sinceBootMs()), limits.deadlineLookMs)).unref();
  };
  return {
    set: (atMs) => {
      at = atMs;
      clearTimeout(timer);
      look();
    },
    isOver,
  };
}
