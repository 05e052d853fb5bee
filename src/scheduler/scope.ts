// scope: resolves what a node can read: its parents' values, the loop variables around it, and the variables and nodes it
// names (spec 1.2, 1.3, 8.1).
//   C1. A name means the innermost loop variable, otherwise a Variable or Accumulator. The caller resolves inputs and
//       environment.
//   C2. A variable is read from the iteration around the reader. If it is in another loop, its value of that loop's
//       last iteration counts. If it is downstream in the same loop, its value of the previous iteration counts.

import type { Failure } from "../base/failure.ts";
import { impossible } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import { type Graph, isCommand } from "../workflow/graph.ts";
import { emitsLines } from "../workflow/node-fields.ts";
import { isTaken } from "./node-transitions.ts";
import { indexesOf, type LoopState, type NodeState, type RunState, type Scope, scopeAt, stateAt } from "./state.ts";

export interface Parent {
  id: string;
  /** Absent for a loop start seen from its own body. */
  path?: string;
  value: Value;
  live: boolean;
  reference?: true;
  exitCode?: number;
  status?: number;
  headers?: Record<string, string>;
}

/**
 * Where a field is read: a node in its scope. For a loop end that is the iteration; for a `while`, the scope around the
 * loop.
 */
export interface ScopedNode {
  node: number;
  scope: Scope;
}

export function placeAt(state: RunState, path: string): ScopedNode {
  const node = stateAt(state, path) ?? impossible(`no node at "${path}"`);
  return { node: node.node, scope: node.scope };
}

/** The place of a loop's end inside one of its iterations. `passPath`: `pages[2]`. */
export function placeInPass(state: RunState, passPath: string): ScopedNode {
  const start = state.graph.indexOf.get(passPath.split("[", 1)[0] ?? "") ?? -1;
  const loop = state.graph.loops.get(start) ?? impossible(`"${passPath}" is not a loop`);
  return { node: loop.end, scope: passAt(state, passPath) };
}

/** An open iteration. `path`: `listen[2]`. */
export function passAt(state: RunState, path: string): Scope {
  const start = state.graph.indexOf.get(path.split("[", 1)[0] ?? "") ?? -1;
  const loops = [...(state.graph.nodes[start]?.loops ?? []), start];
  return scopeAt(state, loops, indexesOf(path)) ?? impossible(`pass "${path}" is not open`);
}

export function loopOpenAt(state: RunState, path: string): LoopState {
  const start = state.graph.indexOf.get(path.split("[", 1)[0] ?? "") ?? -1;
  const scope = scopeAt(state, state.graph.nodes[start]?.loops ?? [], indexesOf(path));
  return scope?.loops.get(start) ?? impossible(`loop "${path}" is not open`);
}

/** In file order of the edges; `${1}` is index 0. */
export function parentsOf(state: RunState, place: ScopedNode): Parent[] {
  return state.graph.nodes[place.node]!.parents.map(({ source, handle, reference }) => {
    const from = state.graph.nodes[source]!;
    for (let scope: Scope | undefined = place.scope; scope !== undefined; scope = scope.outer) {
      if (scope.loop?.start === source) return { id: from.id, value: current(scope), live: true, reference };
      const node = scope.nodes.get(source);
      if (node === undefined) continue;
      const live = isTaken(from, node, handle);
      const value = !live ? EMPTY : handle === "error" ? failureValue(node) : node.value;
      // A command that did not run or ended without a code did not succeed, so `exitCode = 0` must not hold.
      const exitCode = node.exitCode ?? (isCommand(from.node) && node.status !== "succeeded" ? -1 : undefined);
      return { id: from.id, path: node.path, value, live, reference, ...node.answer, exitCode };
    }
    return { id: from.id, value: EMPTY, live: false };
  });
}

/** `of`: the node that failed. Absent if its iteration is over. */
export interface SeenFailure {
  node: string;
  failure: Failure;
  of?: NodeState;
}

/** At the end of the run its first failure, in an error branch that of its node. */
export function failureAt(state: RunState, place: ScopedNode): SeenFailure | undefined {
  const { nodes, workflow } = state.graph;
  if (nodes[place.node]!.finally) {
    const { failure, failedNode: of, ending } = state;
    if (failure !== undefined) return { node: failure.node, failure: failure.failure, of };
    if (ending !== "timed-out") return undefined;
    const message = `Curlew stopped the run after ${workflow.timeout}, its time limit.`;
    return { node: "", failure: { code: "run-timed-out", message } };
  }
  const of = nodes[place.node]!.inErrorBranch ? failedBefore(state, place) : undefined;
  return of?.failure === undefined ? undefined : { node: nodes[of.node]!.id, failure: of.failure, of };
}

/** The failed node whose error edge leads here. */
function failedBefore({ graph }: RunState, place: ScopedNode): NodeState | undefined {
  const open = [place];
  const seen = new Set<number>();
  for (const at of open) {
    if (seen.has(at.node)) continue;
    seen.add(at.node);
    for (const { source, handle } of graph.nodes[at.node]!.parents) {
      const from = graph.nodes[source]!;
      let scope: Scope | undefined = at.scope;
      while (scope !== undefined && !scope.nodes.has(source)) scope = scope.outer;
      const node = scope?.nodes.get(source);
      if (node === undefined || !isTaken(from, node, handle)) continue;
      if (handle === "error") return node;
      if (from.inErrorBranch) open.push(node);
    }
  }
  return undefined;
}

/**
 * The value of a Variable, Accumulator or loop variable by name. `initial` when no iteration has set it yet; undefined
 * when nothing has that name.
 */
export function lookup(state: RunState, place: ScopedNode, name: string): Value | { initial: string } | undefined {
  const { graph } = state;
  const loop = loopValue(place.scope, name, state);
  if (loop !== undefined) return loop;
  const named = graph.named.get(name);
  if (named === undefined) return undefined;
  const reader = graph.nodes[place.node]!;
  const carriedBy = graph.carried.get(`${reader.id} ${name}`);
  if (carriedBy !== undefined) return carried(state, place.scope, carriedBy, named);
  const { loops } = graph.nodes[named]!;
  let scope = place.scope;
  // The innermost iteration that contains both reader and variable. It has the variable, or the loop around the
  // variable was closed in it.
  while (scope.outer !== undefined && loops[scope.indexes.length - 1] !== scope.loop?.start) scope = scope.outer;
  const node = scope.nodes.get(named);
  if (node !== undefined) return named === place.node ? collectedSoFar(state, node) : node.value;
  const published = scope.published.get(named);
  if (published !== undefined) return published;
  return initialOf(state, named);
}

/** The value of a node by its id, in the iteration around the reader. `absent`: why it has no value. */
export function valueById(state: RunState, place: ScopedNode, id: string): { value: Value } | { absent: string } {
  const index = state.graph.indexOf.get(id) ?? impossible(`no node "${id}"`);
  for (let scope: Scope | undefined = place.scope; scope !== undefined; scope = scope.outer) {
    if (scope.loop?.start === index) return { value: current(scope) };
    const node = scope.nodes.get(index);
    if (node === undefined) continue;
    return isTaken(state.graph.nodes[index]!, node, undefined)
      ? { value: node.value }
      : { absent: whyAbsent(state, node) };
  }
  return { absent: `"${id}" has not run` };
}

/** Says why a node has no value. For a skipped one: the branch that was taken instead. */
function whyAbsent(state: RunState, node: NodeState): string {
  const { id } = state.graph.nodes[node.node]!;
  if (node.status !== "skipped") return `"${id}" ${node.status === "pending" ? "has not run" : SAID[node.status]}`;
  const seen = new Set([node]);
  for (const at of seen)
    for (const { source, handle } of state.graph.nodes[at.node]!.parents) {
      const drawn = state.graph.nodes[source]!;
      const from = node.scope.nodes.get(source);
      if (from?.branch !== undefined && handle !== undefined && String(from.branch) !== handle)
        return `"${id}" was skipped, because "${drawn.id}" took the branch ${from.branch}`;
      if (from?.status === "succeeded" && handle === "error")
        return `"${id}" was skipped, because "${drawn.id}" succeeded`;
      if (from?.status === "failed") return `"${id}" was skipped, because "${drawn.id}" failed`;
      if (from?.status === "skipped") seen.add(from);
    }
  return `"${id}" was skipped`;
}

const SAID = {
  waiting: "has not finished",
  running: "has not finished",
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "was cancelled",
} as const;

/** Loop counters and items in scope, the innermost of each name. */
export function loopVariables(state: RunState, place: ScopedNode): Record<string, Value> {
  const values: Record<string, Value> = Object.create(null);
  for (let scope: Scope | undefined = place.scope; scope?.loop !== undefined; scope = scope.outer) {
    for (const [name, value] of namesOf(scope, state)) if (!(name in values)) values[name] = value;
  }
  return values;
}

/** How many values an accumulator has collected. */
export function collectedCount(state: RunState, node: number): number {
  return state.collected.get(node)?.length ?? 0;
}

/**
 * The value of a loop's end: the last iteration's value, or an array of all for a for-each loop or with `collect`.
 * Without an iteration it is empty, with `collect` an empty array (1.2).
 */
export function loopResult(loop: LoopState, { graph }: RunState): Value {
  if (loop.results === undefined) return loop.last;
  if (loop.results.length === 0 && !collects(graph, loop.end)) return loop.last;
  return { joined: "json", parts: loop.results, count: loop.results.length };
}

/** Whether the loop that ends here gives the values of all its iterations. */
export function collects({ nodes }: Graph, end: number): boolean {
  const node = nodes[end]?.node;
  return node !== undefined && "collect" in node.data && node.data.collect === true;
}

function carried(state: RunState, from: Scope, loop: number, named: number): Value | { initial: string } {
  for (let scope: Scope | undefined = from; scope !== undefined; scope = scope.outer) {
    const around = scope.loop?.start === loop ? scope.outer : scope.loops.has(loop) ? scope : undefined;
    const published = around?.published.get(named);
    if (published !== undefined) return published;
    if (around !== undefined) break;
  }
  return initialOf(state, named);
}

function initialOf(state: RunState, named: number): { initial: string } {
  const { node } = state.graph.nodes[named]!;
  return { initial: ("initialValue" in node.data ? node.data.initialValue : undefined) ?? "" };
}

function collectedSoFar(state: RunState, node: NodeState): Value {
  const parts = state.collected.get(node.node);
  return parts === undefined ? node.value : { joined: "lines", parts, count: parts.length };
}

function loopValue(from: Scope, name: string, state: RunState): Value | undefined {
  for (let scope: Scope | undefined = from; scope?.loop !== undefined; scope = scope.outer) {
    for (const [own, value] of namesOf(scope, state)) if (own === name) return value;
  }
  return undefined;
}

function namesOf(scope: Scope, state: RunState): [string, Value][] {
  const start = state.graph.nodes[scope.loop?.start ?? -1]?.node;
  if (start !== undefined && emitsLines(start)) return [["i", { text: String(scope.counter) }]];
  if (start?.type !== "loop-start") return [];
  const names: [string, Value][] = [[start.data.loopVariable ?? "i", { text: String(scope.counter) }]];
  if (scope.item !== undefined) names.push([start.data.as ?? "item", scope.item]);
  return names;
}

/** The value of a loop start for its body: the item of a for-each loop, otherwise the counter. */
function current(scope: Scope): Value {
  return scope.item ?? { text: String(scope.counter) };
}

/** The value of an `error` edge: the failure as JSON (3.1). */
function failureValue(node: NodeState): Value {
  const { printed: _, answer, ...failure } = node.failure ?? { code: "", message: "" };
  return { text: JSON.stringify({ ...failure, status: node.answer?.status ?? answer?.status }) };
}
