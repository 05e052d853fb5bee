// retry: whether a failed attempt is followed by another, and when (spec 3.3). Pure: time and chance are passed in.
//   Y1. Nothing is repeated unless the node says `retry`; a success never is.
//   Y2. A command that calls curl is repeated by default only for what curl calls passing: its transient exit codes, and the HTTP
//       statuses 408, 425, 429, 500, 502, 503, 504. Any other command is repeated unless it could not be started at all.
// Deliberately absent: Retry-After (it comes with the HTTP exchange, 3.6), budgets across runs.

import { parseDuration } from "../base/duration.ts";
import type { Failure } from "../base/failure.ts";
import type { RetryPolicy } from "../workflow/model.ts";

const ATTEMPTS_DEFAULT = 3;
const INITIAL_DEFAULT_MS = 1_000;
const MULTIPLIER_DEFAULT = 2;
const INTERVAL_MAX_DEFAULT_MS = 60_000;

/** curl exit codes after which the same call may well succeed: name and connect errors, transfers cut short, timeouts, resets. */
const CURL_TRANSIENT = new Set([5, 6, 7, 16, 18, 28, 35, 52, 55, 56, 92, 95]);
const STATUS_TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);
const NOT_STARTED = new Set(["command-not-found", "not-started", "shell-not-found"]);

export interface FailedAttempt {
  failure: Failure;
  /** Attempts so far, this one included. */
  number: number;
  firstStartedMs: number;
  nowMs: number;
  /** 0 to 1. */
  random: number;
  /** What `on` says, when it is an expression. */
  repeats?: boolean | undefined;
}

/** The time of the next attempt in milliseconds since the epoch; undefined: none follows. */
export function retryAtMs(
  data: { retry?: RetryPolicy | undefined; content?: string | undefined },
  failed: FailedAttempt,
): number | undefined {
  const { retry } = data;
  if (retry === undefined || failed.number >= (retry.maxAttempts ?? ATTEMPTS_DEFAULT)) return undefined;
  if (!worthRepeating(retry, data.content ?? "", failed)) return undefined;
  const at = failed.nowMs + waitMs(retry, failed);
  const durationMax = ms(retry.maxDuration);
  return durationMax !== undefined && at > failed.firstStartedMs + durationMax ? undefined : at;
}

function waitMs(retry: RetryPolicy, failed: FailedAttempt): number {
  const initial = ms(retry.initialInterval) ?? INITIAL_DEFAULT_MS;
  const grown = initial * (retry.multiplier ?? MULTIPLIER_DEFAULT) ** (failed.number - 1);
  const interval = Math.min(grown, ms(retry.maxInterval) ?? INTERVAL_MAX_DEFAULT_MS);
  return Math.round(retry.jitter === "none" ? interval : interval * failed.random);
}

function worthRepeating(retry: RetryPolicy, content: string, { failure, repeats }: FailedAttempt): boolean {
  const { on } = retry;
  if (typeof on === "string") return repeats === true;
  if (typeof on === "object") {
    const status = httpStatusOf(failure);
    return (
      (failure.exitCode !== undefined && on.exitCodes?.includes(failure.exitCode) === true) ||
      (status !== undefined && on.statuses?.includes(status) === true)
    );
  }
  if (NOT_STARTED.has(failure.code)) return false;
  if (!/\bcurl\b/.test(content) || failure.exitCode === undefined)
    return failure.exitCode !== 126 && failure.exitCode !== 127;
  const status = failure.exitCode === 22 ? httpStatusOf(failure) : undefined;
  return CURL_TRANSIENT.has(failure.exitCode) || (status !== undefined && STATUS_TRANSIENT.has(status));
}

/** curl names the status that made it fail on stderr: "The requested URL returned error: 503". */
export function httpStatusOf(failure: Failure): number | undefined {
  const match = /returned error: ([0-9]{3})/.exec(failure.stderr ?? "");
  return match === null ? undefined : Number(match[1]);
}

function ms(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parsed = parseDuration(text);
  return parsed.ok ? parsed.value : undefined;
}
