// steps: the nodes of a graph as a list in flow order, with loops as branches of a tree. Pure.

import type { Graph } from "../../workflow/graph.ts";

export interface Step {
  id: string;
  title: string;
  depth: number;
  isLoop: boolean;
}

const known = new WeakMap<Graph, Step[]>();

/** A node comes after all its parents. If several nodes could come next, the first in the file does. */
export function stepsOf(graph: Graph): Step[] {
  const made = known.get(graph) ?? flow(graph);
  known.set(graph, made);
  return made;
}

function flow(graph: Graph): Step[] {
  const open = graph.nodes.map((node) => node.parents.length);
  const ready = graph.nodes.filter(({ index }) => open[index] === 0).map(({ index }) => index);
  const order: number[] = [];
  const placed = new Set<number>();
  while (ready.length > 0) {
    // Inside a loop its body comes first, so that it stays together.
    const inner = ready.reduce((best, next) =>
      depthOf(next) > depthOf(best) || (depthOf(next) === depthOf(best) && next < best) ? next : best,
    );
    ready.splice(ready.indexOf(inner), 1);
    order.push(inner);
    placed.add(inner);
    for (const { target } of graph.nodes[inner]!.outgoing) {
      open[target]! -= 1;
      if (open[target] === 0) ready.push(target);
    }
  }
  for (const { index } of graph.nodes) if (!placed.has(index)) order.push(index);
  return order.map((index) => {
    const { id, node, loops } = graph.nodes[index]!;
    return { id, title: node.data.title, depth: loops.length, isLoop: graph.loops.has(index) };
  });

  function depthOf(index: number): number {
    return graph.nodes[index]!.loops.length;
  }
}
