// retry-interval: the wait of a node before its next attempt, according to the workflow (spec 3.3). The engine waits by
// it and the editor displays it. The engine alone handles Retry-After, jitter and maxDuration.

import { durationMs } from "../base/duration.ts";
import type { RetryPolicy } from "./model.ts";

/** Total attempts when `retry` is set. */
export const RETRY_ATTEMPTS = 3;
const INITIAL_MS = 1_000;
const MULTIPLIER = 2;
const INTERVAL_MAX_MS = 60_000;

/** The wait after attempt `number` (from 1), before jitter (`jitter: full`) shortens it. */
export function retryIntervalMs(retry: RetryPolicy, number: number): number {
  const grown = (durationMs(retry.initialInterval) ?? INITIAL_MS) * (retry.multiplier ?? MULTIPLIER) ** (number - 1);
  return Math.min(grown, durationMs(retry.maxInterval) ?? INTERVAL_MAX_MS);
}
