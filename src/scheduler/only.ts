// only: a run of one node, or of everything up to one: what runs, what is taken as it is, what is left out (spec 2.3 "run this node").
//   Y1. What is left out is skipped in the run's beginning, with its own reason: the scheduler knows no other kind of run.
//   Y2. A node in a loop stands for the outermost loop around it: a pass by itself has no meaning.
//   Y3. A value that is needed and neither taken nor quickly made (a text, a variable) is said, never guessed.
// Deliberately absent: finally nodes; they clean up after runs, and this is a try.

import type { Value } from "../base/value.ts";
import type { Graph, GraphNode } from "../workflow/graph.ts";
import type { EventBody } from "./event.ts";
import { evolve } from "./evolve.ts";
import { runsSomething } from "./settle.ts";
import { initialState, isSettled, type RunState } from "./state.ts";

/** What runs: `target` gives the result. `before`: everything that it depends on. */
export interface OnlyPlan {
  /** Outside of loops. */
  target: number;
  group: ReadonlySet<number>;
  before: ReadonlySet<number>;
}

/** Undefined: the node lies in the passes of a listener, which have no end. */
export function onlyPlan(graph: Graph, index: number): OnlyPlan | undefined {
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

/** What stands before a node; of a loop's end, the whole loop. */
function sourcesOf(drawn: GraphNode, graph: Graph): number[] {
  const start = graph.startOf.get(drawn.index);
  const body = start === undefined ? [] : [start, ...(graph.loops.get(start)?.body ?? [])];
  return [...drawn.parents.map(({ source }) => source), ...drawn.sources, ...drawn.waits, ...body];
}

export interface OnlyGround {
  graph: Graph;
  plan: OnlyPlan;
  /** Nodes that may run besides the group: all before it (`to`), or only what runs no process (`node`). */
  runsBefore: boolean;
  /** What another run has come to. */
  kept: readonly EventBody[];
  pinned: ReadonlyMap<number, Value>;
  /** The event that a pinned value is on record with. */
  run: string;
}

/** What follows `run.started`, and the run as it stands then; or the node whose value is missing, or that its branch was not taken. */
export function onlyBodies(
  started: EventBody,
  ground: OnlyGround,
): { bodies: EventBody[]; state: RunState } | { missing: string; by: string } | { notTaken: true } {
  const { graph, plan, pinned } = ground;
  const state = initialState(graph, { concurrencyDefault: 1 });
  const bodies: EventBody[] = [];
  const fold = (body: EventBody): void => {
    evolve(state, { seq: 0, at: new Date(0).toISOString(), run: ground.run, ...body });
    if (body.type !== "run.started") bodies.push(body);
  };
  fold(started);
  for (const [index, value] of pinned) {
    const { id } = graph.nodes[index]!;
    const kept = { run: ground.run, seq: 1 };
    fold({ type: "node.kept", node: id, path: id, status: "succeeded", kept, value });
  }
  const behind = ground.runsBefore ? behindPinned(graph, pinned) : new Set<number>();
  for (const body of ground.kept) {
    const index = "node" in body ? (graph.indexOf.get(body.node) ?? -1) : -1;
    if (body.type !== "node.skipped" && plan.before.has(index) && !pinned.has(index) && !behind.has(index)) fold(body);
  }
  const runs = ground.runsBefore ? new Set([...plan.before, ...plan.group]) : new Set(plan.group);
  if (!ground.runsBefore) {
    const missing = fillIn(runs, ground, state);
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

/** Y3. What runs no process is made here; anything else is missing. */
function fillIn(
  runs: Set<number>,
  { graph }: OnlyGround,
  state: RunState,
): { missing: string; by: string } | undefined {
  const open = [...runs];
  for (const at of open)
    for (const source of sourcesOf(graph.nodes[at]!, graph)) {
      const drawn = graph.nodes[source]!;
      const node = state.root.nodes.get(source);
      if (runs.has(source) || node === undefined || isSettled(node)) continue;
      const isQuick = !runsSomething(drawn) && !graph.loops.has(source) && !graph.startOf.has(source);
      if (!isQuick) return { missing: drawn.id, by: graph.nodes[at]!.id };
      runs.add(source);
      open.push(source);
    }
  return undefined;
}

/** With another value in front, what came of the old one does not count. */
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
