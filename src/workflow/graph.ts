// graph: the drawing behind a document: who waits for whom, what lies inside which loop (spec 1.2, 3.1).
//   G1. The parents of a node are the sources of its edges in file order; naming a variable adds a wait, never a parent.
//   G2. A loop's body is what lies between its start and its end; only the end's edges leave it.
//   G3. Every walk here is a loop over nodes and edges, never a recursion: 20,000 nodes in a row are fine.
// Deliberately absent: positions in the text (validate.ts adds them), anything about a run.

import type { Workflow, WorkflowNode } from "./model.ts";
import { namesUsed } from "./names-used.ts";

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
  /** Loops around it, outermost first. */
  loops: readonly number[];
  /** An IF without a condition asks whether this node succeeded, or it says so itself: a failure does not stop the run. */
  tolerated: boolean;
  hasErrorBranch: boolean;
  finally: boolean;
}

export interface Loop {
  start: number;
  end: number;
  /** Loop around it; -1 outside. */
  parent: number;
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
  | { problem: "loop-without-end"; node: string }
  | { problem: "end-without-start"; node: string }
  | { problem: "loop-with-two-ends"; node: string; loop: string; other: string }
  | { problem: "edge-leaves-loop"; edge: number; loop: string; end: string | undefined }
  | { problem: "edges-from-two-loops"; node: string; loops: string[] }
  | { problem: "finally-in-loop"; node: string }
  | { problem: "edge-from-finally"; edge: number };

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
  for (const index of order) enter(nodes[index]!, nodes, loops, startOf, problems);
  for (const loop of loops.values()) checkBody(loop, nodes, problems);

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
  for (const loop of loops.values())
    loop.body = nodes.filter((node) => node.loop === loop.start).map((node) => node.index);
  addWaits(graph, order, problems);
  for (const node of nodes) {
    const all = [...node.parents.map((parent) => parent.source), ...node.waits];
    node.sources = [...new Set(all)].filter(
      (source) => nodes[source]!.loop === node.loop && nodes[source]!.finally === node.finally,
    );
  }
  graph.last = nodes
    .filter((node) => node.loop === -1 && !node.finally && node.children.length === 0 && node.waiters.length === 0)
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

/** Nodes with every source before its targets; nodes on a cycle, and what hangs on them, are left out. */
function inOrder(nodes: readonly GraphNode[], next: (node: GraphNode) => readonly number[]): number[] {
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

/** One cycle among the nodes that have no place in the order, as ids, the first repeated at the end. */
function findCycle(
  nodes: readonly GraphNode[],
  order: readonly number[],
  next: (node: GraphNode) => readonly number[],
): string[] {
  const placed = new Set(order);
  const before = new Map<number, number>();
  for (const node of nodes)
    if (!placed.has(node.index))
      for (const child of next(node)) if (!placed.has(child) && !before.has(child)) before.set(child, node.index);
  // Every node that is left has a source that is left, so walking backwards must come round.
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

/** Gives a node its place in the loops, by the deepest of its parents. Its parents have theirs already. */
function enter(
  node: GraphNode,
  nodes: GraphNode[],
  loops: Map<number, Loop>,
  startOf: Map<number, number>,
  problems: GraphProblem[],
): void {
  let deepest: readonly number[] = [];
  for (const { source } of node.parents) {
    const inside = insideOf(nodes[source]!);
    if (inside.length > deepest.length) deepest = inside;
  }
  const other = node.parents
    .map(({ source }) => insideOf(nodes[source]!))
    .find((inside) => inside.some((loop, depth) => deepest[depth] !== loop));
  if (other !== undefined)
    problems.push({
      problem: "edges-from-two-loops",
      node: node.id,
      loops: [deepest.at(-1)!, other.at(-1)!].map((loop) => nodes[loop]!.id),
    });
  if (node.node.type === "loop-end") deepest = close(node, deepest, nodes, loops, startOf, problems);
  node.loops = deepest;
  node.loop = deepest.at(-1) ?? -1;
  if (node.finally && deepest.length > 0) problems.push({ problem: "finally-in-loop", node: node.id });
  if (node.node.type === "loop-start")
    loops.set(node.index, { start: node.index, end: -1, parent: node.loop, body: [], sequential: false, handsOn: [] });
}

/** The loops that an edge out of this node is in. */
function insideOf(node: GraphNode): readonly number[] {
  return node.node.type === "loop-start" ? [...node.loops, node.index] : node.loops;
}

function close(
  end: GraphNode,
  deepest: readonly number[],
  nodes: GraphNode[],
  loops: Map<number, Loop>,
  startOf: Map<number, number>,
  problems: GraphProblem[],
): readonly number[] {
  const loop = loops.get(deepest.at(-1) ?? -1);
  if (loop === undefined) problems.push({ problem: "end-without-start", node: end.id });
  else if (loop.end !== -1)
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
  return deepest.slice(0, -1);
}

/** G2: from every body node the end can be reached; an edge to a node from which it cannot leaves the loop. */
function checkBody(loop: Loop, nodes: GraphNode[], problems: GraphProblem[]): void {
  const start = nodes[loop.start]!;
  if (loop.end === -1) {
    problems.push({ problem: "loop-without-end", node: start.id });
    return;
  }
  const leads = new Set([loop.end]);
  const queue = [loop.end];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const { source } of nodes[at]!.parents) {
      if (leads.has(source) || (source !== loop.start && !nodes[source]!.loops.includes(loop.start))) continue;
      leads.add(source);
      if (source !== loop.start) queue.push(source);
    }
  }
  for (const node of nodes) {
    if (!node.loops.includes(loop.start) || leads.has(node.index)) continue;
    for (const { edge, source } of node.parents) {
      if (leads.has(source))
        problems.push({ problem: "edge-leaves-loop", edge, loop: start.id, end: nodes[loop.end]?.id });
    }
  }
}

function namedNodes(nodes: readonly GraphNode[]): Map<string, number> {
  const named = new Map<string, number>();
  for (const { node, index } of nodes)
    if (node.type === "variable" || node.type === "accumulator")
      if (!named.has(node.data.variableName)) named.set(node.data.variableName, index);
  return named;
}

/** Adds `waits`, `waiters` and `carried` for every name that is a Variable's or an Accumulator's. */
function addWaits(graph: Graph, order: readonly number[], problems: GraphProblem[]): void {
  const { nodes } = graph;
  const position = new Array<number>(nodes.length).fill(0);
  for (const [at, index] of order.entries()) position[index] = at;
  const upstream = new Map<number, Set<number>>();
  const carried = graph.carried as Map<string, number>;
  for (const node of nodes) {
    for (const use of namesUsed(node.node)) {
      const source = nodes[graph.named.get(use.name) ?? -1];
      if (source === undefined || isShadowed(node, use, graph)) continue;
      // A while condition is asked between passes: a name from its own body means the pass before.
      const own = node.node.type === "loop-start" && use.where === "while" && source.loops.includes(node.index);
      const shared = own ? node.index : sharedLoop(placeOf(node, use, graph), source.loops);
      const behind = exitOf(source, shared, graph);
      if (own || isUpstream(node.index, behind, upstream, nodes, position)) {
        if (shared === -1) {
          // An accumulator that names itself reads what it has collected so far.
          if (source.index !== node.index || node.node.type !== "accumulator")
            problems.push({ problem: "cycle", nodes: [node.id, source.id, node.id], named: use.name });
          continue;
        }
        carried.set(`${node.id} ${use.name}`, shared);
        const loop = graph.loops.get(shared);
        if (loop !== undefined) loop.sequential = true;
        handOn(source, shared, graph);
        continue;
      }
      if (behind !== source.index) handOn(source, shared, graph, "behind");
      if (behind === node.index || node.waits.includes(behind)) continue;
      node.waits.push(behind);
      nodes[behind]!.waiters.push(node.index);
    }
  }
  waitBeforeLoops(graph);
  const next = (node: GraphNode): number[] => [...node.children, ...node.waiters];
  const placed = inOrder(nodes, next);
  if (placed.length < nodes.length)
    problems.push({ problem: "cycle", nodes: findCycle(nodes, placed, next), named: "" });
}

/** A loop starts when everything that enters its body from outside is settled: so a pass never waits for what lies outside of it. */
function waitBeforeLoops(graph: Graph): void {
  const { nodes } = graph;
  for (const node of nodes) {
    const inside = node.node.type === "loop-end" ? [...node.loops, graph.startOf.get(node.index) ?? -1] : node.loops;
    for (const source of [...node.parents.map((parent) => parent.source), ...node.waits]) {
      for (const loop of inside) {
        const from = nodes[source]!;
        if (source === loop || from.loops.includes(loop)) continue;
        const start = nodes[loop]!;
        // Seen from the outermost loop that the source lies outside of; inner ones start later anyway.
        if (!start.waits.includes(source)) {
          start.waits.push(source);
          from.waiters.push(loop);
        }
        break;
      }
    }
  }
}

/** The loops around the place where a field is read: `until` is read inside its loop, everything else where the node stands. */
function placeOf(node: GraphNode, use: { where: string }, graph: Graph): readonly number[] {
  return node.node.type === "loop-end" && use.where === "until"
    ? [...node.loops, graph.startOf.get(node.index) ?? -1]
    : node.loops;
}

function sharedLoop(one: readonly number[], other: readonly number[]): number {
  let shared = -1;
  for (let depth = 0; depth < one.length && one[depth] === other[depth]; depth++) shared = one[depth]!;
  return shared;
}

/** Seen from inside `shared`: the node itself, or the end of the loop that it lies in. */
function exitOf(source: GraphNode, shared: number, graph: Graph): number {
  return innerLoop(source, shared, graph)?.end ?? source.index;
}

/** Every loop between the reader's place and the variable keeps its last value when a pass is over. */
function handOn(source: GraphNode, shared: number, graph: Graph, how: "carried" | "behind" = "carried"): void {
  const depth = source.loops.indexOf(shared);
  for (const loop of source.loops.slice(how === "carried" ? depth : depth + 1)) {
    const { handsOn } = graph.loops.get(loop)!;
    if (!handsOn.includes(source.index)) handsOn.push(source.index);
  }
}

function innerLoop(source: GraphNode, shared: number, graph: Graph): Loop | undefined {
  return graph.loops.get(source.loops[shared === -1 ? 0 : source.loops.indexOf(shared) + 1] ?? -1);
}

/** Whether edges lead from `node` to `target`. The nodes before a target are found once. */
function isUpstream(
  node: number,
  target: number,
  upstream: Map<number, Set<number>>,
  nodes: readonly GraphNode[],
  position: readonly number[],
): boolean {
  if (position[target]! < position[node]!) return false;
  let before = upstream.get(target);
  if (before === undefined) {
    before = new Set([target]);
    const queue = [target];
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      for (const { source } of nodes[at]!.parents) {
        if (before.has(source)) continue;
        before.add(source);
        queue.push(source);
      }
    }
    upstream.set(target, before);
  }
  return before.has(node);
}

/** A loop variable around the node, or a name of its own env.static in its content, hides a Variable of that name. */
function isShadowed(node: GraphNode, use: { name: string; where: string }, graph: Graph): boolean {
  if (node.node.type === "cli" && use.where === "content" && Object.hasOwn(node.node.data.env?.static ?? {}, use.name))
    return true;
  return placeOf(node, use, graph).some((loop) => loopNames(graph.nodes[loop]!.node).includes(use.name));
}

/** Names that a loop gives its body. */
export function loopNames(node: WorkflowNode): string[] {
  if (node.type !== "loop-start") return [];
  const counter = node.data.loopVariable ?? "i";
  return node.data.items === undefined ? [counter] : [node.data.as ?? "item", counter];
}
