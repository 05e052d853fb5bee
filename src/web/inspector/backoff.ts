// backoff: computes a node's attempts over time: the latest start of each, and how much earlier jitter can start it
// (spec 3.3, ui 6.3).
//   B1. The waits come from the engine's code (workflow/retry-interval.ts) and are not computed a second time here.
//   B2. An attempt that `maxDuration` prevents is not drawn.

import { durationMs } from "../../base/duration.ts";
import type { RetryPolicy } from "../../workflow/model.ts";
import { RETRY_ATTEMPTS, retryIntervalMs } from "../../workflow/retry-interval.ts";

export interface AttemptPoint {
  number: number;
  /** Milliseconds since the first attempt if the attempts before fail at once. `earliestMs` is smaller with jitter. */
  earliestMs: number;
  latestMs: number;
  /** The wait before this attempt. */
  waitMs: number;
}

/** The maximum number of attempts drawn. A curve of 1,000 attempts would not be readable. */
export const ATTEMPTS_DRAWN = 24;

export function backOff(retry: RetryPolicy): { points: AttemptPoint[]; more: number } {
  const attempts = Math.max(1, Math.floor(retry.maxAttempts ?? RETRY_ATTEMPTS));
  const most = durationMs(retry.maxDuration) ?? Number.POSITIVE_INFINITY;
  const points: AttemptPoint[] = [{ number: 1, earliestMs: 0, latestMs: 0, waitMs: 0 }];
  for (let number = 1; number < Math.min(attempts, ATTEMPTS_DRAWN); number++) {
    const waitMs = retryIntervalMs(retry, number);
    const last = points[points.length - 1] as AttemptPoint;
    const latestMs = last.latestMs + waitMs;
    const earliestMs = retry.jitter === "none" ? latestMs : last.earliestMs;
    if (!Number.isFinite(latestMs) || earliestMs > most) return { points, more: 0 };
    points.push({ number: number + 1, earliestMs, latestMs: Math.min(latestMs, most), waitMs });
  }
  return { points, more: attempts - points.length };
}

/** `1.5 s`, `2 min`, `3 h`, for axes and summaries. */
export function shortTime(ms: number): string {
  for (const [unit, length] of UNITS) {
    if (ms < length) continue;
    const count = ms / length;
    return `${count >= 10 || Number.isInteger(count) ? Math.round(count) : count.toFixed(1)} ${unit}`;
  }
  return `${Math.round(ms)} ms`;
}

const UNITS: readonly (readonly [string, number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
];

/** One sentence for readers who can't see the picture. */
export function backOffInWords({ points, more }: ReturnType<typeof backOff>): string {
  if (points.length === 1) return "One attempt: nothing is repeated.";
  const waits = points.slice(1, 7).map(({ waitMs }) => shortTime(waitMs));
  const shown = waits.join(", ") + (points.length > 7 || more > 0 ? ", …" : "");
  return `${points.length + more} attempts; waits of at most ${shown}.`;
}
