// check/names: the names that a node's templates may use (spec 1.3).

import type { GraphNode } from "../graph.ts";
import { loopNames } from "../graph-loops.ts";
import { variableName } from "../node-fields.ts";
import { bringsDelivery, bringsEvent, DELIVERY, EVENT } from "../triggers.ts";
import type { Check } from "./context.ts";

export interface Names {
  /** Variables, Accumulators, inputs and secrets; the same for every node. */
  shared: ReadonlySet<string>;
  /** Names that loops provide, with the loop of each. */
  ofLoops: ReadonlyMap<string, string>;
}

export function namesOf(check: Check): Names {
  const { workflow } = check;
  const shared = new Set<string>([...Object.keys(workflow.inputs), ...workflow.secrets]);
  const ofLoops = new Map<string, string>();
  for (const node of workflow.nodes) {
    const named = variableName(node);
    if (named !== undefined) shared.add(named);
    for (const name of loopNames(node)) ofLoops.set(name, node.id);
  }
  // The body of a delivery, or the changed file, as JSON text (2.5).
  if (bringsEvent(workflow)) shared.add(EVENT);
  if (bringsDelivery(workflow)) shared.add(DELIVERY);
  return { shared, ofLoops };
}

/**
 * Loop variables in scope. `inside`: including those of the loop that this node starts (`while`) or closes (`until`).
 */
export function loopScope(node: GraphNode, check: Check, inside = false): string[] {
  const own = !inside ? undefined : node.node.type === "loop-start" ? node.index : check.graph.startOf.get(node.index);
  return [...node.loops, ...(own === undefined ? [] : [own])].flatMap((loop) =>
    loopNames(check.graph.nodes[loop]!.node),
  );
}
