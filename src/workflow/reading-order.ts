// reading-order: lists the nodes of a graph as lines from top to bottom, with loops as boxes. Pure.

import type { Graph, GraphNode, Stage } from "./graph.ts";
import { kindOf } from "./kinds/index.ts";

export interface Line {
  node: GraphNode;
  /** One `│ ` per open loop around it. */
  bars: string;
  sign: string;
}

/** Each node comes after everything it waits for. Chains and loop bodies stay together; otherwise in file order. */
export function inReadingOrder(graph: Graph): Line[] {
  const lines: Line[] = [];
  const open: { scope: number; bars: string; todo: number[] }[] = [{ scope: -1, bars: "", todo: orderOf(-1, graph) }];
  for (let scope = open.at(-1); scope !== undefined; scope = open.at(-1)) {
    const index = scope.todo.shift();
    if (index === undefined) {
      open.pop();
      const end = graph.loops.get(scope.scope)?.end ?? -1;
      if (end !== -1) lines.push({ node: graph.nodes[end]!, bars: scope.bars.slice(0, -2), sign: "╰─" });
      continue;
    }
    const node = graph.nodes[index]!;
    const isLoop = graph.loops.has(index);
    lines.push({ node, bars: scope.bars, sign: isLoop ? "╭─" : (kindOf(node.node).sign ?? "●") });
    if (isLoop) open.push({ scope: index, bars: `${scope.bars}│ `, todo: orderOf(index, graph) });
  }
  return lines;
}

/** The nodes of one scope, with an inner loop as its start only. Depth first, as far as waits allow. */
function orderOf(scope: number, graph: Graph): number[] {
  const members = graph.nodes.filter((node) => node.loop === scope && !graph.startOf.has(node.index));
  const entry = (index: number): number => graph.startOf.get(index) ?? index;
  const known = new Set(members.map((node) => node.index));
  const open = new Map<number, number>();
  const next = new Map<number, number[]>(members.map((node) => [node.index, []]));
  for (const node of members) {
    const end = graph.loops.get(node.index)?.end ?? -1;
    const sources = [
      ...node.sources,
      ...(end === -1 ? [] : graph.nodes[end]!.sources),
      ...(node.finally ? node.parents.map((parent) => parent.source) : []),
    ];
    const before = new Set(sources.map(entry).filter((source) => known.has(source) && source !== node.index));
    open.set(node.index, before.size);
    for (const source of before) next.get(source)!.push(node.index);
  }
  // Nodes at the end come last.
  const byStage: Record<Stage, number[]> = { nodes: [], onFailure: [], finally: [] };
  const stack = members
    .filter((node) => open.get(node.index) === 0)
    .map((node) => node.index)
    .reverse();
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    byStage[graph.nodes[index]!.stage].push(index);
    for (const child of next.get(index)!.toReversed()) {
      open.set(child, open.get(child)! - 1);
      if (open.get(child) === 0) stack.push(child);
    }
  }
  return [...byStage.nodes, ...byStage.onFailure, ...byStage.finally];
}
