// triggers/schedule: starts a run at times of a time zone.

import * as z from "zod/mini";
import { badCron, duplicateSchedule, unknownTimezone } from "../diagnostics/trigger.ts";
import { cronProblem } from "../next-times.ts";
import { filled, oneOf, opt } from "../schema/fields.ts";
import type { TriggerKind, TriggerOf } from "./kind.ts";

const data = z.object({
  cron: filled("Five cron fields: minute, hour, day, month, weekday."),
  timezone: opt(filled("Time zone, such as Europe/Berlin.")),
  catchUp: opt(oneOf(["latest", "all", "none"], "Missed times to start later, after the server was down.")),
  overlap: opt(oneOf(["skip", "queue", "cancel", "allow"], "Applies if the previous run is still active.")),
});

/** Without a `timezone`, the machine's zone counts. */
export type ScheduleTrigger = TriggerOf<"schedule", typeof data, "catchUp" | "overlap">;

export const schedule: TriggerKind<typeof data> = {
  name: "schedule",
  plural: "Schedules",
  data,
  defaults: { catchUp: "latest", overlap: "skip" },
  example: { cron: "0 9 * * 1-5" },
  identity: ({ cron, timezone }) => [cron.trim().split(/\s+/), timezone],
  check({ cron, timezone }, path, check, before) {
    if (cron === undefined) return;
    const problem = cronProblem(cron);
    if (problem !== undefined) check.report(badCron(check.at([...path, "cron"]), cron, problem));
    if (timezone !== undefined && !isTimezone(timezone))
      check.report(unknownTimezone(check.at([...path, "timezone"]), timezone));
    const same = timesOf({ cron, timezone });
    if (before.some((other) => timesOf(other.data) === same)) check.report(duplicateSchedule(check.at(path)));
  },
};

function timesOf({ cron = "", timezone }: { cron?: string; timezone?: string }): string {
  return JSON.stringify([cron.trim().split(/\s+/), timezone]);
}

function isTimezone(name: string): boolean {
  try {
    // Rejects offsets such as +01:00, which Intl accepts, because they ignore daylight saving time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}
