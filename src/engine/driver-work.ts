// driver-work: what the driver of one run needs of the engine around it, and what it asks of that (spec 5.3).
//   D1. Everything that touches the disk, a process or another run is behind this; the driver itself only decides when.
// Deliberately absent: who does it (run-work.ts, local/recording.ts, local/budgets.ts).

import type { Failure } from "../base/failure.ts";
import type { Result } from "../base/result.ts";
import type { AttemptEnding, Before, FoundAttempt, GrowthListener, Prepared } from "../nodes/executor.ts";
import type { Now } from "../nodes/values.ts";
import type { Action } from "../scheduler/action.ts";
import type { EventBody, RunEvent } from "../scheduler/event.ts";
import type { RunState } from "../scheduler/state.ts";
import type { Repeats } from "./attempt-end.ts";
import type { CacheName } from "./cached.ts";
import type { Shares } from "./shared.ts";

/** What one run needs of the engine around it. */
export interface RunWork {
  /** Makes the events durable, in one transaction. Throws when the store refuses. */
  commit(events: readonly RunEvent[], state: RunState): void;
  /** The event without the run's secrets: nothing else is folded, kept or shown (4.2). */
  mask(body: EventBody): EventBody;
  /** Computes what an action without a process asks for. */
  answer(action: ComputedAction, state: RunState): Now<readonly EventBody[]>;
  /** What an attempt needs to start; or, when a person has to look first, what is asked. */
  prepare(action: StartAction, state: RunState): Now<Result<Ready, Failure>>;
  /** Takes what the attempt shares with others; or what is recorded because it has to wait for that. */
  take(action: StartAction, ready: Ready): EventBody | undefined;
  /** An attempt that was running when its program died. */
  find(action: StartAction, state: RunState, before: Before, onGrowth?: GrowthListener): FoundAttempt | undefined;
  onEvent(event: RunEvent): void;
  /** Output of the attempt whose files `stem` names has grown; absent when nobody wants to know. */
  onGrowth?: ((attempt: { path: string; number: number; stem: string }, ...growth: Growth) => void) | undefined;
  /** What the node's `retry.on` says of a failure, when it is an expression; else nothing. */
  repeats(action: StartAction, ending: AttemptEnding, state: RunState): Promise<Repeats> | undefined;
  /** The event that ends an attempt, with its retry time decided by the node's policy. */
  ended(action: StartAction, ending: AttemptEnding, state: RunState, repeats?: Repeats): EventBody;
}

export type Growth = Parameters<GrowthListener>;
/** `instead`: what is recorded instead of a start: a person is asked, or the cache has the answer. */
export type Ready = (Prepared & { shares?: Shares; cacheName?: CacheName }) | { instead: EventBody };
export type StartAction = Extract<Action, { do: "start-attempt" }>;
export type ComputedAction = Exclude<Action, { do: "start-attempt" | "cancel-attempt" | "resume-attempt" }>;

/** Of what an action does: it is taken once at a time. */
export function keyOf(action: Action): string {
  const number = "number" in action ? action.number : "index" in action ? action.index : "";
  return "path" in action ? `${action.do} ${action.path} ${number}` : action.do;
}

export function placeOf({ node, path, number }: StartAction): { node: string; path: string; number: number } {
  return { node, path, number };
}

export function attemptKey(path: string, number: number): string {
  return `${path} ${number}`;
}
