// graph-loops: determines which node is in which loop, and whether every loop is closed (spec 1.2, G2 of graph.ts).

import { limits } from "../base/limits.ts";
import type { GraphNode, GraphProblem, Loop } from "./graph.ts";
import { beginsListener } from "./graph-listeners.ts";
import { kindOf } from "./kinds/index.ts";
import type { WorkflowNode } from "./model.ts";
import { emitsLines } from "./node-fields.ts";

/** The part of a graph that is known so far. */
interface Drawn {
  nodes: readonly GraphNode[];
  loops: Map<number, Loop>;
  startOf: Map<number, number>;
  problems: GraphProblem[];
}

/** Assigns a node to its loops, by the deepest of its parents. Its parents must be assigned already. */
export function enterLoops(node: GraphNode, drawn: Drawn): void {
  const { nodes, loops, problems } = drawn;
  // A value from a loop's body does not put it in the loop. checkFinally rejects such an edge.
  if (node.finally) return;
  const inside = node.parents.map(({ source, handle }) => insideOf(nodes[source]!, loops, handle));
  let deepest: readonly number[] = inside.reduce((one, other) => (other.length > one.length ? other : one), []);
  // A loop has one chain of loops around it, so comparing the innermost loop is enough.
  const other = inside.find((chain) => chain.length > 0 && deepest[chain.length - 1] !== chain.at(-1));
  if (other !== undefined && node.parents[0]?.reference === true)
    problems.push({ ...intoLoop(node, node.parents[inside.indexOf(other)]!, nodes), loop: other.at(-1)! });
  else if (other !== undefined)
    problems.push({
      problem: "edges-from-two-loops",
      node: node.id,
      loops: [deepest.at(-1)!, other.at(-1)!].map((loop) => nodes[loop]!.id),
    });
  if (node.node.type === "loop-end") deepest = close(node, deepest, drawn);
  node.loops = deepest;
  node.loop = deepest.at(-1) ?? -1;
  if (emitsLines(node.node)) {
    const around = nodes[node.loop];
    if (around === undefined && beginsListener(node)) loops.set(node.index, loopOf(node, true));
    else if (around !== undefined)
      problems.push({
        problem: "listener-in-loop",
        node: node.id,
        loop: around.id,
        listener: loops.get(around.index)?.listener === true,
      });
  }
  if (node.node.type === "loop-start" && deepest.length >= limits.loopDepthMax)
    problems.push({ problem: "loops-too-deep", node: node.id });
  else if (node.node.type === "loop-start") loops.set(node.index, loopOf(node, false));
}

function loopOf({ index, loop, loops }: GraphNode, listener: boolean): Loop {
  const inside = [...loops, index];
  return { start: index, end: -1, listener, gates: [], parent: loop, inside, body: [], sequential: false, handsOn: [] };
}

/** A finally node runs once: it cannot be in a loop, and may take values only where a loop has ended. */
export function checkFinally(node: GraphNode, { nodes, loops, problems }: Drawn): void {
  const fromLoop = node.parents.find(({ source }) => isInLoop(nodes[source]!, loops));
  if (fromLoop?.reference === true) problems.push(intoLoop(node, fromLoop, nodes));
  else if (fromLoop !== undefined || kindOf(node.node).effect === "loop")
    problems.push({ problem: "finally-in-loop", node: node.id });
}

/** A listener is not a loop here: a finally node may take its output, because it is over by then. */
function isInLoop(node: GraphNode, loops: ReadonlyMap<number, Loop>): boolean {
  const own = loops.get(node.index);
  return node.loops.length > 0 || (own !== undefined && !own.listener);
}

/** The loops that an edge out of this node is in. */
function insideOf(node: GraphNode, loops: ReadonlyMap<number, Loop>, handle: string | undefined): readonly number[] {
  const own = loops.get(node.index);
  return own === undefined || (own.listener && handle === "error") ? node.loops : own.inside;
}

function close(
  end: GraphNode,
  deepest: readonly number[],
  { nodes, loops, startOf, problems }: Drawn,
): readonly number[] {
  const loop = loops.get(deepest.at(-1) ?? -1);
  if (loop === undefined || loop.listener) {
    problems.push({ problem: "end-without-start", node: end.id });
    return deepest;
  }
  if (loop.end !== -1)
    problems.push({
      problem: "loop-with-two-ends",
      node: end.id,
      loop: nodes[loop.start]!.id,
      other: nodes[loop.end]!.id,
    });
  else {
    loop.end = end.index;
    startOf.set(end.index, loop.start);
  }
  return nodes[deepest.at(-1) ?? -1]?.loops ?? [];
}

/** G2: the end is reachable from every node of the body. An edge to a node that does not reach it leaves the loop. */
export function checkBody(loop: Loop, { nodes, problems }: Drawn): void {
  const start = nodes[loop.start]!;
  if (loop.end === -1) {
    problems.push({ problem: "loop-without-end", node: start.id });
    return;
  }
  const leads = new Set([loop.end]);
  const queue = [loop.end];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const { source } of nodes[at]!.parents) {
      if (leads.has(source) || (source !== loop.start && !liesIn(nodes[source]!, loop))) continue;
      leads.add(source);
      if (source !== loop.start) queue.push(source);
    }
  }
  for (const source of leads) {
    if (source === loop.end) continue;
    for (const child of nodes[source]!.children) {
      if (leads.has(child) || !liesIn(nodes[child]!, loop)) continue;
      for (const parent of nodes[child]!.parents)
        if (parent.source === source)
          problems.push(
            parent.reference === true
              ? { ...intoLoop(nodes[child]!, parent, nodes), loop: loop.start }
              : { problem: "edge-leaves-loop", edge: parent.edge, loop: start.id, end: nodes[loop.end]?.id },
          );
    }
  }
}

function intoLoop(node: GraphNode, { source }: { source: number }, nodes: readonly GraphNode[]) {
  const { id, loops } = nodes[source]!;
  return { problem: "reference-into-loop" as const, node: node.id, named: id, loop: loops[0] ?? source };
}

/** A loop has the same depth in the chain of every node inside it. */
function liesIn(node: GraphNode, loop: Loop): boolean {
  return node.loops[loop.inside.length - 1] === loop.start;
}

/** Names that a loop provides to its body. */
export function loopNames(node: WorkflowNode): string[] {
  if (emitsLines(node)) return ["i"];
  if (node.type !== "loop-start") return [];
  const counter = node.data.loopVariable ?? "i";
  return node.data.items === undefined ? [counter] : [node.data.as ?? "item", counter];
}
