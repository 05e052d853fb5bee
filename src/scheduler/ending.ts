// ending: stops a run early, and starts the finally nodes that run in every case (spec 3.1).
//   F1. Ending early walks once over all open nodes. After that only finally nodes start.
//   F2. The first reason is kept. Finally nodes run whatever the reason, even if it arrives while they run. Only a
//       second cancellation while they run stops them.

import { becomeReady } from "./node-transitions.ts";
import { isSettled, type NodeState, type RunState, type Scope } from "./state.ts";

export function endEarly(state: RunState, why: "failed" | "cancelled" | "timed-out"): RunState {
  state.ending ??= why;
  if (why === "cancelled") state.status = "cancelling";
  if (state.stage === "over") return state;
  const cancelledBefore = state.cancelRequested === true;
  if (why === "cancelled") state.cancelRequested = true;
  if (state.stage === "nodes") stopNodes(state);
  else if (why === "cancelled" && cancelledBefore) stopFinally(state);
  return state;
}

/** Called when all other nodes are finished or skipped. */
export function startFinally(state: RunState): void {
  state.stage = "finally";
  if (state.finallyOpen === 0) return;
  for (const drawn of state.graph.nodes) {
    const node = drawn.finally ? state.root.nodes.get(drawn.index) : undefined;
    if (node !== undefined && node.open === 0) becomeReady(state, node);
  }
}

function stopNodes(state: RunState): void {
  const waiting = [state.waitingApproval, state.waitingRetry, state.waitingBudget];
  for (const node of waiting.flatMap((nodes) => [...nodes.values()])) node.status = "pending";
  state.ready.clear();
  state.unasked.clear();
  state.undecided.clear();
  state.waitingRetry.clear();
  state.waitingApproval.clear();
  state.waitingBudget.clear();
  state.dueBudget.clear();
  state.expiring.clear();
  state.held.clear();
  state.loopsToDo.clear();
  state.listening.clear();
  state.stopping.clear();
  state.passesToEnd.clear();
  const scopes: Scope[] = [state.root];
  for (let scope = scopes.pop(); scope !== undefined; scope = scopes.pop()) {
    for (const node of scope.nodes.values()) skip(state, node);
    for (const loop of scope.loops.values()) scopes.push(...loop.active.values());
  }
}

function stopFinally(state: RunState): void {
  state.finallyStopped = true;
  state.ready.clear();
  state.unasked.clear();
  state.undecided.clear();
  state.waitingRetry.clear();
  state.waitingApproval.clear();
  state.waitingBudget.clear();
  state.dueBudget.clear();
  state.expiring.clear();
  for (const node of state.root.nodes.values()) {
    if (state.graph.nodes[node.node]!.finally && !isSettled(node) && !isUnderWay(state, node))
      state.unskipped.set(node.path, { state: node, reason: "run-ended" });
  }
}

function skip(state: RunState, node: NodeState): void {
  if (isSettled(node) || isUnderWay(state, node) || state.graph.nodes[node.node]!.finally) return;
  state.unskipped.set(node.path, { state: node, reason: "run-ended" });
}

/** Its attempt has not ended, so it is cancelled and not skipped. */
function isUnderWay(state: RunState, node: NodeState): boolean {
  return state.running.has(node.path) || node.paused !== undefined;
}
