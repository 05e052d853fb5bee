// retry: decides whether and when a failed attempt is repeated (spec 3.3). Pure: time and randomness are passed in.
//   Y1. Nothing is repeated unless the node has `retry`. A succeeded attempt is never repeated.
//   Y2. Temporary failures are repeated by default. For HTTP: status 408, 425, 429, 500, 502, 503, 504, and a 403 that
//       is a rate limit. For curl: its transient exit codes. For a model: the transient codes of kinds/llm/failures.ts.
//       Any other command is repeated unless it could not be started, or a value was rejected.
//   Y3. A request that is not idempotent (POST, PATCH) is repeated only if the node itself has `retry`; workflow
//       defaults are not enough. Asking for a token is always safe to repeat.
//   Y4. A wait that the server asks for (both forms of Retry-After, a rate limit reset) is honoured even beyond
//       maxInterval. If it exceeds maxDuration, there is no further attempt.

import { durationMs } from "../../base/duration.ts";
import type { Failure } from "../../base/failure.ts";
import { type Answered, isRateLimited, serverWaitMs } from "../../base/retry-after.ts";
import { TRANSIENT as LLM_TRANSIENT } from "../../kinds/llm/index.ts";
import type { RetryPolicy } from "../../workflow/model.ts";
import { RETRY_ATTEMPTS, retryIntervalMs } from "../../workflow/retry-interval.ts";

/** The latest time that a JavaScript date can represent. */
const LATEST_MS = 8_640_000_000_000_000;

/** curl exit codes of temporary failures: DNS and connection errors, incomplete transfers, timeouts, resets. */
const CURL_TRANSIENT = new Set([5, 6, 7, 16, 18, 28, 35, 52, 55, 56, 92, 95]);
const STATUS_TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);
const NOT_STARTED = new Set([
  ...["command-not-found", "not-started", "shell-not-found", "cwd-outside"],
  ...["http-not-allowed", "curl-config-bypassed", "curl-next-forgets"],
]);
/** A value was rejected. The next attempt would have the same. */
const VALUE_REJECTED = /^(?:value|template|env-name|env-value)-/;
/** Temporary failures of signing in (docs/reference/signing-in.md). */
const SIGN_IN_TRANSIENT = new Set(["auth-unreachable", "auth-unavailable", "auth-slow-down", "auth-busy"]);
const NOT_IDEMPOTENT = new Set(["POST", "PATCH"]);

/** One HTTP call of an attempt. */
export interface Exchange extends Answered {
  method: string;
}

export interface Repeated {
  retry?: RetryPolicy | undefined;
  /** `retry` comes only from the workflow's defaults. */
  inherited?: boolean;
  /** The program text. */
  content?: string | undefined;
}

export interface FailedAttempt {
  failure: Failure;
  /** Its HTTP calls in order, as far as they are known. */
  exchanges?: readonly Exchange[] | undefined;
  /** It made calls that were not recorded: they may have been POST or PATCH. */
  unrecorded?: boolean;
  /** Attempts so far, including this one. */
  number: number;
  firstStartedMs: number;
  nowMs: number;
  /** 0 to 1. */
  random: number;
  /** The value of `on`, if that is an expression. */
  repeats?: boolean | undefined;
}

/** The time of the next attempt in milliseconds since the epoch. Undefined: no further attempt. */
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

/** The status that the attempt ended with: that of its last exchange, or the one that curl prints on stderr. */
export function statusOf(failure: Failure, exchanges: readonly Exchange[] = []): number | undefined {
  const last = exchanges.at(-1);
  if (last !== undefined) return last.status;
  const match = /returned error: ([0-9]{3})/.exec(failure.stderr ?? "");
  return match === null ? undefined : Number(match[1]);
}

/** Y4: the wait that the server asks for, or the growing interval. */
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
  if (NOT_STARTED.has(failure.code) || VALUE_REJECTED.test(failure.code)) return false;
  if (failure.exitCode === 126 || failure.exitCode === 127) return false;
  // The server's status counts more than the command's exit code.
  if (exchanges !== undefined && status !== undefined && status >= 400)
    return STATUS_TRANSIENT.has(status) || isRateLimited({ status, headers: exchanges.at(-1)?.headers ?? {} });
  if (!/\bcurl\b/.test(content) || failure.exitCode === undefined) return true;
  const said = failure.exitCode === 22 ? status : undefined;
  return CURL_TRANSIENT.has(failure.exitCode) || (said !== undefined && STATUS_TRANSIENT.has(said));
}
