// retry: whether a failed attempt is followed by another, and when (spec 3.3). Pure: time and chance are passed in.
//   Y1. Nothing is repeated unless the node says `retry`; a success never is.
//   Y2. What passes by itself is repeated by default: of HTTP the statuses 408, 425, 429, 500, 502, 503, 504, and a 403 that is a rate limit, never another 4xx; of curl
//       its transient exit codes; of a language model what nodes/llm/failures.ts calls transient. Any other command is repeated unless it could not be started at all.
//   Y3. A request that is not idempotent (POST, PATCH) is repeated only when the node itself says `retry`; defaults of the document
//       are not enough. Asking for a token does nothing twice.
//   Y4. A wait that the server asks for (Retry-After in both forms, the reset of a rate limit) is kept, beyond maxInterval too; only
//       maxDuration ends it, by trying no more.
// Deliberately absent: where exchanges come from (3.6), budgets across runs (shared.ts).

import type { Failure } from "../base/failure.ts";
import { type Answered, isRateLimited, serverWaitMs } from "../base/retry-after.ts";
import { TRANSIENT as LLM_TRANSIENT } from "../nodes/llm/failures.ts";
import type { RetryPolicy } from "../workflow/model.ts";
import { durationMs, RETRY_ATTEMPTS, retryIntervalMs } from "../workflow/retry-interval.ts";

/** The last moment that a date of ours can say. */
const LATEST_MS = 8_640_000_000_000_000;

/** curl exit codes after which the same call may well succeed: name and connect errors, transfers cut short, timeouts, resets. */
const CURL_TRANSIENT = new Set([5, 6, 7, 16, 18, 28, 35, 52, 55, 56, 92, 95]);
const STATUS_TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);
const NOT_STARTED = new Set(["command-not-found", "not-started", "shell-not-found"]);
/** Of all that keeps a node from signing in, what passes by itself (docs/reference/signing-in.md). */
const SIGN_IN_TRANSIENT = new Set(["auth-unreachable", "auth-unavailable", "auth-slow-down", "auth-busy"]);
const NOT_IDEMPOTENT = new Set(["POST", "PATCH"]);

/** One HTTP call of an attempt. */
export interface Exchange extends Answered {
  method: string;
}

export interface Repeated {
  retry?: RetryPolicy | undefined;
  /** Only the document's defaults say `retry`. */
  inherited?: boolean;
  /** The program text. */
  content?: string | undefined;
}

export interface FailedAttempt {
  failure: Failure;
  /** Its HTTP calls in their order, as far as they are known. */
  exchanges?: readonly Exchange[] | undefined;
  /** It made other calls, and nobody knows which: they may have been POST or PATCH. */
  unrecorded?: boolean;
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
export function retryAtMs(node: Repeated, failed: FailedAttempt): number | undefined {
  const { retry } = node;
  if (retry === undefined || failed.number >= (retry.maxAttempts ?? RETRY_ATTEMPTS)) return undefined;
  const isSignIn = failed.failure.code.startsWith("auth-");
  const { exchanges, unrecorded } = failed;
  const unsafe = unrecorded === true || exchanges?.some(({ method }) => NOT_IDEMPOTENT.has(method.toUpperCase()));
  if (node.inherited === true && unsafe && !isSignIn) return undefined;
  if (!worthRepeating(retry, node.content ?? "", failed)) return undefined;
  const at = failed.nowMs + waitMs(retry, failed);
  const durationMax = durationMs(retry.maxDuration);
  const latest = durationMax === undefined ? LATEST_MS : failed.firstStartedMs + durationMax;
  return at > latest ? undefined : at;
}

/** The status that the attempt ended with: its last exchange's, else the one that curl names on stderr. */
export function statusOf(failure: Failure, exchanges: readonly Exchange[] = []): number | undefined {
  const last = exchanges.at(-1);
  if (last !== undefined) return last.status;
  const match = /returned error: ([0-9]{3})/.exec(failure.stderr ?? "");
  return match === null ? undefined : Number(match[1]);
}

/** Y4: the server's word, when it is given, else our own growing interval. */
function waitMs(retry: RetryPolicy, failed: FailedAttempt): number {
  const last = failed.exchanges?.at(-1);
  const asked =
    retry.respectRetryAfter === false || last === undefined || last.status < 400
      ? undefined
      : serverWaitMs(last, failed.nowMs);
  if (asked !== undefined && asked > 0) return Math.ceil(asked);
  const interval = retryIntervalMs(retry, failed.number);
  return Math.round(retry.jitter === "none" ? interval : interval * failed.random);
}

function worthRepeating(retry: RetryPolicy, content: string, { failure, exchanges, repeats }: FailedAttempt): boolean {
  const { on } = retry;
  if (typeof on === "string") return repeats === true;
  const status = statusOf(failure, exchanges);
  if (typeof on === "object")
    return (
      (failure.exitCode !== undefined && on.exitCodes?.includes(failure.exitCode) === true) ||
      (status !== undefined && on.statuses?.includes(status) === true)
    );
  if (failure.code.startsWith("auth-")) return SIGN_IN_TRANSIENT.has(failure.code);
  if (failure.code.startsWith("llm-")) return LLM_TRANSIENT.has(failure.code);
  if (NOT_STARTED.has(failure.code) || failure.exitCode === 126 || failure.exitCode === 127) return false;
  // What the server said counts more than what the command made of it.
  if (exchanges !== undefined && status !== undefined && status >= 400)
    return STATUS_TRANSIENT.has(status) || isRateLimited({ status, headers: exchanges.at(-1)?.headers ?? {} });
  if (!/\bcurl\b/.test(content) || failure.exitCode === undefined) return true;
  const said = failure.exitCode === 22 ? status : undefined;
  return CURL_TRANSIENT.has(failure.exitCode) || (said !== undefined && STATUS_TRANSIENT.has(said));
}
