// graph-references: the nodes that a node names by their id (spec 8.1). A reference waits for the node that it names. If
// no edge leads to the node that refers, its references are its incoming edges, in order of appearance.
//   R1. A name that means something else in the document or in the node is never an id.
//   R2. The graph decides what a name means, so that checks, the engine and screens agree.

import { factRoots } from "./facts.ts";
import type { Graph, GraphNode, GraphProblem } from "./graph.ts";
import { loopNames } from "./graph-loops.ts";
import { isLater } from "./graph-order.ts";
import type { Workflow } from "./model.ts";
import { type AnyUse, usesOf } from "./names-used.ts";
import { staticsOf, variableName } from "./node-fields.ts";
import { isOfScript } from "./script-names.ts";
import { bringsDelivery, bringsEvent, DELIVERY, EVENT } from "./triggers/index.ts";

/** A node that another names by its id. */
export interface Referred {
  source: number;
  /** `${id}`, not only `stdin: id` or `nodes.id`. */
  byName: boolean;
}

/** Names with another meaning than an id anywhere in the document (1.3), and what each is. */
export function otherNames(workflow: Workflow): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const add = (name: string, what: string) => names.has(name) || names.set(name, what);
  for (const node of workflow.nodes)
    for (const name of loopNames(node)) add(name, `a variable of the loop "${node.id}"`);
  for (const node of workflow.nodes) {
    const name = variableName(node);
    if (name !== undefined) add(name, `the name of the value of "${node.id}"`);
  }
  for (const name of Object.keys(workflow.inputs)) add(name, "an input");
  for (const name of workflow.secrets) add(name, "a secret");
  if (bringsEvent(workflow)) add(EVENT, "the event of the trigger");
  if (bringsDelivery(workflow)) add(DELIVERY, "the delivery of the webhook");
  for (const name of factRoots(Object.keys(workflow.state ?? {}))) add(name, "a fact of the run");
  return names;
}

/** The node that a use means, or undefined if it means something else or nothing. */
function nodeMeant(use: AnyUse, { node }: GraphNode, graph: Pick<Graph, "indexOf" | "taken">): number | undefined {
  const source = use.as === "vars" ? undefined : graph.indexOf.get(use.name);
  if (source === undefined || use.as === "id") return source;
  if (graph.taken.has(use.name)) return undefined;
  if (use.where === "own" && Object.hasOwn(staticsOf(node), use.name)) return undefined;
  return isOfScript(use.name, node) ? undefined : source;
}

/** Fills `refers`, and adds the incoming edges of nodes that no edge leads to. */
export function addReferences(graph: Pick<Graph, "nodes" | "indexOf" | "taken">, problems: GraphProblem[]): void {
  for (const to of graph.nodes) {
    for (const use of usesOf(to.node)) {
      const source = nodeMeant(use, to, graph);
      if (source === undefined) continue;
      const byName = use.as === "template" || to.refers.get(use.name)?.byName === true;
      to.refers.set(use.name, { source, byName });
    }
    if (to.parents.length > 0) continue;
    for (const { source } of to.refers.values()) {
      const from = graph.nodes[source]!;
      to.parents.push({ edge: -1, source, reference: true });
      if (isLater(from.stage, to.stage)) problems.push({ problem: "name-from-finally", node: to.id, named: from.id });
      else if (from.stage === to.stage) {
        from.outgoing.push({ target: to.index });
        from.children.push(to.index);
      }
    }
  }
}
