// duration: parses durations and sizes as users write them (spec 1.5). An error is one sentence: what was found and
// what to write instead.
//   D1. A bare number is rejected: no one can see whether 30 means seconds or milliseconds.
//   D2. Accepted text has exactly one meaning. Months and years are rejected because their length varies.

import { limits } from "./limits.ts";
import { err, ok, type Result } from "./result.ts";

const MS_PER = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const BYTES_PER = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
} as const;

const SHORT = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
const ISO =
  /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const SIZE = /^(\d+(?:\.\d+)?) ?(B|KB|MB|GB|TB|KiB|MiB|GiB|TiB)$/;

/** `250ms`, `30s`, `5m`, `2h`, `1d` or ISO 8601 (`PT30S`) → whole milliseconds. */
export function parseDuration(text: string): Result<number, string> {
  const short = SHORT.exec(text);
  if (short) return bounded(text, Number(short[1]) * MS_PER[short[2] as keyof typeof MS_PER]);
  const iso = isoMilliseconds(text);
  if (iso !== undefined) return bounded(text, iso);
  return err(whyNoDuration(text));
}

/** Undefined for no text and for an invalid duration. */
export function durationMs(text: string | undefined): number | undefined {
  const parsed = text === undefined ? undefined : parseDuration(text);
  return parsed?.ok === true ? parsed.value : undefined;
}

/** `512B`, `64KiB`, `10MB` → whole bytes. */
export function parseSize(text: string): Result<number, string> {
  const match = SIZE.exec(text);
  if (!match) return err(whyNoSize(text));
  const bytes = Math.round(Number(match[1]) * BYTES_PER[match[2] as keyof typeof BYTES_PER]);
  if (!Number.isSafeInteger(bytes)) return err(`"${shown(text)}" is too large for a size.`);
  return ok(bytes);
}

function isoMilliseconds(text: string): number | undefined {
  const match = ISO.exec(text);
  if (!match || match.slice(1).every((part) => part === undefined) || text.endsWith("T")) return undefined;
  const [, weeks, days, hours, minutes, seconds] = match.map((part) => Number(part ?? 0));
  return weeks! * MS_PER.w + days! * MS_PER.d + hours! * MS_PER.h + minutes! * MS_PER.m + seconds! * MS_PER.s;
}

function bounded(text: string, ms: number): Result<number, string> {
  const whole = Math.round(ms);
  if (whole > limits.durationMsMax) {
    return err(`"${shown(text)}" is longer than ${limits.durationMsMax / MS_PER.d} days, the longest duration.`);
  }
  if (whole === 0 && ms > 0) return err(`"${shown(text)}" is shorter than one millisecond, the shortest duration.`);
  return ok(whole);
}

function whyNoDuration(text: string): string {
  const bare = text.trim();
  if (/^\d+(\.\d+)?$/.test(bare))
    return `"${shown(text)}" has no unit. Write ${bare}s for seconds or ${bare}ms for milliseconds.`;
  return `${unread(text, "duration")} Examples: 250ms, 30s, 5m, 2h, 1d, or PT1H30M.`;
}

function whyNoSize(text: string): string {
  const bare = text.trim();
  if (/^\d+(\.\d+)?$/.test(bare))
    return `"${shown(text)}" has no unit. Write ${bare}B for bytes, or use KiB, MB, and so on.`;
  return `${unread(text, "size")} Examples: 512B, 64KiB, or 10MB.`;
}

function unread(text: string, what: string): string {
  return text.trim() === "" ? `The ${what} is empty.` : `"${shown(text)}" is not a ${what}.`;
}

/** A value for use in a message: short and on one line. */
function shown(text: string): string {
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "·");
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}
