// retry-after: how long a server asks clients to wait, read from its response headers (spec 3.3).
//   A1. A header in milliseconds (`Retry-After-Ms`) comes first, then `Retry-After` in seconds or as a date. Then comes
//       the reset of a rate limit, if nothing of it is left or the status is 429.
//   A2. A date is compared with the server's own `Date`, so that a wrong clock on either side does not change the wait.
//   A3. Unreadable headers are ignored.
//   A4. A 403 that says when to retry counts as a rate limit: GitHub and others respond like this
//       (docs/reference/retry.md).

/** Header names are in lowercase. */
export interface Answered {
  status: number;
  headers: Readonly<Record<string, string>>;
}

/** Used by Cosmos DB and OpenAI; exact where Retry-After is rounded up. */
const IN_MS = ["retry-after-ms", "x-ms-retry-after-ms"];
/** The reset header and the header with the remaining calls. The first pair that is present counts. */
const RESETS = [
  ["x-ratelimit-reset-after", "x-ratelimit-remaining"],
  ["x-ratelimit-reset", "x-ratelimit-remaining"],
  ["x-rate-limit-reset", "x-rate-limit-remaining"],
  ["ratelimit-reset", "ratelimit-remaining"],
] as const;
/**
 * Two limits of one service (OpenAI's). The exhausted one counts, written as `1s`, `6m0s` or `120ms`; some write
 * Retry-After like this.
 */
const KINDS = ["requests", "tokens"] as const;
/**
 * Smaller numbers are seconds from now (over 30 years). From here on they count from 1970, in seconds, ms, µs or ns by
 * size.
 */
const EPOCH_LEAST = 1_000_000_000;
const EPOCH_UNITS = [1_000, 1, 0.001, 0.000_001];
const EPOCH_BELOW = 10_000_000_000_000_000_000;

/** A4. */
export function isRateLimited(answered: Answered): boolean {
  return answered.status === 429 || (answered.status === 403 && serverWaitMs(answered, 0) !== undefined);
}

/** Milliseconds from now, at least 0; undefined when the headers give no time. */
export function serverWaitMs({ status, headers }: Answered, nowMs: number): number | undefined {
  const serverMs = dateMs(headers.date) ?? nowMs;
  const ms = IN_MS.map((name) => headers[name]?.trim() ?? "").find((text) => /^[0-9]{1,12}(\.[0-9]+)?$/.test(text));
  if (ms !== undefined) return Number(ms);
  const after = waitOf(headers["retry-after"], serverMs);
  if (after !== undefined) return after;
  for (const [reset, remaining] of RESETS) {
    if (headers[reset] === undefined || !isSpent(status, headers[remaining])) continue;
    return waitOf(headers[reset], serverMs);
  }
  const spent = KINDS.filter((kind) => isNothing(headers[`x-ratelimit-remaining-${kind}`]));
  const waits = spent.flatMap((kind) => durationOf(headers[`x-ratelimit-reset-${kind}`]) ?? []);
  return waits.length > 0 ? Math.max(...waits) : structured(headers.ratelimit, status);
}

function isSpent(status: number, remaining: string | undefined): boolean {
  return status === 429 || isNothing(remaining);
}

function isNothing(remaining: string | undefined): boolean {
  return remaining !== undefined && /^\s*0+(\.0*)?\s*$/.test(remaining);
}

function durationOf(text: string | undefined): number | undefined {
  const parts = /^(?=.)(?:([0-9]+)h)?(?:([0-9]+)m(?!s))?(?:([0-9.]+)s)?(?:([0-9.]+)ms)?$/.exec(text?.trim() ?? "");
  if (parts === null) return undefined;
  const [hours, minutes, seconds, ms] = parts.slice(1).map((part) => Number(part ?? 0));
  return (hours! * 60 + minutes!) * 60_000 + seconds! * 1_000 + ms!;
}

/** Seconds, a time in seconds or milliseconds since 1970, or a date. */
function waitOf(text: string | undefined, serverMs: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  // A proxy may have added a second value: the longer one counts.
  const each = /^[0-9., ]+$/.test(trimmed) ? trimmed.split(",") : [];
  if (each.length > 1) return Math.max(...each.map((one) => waitOf(one, serverMs) ?? 0));
  if (/^[0-9]+(\.[0-9]+)?$/.test(trimmed)) {
    const number = Number(trimmed);
    const unit = EPOCH_UNITS.findLast((_, index) => number >= EPOCH_LEAST * 1_000 ** index && number < EPOCH_BELOW);
    return unit === undefined ? number * 1_000 : Math.max(0, number * unit - serverMs);
  }
  const at = dateMs(trimmed);
  return at === undefined ? durationOf(trimmed) : Math.max(0, at - serverMs);
}

/**
 * `RateLimit: "default";r=0;t=30`, or the older `limit=10, remaining=0, reset=30`. The longest wait of the exhausted
 * limits counts.
 */
function structured(text: string | undefined, status: number): number | undefined {
  if (text === undefined) return undefined;
  const waits = text
    .split(/,(?=\s*"[^"]*"\s*;)/)
    .filter((limit) => /;\s*r\s*=\s*0+\b/.test(limit))
    .map((limit) => /;\s*t\s*=\s*([0-9]+)/.exec(limit)?.[1]);
  const spent = waits.flatMap((seconds) => (seconds === undefined ? [] : [Number(seconds) * 1_000]));
  if (spent.length > 0) return Math.max(...spent);
  const left = /\b(?:r|remaining)\s*=\s*([0-9]+)/.exec(text)?.[1];
  const seconds = /\b(?:t|reset)\s*=\s*([0-9]+)/.exec(text)?.[1];
  return seconds !== undefined && isSpent(status, left) ? Number(seconds) * 1_000 : undefined;
}

/** Accepts only what looks like an HTTP date: the JavaScript parser accepts almost anything. */
function dateMs(text: string | undefined): number | undefined {
  if (text === undefined || !/[0-9]{1,2}:[0-9]{2}:[0-9]{2}/.test(text)) return undefined;
  const zoned = /GMT|UTC|Z$|[+-][0-9]{2}:?[0-9]{2}$/.test(text.trim()) ? text : `${text} GMT`;
  const parsed = Date.parse(zoned);
  return Number.isNaN(parsed) ? undefined : parsed;
}
