// graph-names: the effect of naming a value on the order of nodes: a wait, or a variable's value of the previous iteration
// (spec 1.2, 8.1, G1 of graph.ts).
//   A1. A name is carried if edges lead from its reader to the variable within a loop around both. It makes the loop
//       sequential.
//   A2. A variable in a loop that does not contain the reader is read when that loop has ended. A node in such a loop
//       can't be named by its id.

import type { Graph, GraphNode, GraphProblem, Loop } from "./graph.ts";
import { addGate } from "./graph-listeners.ts";
import { loopNames } from "./graph-loops.ts";
import { findCycle, inOrder, isLater } from "./graph-order.ts";
import { kindOf } from "./kinds/index.ts";
import { namesUsed } from "./names-used.ts";
import { staticsOf, variableName } from "./node-fields.ts";

export function namedNodes(nodes: readonly GraphNode[]): Map<string, number> {
  const named = new Map<string, number>();
  for (const { node, index } of nodes) {
    const name = variableName(node);
    if (name !== undefined && !named.has(name)) named.set(name, index);
  }
  return named;
}

interface Use {
  reader: GraphNode;
  name: string;
  source: GraphNode;
  /** Innermost loop around both; -1 without one. */
  shared: number;
  /** Seen from inside `shared`: the variable itself, or the end of the loop that contains it. */
  behind: number;
  /** A `while` condition is evaluated between iterations: a name from its own body means the previous iteration. */
  own: boolean;
}

/** Adds `waits`, `waiters` and `carried` for every name of a Variable or Accumulator. */
export function addWaits(graph: Graph, order: readonly number[], problems: GraphProblem[]): void {
  const { nodes } = graph;
  const uses = nodes.flatMap((reader) => usesOf(reader, graph));
  const ahead = leadingAhead(uses, nodes, order);
  const known = new Set<string>();
  for (const use of uses) {
    const { reader, source, behind, shared } = use;
    if (use.own || reader.index === behind || ahead.has(use)) {
      carry(use, graph, problems);
      continue;
    }
    if (isLater(source.stage, reader.stage))
      problems.push({ problem: "name-from-finally", node: reader.id, named: use.name });
    if (behind !== source.index) handOn(source, shared, graph, "behind");
    if (known.has(`${reader.index} ${behind}`)) continue;
    known.add(`${reader.index} ${behind}`);
    wait(reader, nodes[behind]!);
  }
  for (const reader of nodes)
    if (reader.parents.some(({ reference }) => reference !== true)) waitForReferred(reader, graph, problems);
  waitBeforeLoops(graph);
  const next = (node: GraphNode): number[] =>
    node.waiters.length + node.gateOf.length === 0
      ? node.children
      : [...node.children, ...node.waiters, ...node.gateOf.filter((listener) => !nodes[listener]!.finally)];
  const placed = inOrder(nodes, next);
  if (placed.length < nodes.length)
    problems.push({ problem: "cycle", nodes: findCycle(nodes, placed, next), named: "" });
}

function usesOf(reader: GraphNode, graph: Graph): Use[] {
  const uses: Use[] = [];
  for (const use of namesUsed(reader.node)) {
    const source = graph.nodes[graph.named.get(use.name) ?? -1];
    if (source === undefined || isShadowed(reader, use, graph)) continue;
    const own = use.where === "while" && source.loops.includes(reader.index);
    const shared = own ? reader.index : sharedLoop(placeOf(reader, use, graph), source.loops);
    const behind = exitOf(source, shared, graph);
    // `until` is evaluated at the end of the iteration, when everything in it is finished or skipped.
    if (use.where === "until" && graph.startOf.get(reader.index) === shared) {
      if (behind !== source.index) handOn(source, shared, graph, "behind");
      continue;
    }
    uses.push({ reader, name: use.name, source, shared, behind, own });
  }
  return uses;
}

function wait(reader: GraphNode, source: GraphNode): void {
  reader.waits.push(source.index);
  source.waiters.push(reader.index);
}

/** Nodes that it names by id, if an edge leads to it. A cycle is found with those of the variables. */
function waitForReferred(reader: GraphNode, graph: Graph, problems: GraphProblem[]): void {
  const around = placeOf(reader, { where: graph.startOf.has(reader.index) ? "until" : "" }, graph);
  for (const { source: index } of reader.refers.values()) {
    const source = graph.nodes[index]!;
    const shared = sharedLoop(around, source.loops);
    const inner = innerLoop(source, shared, graph) ?? graph.loops.get(index);
    if (inner !== undefined && !around.includes(inner.start) && !(inner.listener && inner.start === index))
      problems.push({ problem: "reference-into-loop", node: reader.id, named: source.id, loop: inner.start });
    else if (isLater(source.stage, reader.stage))
      problems.push({ problem: "name-from-finally", node: reader.id, named: source.id });
    else if (shared === graph.startOf.get(reader.index))
      continue; // It is evaluated at the end of the iteration.
    else if (!reader.waits.includes(index) && !reader.parents.some((parent) => parent.source === index))
      wait(reader, source);
  }
}

/** Uses the previous iteration's value, because the variable is downstream of the node that names it. */
function carry({ reader, name, source, shared }: Use, graph: Graph, problems: GraphProblem[]): void {
  if (shared === -1) {
    // An accumulator that names itself reads its values so far.
    if (source.index !== reader.index || kindOf(reader.node).effect !== "collects")
      problems.push({ problem: "cycle", nodes: [reader.id, source.id, reader.id], named: name });
    return;
  }
  (graph.carried as Map<string, number>).set(`${reader.id} ${name}`, shared);
  const loop = graph.loops.get(shared);
  if (loop !== undefined) loop.sequential = true;
  handOn(source, shared, graph, "carried");
}

/** Uses whose reader leads to the named node. One backward walk over the edges answers 31 targets, one bit each. */
function leadingAhead(uses: readonly Use[], nodes: readonly GraphNode[], order: readonly number[]): Set<Use> {
  const position = new Int32Array(nodes.length);
  for (const [at, index] of order.entries()) position[index] = at;
  const open = uses.filter(({ reader, behind }) => position[behind]! > position[reader.index]!);
  const targets = [...new Set(open.map(({ behind }) => behind))];
  const ahead = new Set<Use>();
  for (let from = 0; from < targets.length; from += 31) {
    const lot = new Map(targets.slice(from, from + 31).map((target, bit) => [target, 1 << bit]));
    const leadsTo = new Int32Array(nodes.length);
    for (const [target, bit] of lot) leadsTo[target] = bit;
    for (let at = order.length - 1; at >= 0; at--) {
      const index = order[at]!;
      for (const child of nodes[index]!.children) leadsTo[index]! |= leadsTo[child]!;
    }
    for (const use of open) if ((leadsTo[use.reader.index]! & (lot.get(use.behind) ?? 0)) !== 0) ahead.add(use);
  }
  return ahead;
}

/**
 * A loop starts when every source of its body from outside is finished or skipped, so an iteration never waits for
 * nodes outside.
 */
function waitBeforeLoops(graph: Graph): void {
  const { nodes } = graph;
  const known = new Set<string>();
  for (const node of nodes) {
    const closed = graph.startOf.get(node.index);
    const inside = closed === undefined ? node.loops : graph.loops.get(closed)!.inside;
    if (inside.length === 0) continue;
    for (const source of [...node.parents.map((parent) => parent.source), ...node.waits]) {
      const from = graph.loops.get(source)?.inside ?? nodes[source]!.loops;
      // The outermost loop that does not contain the source waits for it; inner ones start later anyway.
      const loop = inside.find((around, depth) => from[depth] !== around);
      if (loop === undefined || known.has(`${loop} ${source}`) || nodes[loop]!.waits.includes(source)) continue;
      known.add(`${loop} ${source}`);
      const listener = graph.loops.get(loop)!;
      if (listener.listener) {
        addGate(graph, listener, source);
        continue;
      }
      wait(nodes[loop]!, nodes[source]!);
    }
  }
}

/** The loops around the place where a field is read: `until` is read inside its loop, all other fields at the node. */
function placeOf(node: GraphNode, use: { where: string }, graph: Graph): readonly number[] {
  const closed = use.where === "until" ? graph.startOf.get(node.index) : undefined;
  return closed === undefined ? node.loops : graph.loops.get(closed)!.inside;
}

function sharedLoop(one: readonly number[], other: readonly number[]): number {
  let shared = -1;
  for (let depth = 0; depth < one.length && one[depth] === other[depth]; depth++) shared = one[depth]!;
  return shared;
}

/** Seen from inside `shared`: the node itself, or the end of the loop that contains it. A listener is its own end. */
function exitOf(source: GraphNode, shared: number, graph: Graph): number {
  const loop = innerLoop(source, shared, graph);
  return loop === undefined ? source.index : loop.listener ? loop.start : loop.end;
}

/** Every loop between the reader and the variable keeps the variable's last value when an iteration is over. */
function handOn(source: GraphNode, shared: number, graph: Graph, how: "carried" | "behind"): void {
  const depth = source.loops.indexOf(shared);
  for (const loop of source.loops.slice(how === "carried" ? depth : depth + 1)) {
    const { handsOn } = graph.loops.get(loop)!;
    if (!handsOn.includes(source.index)) handsOn.push(source.index);
  }
}

function innerLoop(source: GraphNode, shared: number, graph: Graph): Loop | undefined {
  return graph.loops.get(source.loops[shared === -1 ? 0 : source.loops.indexOf(shared) + 1] ?? -1);
}

/**
 * A loop variable around the node hides a Variable of that name. So does a name in the node's env.static, for its
 * content.
 */
function isShadowed(node: GraphNode, use: { name: string; where: string }, graph: Graph): boolean {
  if (use.where === "own" && Object.hasOwn(staticsOf(node.node), use.name)) return true;
  return placeOf(node, use, graph).some((loop) => loopNames(graph.nodes[loop]!.node).includes(use.name));
}
