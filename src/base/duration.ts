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
    return err(
      `"${shown(text)}" is longer than ${limits.durationMsMax / MS_PER.d} days, the longest duration there is.`,
    );
  }
  if (whole === 0 && ms > 0)
    return err(`"${shown(text)}" is shorter than one millisecond, the shortest duration there is.`);
  return ok(whole);
}

const DURATION_FORMS = "Write it like 250ms, 30s, 5m, 2h, 1d or PT30S.";
const SIZE_FORMS = "Write it like 512B, 64KiB or 10MB.";

function whyNoDuration(text: string): string {
  const said = shown(text);
  const bare = text.trim();
  if (bare === "") return `A duration is empty. ${DURATION_FORMS}`;
  if (/^\d+(\.\d+)?$/.test(bare)) {
    return `"${said}" is a bare number; a duration needs a unit. Write ${bare}s for seconds or ${bare}ms for milliseconds.`;
  }
  if (/^-/.test(bare)) return `"${said}" is negative; a duration is not. ${DURATION_FORMS}`;
  if (/^P.*\d[YM]/.test(bare.split("T")[0] ?? "")) {
    return `"${said}" counts months or years, whose length varies. Write days instead, like 30d or P30D.`;
  }
  const compound = compoundMilliseconds(bare);
  if (compound !== undefined) return `"${said}" has several units. Write it in one, like ${inOneUnit(compound)}.`;
  const word = /^(\d+(?:\.\d+)?)\s*([A-Za-z]+)$/.exec(bare);
  const unit = word && unitOfWord(word[2]!);
  if (unit) return `"${said}" is not a duration. Did you mean "${word[1]}${unit}"?`;
  return `"${said}" is not a duration. ${DURATION_FORMS}`;
}

function compoundMilliseconds(text: string): number | undefined {
  const parts = [...text.replaceAll(" ", "").matchAll(/(\d+)(ms|s|m|h|d)/gy)];
  const length = parts.reduce((sum, part) => sum + part[0].length, 0);
  if (parts.length < 2 || length !== text.replaceAll(" ", "").length) return undefined;
  return parts.reduce((sum, part) => sum + Number(part[1]) * MS_PER[part[2] as keyof typeof MS_PER], 0);
}

function inOneUnit(ms: number): string {
  const unit = (["d", "h", "m", "s", "ms"] as const).find((candidate) => ms % MS_PER[candidate] === 0) ?? "ms";
  return `${ms / MS_PER[unit]}${unit}`;
}

function unitOfWord(word: string): string | undefined {
  const lower = word.toLowerCase();
  if (lower === "ms" || lower.startsWith("mil") || lower === "msec" || lower === "msecs") return "ms";
  if (lower === "s" || lower.startsWith("sec")) return "s";
  if (lower === "m" || lower === "mins" || (lower.startsWith("min") && "minutes".startsWith(lower))) return "m";
  if (lower === "h" || lower === "hr" || lower === "hrs" || "hours".startsWith(lower)) return "h";
  if (lower === "d" || "days".startsWith(lower)) return "d";
  return undefined;
}

function whyNoSize(text: string): string {
  const said = shown(text);
  const bare = text.trim();
  if (bare === "") return `A size is empty. ${SIZE_FORMS}`;
  if (/^\d+(\.\d+)?$/.test(bare))
    return `"${said}" is a bare number; a size needs a unit. Write ${bare}B for bytes, or KiB, MB and so on.`;
  if (/^-/.test(bare)) return `"${said}" is negative; a size is not. ${SIZE_FORMS}`;
  const word = /^(\d+(?:\.\d+)?)\s*([kmgt])(i?)(?:b|bytes?)?$/i.exec(bare);
  if (word) return `"${said}" is not a size. Did you mean "${word[1]}${sizeUnit(word[2]!, word[3]!)}"?`;
  return `"${said}" is not a size. ${SIZE_FORMS}`;
}

function sizeUnit(letter: string, binary: string): string {
  return `${letter.toUpperCase()}${binary === "" ? "" : "i"}B`;
}

/** A value for use in a message: short and on one line. */
function shown(text: string): string {
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "·");
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}
