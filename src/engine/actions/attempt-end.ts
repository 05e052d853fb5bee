// attempt-end: builds the event that ends an attempt and decides whether and when the next one starts (spec 1.2
// `retry`, 3.1).
//   N1. The time of the next attempt is decided here, once, and recorded with the end of this one. If a token was
//       rejected and the node says that repeating is safe, the next attempt follows at once with a new token (3.6).
//   N2. If `retry.on` cannot be evaluated, the attempt is not repeated and its failure message says so.

import { randomInt } from "node:crypto";
import type { Warning } from "../../base/attempt.ts";
import type { Failure } from "../../base/failure.ts";
import type { Result } from "../../base/result.ts";
import { isConditionTrue } from "../../kinds/decision.ts";
import type { AttemptEnding } from "../../kinds/executor.ts";
import type { EventBody } from "../../scheduler/event.ts";
import { placeAt } from "../../scheduler/scope.ts";
import { type RunState, stateAt } from "../../scheduler/state.ts";
import type { StartAction } from "../driver/driver-work.ts";
import { lostEvent } from "../recovery/lost.ts";
import { retryAtMs, statusOf } from "./retry.ts";
import { contextAt, nodeById, type RunDeps } from "./run-context.ts";

/** The value of a `retry.on` expression for a failure, or the failure of the expression itself. */
export type Repeats = Result<boolean, Failure>;

/**
 * In `retry.on` the names `exitCode`, `status`, and `headers` are those of the attempt itself. Warnings are added to
 * `noted`.
 */
export function repeats(
  action: StartAction,
  ending: AttemptEnding,
  state: RunState,
  deps: RunDeps,
  noted: Warning[],
): Promise<Repeats> | undefined {
  if (ending.status !== "failed" && ending.status !== "timed-out") return undefined;
  const { data } = nodeById(state, action.node);
  const on = "retry" in data ? data.retry?.on : undefined;
  if (typeof on !== "string") return undefined;
  const { exitCode } = ending.failure;
  const { http } = ending.facts;
  const status = statusOf(ending.failure, http);
  const headers = http?.at(-1)?.headers;
  const own = {
    exitCode,
    status,
    headers,
  };
  const context = { ...contextAt(state, placeAt(state, action.path), action.path, deps), warnings: noted };
  return Promise.resolve(isConditionTrue(on, context, deps.kinds.evaluator, own));
}

export function endedEvent(
  action: StartAction,
  ending: AttemptEnding,
  state: RunState,
  deps: RunDeps,
  repeats: Repeats | undefined,
): EventBody {
  const { node, path, number } = action;
  if (ending.status === "succeeded")
    return {
      ...{ type: "attempt.succeeded" as const, node, path, number },
      ...{ value: ending.value, end: ending.facts, state: ending.state },
    };
  if (ending.status === "not-started") return { type: "attempt.not-started", node, path, number };
  if (ending.status === "lost") return lostEvent(action, nodeById(state, node), deps.nowMs(), ending.leaseLost);
  if (ending.status === "cancelled") return { type: "attempt.cancelled", node, path, number, end: ending.facts };
  const type = ending.status === "timed-out" ? "attempt.timed-out" : "attempt.failed";
  const failure = repeats?.ok === false ? unclear(ending.failure, repeats.error) : ending.failure;
  const atMs = nextAtMs(action, ending, state, deps, repeats?.ok === true ? repeats.value : undefined);
  return {
    type,
    node,
    path,
    number,
    failure,
    value: ending.value,
    end: ending.facts,
    retryAt: atMs === undefined ? undefined : new Date(atMs).toISOString(),
  };
}

/** N1. */
function nextAtMs(
  { node, path, number }: StartAction,
  ending: Extract<AttemptEnding, { failure: Failure }>,
  state: RunState,
  deps: RunDeps,
  repeats: boolean | undefined,
): number | undefined {
  const { data, inherited } = nodeById(state, node);
  if (ending.signsInAgain === true) return deps.nowMs();
  return retryAtMs(
    {
      ...("retry" in data ? { retry: data.retry } : {}),
      ...("content" in data ? { content: data.content } : {}),
      inherited: inherited?.includes("retry") === true,
    },
    {
      failure: ending.failure,
      exchanges: ending.facts.http,
      unrecorded: ending.facts.warnings?.some(({ code }) => code === "curl-unseen"),
      number,
      firstStartedMs: stateAt(state, path)?.firstStartedMs ?? deps.nowMs(),
      nowMs: deps.nowMs(),
      random: randomInt(1_000_000) / 1_000_000,
      repeats,
    },
  );
}

/** N2. */
function unclear(failure: Failure, why: Failure): Failure {
  return {
    ...failure,
    message: `${failure.message} Curlew did not retry it, because "retry.on" failed: ${why.message}`,
    ...(why.hint === undefined ? {} : { hint: why.hint }),
  };
}
