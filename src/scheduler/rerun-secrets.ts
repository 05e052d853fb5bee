// rerun-secrets: finds kept results that contain a secret. Their exact bytes were deleted when their run ended (spec
// 4.2).
//   Z1. If no node reads such a result again, its masked form is kept. If a node that runs again reads it, the result
//       counts as missing.

import { isSealed, type Value } from "../base/value.ts";
import type { Graph, GraphNode } from "../workflow/graph.ts";
import { namesUsed } from "../workflow/names-used.ts";
import { variableName } from "../workflow/node-fields.ts";
import type { EventBody } from "./event.ts";
import type { KeptRun } from "./rerun.ts";
import { isSettled } from "./state.ts";

/**
 * Ids of kept nodes whose exact value is needed again, each with a node that needs it. `result`: the run's result is
 * needed too.
 */
export function secretsNeeded(
  { bodies, state }: KeptRun,
  graph: Graph,
  again: ReadonlySet<number>,
  result: boolean,
): { node: string; by: string }[] {
  const needed = new Map<string, string>();
  const isOpen = (index: number): boolean => {
    const drawn = graph.nodes[index]!;
    const around = drawn.loops[0];
    const node = state.root.nodes.get(around === undefined ? index : (graph.loops.get(around)?.end ?? index));
    return drawn.finally || again.has(index) || node === undefined || !isSettled(node);
  };
  for (const body of bodies) {
    const index = "node" in body ? graph.indexOf.get(body.node) : undefined;
    if (index === undefined || !valuesOf(body).some(isSealed)) continue;
    const drawn = graph.nodes[index]!;
    const loop = graph.loops.get(index);
    const reader =
      loop !== undefined
        ? isOpen(loop.end)
          ? graph.nodes[loop.end]
          : undefined
        : readersOf(drawn, graph).find(({ index }) => isOpen(index));
    const isResult = graph.workflow.output === drawn.id || graph.last.includes(index);
    if (reader !== undefined) needed.set(drawn.id, reader.id);
    else if (result && isResult) needed.set(drawn.id, "the run's result");
  }
  return [...needed].map(([node, by]) => ({ node, by }));
}

/** Removes the references to exact bytes: only the masked form still exists. */
export function withoutSealed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutSealed) as T;
  if (typeof value !== "object" || value === null) return value;
  const left = Object.entries(value).filter(([key]) => key !== "sealed");
  return Object.fromEntries(left.map(([key, member]) => [key, withoutSealed(member)])) as T;
}

/** The values in an event of a kept run. */
export function valuesOf(body: EventBody): Value[] {
  switch (body.type) {
    case "node.kept":
      return [...(body.value === undefined ? [] : [body.value]), ...(body.added ?? [])];
    case "loop.started":
      return body.items === undefined ? [] : [body.items];
    case "pass.started":
      return body.item === undefined ? [] : [body.item];
    case "pass.succeeded":
      return body.value === undefined ? [] : [body.value];
    default:
      return [];
  }
}

function readersOf(source: GraphNode, graph: Graph): GraphNode[] {
  const { node } = source;
  const name = variableName(node);
  return graph.nodes.filter(
    (reader) =>
      reader.parents.some((parent) => parent.source === source.index) ||
      reader.refers.has(source.id) ||
      (name !== undefined && namesUsed(reader.node).some((use) => use.name === name)),
  );
}
