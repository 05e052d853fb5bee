// schedules-of: adds a trigger to the `on:` of a document, or changes one schedule in it. Other triggers, and members of
// the schedule that the form does not know, stay as they are. Pure.

import { isMapValue } from "../document/equal.ts";
import type { ScheduleFields } from "./schedule-form.tsx";

const GONE = "The file no longer has this schedule. Look at its triggers again.";

function listOf(on: unknown): unknown[] {
  if (on === undefined || on === null) return [];
  if (!Array.isArray(on)) throw new Error("The triggers in the file are not a list. Change them in the source.");
  return on;
}

/** The server fills in defaults, so members that the file leaves out are not compared. */
function indexOf(list: readonly unknown[], { cron, timezone }: ScheduleFields): number {
  const at = list.findIndex((entry) => {
    const schedule = isMapValue(entry) && isMapValue(entry.schedule) ? entry.schedule : undefined;
    return schedule?.cron === cron && (schedule.timezone === undefined || schedule.timezone === timezone);
  });
  if (at < 0) throw new Error(GONE);
  return at;
}

/** Throws if the file's triggers are not a list. */
export const withTrigger = (on: unknown, entry: object): unknown[] => [...listOf(on), entry];

/** With the schedule added, or put in the place of `before`. Throws if the file has no such schedule. */
export function withSchedule(on: unknown, next: ScheduleFields, before?: ScheduleFields): unknown[] {
  const list = listOf(on);
  const isSet = ([, value]: [string, unknown]) => value !== undefined;
  if (before === undefined) return [...list, { schedule: Object.fromEntries(Object.entries(next).filter(isSet)) }];
  const at = indexOf(list, before);
  const old = (list[at] as { schedule: Record<string, unknown> }).schedule;
  // A member that has its default and was not written stays unwritten.
  const changed = Object.entries(next).filter(([name, value]) => value !== before[name as keyof ScheduleFields]);
  const schedule = Object.fromEntries(Object.entries({ ...old, ...Object.fromEntries(changed) }).filter(isSet));
  return list.map((entry, nth) => (nth === at ? { ...(entry as object), schedule } : entry));
}

/** Undefined if no trigger is left. */
export function withoutSchedule(on: unknown, gone: ScheduleFields): unknown[] | undefined {
  const list = listOf(on);
  const at = indexOf(list, gone);
  const { schedule: _, ...others } = list[at] as Record<string, unknown>;
  const left = list.flatMap((entry, nth) => (nth !== at ? [entry] : Object.keys(others).length > 0 ? [others] : []));
  return left.length === 0 ? undefined : left;
}
