// graph-listeners: nodes with `emit: lines`: each is a loop without an end, one pass a line (spec 3.7, G4 of graph.ts).
//   L1. Its body is all that its plain edges lead to. Its `error` edges lead past the body: they are taken when it has ended.
//   L2. What enters the body from outside holds its passes back, never the listener itself: it is there from the first moment on.
// Deliberately absent: listeners inside of loops or of other listeners' bodies; a run waits for the end of one only.

import type { Graph, GraphNode, GraphProblem, Loop } from "./graph.ts";

/** Whether this node begins a body of passes by its lines. A node inside a loop does not, whatever it says. */
export function beginsListener(node: GraphNode): boolean {
  return emitsLines(node) && node.outgoing.some(({ handle }) => handle !== "error");
}

export function emitsLines({ node }: GraphNode): boolean {
  return node.type === "cli" && node.data.emit === "lines";
}

export function listenerLoop(node: GraphNode): Loop {
  return {
    start: node.index,
    end: -1,
    listener: true,
    gates: [],
    parent: -1,
    inside: [node.index],
    body: [],
    sequential: false,
    handsOn: [],
  };
}

/** Its value may be the run's result: what it hands to its passes is no way out of it. */
export function isLastListener(node: GraphNode, { loops, nodes }: Pick<Graph, "loops" | "nodes">): boolean {
  return loops.get(node.index)?.listener === true && node.children.every((child) => nodes[child]!.loop === node.index);
}

/** What comes after its failure has no place in its passes: the body would wait for its own end. */
export function checkListener(loop: Loop, nodes: readonly GraphNode[], problems: GraphProblem[]): void {
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

/** L2. `source` stands outside, and a node of the body takes its value. */
export function addGate(graph: Graph, loop: Loop, source: number): void {
  if (loop.gates.includes(source)) return;
  loop.gates.push(source);
  graph.nodes[source]!.gateOf.push(loop.start);
}
