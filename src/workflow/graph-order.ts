// graph-order: sorts nodes so that every source comes before its targets, or finds a cycle.

import type { GraphNode, Stage } from "./graph.ts";

const STAGES: readonly Stage[] = ["nodes", "onFailure", "finally"];

/** Whether nodes of the one stage run after those of the other. */
export const isLater = (one: Stage, other: Stage): boolean => STAGES.indexOf(one) > STAGES.indexOf(other);

/** Nodes sorted so that sources come before targets. Nodes on a cycle and nodes after one are left out. */
export function inOrder(nodes: readonly GraphNode[], next: (node: GraphNode) => readonly number[]): number[] {
  const open = new Array<number>(nodes.length).fill(0);
  for (const node of nodes) for (const child of next(node)) open[child]! += 1;
  const order = nodes.filter((node) => open[node.index] === 0).map((node) => node.index);
  for (let at = 0; at < order.length; at++) {
    for (const child of next(nodes[order[at]!]!)) {
      open[child]! -= 1;
      if (open[child] === 0) order.push(child);
    }
  }
  return order;
}

/** One cycle among the nodes that are not in the order, as ids, with the first id repeated at the end. */
export function findCycle(
  nodes: readonly GraphNode[],
  order: readonly number[],
  next: (node: GraphNode) => readonly number[],
): string[] {
  const placed = new Set(order);
  const before = new Map<number, number>();
  for (const node of nodes)
    if (!placed.has(node.index))
      for (const child of next(node)) if (!placed.has(child) && !before.has(child)) before.set(child, node.index);
  // Every remaining node has a remaining source, so a backward walk must reach a node twice.
  const seen = new Map<number, number>();
  const walk: number[] = [];
  let at = nodes.find((node) => !placed.has(node.index))?.index ?? -1;
  while (at !== -1 && !seen.has(at)) {
    seen.set(at, walk.length);
    walk.push(at);
    at = before.get(at) ?? -1;
  }
  const round = walk.slice(seen.get(at) ?? 0).reverse();
  const first = round.indexOf(Math.min(...round));
  const turned = [...round.slice(first), ...round.slice(0, first)].map((index) => nodes[index]!.id);
  return [...turned, turned[0] ?? ""];
}
