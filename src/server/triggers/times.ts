// Calculates when a schedule is due in its time zone (spec 2.5).
//   S1. A fixed time in a missing hour comes at the end of that hour, and in a repeated hour once. Times that
//       repeat within hours follow real time.
//   S2. The result is the same for one interval or several adjacent ones: times after
//       `after`, up to and including `until`.
//   S3. The cost depends on the number of times returned, not on how long no server ran.

import type { Cron } from "croner";
import { limits } from "../../base/limits.ts";
import { cronOf, type When } from "../../workflow/next-times.ts";
import type { ScheduleTrigger } from "../../workflow/triggers/index.ts";

export interface Due {
  /** The times to start, oldest first. */
  times: number[];
  /** Whether more times were missed. */
  left: boolean;
}

/**
 * The times in (afterMs, nowMs] to start according to `catchUp`. A time at most `lateMs` ago is on time and not
 * missed, so it counts even with `none`.
 */
export function dueTimes(
  when: When & Pick<ScheduleTrigger, "catchUp">,
  { afterMs, nowMs, lateMs = limits.scheduleLateMs }: { afterMs: number; nowMs: number; lateMs?: number },
): Due {
  const from = when.catchUp === "none" ? Math.max(afterMs, nowMs - lateMs) : afterMs;
  const most = when.catchUp === "all" ? limits.catchUpMax : 1;
  const last = lastTimes(cronOf(when), from, nowMs, most + 1);
  const times = last.slice(-most);
  return {
    times,
    left:
      last.length > times.length ||
      (when.catchUp === "none" && lastTimes(cronOf(when), afterMs, nowMs, 1).length > times.length),
  };
}

/** The newest times in (afterMs, untilMs], at most `most`. Searches a window that doubles until it has enough. S3. */
function lastTimes(cron: Cron, afterMs: number, untilMs: number, most: number): number[] {
  for (let windowMs = 60_000; ; windowMs *= 2) {
    const from = Math.max(afterMs, untilMs - windowMs);
    const found: number[] = [];
    let at = cron.nextRun(new Date(from))?.getTime();
    while (at !== undefined && at <= untilMs) {
      found.push(at);
      at = cron.nextRun(new Date(at))?.getTime();
    }
    if (found.length >= most || from <= afterMs) return found.slice(-most);
  }
}
