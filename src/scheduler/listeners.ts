// listeners: folds a node with `emit: lines` as a loop with one iteration per printed line (spec 3.7).
//   N1. A line is recorded before its iteration starts. Each line starts one iteration, in order, across all attempts
//       of the listener.
//   N2. At most limits.linesAheadMax recorded lines wait for their iteration; the rest stays in the output file.
//   N3. A listener settles when its last attempt has ended, its output has been read to the end, and every iteration is
//       over.
//   N4. A failure ends only its own iteration, and the listener fails at its end. With `onLineFailure: fail`, the run
//       ends instead.
// Not done here: reading the output (the engine does), and limiting parallel iterations (loops.ts).

import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { impossible } from "../base/result.ts";
import type { Value } from "../base/value.ts";
import { endsWithALine } from "../workflow/node-fields.ts";
import type { RunEvent } from "./event.ts";
import { forget, passPath, recheckPass } from "./node-transitions.ts";
import {
  emptyLoop,
  isSettled,
  type LineSource,
  type ListenerState,
  type LoopState,
  type NodeState,
  type RunState,
  type Scope,
} from "./state.ts";

type Started = Extract<RunEvent, { type: "attempt.started" }>;

/** An attempt of a listener has started. Its output is read after that of earlier attempts. */
export function listen(state: RunState, node: NodeState, event: Started): LoopState {
  const loop = node.scope.loops.get(node.node) ?? openListener(state, node);
  listenerOf(loop).sources.push({ number: event.number, file: event.detail.stdoutFile, next: 0 });
  return loop;
}

/** An attempt did not start after all, so it has no output to read. */
export function notListened(loop: LoopState | undefined, number: number): void {
  if (loop?.listener === undefined) return;
  loop.listener.sources = loop.listener.sources.filter((source) => source.number !== number);
}

function openListener(state: RunState, node: NodeState): LoopState {
  const { gates } = state.graph.loops.get(node.node) ?? impossible(`"${node.path}" is not a listener`);
  const isOpen = (gate: number): boolean => {
    const at = node.scope.nodes.get(gate);
    return at !== undefined && !isSettled(at);
  };
  const loop = emptyLoop(node, -1, 1);
  loop.listener = {
    node,
    sources: [],
    queue: new Map(),
    received: 0,
    failures: 0,
    gates: gates.filter(isOpen).length,
  };
  state.listening.set(loop.path, loop);
  return loop;
}

export function receive(loop: LoopState, event: Extract<RunEvent, { type: "line.received" }>): void {
  const listener = listenerOf(loop);
  const source = sourceOf(listener, event.number);
  source.next = event.next;
  listener.queue.set(event.index, { value: event.value, failure: event.failure });
  listener.received = event.index + 1;
}

export function linesEnded(loop: LoopState, event: Extract<RunEvent, { type: "lines.ended" }>): void {
  const listener = listenerOf(loop);
  sourceOf(listener, event.number);
  listener.sources.shift();
}

/** An attempt has ended. `ending` is set when no other follows. */
export function attemptEnded(
  loop: LoopState,
  number: number,
  over: "exited" | "stopped",
  ending: ListenerState["ending"],
): void {
  const listener = listenerOf(loop);
  const source = listener.sources.find((one) => one.number === number);
  if (source !== undefined) source.over = over;
  if (ending !== undefined) listener.ending = ending;
}

/** N3: the node's outcome, or undefined while something is left to do. */
export function outcomeOf(loop: LoopState): { failure?: Failure; value: Value } | undefined {
  const listener = listenerOf(loop);
  const { ending, sources, queue, failures, received, firstFailure } = listener;
  if (ending === undefined || sources.length > 0 || queue.size > 0 || loop.active.size > 0) return undefined;
  if (ending.failure !== undefined || failures === 0) return ending;
  return { value: ending.value, failure: linesFailed(failures, received, firstFailure) };
}

/** Shows the listener as waiting for a line when it has nothing else to do. */
export function noteWaiting(state: RunState, loop: LoopState): void {
  const { node, queue } = listenerOf(loop);
  if (!state.running.has(node.path)) return;
  if (queue.size === 0 && loop.active.size === 0) node.waitingFor = "line";
  else if (node.waitingFor === "line") delete node.waitingFor;
}

/**
 * The next lines to read, or undefined while enough lines are waiting (N2). Lines are read in batches to save a plan
 * call for each.
 */
export function toRead(loop: LoopState): { source: LineSource; index: number; most: number } | undefined {
  const { sources, queue, received } = listenerOf(loop);
  const [source] = sources;
  if (source === undefined || queue.size > limits.linesAheadMax / 2) return undefined;
  return { source, index: received, most: limits.linesAheadMax - queue.size };
}

export function lineOf(loop: LoopState, index: number): Value {
  return listenerOf(loop).queue.get(index)?.value ?? impossible(`line ${index} of "${loop.path}" is not on record`);
}

/** N4: the iteration of a listener that ends when this node fails, or undefined when the whole run ends. */
export function passToFail(state: RunState, node: NodeState): Scope | undefined {
  for (let scope: Scope | undefined = node.scope; scope?.loop !== undefined; scope = scope.outer) {
    if (scope.loop.listener === undefined) continue;
    const drawn = state.graph.nodes[scope.loop.start]!.node;
    return endsWithALine(drawn) ? undefined : scope;
  }
  return undefined;
}

/** Nothing more starts in the iteration, and its running attempts are cancelled. */
export function failPass(state: RunState, pass: Scope, failed: { node: string; path: string; failure: Failure }): void {
  if (pass.failed !== undefined) return;
  pass.failed = { ...failed, open: new Set() };
  const scopes = [pass];
  for (let scope = scopes.pop(); scope !== undefined; scope = scopes.pop()) {
    state.passesToEnd.delete(passPath(state, scope));
    for (const node of scope.nodes.values()) stop(state, node, pass.failed.open);
    for (const loop of scope.loops.values()) {
      state.loopsToDo.delete(loop.path);
      scopes.push(...loop.active.values());
    }
  }
  recheckPass(state, pass);
}

function stop(state: RunState, node: NodeState, open: Set<NodeState>): void {
  if (isSettled(node)) return;
  open.add(node);
  if (state.running.has(node.path) || state.paused.has(node.path)) {
    state.stopping.set(node.path, node);
    return;
  }
  forget(state, node);
  node.status = "pending";
  delete node.waitingFor;
  state.unskipped.set(node.path, { state: node, reason: "pass-failed" });
}

export function passFailed(loop: LoopState, event: Extract<RunEvent, { type: "pass.failed" }>): void {
  const listener = listenerOf(loop);
  listener.failures += 1;
  const id = event.failedAt.split("[", 1)[0] ?? "";
  listener.firstFailure ??= { node: id, path: event.failedAt, failure: event.failure };
  // The line was invalid, so its iteration never started.
  if (!loop.active.has(event.index)) {
    listener.queue.delete(event.index);
    loop.next = event.index + 1;
  }
}

function linesFailed(failures: number, received: number, first: ListenerState["firstFailure"]): Failure {
  const which = first === undefined ? "" : ` The first: ${first.path}: ${first.failure.message}`;
  return {
    code: "lines-failed",
    message: `${failures} of ${received} ${received === 1 ? "line" : "lines"} failed.${which}`,
    hint: 'Tolerate it where it happens ("continueOnError" or an error branch of the node), or on the listener.',
  };
}

function listenerOf(loop: LoopState): ListenerState {
  return loop.listener ?? impossible(`"${loop.path}" is not a listener`);
}

function sourceOf(listener: ListenerState, number: number): LineSource {
  const [source] = listener.sources;
  return source?.number === number ? source : impossible(`a line of attempt ${number}, which is not being read`);
}
