// driver-work: the interface between the driver of one run and the engine around it (spec 5.3).
//   D1. All access to the disk, processes, and other runs goes through this interface. The driver only decides when.

import type { Failure } from "../../base/failure.ts";
import type { Now } from "../../base/now.ts";
import type { Result } from "../../base/result.ts";
import type { AttemptEnding, Before, FoundAttempt, Prepared } from "../../kinds/executor.ts";
import type { GrowthListener } from "../../process/output.ts";
import type { Action } from "../../scheduler/action.ts";
import type { EventBody, RunEvent } from "../../scheduler/event.ts";
import type { RunState } from "../../scheduler/state.ts";
import type { Repeats } from "../actions/attempt-end.ts";
import type { CacheName } from "../actions/cached.ts";
import type { Shares } from "../actions/shared-limits.ts";

export interface RunWork {
  /** Makes the events durable, in one transaction. Throws or rejects if the store refuses. */
  commit(events: readonly RunEvent[], state: RunState): Now<void>;
  /** The event with the run's secrets masked. Only this form is folded, stored, or shown (4.2). */
  mask(body: EventBody): EventBody;
  /** Computes the events of an action that needs no process. */
  answer(action: ComputedAction, state: RunState): Now<readonly EventBody[]>;
  /** Prepares an attempt to start and takes its share of the budgets, or returns the event to record instead. */
  prepare(action: StartAction, state: RunState): Now<Result<Ready, Failure>>;
  /** Looks for an attempt that was running when its engine ended. */
  find(action: StartAction, state: RunState, before: Before, onGrowth?: GrowthListener): FoundAttempt | undefined;
  onEvent(event: RunEvent): void;
  /** Called when output of the attempt with the file name stem `stem` has grown. Absent if no one listens. */
  onGrowth?: ((attempt: { path: string; number: number; stem: string }, ...growth: Growth) => void) | undefined;
  /** The value of the node's `retry.on` expression for a failure. Undefined if `retry.on` is not an expression. */
  repeats(action: StartAction, ending: AttemptEnding, state: RunState): Promise<Repeats> | undefined;
  /** The event that ends an attempt, with the time of the next one if the node's policy allows it. */
  ended(action: StartAction, ending: AttemptEnding, state: RunState, repeats?: Repeats): EventBody;
}

type Growth = Parameters<GrowthListener>;
/** `instead`: the event to record in place of a start: an approval request, a cached value, or a wait for a budget. */
export type Ready = (Prepared & { shares?: Shares; cacheName?: CacheName }) | { instead: EventBody; discard?(): void };
export type StartAction = Extract<Action, { do: "start-attempt" }>;
export type ComputedAction = Exclude<Action, { do: "start-attempt" | "cancel-attempt" | "resume-attempt" }>;

/** Identifies an action, so that the driver does not take it twice. */
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
