// node-ends: ends an attempt, a node or a listener, and updates the run (spec 3.1, 3.7).
//   D1. The first untolerated failure ends the run (V3 of evolve.ts). In the body of a listener it ends the iteration.
//   D2. A listener settles later than its command: when all its lines have been processed (N3 of listeners.ts).

import type { Failure } from "../base/failure.ts";
import type { Value } from "../base/value.ts";
import { endsWithALine } from "../workflow/node-fields.ts";
import { endEarly, startStage } from "./ending.ts";
import type { RunEvent } from "./event.ts";
import { attemptEnded, failPass, linesEnded, outcomeOf, passToFail, receive } from "./listeners.ts";
import { updateLoopReadiness } from "./loops.ts";
import { finishNode, forget } from "./node-transitions.ts";
import { isAtRest, isSettled, type LoopState, type NodeState, type RunState } from "./state.ts";

export function endNode(state: RunState, node: NodeState, status: NodeState["status"], value: Value): RunState {
  settleOnly(state, node, status, value);
  return progress(state);
}

function settleOnly(state: RunState, node: NodeState, status: NodeState["status"], value: Value): void {
  attemptOver(state, node);
  if (isSettled(node)) return;
  finishNode(state, node, status, value);
  for (const listener of state.graph.nodes[node.node]!.gateOf) openGate(state, node, listener);
}

export function failed(state: RunState, node: NodeState, failure: Failure, value: Value): RunState {
  const drawn = state.graph.nodes[node.node]!;
  const loop = state.listening.get(node.path);
  if (loop !== undefined) {
    attemptEnded(loop, -1, "stopped", { failure, value });
    return commandOver(state, node, loop);
  }
  node.failure = failure;
  // A loop start succeeds when its loop opens, but fails when a later iteration may not start.
  if (isSettled(node) && drawn.node.type === "loop-start") node.status = "failed";
  settleOnly(state, node, "failed", value);
  if (drawn.tolerated || drawn.hasErrorBranch) return progress(state);
  const pass = state.ending === undefined ? passToFail(state, node) : undefined;
  if (pass !== undefined) {
    failPass(state, pass, { node: drawn.id, path: node.path, failure });
    return progress(state);
  }
  // A node at the end never changes why the run has failed.
  if (state.ending !== undefined) return progress(state);
  if (state.failure === undefined) {
    state.failure = { node: drawn.id, path: node.path, failure };
    state.failedNode = node;
  }
  if (drawn.finally) state.ending = "failed";
  else endEarly(state, "failed");
  return progress(state);
}

/** Starts the next stage when nothing of this one is open. */
export function progress(state: RunState): RunState {
  if (state.stage === "nodes" && state.root.unsettled === 0 && isQuiet(state)) startStage(state, "onFailure");
  if (state.stage === "onFailure" && state.endOpen.onFailure === 0 && isQuiet(state)) startStage(state, "finally");
  if (state.status === "running" || state.status === "waiting")
    state.status = isAtRest(state) && waitsFor(state) > 0 ? "waiting" : "running";
  return state;
}

function isQuiet({ running, paused, unskipped, status }: RunState): boolean {
  return running.size === 0 && paused.size === 0 && unskipped.size === 0 && status !== "queued";
}

function waitsFor(state: RunState): number {
  let waiting = state.waitingApproval.size + state.waitingRetry.size + state.waitingBudget.size + state.paused.size;
  for (const { listener } of state.listening.values()) if (listener?.node.waitingFor === "line") waiting += 1;
  return waiting;
}

export function attemptOver(state: RunState, node: NodeState): void {
  state.running.delete(node.path);
  state.paused.delete(node.path);
  state.stopping.delete(node.path);
  delete node.paused;
  delete node.childRun;
}

/** A listener's iterations wait for nodes outside its body that they read. */
function openGate(state: RunState, { scope }: NodeState, listener: number): void {
  const loop = scope.loops.get(listener);
  if (loop?.listener === undefined) return;
  loop.listener.gates -= 1;
  updateLoopReadiness(state, loop);
}

export function attemptSucceeded(
  state: RunState,
  node: NodeState,
  event: Extract<RunEvent, { type: "attempt.succeeded" }>,
): RunState {
  const loop = state.listening.get(node.path);
  if (loop === undefined) return endNode(state, node, "succeeded", event.value);
  attemptEnded(loop, event.number, "exited", { value: event.value });
  return commandOver(state, node, loop);
}

/** The last line of a stopped listener may be incomplete. A command that exited has finished its last line. */
export function attemptStopped(
  state: RunState,
  event: Extract<RunEvent, { type: "attempt.failed" | "attempt.timed-out" | "attempt.lost" }>,
): void {
  const loop = state.listening.get(event.path);
  const exited = event.type === "attempt.failed" && event.end.exitCode !== undefined;
  if (loop !== undefined) attemptEnded(loop, event.number, exited ? "exited" : "stopped", undefined);
}

/** The listener's command has ended and no other attempt follows: it settles when its lines have been processed. */
function commandOver(state: RunState, node: NodeState, loop: LoopState): RunState {
  attemptOver(state, node);
  forget(state, node);
  node.status = "running";
  delete node.waitingFor;
  delete node.request;
  return settleListener(state, loop);
}

export function listenerContinued(
  state: RunState,
  event: Extract<RunEvent, { type: "line.received" | "lines.ended" }>,
): RunState {
  const loop = state.listening.get(event.path);
  if (loop === undefined) return state;
  if (event.type === "line.received") receive(loop, event);
  else linesEnded(loop, event);
  updateLoopReadiness(state, loop);
  return settleListener(state, loop);
}

/** After an event of an iteration. */
export function listenerProgress(state: RunState, passPath: string): RunState {
  const loop = state.listening.get(passPath.slice(0, passPath.lastIndexOf("[")));
  return loop === undefined ? progress(state) : settleListener(state, loop);
}

/** With `onLineFailure: fail`, an invalid line ends the run. */
export function lineFailed(state: RunState, event: Extract<RunEvent, { type: "pass.failed" }>): RunState {
  const { node: id, failedAt: path, failure } = event;
  const drawn = state.graph.nodes[state.graph.indexOf.get(id) ?? -1];
  const stops = drawn !== undefined && endsWithALine(drawn.node);
  if (!stops || path !== event.path || drawn.tolerated || drawn.hasErrorBranch || state.ending !== undefined)
    return listenerProgress(state, event.path);
  state.failure ??= { node: id, path, failure };
  return endEarly(state, "failed");
}

function settleListener(state: RunState, loop: LoopState): RunState {
  const outcome = outcomeOf(loop);
  if (outcome === undefined || loop.listener === undefined) return progress(state);
  const { node, ending, firstFailure } = loop.listener;
  const drawn = state.graph.nodes[node.node]!;
  state.listening.delete(loop.path);
  node.scope.loops.delete(loop.start);
  if (outcome.failure === undefined) return endNode(state, node, "succeeded", outcome.value);
  // The run reports the first line that failed.
  if (ending?.failure === undefined && firstFailure !== undefined && !drawn.tolerated && !drawn.hasErrorBranch)
    state.failure ??= firstFailure;
  return failed(state, node, outcome.failure, outcome.value);
}
