// retry-interval: how long a node waits before it tries again, as far as the document says it (spec 3.3). The engine waits by it, the
// editor draws it: one place for the defaults and the growth. What the server asks for, chance and maxDuration are the engine's.

import { parseDuration } from "../base/duration.ts";
import type { RetryPolicy } from "./model.ts";

/** Attempts in all, once `retry` is given. */
export const RETRY_ATTEMPTS = 3;
const INITIAL_MS = 1_000;
const MULTIPLIER = 2;
const INTERVAL_MAX_MS = 60_000;

/** The wait after attempt `number` (from 1), before chance shortens it (`jitter: full`). */
export function retryIntervalMs(retry: RetryPolicy, number: number): number {
  const grown = (durationMs(retry.initialInterval) ?? INITIAL_MS) * (retry.multiplier ?? MULTIPLIER) ** (number - 1);
  return Math.min(grown, durationMs(retry.maxInterval) ?? INTERVAL_MAX_MS);
}

/** Undefined for nothing and for what is no duration. */
export function durationMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parsed = parseDuration(text);
  return parsed.ok ? parsed.value : undefined;
}
