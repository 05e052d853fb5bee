// budgets: nodes that wait because others of the installation have used up what they share, in the fold (spec 3.1, 3.3).
//   G1. Waiting takes no slot of the run. When there may be room, the attempt is tried again from its beginning: what was approved
//       is compared again, and the cache is asked again.
//   G2. With a time it is tried again at that time, at the earliest; without one only after `budget.freed`.
// Deliberately absent: who shares a budget and how much is left of it (the store's business).

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
  node.budget = { key: event.key, ...(event.until === undefined ? {} : { untilMs: Date.parse(event.until) }) };
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

/** Takes the node out of every list of those that wait for a budget. */
export function leaveBudget(state: RunState, node: NodeState): void {
  if (node.budget?.untilMs !== undefined) state.dueBudget.delete(node);
  state.waitingBudget.delete(node.path);
  delete node.budget;
}
