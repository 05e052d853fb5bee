// times: when a schedule is due, in its zone (spec 2.5).
//   S1. In a zone's missing hour a fixed time comes at its end, in its doubled hour once; what repeats within hours goes on by real time.
//   S2. What is found is the same, looked at once or in pieces: times behind `after`, up to and with `until`.
//   S3. Looking back costs no more than what is answered, however long nothing ran.

import { Cron } from "croner";
import { limits } from "../../base/limits.ts";
import type { ScheduleTrigger } from "../../workflow/triggers.ts";

type When = Pick<ScheduleTrigger, "cron" | "timezone">;

export function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function nextTimes(when: When, afterMs: number, count: number): number[] {
  return cronOf(when)
    .nextRuns(count, new Date(afterMs))
    .map((time) => time.getTime());
}

export interface Due {
  /** To be started, oldest first. */
  times: number[];
  /** How many more there were; not counted beyond limits.catchUpMax. */
  left: boolean;
}

/**
 * The times in (afterMs, nowMs] that are to be started by `catchUp`. A time that is just past is none that was missed: it counts with
 * `none` too.
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

/** At most `most` times in (afterMs, untilMs], the newest: looked for in a window that doubles until it holds them. S3. */
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

function cronOf({ cron, timezone = machineZone() }: When): Cron {
  return new Cron(cron, { timezone, mode: "5-part", fixedTimeRule: "no-wildcard", paused: true });
}
