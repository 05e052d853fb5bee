// scope: resolves what a node can read: its parents' values, the loop variables around it, and the variables it names
// (spec 1.2, 1.3).
//   C1. A name means the innermost loop variable, otherwise a Variable or Accumulator. The caller resolves inputs and
//       environment.
//   C2. A variable is read from the iteration around the reader. If it is in another loop, its value of that loop's
//       last iteration counts. If it is downstream in the same loop, its value of the previous iteration counts.

import { impossible } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import { isCommand } from "../workflow/graph.ts";
import { emitsLines } from "../workflow/node-fields.ts";
import { isTaken } from "./node-transitions.ts";
import { indexesOf, type LoopState, type NodeState, type RunState, type Scope, scopeAt, stateAt } from "./state.ts";

export interface Parent {
  id: string;
  /** Absent for a loop start seen from its own body. */
  path?: string;
  value: Value;
  live: boolean;
  exitCode?: number;
  status?: number;
  headers?: Record<string, string>;
}

/**
 * Where a field is read: a node in its scope. For a loop end that is the iteration; for a `while`, the scope around the
 * loop.
 */
export interface Place {
  node: number;
  scope: Scope;
}

export function placeAt(state: RunState, path: string): Place {
  const node = stateAt(state, path) ?? impossible(`no node at "${path}"`);
  return { node: node.node, scope: node.scope };
}

/** The place of a loop's end inside one of its iterations. `passPath`: `pages[2]`. */
export function placeInPass(state: RunState, passPath: string): Place {
  const start = state.graph.indexOf.get(passPath.split("[", 1)[0] ?? "") ?? -1;
  const loop = state.graph.loops.get(start) ?? impossible(`"${passPath}" is not a loop`);
  const scope = scopeAt(state, [...state.graph.nodes[start]!.loops, start], indexesOf(passPath));
  return { node: loop.end, scope: scope ?? impossible(`pass "${passPath}" is not open`) };
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
export function parentsOf(state: RunState, place: Place): Parent[] {
  return state.graph.nodes[place.node]!.parents.map(({ source, handle }) => {
    const from = state.graph.nodes[source]!;
    for (let scope: Scope | undefined = place.scope; scope !== undefined; scope = scope.outer) {
      if (scope.loop?.start === source) return { id: from.id, value: current(scope), live: true };
      const node = scope.nodes.get(source);
      if (node === undefined) continue;
      const live = isTaken(from, node, handle);
      const value = !live ? EMPTY : handle === "error" ? failureValue(node) : node.value;
      // A command that did not run or ended without a code did not succeed, so `exitCode = 0` must not hold.
      const exitCode = node.exitCode ?? (isCommand(from.node) && node.status !== "succeeded" ? -1 : undefined);
      return {
        id: from.id,
        path: node.path,
        value,
        live,
        ...node.answer,
        ...(exitCode === undefined ? {} : { exitCode }),
      };
    }
    return { id: from.id, value: EMPTY, live: false };
  });
}

/**
 * The value of a Variable, Accumulator or loop variable by name. `initial` when no iteration has set it yet; undefined
 * when nothing has that name.
 */
export function lookup(state: RunState, place: Place, name: string): Value | { initial: string } | undefined {
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

/** Loop counters and items in scope, the innermost of each name. */
export function loopVariables(state: RunState, place: Place): Record<string, Value> {
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
 * The value of a loop's end: the last iteration's value, or an array of all for a for-each loop. Empty without an
 * iteration (1.2).
 */
export function loopResult(loop: LoopState): Value {
  if (loop.results === undefined || loop.results.length === 0) return loop.last;
  return { joined: "json", parts: loop.results, count: loop.results.length };
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
  return {
    initial: ("initialValue" in node.data ? node.data.initialValue : undefined) ?? "",
  };
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
  return { text: JSON.stringify(node.failure ?? {}) };
}
