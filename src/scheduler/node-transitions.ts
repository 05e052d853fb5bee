// node-transitions: finishes or skips a node, and decides what happens to the nodes after it (spec 1.2 IF, 3.1).
//   T1. A node is decided when every source in its scope is settled: it starts if an edge into it is taken, otherwise
//       it is skipped.
//   T2. A finally node is always live.
//   T3. Nothing starts in a failed iteration of a listener. It ends when everything in it, including its loops, is
//       settled.

import type { Value } from "../base/value.ts";
import { type GraphNode, isCommand } from "../workflow/graph.ts";
import { kindOf } from "../workflow/kinds/index.ts";
import { needsApproval } from "./approvals.ts";
import { leaveBudget } from "./budgets.ts";
import { isSettled, type NodeState, type RunState, type Scope } from "./state.ts";

export function finishNode(state: RunState, node: NodeState, status: NodeState["status"], value: Value): void {
  const drawn = state.graph.nodes[node.node]!;
  forget(state, node);
  node.status = status;
  node.value = value;
  delete node.waitingFor;
  delete node.request;
  if (drawn.stage !== "nodes") state.endOpen[drawn.stage] -= 1;
  else node.scope.unsettled -= 1;
  stoppedPass(node.scope)?.failed?.open.delete(node);
  if (drawn.node.type === "loop-start" && status !== "succeeded") skipEnd(state, node);
  hand(state, node, drawn);
  passMayEnd(state, node.scope);
  if (kindOf(drawn.node).effect === "collects") recheckHeld(state);
}

/** Starts, skips or holds a node whose sources are all settled. */
export function becomeReady(state: RunState, node: NodeState): void {
  const drawn = state.graph.nodes[node.node]!;
  if (isSettled(node)) return;
  if (drawn.finally ? state.finallyStopped === true : state.ending !== undefined) {
    state.unskipped.set(node.path, { state: node, reason: "run-ended" });
  } else if (stoppedPass(node.scope) !== undefined)
    state.unskipped.set(node.path, { state: node, reason: "pass-failed" });
  else if (!node.live && !drawn.finally) state.unskipped.set(node.path, { state: node, reason: "branch-not-taken" });
  else if (!isItsTurn(node, drawn)) state.held.set(node.path, node);
  else if (needsApproval(state, node, drawn)) state.unasked.set(node.path, node);
  else if (isCommand(drawn.node)) state.ready.add(node);
  else state.undecided.set(node.path, node);
}

/** Whether an edge out of this node is taken. */
export function isTaken(drawn: GraphNode, node: NodeState, handle: string | undefined): boolean {
  if (node.status === "failed") return handle === "error" ? true : handle === undefined && drawn.tolerated;
  if (node.status !== "succeeded" || handle === "error") return false;
  return handle === undefined || kindOf(drawn.node).effect !== "branch" || String(node.branch) === handle;
}

/** Removes a node from every list of pending work. */
export function forget(state: RunState, node: NodeState): void {
  state.ready.delete(node);
  state.unasked.delete(node.path);
  state.undecided.delete(node.path);
  state.unskipped.delete(node.path);
  state.waitingRetry.delete(node.path);
  leaveBudget(state, node);
  state.waitingApproval.delete(node.path);
  state.expiring.delete(node.path);
  state.held.delete(node.path);
}

/** Rechecks accumulators that wait for an earlier iteration to collect. */
export function recheckHeld(state: RunState): void {
  for (const node of [...state.held.values()]) {
    if (!isItsTurn(node, state.graph.nodes[node.node]!)) continue;
    state.held.delete(node.path);
    becomeReady(state, node);
  }
}

export function passMayEnd(state: RunState, scope: Scope): void {
  if (scope.loop === undefined || scope.unsettled > 0 || state.ending !== undefined) return;
  const stopped = stoppedPass(scope);
  if (stopped === undefined) state.passesToEnd.set(passPath(state, scope), scope);
  else recheckPass(state, stopped);
}

/** Notes whether a failed iteration is over now. */
export function recheckPass(state: RunState, pass: Scope): void {
  if (pass.failed?.open.size === 0) state.passesToEnd.set(passPath(state, pass), pass);
  else state.passesToEnd.delete(passPath(state, pass));
}

/** The failed iteration around a scope. */
export function stoppedPass(from: Scope): Scope | undefined {
  for (let scope: Scope | undefined = from; scope?.loop !== undefined; scope = scope.outer)
    if (scope.failed !== undefined) return scope;
  return undefined;
}

/** `pages[2]`: the loop start's id with the indexes of the iteration. */
export function passPath(state: RunState, scope: Scope): string {
  return `${state.graph.nodes[scope.loop?.start ?? -1]?.id}${scope.suffix}`;
}

function hand(state: RunState, node: NodeState, drawn: GraphNode): void {
  for (const { target, handle } of drawn.outgoing) {
    const child = node.scope.nodes.get(target);
    if (child !== undefined && isTaken(drawn, node, handle)) child.live = true;
  }
  for (const target of behind(drawn)) {
    const child = node.scope.nodes.get(target);
    const to = state.graph.nodes[target]!;
    // A finally node waits for all other nodes anyway, so neither an edge from one nor the name of a Variable adds a
    // wait (graph.ts).
    if (child === undefined || to.node.type === "loop-end" || to.stage !== drawn.stage) continue;
    child.open -= 1;
    if (child.open === 0) becomeReady(state, child);
  }
}

function behind(drawn: GraphNode): Iterable<number> {
  if (drawn.waiters.length === 0) return drawn.children;
  return drawn.children.length === 0 ? new Set(drawn.waiters) : new Set([...drawn.children, ...drawn.waiters]);
}

/** A loop that does not open skips its end node too. */
function skipEnd(state: RunState, start: NodeState): void {
  const end = start.scope.nodes.get(state.graph.loops.get(start.node)?.end ?? -1);
  if (end === undefined || isSettled(end)) return;
  state.unskipped.set(end.path, { state: end, reason: state.ending === undefined ? "branch-not-taken" : "run-ended" });
}

/** In parallel iterations, an accumulator waits until every earlier iteration has collected or cannot any more. */
function isItsTurn(node: NodeState, drawn: GraphNode): boolean {
  if (kindOf(drawn.node).effect !== "collects") return true;
  for (let scope: Scope | undefined = node.scope; scope?.loop !== undefined; scope = scope.outer) {
    for (const [index, before] of scope.loop.active) {
      if (index >= scope.index) continue;
      // Of an outer loop, the whole earlier iteration must be over: only then can its inner loops collect no more.
      if (scope !== node.scope) return false;
      const same = before.nodes.get(node.node);
      if (same !== undefined && !isSettled(same)) return false;
    }
  }
  return true;
}
