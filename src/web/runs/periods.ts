// periods: the spans of time that the filters and charts of runs know, between their names in the URL and times. Pure.
//   P1. Named periods begin at a full hour or a local midnight, so that bars of a chart are hours or parts of a day.
//       A link to "failed in the last day" stays true.

export interface Period {
  sinceMs?: number;
  untilMs?: number;
}

/** The periods that have a name, as `since` in the URL. Others are `24h`, `30d`, dates, and ISO times. */
export const PERIODS: Record<string, string> = { today: "Today", yesterday: "Yesterday", "7d": "Last 7 days" };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** P1. `until` is exclusive, except that a date includes its whole day. Unreadable times count as missing. */
export function periodOf({ since = "", until = "" }: { since?: string; until?: string }, nowMs: number): Period {
  if (since === "today") return { sinceMs: midnight(nowMs, 0) };
  if (since === "yesterday") return { sinceMs: midnight(nowMs, -1), untilMs: midnight(nowMs, 0) };
  const [, count, unit] = /^(\d{1,4})([hd])$/.exec(since) ?? [];
  if (unit === "d") return { sinceMs: midnight(nowMs, 1 - Number(count)) };
  if (unit === "h") return { sinceMs: Math.floor(nowMs / hourMs) * hourMs + hourMs - Number(count) * hourMs };
  const [from, to] = [timeOf(since), timeOf(until)];
  return { sinceMs: from, untilMs: to !== undefined && isDate(until) ? midnight(to, 1) : to };
}

/** The span of a chart of the period. It ends with a full hour, or with the day if it began with one. */
export function chartOf({ sinceMs, untilMs }: Period, nowMs: number): Period & { untilMs: number; slices: number } {
  const hourly = Math.ceil((nowMs + 1) / hourMs) * hourMs;
  const isDaily = sinceMs !== undefined && sinceMs === midnight(sinceMs, 0);
  const end = untilMs ?? (isDaily ? midnight(nowMs, 1) : hourly);
  const length = sinceMs === undefined ? undefined : end - sinceMs;
  if (length === undefined) return { untilMs: end, slices: 40 };
  const hours = Math.round(length / hourMs);
  if (hours <= 1) return { sinceMs, untilMs: end, slices: 12 };
  return { sinceMs, untilMs: end, slices: hours <= 49 ? hours : length <= 8 * dayMs ? 28 : 40 };
}

/** The words of a period that has no name: `23 Nov, 10:00 – 11:00`. */
export function periodWords({ sinceMs, untilMs }: Period): string {
  if (sinceMs === undefined) return untilMs === undefined ? "Any time" : `until ${at(untilMs)}`;
  if (untilMs === undefined) return `since ${at(sinceMs)}`;
  const sameDay = midnight(sinceMs, 0) === midnight(untilMs - 1, 0);
  return `${at(sinceMs)} – ${sameDay ? clockOf(untilMs) : at(untilMs)}`;
}

/** `20:31` today, `yesterday 17:20`, otherwise `12 Nov, 17:20`, with the year if it is another one. */
export function dayTime(iso: string, nowMs: number): string {
  const ms = Date.parse(iso);
  if (ms >= midnight(nowMs, 0) && ms < midnight(nowMs, 1)) return clockOf(ms);
  if (ms >= midnight(nowMs, -1) && ms < midnight(nowMs, 0)) return `yesterday ${clockOf(ms)}`;
  if (ms >= midnight(nowMs, 1) && ms < midnight(nowMs, 2)) return `tomorrow ${clockOf(ms)}`;
  return at(ms, new Date(ms).getFullYear() !== new Date(nowMs).getFullYear());
}

/** The value of a date field. */
export function dateOf(ms: number): string {
  const day = new Date(ms);
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

function midnight(ms: number, days: number): number {
  const day = new Date(ms);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
}

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** A date begins at the local midnight. */
function timeOf(text: string): number | undefined {
  const ms = Date.parse(isDate(text) ? `${text}T00:00:00` : text);
  return Number.isNaN(ms) ? undefined : ms;
}

function at(ms: number, year = false): string {
  const day = new Date(ms);
  const date = day.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: year ? "numeric" : undefined });
  return `${date}, ${clockOf(ms)}`;
}

function clockOf(ms: number): string {
  const day = new Date(ms);
  return `${two(day.getHours())}:${two(day.getMinutes())}`;
}

const two = (n: number): string => String(n).padStart(2, "0");
