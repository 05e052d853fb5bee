// partial-run: plans a run of one node, or of all nodes up to one: which run, which reuse a value, which are skipped (spec 2.3
// "run this node").
//   Y1. Unwanted nodes are skipped at the start with their own reason, so the scheduler needs no special kind of run.
//   Y2. A node in a loop stands for the outermost loop around it: one iteration alone has no meaning.
//   Y3. A needed value that is neither given nor cheap to compute (text, variable) is reported as missing, never
//       guessed.
//   Y4. Nodes of finally do not run: they clean up after runs, and this is only a test run.

import type { Value } from "../base/value.ts";
import { type Graph, type GraphNode, isCommand } from "../workflow/graph.ts";
import type { EventBody } from "./event.ts";
import { evolve } from "./evolve.ts";
import { initialState, isSettled, type RunState } from "./state.ts";

/** `group`: the nodes to run; `target` gives the result. `before`: everything they depend on. */
export interface PartialRunPlan {
  /** A node outside of loops. */
  target: number;
  group: ReadonlySet<number>;
  before: ReadonlySet<number>;
}

/** Undefined when the node is in the body of a listener, which has no end. */
export function planPartialRun(graph: Graph, index: number): PartialRunPlan | undefined {
  const drawn = graph.nodes[index]!;
  const start = drawn.loops[0] ?? graph.startOf.get(index) ?? (graph.loops.has(index) ? index : undefined);
  const loop = start === undefined ? undefined : graph.loops.get(start);
  if (loop?.listener === true) return undefined;
  const group = new Set(loop === undefined ? [index] : [loop.start, loop.end]);
  if (loop !== undefined) for (const node of graph.nodes) if (node.loops[0] === loop.start) group.add(node.index);
  const before = new Set<number>();
  const open = [...group];
  for (const at of open)
    for (const source of sourcesOf(graph.nodes[at]!, graph)) {
      if (group.has(source) || before.has(source)) continue;
      before.add(source);
      open.push(source);
    }
  return { target: loop === undefined ? index : loop.end, group, before };
}

/** The direct sources of a node; for a loop's end, the whole loop. */
function sourcesOf(drawn: GraphNode, graph: Graph): number[] {
  const start = graph.startOf.get(drawn.index);
  const body = start === undefined ? [] : [start, ...(graph.loops.get(start)?.body ?? [])];
  return [...drawn.parents.map(({ source }) => source), ...drawn.sources, ...drawn.waits, ...body];
}

export interface PartialRunDeps {
  graph: Graph;
  plan: PartialRunPlan;
  /** Whether all nodes before the group run (`to`), or only those without a process (`node`). */
  runsBefore: boolean;
  /** Results of an earlier run. */
  kept: readonly EventBody[];
  pinned: ReadonlyMap<number, Value>;
  /** The run that records the pinned values. */
  run: string;
}

/**
 * The events after `run.started` and the state after them. Otherwise the node whose value is missing, or `notTaken`
 * when its branch was not taken.
 */
export function partialRunEvents(
  started: EventBody,
  deps: PartialRunDeps,
): { bodies: EventBody[]; state: RunState } | { missing: string; by: string } | { notTaken: true } {
  const { graph, plan, pinned } = deps;
  const state = initialState(graph, { concurrencyDefault: 1 });
  const bodies: EventBody[] = [];
  const fold = (body: EventBody): void => {
    evolve(state, { seq: 0, at: new Date(0).toISOString(), run: deps.run, ...body });
    if (body.type !== "run.started") bodies.push(body);
  };
  fold(started);
  for (const [index, value] of pinned) {
    const { id } = graph.nodes[index]!;
    const kept = { run: deps.run, seq: 1 };
    fold({ type: "node.kept", node: id, path: id, status: "succeeded", kept, value });
  }
  const behind = deps.runsBefore ? behindPinned(graph, pinned) : new Set<number>();
  for (const body of deps.kept) {
    const index = "node" in body ? (graph.indexOf.get(body.node) ?? -1) : -1;
    if (body.type !== "node.skipped" && plan.before.has(index) && !pinned.has(index) && !behind.has(index)) fold(body);
  }
  const runs = deps.runsBefore ? new Set([...plan.before, ...plan.group]) : new Set(plan.group);
  if (!deps.runsBefore) {
    const missing = fillIn(runs, deps, state);
    if (missing !== undefined) return missing;
  }
  for (const { index, id, loops } of graph.nodes) {
    const node = state.root.nodes.get(index);
    if (loops.length > 0 || runs.has(index) || node === undefined || isSettled(node)) continue;
    fold({ type: "node.skipped", node: id, path: id, reason: "not-wanted" });
  }
  const first = state.root.nodes.get(plan.group.size === 1 ? plan.target : (graph.startOf.get(plan.target) ?? -1));
  if (first !== undefined && first.open === 0 && !first.live) return { notTaken: true };
  return { bodies, state };
}

/** Y3: adds the nodes that run no process; any other node is missing. */
function fillIn(
  runs: Set<number>,
  { graph }: PartialRunDeps,
  state: RunState,
): { missing: string; by: string } | undefined {
  const open = [...runs];
  for (const at of open)
    for (const source of sourcesOf(graph.nodes[at]!, graph)) {
      const drawn = graph.nodes[source]!;
      const node = state.root.nodes.get(source);
      if (runs.has(source) || node === undefined || isSettled(node)) continue;
      const isQuick = !isCommand(drawn.node) && !graph.loops.has(source) && !graph.startOf.has(source);
      if (!isQuick) return { missing: drawn.id, by: graph.nodes[at]!.id };
      runs.add(source);
      open.push(source);
    }
  return undefined;
}

/** Nodes after a pinned value: their earlier results were computed from another value and do not count. */
function behindPinned(graph: Graph, pinned: ReadonlyMap<number, Value>): Set<number> {
  const behind = new Set<number>();
  const open = [...pinned.keys()];
  for (const at of open)
    for (const next of [...graph.nodes[at]!.children, ...graph.nodes[at]!.waiters])
      if (!behind.has(next)) {
        behind.add(next);
        open.push(next);
        const loop = graph.loops.get(next);
        if (loop !== undefined) open.push(...loop.body.filter((each) => !behind.has(each)), loop.end);
      }
  return behind;
}
