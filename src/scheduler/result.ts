// result: the nodes whose values are the result of a run (spec 2.2): the one that the workflow or the run names,
// otherwise the last ones.

import { impossible } from "../base/result.ts";
import type { RunState } from "./state.ts";

/** Indexes of the nodes. `named` comes before the workflow's `output`. */
export function resultNodes({ graph }: RunState, named: string | undefined): readonly number[] {
  const id = named ?? graph.workflow.output;
  return id === undefined ? graph.last : [graph.indexOf.get(id) ?? impossible(`output "${id}" is not a node`)];
}

/** The node whose value alone is the result: the only one, or the only one that was not skipped. */
export function onlyResultNode(state: RunState, named: string | undefined): number | undefined {
  const nodes = resultNodes(state, named);
  if (nodes.length === 1) return nodes[0];
  const ran = nodes.filter((index) => !isSkipped(state, index));
  return ran.length === 1 ? ran[0] : undefined;
}

/** The ids of the nodes if all of them were skipped, so that there is no result. */
export function skippedResult(state: RunState, named: string | undefined): string[] | undefined {
  const nodes = resultNodes(state, named);
  if (nodes.length === 0 || !nodes.every((index) => isSkipped(state, index))) return undefined;
  return nodes.map((index) => state.graph.nodes[index]!.id);
}

function isSkipped({ root }: RunState, index: number): boolean {
  return root.nodes.get(index)?.status === "skipped";
}
