// next-times: whether a schedule is valid, and its next times, for the server and for a preview before it is saved.
// Pure: the clock is passed in.

import { Cron } from "croner";

export interface When {
  cron: string;
  /** Absent: the zone of the machine. */
  timezone?: string;
}

export function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Throws for an invalid schedule or zone. */
export function cronOf({ cron, timezone = machineZone() }: When): Cron {
  return new Cron(cron, { timezone, mode: "5-part", fixedTimeRule: "no-wildcard", paused: true });
}

export function nextTimes(when: When, afterMs: number, count: number): number[] {
  return cronOf(when)
    .nextRuns(count, new Date(afterMs))
    .map((time) => time.getTime());
}

const FIELDS = [
  { name: "minute", takes: "0-59" },
  { name: "hour", takes: "0-23" },
  { name: "day of the month", takes: "1-31, L" },
  { name: "month", takes: "1-12, jan-dec" },
  { name: "weekday", takes: "0-7, sun-sat" },
] as const;

/** Why a schedule is not valid, as one sentence. Undefined for one that comes some day. */
export function cronProblem(cron: string): string | undefined {
  const comes = comesEver(cron);
  if (comes !== undefined) return comes ? undefined : "There is no such day.";
  const given = cron.trim().split(/\s+/);
  const { length } = given;
  if (length !== FIELDS.length) return `It has ${length === 1 ? "1 field" : `${length} fields`}, not five.`;
  for (const [index, { name, takes }] of FIELDS.entries()) {
    const field = given[index]!;
    // croner's own words are about its reading, so each part is tried alone to name the first one that it refuses.
    const alone = (part: string) => FIELDS.map((_, at) => (at === index ? part : "*")).join(" ");
    const wrong = [...field.split(","), field].find((part) => comesEver(alone(part)) === undefined);
    if (wrong !== undefined) return `The ${name} "${wrong}" is not valid: use ${takes}, * or */5.`;
  }
  return "It is not valid.";
}

/** Undefined for what croner does not take. */
function comesEver(cron: string): boolean | undefined {
  try {
    return nextTimes({ cron, timezone: "UTC" }, 0, 1).length > 0;
  } catch {
    return undefined;
  }
}
