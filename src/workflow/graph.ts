// graph: the graph of a workflow: which node waits for which, and which node is in which loop (spec 1.2, 3.1).
//   G1. The parents of a node are the sources of its edges in file order. Without edges, they are the nodes that it
//       names by id (graph-references.ts). Naming a variable adds a wait, never a parent.
//   G2. A loop's body is every node between its start and its end. Only the end's edges leave it.
//   G3. No function here recurses over nodes or edges: 20,000 nodes in a row are fine.
//   G4. A node with `emit: lines` is a loop without an end, with one iteration per line (3.7). Its body is every node
//       that its plain edges lead to. Its `error` edges lead past the body.

import { checkListener, isLastListener } from "./graph-listeners.ts";
import { checkBody, checkFinally, enterLoops } from "./graph-loops.ts";
import { addWaits, namedNodes } from "./graph-names.ts";
import { findCycle, inOrder, isLater } from "./graph-order.ts";
import { addReferences, otherNames, type Referred } from "./graph-references.ts";
import { kindOf } from "./kinds/index.ts";
import type { Workflow, WorkflowNode } from "./model.ts";

/** An edge into a node. */
interface Incoming {
  /** Index in `workflow.edges`; -1 for a reference. */
  edge: number;
  source: number;
  handle?: string;
  /** The node names the source by its id, and no edge leads to it. */
  reference?: true;
}

/** When a node runs: in its place in the graph, after a failure (`onFailure`), or always at the end (`finally`). */
export type Stage = "nodes" | "onFailure" | "finally";

export interface GraphNode {
  index: number;
  id: string;
  node: WorkflowNode;
  parents: Incoming[];
  /** The nodes that it names by id, in order of appearance, by that id. */
  refers: Map<string, Referred>;
  /** Its edges in file order, without those to finally nodes, which only pass a value. */
  outgoing: { target: number; handle?: string }[];
  /** Targets of `outgoing`, without duplicates. */
  children: number[];
  /** The nodes it waits for in its own scope: sources of its edges and `waits`, without duplicates. */
  sources: number[];
  /**
   * Nodes that it waits for because it names their value: variables, accumulators, or the end of the loop that contains
   * one. If an edge leads to it, also nodes by id.
   */
  waits: number[];
  /** The reverse of `waits`. */
  waiters: number[];
  /**
   * Innermost loop around it, as the index of the loop start; -1 outside. A loop's own start and end are outside of it.
   */
  loop: number;
  /** Listeners whose iterations wait for it (`Loop.gates`). */
  gateOf: number[];
  /** Loops around it, outermost first. */
  loops: readonly number[];
  /**
   * Its failure does not stop the run: it has `continueOnError`, or an IF without a condition tests whether it
   * succeeded.
   */
  tolerated: boolean;
  hasErrorBranch: boolean;
  /** It has an incoming error edge, or is reached only through nodes that have one. */
  inErrorBranch: boolean;
  /** It runs at the end: `stage` is not `nodes`. */
  finally: boolean;
  stage: Stage;
  /** The names of the document's `state`. */
  stateNames: readonly string[];
}

export interface Loop {
  start: number;
  /** -1 for a listener. */
  end: number;
  /** A node with `emit: lines`: one iteration per line (G4). */
  listener: boolean;
  /** For a listener: nodes outside whose values its body uses. It starts at once; its iterations wait for them. */
  gates: number[];
  /** Loop around it; -1 outside. */
  parent: number;
  /** This loop and the loops around it, outermost first: the loops of its body nodes. */
  inside: readonly number[];
  /** Body nodes in file order, including the starts and ends of inner loops but not their bodies. */
  body: number[];
  /** A reference in it reads the previous iteration, so iterations are sequential whatever `maxConcurrency` is. */
  sequential: boolean;
  /** Variables and Accumulators in it whose last value is read later: by the next iteration, or after the loop. */
  handsOn: number[];
}

export interface Graph {
  workflow: Workflow;
  nodes: GraphNode[];
  indexOf: ReadonlyMap<string, number>;
  /** By index of the loop start. */
  loops: ReadonlyMap<number, Loop>;
  /** The loop start, by index of the loop end. */
  startOf: ReadonlyMap<number, number>;
  /** Variable and Accumulator nodes by the name of their value. */
  named: ReadonlyMap<string, number>;
  /** Names that never mean a node by its id, and what they mean. */
  taken: ReadonlyMap<string, string>;
  /** References that read the previous iteration: `node name` → the loop of that iteration. */
  carried: ReadonlyMap<string, number>;
  /**
   * Nodes whose value may be the run's result: outside loops, not finally, without outgoing edges, and not named by a
   * node.
   */
  last: number[];
}

export type GraphProblem =
  /** `named` is set if the cycle passes through a variable's name, not only through edges. */
  | { problem: "cycle"; nodes: string[]; named?: string }
  | { problem: "loops-too-deep"; node: string }
  | { problem: "loop-without-end"; node: string }
  | { problem: "end-without-start"; node: string }
  | { problem: "loop-with-two-ends"; node: string; loop: string; other: string }
  | { problem: "edge-leaves-loop"; edge: number; loop: string; end: string | undefined }
  | { problem: "edges-from-two-loops"; node: string; loops: string[] }
  | { problem: "finally-in-loop"; node: string }
  | { problem: "edge-from-finally"; edge: number }
  | { problem: "name-from-finally"; node: string; named: string }
  | { problem: "reference-into-loop"; node: string; named: string; loop: number }
  | { problem: "listener-in-loop"; node: string; loop: string; listener: boolean }
  | { problem: "listener-error-into-body"; node: string; listener: string };

export function analyze(workflow: Workflow): { graph: Graph; problems: GraphProblem[] } {
  const problems: GraphProblem[] = [];
  const indexOf = new Map(workflow.nodes.map((node, index) => [node.id, index]));
  const stages = new Map<string, Stage>(workflow.finally.map((id) => [id, "finally"]));
  for (const id of workflow.onFailure ?? []) stages.set(id, "onFailure");
  const stateNames = Object.keys(workflow.state ?? {});
  const nodes = workflow.nodes.map((node, index) => bareNode(node, index, stages.get(node.id) ?? "nodes", stateNames));
  const taken = otherNames(workflow);
  connect(workflow, nodes, indexOf, problems);
  addReferences({ nodes, indexOf, taken }, problems);
  for (const node of nodes) settleEdges(node, nodes);

  const order = inOrder(nodes, (node) => node.children);
  if (order.length < nodes.length) {
    const cycle = findCycle(nodes, order, (node) => node.children);
    problems.push({ problem: "cycle", nodes: cycle, named: referenceIn(cycle, nodes, indexOf) });
  }
  const loops = new Map<number, Loop>();
  const startOf = new Map<number, number>();
  const drawn = { nodes, loops, startOf, problems };
  for (const index of order) {
    const { parents } = nodes[index]!;
    const isReached = parents.length > 0 && parents.every(({ source }) => nodes[source]!.inErrorBranch);
    nodes[index]!.inErrorBranch = isReached || parents.some(({ handle }) => handle === "error");
    enterLoops(nodes[index]!, drawn);
  }
  for (const node of nodes) if (node.finally) checkFinally(node, drawn);
  // If the nesting limit stopped the assignment, ends would be matched with the wrong loops: report only that limit.
  if (problems.some(({ problem }) => problem === "loops-too-deep"))
    problems.splice(0, problems.length, ...problems.filter(({ problem }) => problem === "loops-too-deep").slice(0, 1));
  else
    for (const loop of loops.values()) {
      if (loop.listener) checkListener(loop, drawn);
      else checkBody(loop, drawn);
    }

  const graph: Graph = {
    workflow,
    nodes,
    indexOf,
    loops,
    startOf,
    named: namedNodes(nodes),
    taken,
    carried: new Map(),
    last: [],
  };
  if (problems.length > 0) return { graph, problems };
  for (const node of nodes) loops.get(node.loop)?.body.push(node.index);
  addWaits(graph, order, problems);
  for (const node of nodes) {
    const all = new Set(node.waits);
    for (const { source } of node.parents) all.add(source);
    for (const source of all)
      if (nodes[source]!.loop === node.loop && nodes[source]!.stage === node.stage) node.sources.push(source);
  }
  graph.last = nodes
    .filter((node) => node.loop === -1 && !node.finally && node.waiters.every((reader) => nodes[reader]!.finally))
    .filter((node) => node.children.length === 0 || isLastListener(node, graph))
    .map((node) => node.index);
  return { graph, problems };
}

function bareNode(node: WorkflowNode, index: number, stage: Stage, stateNames: readonly string[]): GraphNode {
  const tolerated = "continueOnError" in node.data && node.data.continueOnError === true;
  return {
    index,
    id: node.id,
    node,
    parents: [],
    refers: new Map(),
    outgoing: [],
    children: [],
    sources: [],
    waits: [],
    waiters: [],
    loop: -1,
    gateOf: [],
    loops: [],
    tolerated,
    hasErrorBranch: false,
    inErrorBranch: false,
    finally: stage !== "nodes",
    stage,
    stateNames,
  };
}

function connect(workflow: Workflow, nodes: GraphNode[], indexOf: Map<string, number>, problems: GraphProblem[]): void {
  for (const [edge, { source, target, sourceHandle }] of workflow.edges.entries()) {
    const from = nodes[indexOf.get(source) ?? -1];
    const to = nodes[indexOf.get(target) ?? -1];
    if (from === undefined || to === undefined) continue;
    to.parents.push({ edge, source: from.index, handle: sourceHandle });
    if (isLater(from.stage, to.stage)) {
      problems.push({ problem: "edge-from-finally", edge });
      continue;
    }
    // A finally node waits for all other nodes anyway, so an edge to it only passes a value.
    if (from.stage !== to.stage) continue;
    from.outgoing.push({ target: to.index, handle: sourceHandle });
    from.children.push(to.index);
    if (sourceHandle === "error") from.hasErrorBranch = true;
  }
}

function settleEdges(node: GraphNode, nodes: readonly GraphNode[]): void {
  node.children = [...new Set(node.children)];
  if (!testsParent(node.node)) return;
  const first = nodes[node.parents[0]?.source ?? -1];
  if (first !== undefined && isCommand(first.node)) first.tolerated = true;
}

/** The id by which a node on the cycle names the one before it. Undefined if the cycle has only edges. */
function referenceIn(
  cycle: readonly string[],
  nodes: readonly GraphNode[],
  indexOf: ReadonlyMap<string, number>,
): string | undefined {
  return cycle.find((id, at) => {
    const reader = nodes[indexOf.get(cycle[at + 1] ?? "") ?? -1];
    return reader?.parents.some(({ source, reference }) => reference === true && nodes[source]!.id === id);
  });
}

/** An IF without a condition tests whether its first parent succeeded. */
export function testsParent(node: WorkflowNode): boolean {
  return node.type === "if" && (node.data.content ?? "").trim() === "";
}

/** Whether it runs something that can succeed or fail. */
export function isCommand(node: WorkflowNode): boolean {
  return kindOf(node).runs === true;
}
