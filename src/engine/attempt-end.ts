// attempt-end: how the end of an attempt is recorded, its next try decided (spec 1.2 `retry`, 3.1).
//   N1. When the next attempt comes is decided once, here, and recorded with the end of this one.

import { randomInt } from "node:crypto";
import { holds } from "../nodes/decide.ts";
import type { AttemptEnding } from "../nodes/executor.ts";
import type { EventBody } from "../scheduler/event.ts";
import { placeAt } from "../scheduler/scope.ts";
import { type RunState, stateAt } from "../scheduler/state.ts";
import { lostEvent } from "./lost.ts";
import { httpStatusOf, retryAtMs } from "./retry.ts";
import { contextAt, drawn, type RunGround } from "./run-context.ts";
import type { StartAction } from "./run-driver.ts";

/** In `retry.on` the names `exitCode` and `status` are those of the attempt itself. An expression that fails repeats nothing. */
export function repeats(
  action: StartAction,
  ending: AttemptEnding,
  state: RunState,
  ground: RunGround,
): Promise<boolean> | undefined {
  if (ending.status !== "failed" && ending.status !== "timed-out") return undefined;
  const { data } = drawn(state, action.node);
  const on = "retry" in data ? data.retry?.on : undefined;
  if (typeof on !== "string") return undefined;
  const { exitCode } = ending.failure;
  const status = httpStatusOf(ending.failure);
  const own = { ...(exitCode === undefined ? {} : { exitCode }), ...(status === undefined ? {} : { status }) };
  const context = contextAt(state, placeAt(state, action.path), action.path, ground);
  const asked = holds(on, context, ground.kinds.evaluator, own);
  return Promise.resolve(asked).then((answer) => answer.ok && answer.value);
}

export function endedEvent(
  action: StartAction,
  ending: AttemptEnding,
  state: RunState,
  ground: RunGround,
  repeats: boolean | undefined,
): EventBody {
  const { node, path, number } = action;
  if (ending.status === "succeeded")
    return { type: "attempt.succeeded", node, path, number, value: ending.value, end: ending.facts };
  if (ending.status === "not-started") return { type: "attempt.not-started", node, path, number };
  if (ending.status === "lost") return lostEvent(action, drawn(state, node), ground.nowMs());
  if (ending.status === "cancelled") return { type: "attempt.cancelled", node, path, number, end: ending.facts };
  const type = ending.status === "timed-out" ? "attempt.timed-out" : "attempt.failed";
  const { data } = drawn(state, node);
  const atMs = retryAtMs(
    { ...("retry" in data ? { retry: data.retry } : {}), ...("content" in data ? { content: data.content } : {}) },
    {
      failure: ending.failure,
      number,
      firstStartedMs: stateAt(state, path)?.firstStartedMs ?? ground.nowMs(),
      nowMs: ground.nowMs(),
      random: randomInt(1_000_000) / 1_000_000,
      repeats,
    },
  );
  return {
    type,
    node,
    path,
    number,
    failure: ending.failure,
    value: ending.value,
    end: ending.facts,
    ...(atMs === undefined ? {} : { retryAt: new Date(atMs).toISOString() }),
  };
}
