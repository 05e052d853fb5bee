// attempt-events: builds the events of an attempt, except its end (spec 3.1).
//   E1. Its files are named after the number of its start event, so no other attempt of the run shares them.

import type { Failure } from "../../base/failure.ts";
import type { Result } from "../../base/result.ts";
import type { AttemptEnding, Prepared, Suspension } from "../../kinds/executor.ts";
import type { EventBody } from "../../scheduler/event.ts";
import { placeOf, type StartAction } from "../driver/driver-work.ts";
import type { CacheName } from "./cached.ts";

/** `seq`: number of this event. An attempt whose preparation failed is recorded as started, too, and then fails. */
export function startedEvent(
  action: StartAction,
  ready: Result<Prepared & { cacheName?: CacheName }, Failure>,
  seq: number,
): EventBody {
  if (!ready.ok) return { type: "attempt.started", ...placeOf(action), detail: {} };
  const { shown, cacheName } = ready.value;
  const files = { stdoutFile: `${seq}.out`, stderrFile: `${seq}.err` };
  const detail = { ...shown, ...(cacheName && { cache: cacheName }), ...files };
  return { type: "attempt.started", ...placeOf(action), detail };
}

/** The ending of an attempt that could not be prepared. */
export function neverStartedEvent(failure: Failure): AttemptEnding {
  return { status: "failed", failure, value: { text: "" }, facts: { durationMs: 0 } };
}

export function pausedEvent(action: StartAction, { waiting, seen, wakeAtMs }: Suspension): EventBody {
  return {
    type: "attempt.paused",
    ...placeOf(action),
    waiting: waiting.map((inside) => `${action.path}/${inside}`),
    seen,
    ...(wakeAtMs === undefined ? {} : { wakeAt: new Date(wakeAtMs).toISOString() }),
  };
}
