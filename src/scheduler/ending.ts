// ending: stops a run early, and starts the nodes that run at the end: those of `onFailure`, then those of `finally`
// (spec 3.1, 8.3).
//   F1. Ending early walks once over all open nodes. After that only nodes at the end start.
//   F2. The first reason is kept. Nodes at the end run whatever the reason, even if it arrives while they run. Only a
//       second cancellation while they run stops them.

import { becomeReady } from "./node-transitions.ts";
import { isSettled, type NodeState, type RunState, type Scope } from "./state.ts";

export function endEarly(state: RunState, why: "failed" | "cancelled" | "timed-out"): RunState {
  state.ending ??= why;
  if (why === "cancelled") state.status = "cancelling";
  if (state.stage === "over") return state;
  const cancelledBefore = state.cancelRequested === true;
  if (why === "cancelled") state.cancelRequested = true;
  if (state.stage === "nodes") stopOpen(state);
  else if (why === "cancelled" && cancelledBefore) {
    state.finallyStopped = true;
    stopOpen(state);
  }
  return state;
}

/** Called when all nodes of the stages before are finished or skipped. */
export function startStage(state: RunState, stage: "onFailure" | "finally"): void {
  state.stage = stage;
  if (state.endOpen[stage] === 0) return;
  const isMeant = stage === "finally" || state.ending === "failed" || state.ending === "timed-out";
  for (const drawn of state.graph.nodes) {
    const node = drawn.stage === stage ? state.root.nodes.get(drawn.index) : undefined;
    if (node === undefined) continue;
    if (!isMeant) state.unskipped.set(node.path, { state: node, reason: "no-failure" });
    else if (node.open === 0) becomeReady(state, node);
  }
}

/** Skips what has not started; nodes at the end only in their own stages. */
function stopOpen(state: RunState): void {
  const { ready, dueBudget, waitingApproval, waitingRetry, waitingBudget, unasked, undecided, expiring, held } = state;
  for (const waiting of [waitingApproval, waitingRetry, waitingBudget])
    for (const node of waiting.values()) node.status = "pending";
  const nodes = [ready, dueBudget, waitingApproval, waitingRetry, waitingBudget, unasked, undecided, expiring, held];
  for (const list of [...nodes, state.stopping, state.loopsToDo, state.listening, state.passesToEnd]) list.clear();
  const scopes: Scope[] = [state.root];
  for (let scope = scopes.pop(); scope !== undefined; scope = scopes.pop()) {
    for (const node of scope.nodes.values()) {
      const isLater = state.stage === "nodes" && state.graph.nodes[node.node]!.finally;
      if (!isSettled(node) && !isUnderWay(state, node) && !isLater)
        state.unskipped.set(node.path, { state: node, reason: "run-ended" });
    }
    for (const loop of scope.loops.values()) scopes.push(...loop.active.values());
  }
}

/** Its attempt has not ended, so it is cancelled and not skipped. */
function isUnderWay(state: RunState, node: NodeState): boolean {
  return state.running.has(node.path) || node.paused !== undefined;
}
