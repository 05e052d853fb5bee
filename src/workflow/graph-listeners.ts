// graph-listeners: nodes with `emit: lines`. Each is a loop without an end, with one iteration per line (spec 3.7, G4
// of graph.ts).
//   L1. Its body is every node that its plain edges lead to. Its `error` edges lead past the body and are taken when it
//       has ended.
//   L2. Edges into the body from outside delay its iterations, never the listener itself, which starts at once.
// Not allowed: listeners inside loops or inside the body of another listener.

import type { Graph, GraphNode, GraphProblem, Loop } from "./graph.ts";
import { emitsLines } from "./node-fields.ts";

/** Whether this node starts a body with one iteration per line. The caller rejects a listener in a loop. */
export function beginsListener(node: GraphNode): boolean {
  return emitsLines(node.node) && node.outgoing.some(({ handle }) => handle !== "error");
}

/** Whether its value may be the run's result: edges into its own body do not count as outgoing. */
export function isLastListener(node: GraphNode, { loops, nodes }: Pick<Graph, "loops" | "nodes">): boolean {
  return loops.get(node.index)?.listener === true && node.children.every((child) => nodes[child]!.loop === node.index);
}

/** Nodes after its failure must not be in its body: the body would wait for its own end. */
export function checkListener(
  loop: Loop,
  { nodes, problems }: { nodes: readonly GraphNode[]; problems: GraphProblem[] },
): void {
  const start = nodes[loop.start]!;
  const queue = start.outgoing.filter(({ handle }) => handle === "error").map(({ target }) => target);
  const seen = new Set(queue);
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    if (nodes[at]!.loops.includes(loop.start)) {
      problems.push({ problem: "listener-error-into-body", node: nodes[at]!.id, listener: start.id });
      return;
    }
    for (const child of nodes[at]!.children) {
      if (seen.has(child)) continue;
      seen.add(child);
      queue.push(child);
    }
  }
}

/** L2. `source` is outside the body, and a node of the body uses its value. */
export function addGate(graph: Graph, loop: Loop, source: number): void {
  if (loop.gates.includes(source)) return;
  loop.gates.push(source);
  graph.nodes[source]!.gateOf.push(loop.start);
}
