// loops: folds loops. Each iteration is a scope with its own node states, and nothing else drives a loop (spec 1.2,
// 5.1).
//   O1. Iterations start in order, at most `maxConcurrency` at a time, or one at a time when each depends on the one
//       before.
//   O2. A finished iteration is dropped. Its value and the last values of its variables move to the scope around the
//       loop.
//   O3. The last iteration is the one with the highest index, whichever finishes last.
//   O4. A listener's iteration starts when its line is recorded; its loop has no end node to close (listeners.ts).

import { impossible } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import type { GraphNode } from "../workflow/graph.ts";
import { kindOf } from "../workflow/kinds/index.ts";
import type { WorkflowNode } from "../workflow/model.ts";
import type { RunEvent } from "./event.ts";
import { lineOf, noteWaiting, passFailed } from "./listeners.ts";
import { becomeReady, finishNode, isTaken, passMayEnd, recheckHeld } from "./node-transitions.ts";
import { collects, loopOpenAt } from "./scope.ts";
import { emptyLoop, emptyNode, type LoopState, type NodeState, type RunState, type Scope } from "./state.ts";

/**
 * Creates the nodes of a scope and starts those that wait for nothing. `loop` is the loop start's index, or -1 for the
 * whole run.
 */
export function openScope(state: RunState, scope: Scope, loop: number): void {
  const { nodes, loops } = state.graph;
  const body =
    loop === -1 ? nodes.filter((node) => node.loop === -1) : loops.get(loop)!.body.map((index) => nodes[index]!);
  const first: NodeState[] = [];
  for (const drawn of body) {
    const node = emptyNode(
      drawn.index,
      `${drawn.id}${scope.suffix}`,
      scope,
      drawn.sources.length,
      entersLive(state, scope, drawn),
    );
    scope.nodes.set(drawn.index, node);
    if (!drawn.finally) scope.unsettled += 1;
    if (drawn.sources.length === 0 && drawn.node.type !== "loop-end" && !drawn.finally) first.push(node);
  }
  for (const node of first) becomeReady(state, node);
  passMayEnd(state, scope);
}

export function openLoop(state: RunState, node: NodeState, event: Extract<RunEvent, { type: "loop.started" }>): void {
  const { end } = state.graph.loops.get(node.node) ?? impossible(`"${event.path}" is not a loop`);
  const { data } = state.graph.nodes[node.node]!.node;
  const isForEach = "items" in data && data.items !== undefined;
  const loop = emptyLoop(node, end, event.first);
  loop.passes = event.passes;
  loop.items = event.items;
  loop.exhausted = event.passes === 0;
  if (isForEach || collects(state.graph, end)) loop.results = [];
  finishNode(state, node, "succeeded", EMPTY);
  updateLoopReadiness(state, loop);
}

export function startPass(state: RunState, event: Extract<RunEvent, { type: "pass.started" }>): void {
  const loop = loopAt(state, event.path, event.index);
  const scope: Scope = {
    indexes: [...loop.scope.indexes, event.index],
    suffix: `${loop.scope.suffix}[${event.index}]`,
    outer: loop.scope,
    loop,
    index: event.index,
    counter: event.counter,
    item: event.item ?? (loop.listener && lineOf(loop, event.index)),
    nodes: new Map(),
    loops: new Map(),
    unsettled: 0,
    published: new Map(),
  };
  loop.active.set(event.index, scope);
  loop.next = event.index + 1;
  loop.listener?.queue.delete(event.index);
  if (loop.passes !== undefined && loop.next >= loop.passes) loop.exhausted = true;
  openScope(state, scope, loop.start);
  updateLoopReadiness(state, loop);
}

/** No further iteration will start. `path` is the loop's own. */
export function endIterations(state: RunState, path: string): void {
  const loop = loopOpenAt(state, path);
  loop.exhausted = true;
  updateLoopReadiness(state, loop);
}

export function endPass(state: RunState, event: Extract<RunEvent, { type: "pass.succeeded" }>): void {
  const loop = loopAt(state, event.path, event.index);
  const scope = loop.active.get(event.index) ?? impossible(`pass "${event.path}" is not open`);
  loop.active.delete(event.index);
  const value = event.from === undefined ? (event.value ?? EMPTY) : (scopedValue(state, scope, event.from) ?? EMPTY);
  state.passesToEnd.delete(event.path);
  if (event.last) loop.exhausted = true;
  if (loop.results !== undefined) loop.results[event.index] = value;
  if (event.index > loop.lastIndex) {
    loop.lastIndex = event.index;
    loop.last = value;
  }
  publish(state, scope, loop);
  recheckHeld(state);
  updateLoopReadiness(state, loop);
}

/** An iteration of a listener failed, or never started because its line was invalid. */
export function endFailedPass(state: RunState, event: Extract<RunEvent, { type: "pass.failed" }>): void {
  const loop = loopAt(state, event.path, event.index);
  const scope = loop.active.get(event.index);
  passFailed(loop, event);
  if (scope !== undefined) {
    loop.active.delete(event.index);
    state.passesToEnd.delete(event.path);
    publish(state, scope, loop);
    recheckHeld(state);
  }
  updateLoopReadiness(state, loop);
}

/** Called when the loop's end node has its value. */
export function closeLoop(state: RunState, scope: Scope, start: number): void {
  const loop = scope.loops.get(start);
  if (loop !== undefined) state.loopsToDo.delete(loop.path);
  scope.loops.delete(start);
}

/** Its `while` or `until`. */
function conditionOf({ data }: WorkflowNode): string | undefined {
  return "while" in data ? data.while : "until" in data ? data.until : undefined;
}

/** How many iterations of a loop may run in parallel. */
export function passesAtATime(state: RunState, start: number): number {
  const { node } = state.graph.nodes[start]!;
  const loop = state.graph.loops.get(start);
  if (loop === undefined) return impossible(`node ${start} is not a loop start`);
  const end = state.graph.nodes[loop.end]?.node;
  const asks = conditionOf(node) !== undefined || (end !== undefined && conditionOf(end) !== undefined);
  const most = "maxConcurrency" in node.data ? node.data.maxConcurrency : undefined;
  return asks || loop.sequential ? 1 : (most ?? 1);
}

/** Notes whether an iteration may start now, or the loop may close. */
export function updateLoopReadiness(state: RunState, loop: LoopState): void {
  if (loop.listener !== undefined) noteWaiting(state, loop);
  const isThere = loop.listener === undefined || (loop.listener.gates === 0 && loop.listener.queue.has(loop.next));
  const toStart = isThere && !loop.exhausted && loop.active.size < passesAtATime(state, loop.start);
  const toClose = loop.exhausted && loop.active.size === 0;
  if (state.ending === undefined && (toStart || toClose)) state.loopsToDo.set(loop.path, loop);
  else state.loopsToDo.delete(loop.path);
}

/**
 * A variable keeps its value of the last iteration, or is empty if it was skipped there. An accumulator keeps the
 * longest list.
 */
function publish(state: RunState, pass: Scope, loop: LoopState): void {
  const { published } = loop.scope;
  const isLast = pass.index >= loop.lastIndex && pass.failed === undefined;
  for (const index of state.graph.loops.get(loop.start)!.handsOn) {
    const own = pass.nodes.get(index);
    if (kindOf(state.graph.nodes[index]!.node).effect === "collects") {
      const value = own === undefined ? pass.published.get(index) : own.status === "succeeded" ? own.value : undefined;
      if (value !== undefined && countOf(value) >= countOf(published.get(index))) published.set(index, value);
    } else if (isLast) {
      const value = own === undefined ? pass.published.get(index) : own.value;
      if (value === undefined) published.delete(index);
      else published.set(index, value);
    }
  }
}

function countOf(value: Value | undefined): number {
  return value !== undefined && "joined" in value ? value.count : 0;
}

/** Live from the start: no edge leads to it, or the loop's start does, or a taken edge from outside the iteration. */
function entersLive(state: RunState, scope: Scope, drawn: GraphNode): boolean {
  if (drawn.parents.length === 0) return true;
  return drawn.parents.some(({ source, handle }) => {
    const from = state.graph.nodes[source]!;
    if (from.loop === drawn.loop) return false;
    for (let around: Scope | undefined = scope; around !== undefined; around = around.outer) {
      if (around.loop?.start === source) return true;
      const node = around.nodes.get(source);
      if (node !== undefined) return isTaken(from, node, handle);
    }
    return false;
  });
}

/** The value of a node as the iteration sees it, by path. */
function scopedValue(state: RunState, from: Scope, path: string): Value | undefined {
  const index = state.graph.indexOf.get(path.split("[", 1)[0] ?? "") ?? -1;
  for (let scope: Scope | undefined = from; scope !== undefined; scope = scope.outer) {
    const node = scope.nodes.get(index);
    if (node !== undefined) return node.value;
  }
  return undefined;
}

function loopAt(state: RunState, passPath: string, index: number): LoopState {
  const end = passPath.lastIndexOf("[");
  if (passPath.slice(end) !== `[${index}]`) return impossible(`pass ${index} at "${passPath}"`);
  return loopOpenAt(state, passPath.slice(0, end));
}
