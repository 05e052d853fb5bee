// budgets: folds waits for a rate or concurrency budget that is shared across the installation (spec 3.1, 3.3).
//   G1. Waiting takes no slot of the run. Afterwards the attempt starts from the beginning: the approval is compared
//       and the cache is read again.
//   G2. With `until`, it is retried no earlier than that time; without it, only after `budget.freed`.
// Not done here: who shares a budget and how much of it is left (the store knows).

import type { RunEvent } from "./event.ts";
import type { NodeState, RunState } from "./state.ts";

export function awaitBudget(
  state: RunState,
  node: NodeState,
  event: Extract<RunEvent, { type: "budget.awaited" }>,
): void {
  if (node.status !== "pending" && node.status !== "waiting") return;
  leaveBudget(state, node);
  state.ready.delete(node);
  state.waitingRetry.delete(node.path);
  delete node.retryAtMs;
  node.status = "waiting";
  node.waitingFor = event.for;
  node.budget = { key: event.key, untilMs: event.until === undefined ? undefined : Date.parse(event.until) };
  state.waitingBudget.set(node.path, node);
  if (node.budget.untilMs !== undefined) state.dueBudget.add(node);
}

export function freeBudget(state: RunState, node: NodeState): void {
  if (!state.waitingBudget.has(node.path)) return;
  leaveBudget(state, node);
  node.status = "pending";
  delete node.waitingFor;
  state.ready.add(node);
}

/** Removes the node from every list of nodes that wait for a budget. */
export function leaveBudget(state: RunState, node: NodeState): void {
  if (node.budget?.untilMs !== undefined) state.dueBudget.delete(node);
  state.waitingBudget.delete(node.path);
  delete node.budget;
}
