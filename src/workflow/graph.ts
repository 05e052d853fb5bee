// graph: the drawing behind a document: who waits for whom, what lies inside which loop (spec 1.2, 3.1).
//   G1. The parents of a node are the sources of its edges in file order; naming a variable adds a wait, never a parent.
//   G2. A loop's body is what lies between its start and its end; only the end's edges leave it.
//   G4. A node with `emit: lines` is a loop without an end: its body is all that its plain edges lead to, one pass a line (3.7). Its
//       `error` edges lead past the body.
//   G3. Every walk here is a loop over nodes and edges, never a recursion: 20,000 nodes in a row are fine.
// Deliberately absent: positions in the text (validate.ts adds them), anything about a run.

import { checkListener, isLastListener } from "./graph-listeners.ts";
import { checkBody, checkFinally, enterLoops } from "./graph-loops.ts";
import { addWaits, namedNodes } from "./graph-names.ts";
import { findCycle, inOrder } from "./graph-order.ts";
import type { Workflow, WorkflowNode } from "./model.ts";

/** An edge into a node. */
export interface Incoming {
  /** Index in `workflow.edges`. */
  edge: number;
  source: number;
  handle?: string;
}

export interface GraphNode {
  index: number;
  id: string;
  node: WorkflowNode;
  parents: Incoming[];
  /** Its edges in file order; those to finally nodes are left out, they only hand a value. */
  outgoing: { target: number; handle?: string }[];
  /** Targets of `outgoing`, each once. */
  children: number[];
  /** What it waits for within its own scope: sources of its edges and `waits`, each once. */
  sources: number[];
  /** Nodes that it waits for because it names their value: variables, accumulators, or the loop end that a named one lies behind. */
  waits: number[];
  /** The other direction of `waits`. */
  waiters: number[];
  /** Innermost loop around it, as the index of its loop start; -1 outside. A loop's own start and end lie outside of it. */
  loop: number;
  /** Listeners whose passes wait for it (`Loop.gates`). */
  gateOf: number[];
  /** Loops around it, outermost first. */
  loops: readonly number[];
  /** An IF without a condition asks whether this node succeeded, or it says so itself: a failure does not stop the run. */
  tolerated: boolean;
  hasErrorBranch: boolean;
  finally: boolean;
}

export interface Loop {
  start: number;
  /** -1 for a listener. */
  end: number;
  /** A node with `emit: lines`: a pass for every line it prints (G4). */
  listener: boolean;
  /** Of a listener: what enters its body from outside. It starts at once; its passes wait for these. */
  gates: number[];
  /** Loop around it; -1 outside. */
  parent: number;
  /** It and the loops around it, outermost first: where its body nodes stand. */
  inside: readonly number[];
  /** Body nodes in file order, inner loops' starts and ends included, their bodies not. */
  body: number[];
  /** A reference in it reads the pass before: passes go one after another whatever `maxConcurrency` says. */
  sequential: boolean;
  /** Variables and Accumulators anywhere in it whose last value is read after the pass: by a later one, or behind the loop. */
  handsOn: number[];
}

export interface Graph {
  workflow: Workflow;
  nodes: GraphNode[];
  indexOf: ReadonlyMap<string, number>;
  /** By index of the loop start. */
  loops: ReadonlyMap<number, Loop>;
  /** By index of the loop end: its start. */
  startOf: ReadonlyMap<number, number>;
  /** Variable and Accumulator nodes by the name of their value. */
  named: ReadonlyMap<string, number>;
  /** References that read the pass before: `node name` → the loop whose passes are meant. */
  carried: ReadonlyMap<string, number>;
  /** Nodes whose value may be the run's result: outside loops, not finally, with no edge out and named by nobody. */
  last: number[];
}

export type GraphProblem =
  /** `named`: the cycle runs through a variable's name, not only through edges. */
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
  | { problem: "listener-in-loop"; node: string; loop: string; listener: boolean }
  | { problem: "listener-error-into-body"; node: string; listener: string };

export function analyze(workflow: Workflow): { graph: Graph; problems: GraphProblem[] } {
  const problems: GraphProblem[] = [];
  const indexOf = new Map(workflow.nodes.map((node, index) => [node.id, index]));
  const atEnd = new Set(workflow.finally);
  const nodes = workflow.nodes.map((node, index) => bareNode(node, index, atEnd.has(node.id)));
  connect(workflow, nodes, indexOf, problems);

  const order = inOrder(nodes, (node) => node.children);
  if (order.length < nodes.length)
    problems.push({ problem: "cycle", nodes: findCycle(nodes, order, (node) => node.children) });
  const loops = new Map<number, Loop>();
  const startOf = new Map<number, number>();
  for (const index of order) enterLoops(nodes[index]!, nodes, loops, startOf, problems);
  for (const node of nodes) if (node.finally) checkFinally(node, nodes, loops, problems);
  // Where loops are not all entered, their ends meet the wrong ones.
  if (problems.some(({ problem }) => problem === "loops-too-deep"))
    problems.splice(0, problems.length, ...problems.filter(({ problem }) => problem === "loops-too-deep").slice(0, 1));
  else
    for (const loop of loops.values()) {
      if (loop.listener) checkListener(loop, nodes, problems);
      else checkBody(loop, nodes, problems);
    }

  const graph: Graph = {
    workflow,
    nodes,
    indexOf,
    loops,
    startOf,
    named: namedNodes(nodes),
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
      if (nodes[source]!.loop === node.loop && nodes[source]!.finally === node.finally) node.sources.push(source);
  }
  graph.last = nodes
    .filter((node) => node.loop === -1 && !node.finally && node.waiters.every((reader) => nodes[reader]!.finally))
    .filter((node) => node.children.length === 0 || isLastListener(node, graph))
    .map((node) => node.index);
  return { graph, problems };
}

function bareNode(node: WorkflowNode, index: number, isFinally: boolean): GraphNode {
  const tolerated = "continueOnError" in node.data && node.data.continueOnError === true;
  return {
    index,
    id: node.id,
    node,
    parents: [],
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
    finally: isFinally,
  };
}

function connect(workflow: Workflow, nodes: GraphNode[], indexOf: Map<string, number>, problems: GraphProblem[]): void {
  for (const [edge, { source, target, sourceHandle }] of workflow.edges.entries()) {
    const from = nodes[indexOf.get(source) ?? -1];
    const to = nodes[indexOf.get(target) ?? -1];
    if (from === undefined || to === undefined) continue;
    to.parents.push({ edge, source: from.index, ...(sourceHandle === undefined ? {} : { handle: sourceHandle }) });
    if (from.finally && !to.finally) {
      problems.push({ problem: "edge-from-finally", edge });
      continue;
    }
    // A finally node waits for everything anyway: an edge from a plain node only hands it a value.
    if (from.finally !== to.finally) continue;
    from.outgoing.push({ target: to.index, ...(sourceHandle === undefined ? {} : { handle: sourceHandle }) });
    from.children.push(to.index);
    if (sourceHandle === "error") from.hasErrorBranch = true;
  }
  for (const node of nodes) {
    node.children = [...new Set(node.children)];
    if (node.node.type !== "if" || (node.node.data.content ?? "").trim() !== "") continue;
    const first = nodes[node.parents[0]?.source ?? -1];
    if (first !== undefined && isCommand(first.node)) first.tolerated = true;
  }
}

/** It runs something that can succeed or fail: what an IF without a condition asks about. */
export function isCommand(node: WorkflowNode): boolean {
  return node.type === "cli" || node.type === "llm" || node.type === "subflow";
}
