// check/names: the names that a node's templates may use (spec 1.3).

import type { At } from "../diagnostics/base.ts";
import type { GraphNode } from "../graph.ts";
import { loopNames } from "../graph-loops.ts";
import type { TextField } from "../kinds/kind.ts";
import { staticsOf, variableName } from "../node-fields.ts";
import { bringsDelivery, bringsEvent, DELIVERY, EVENT } from "../triggers/index.ts";
import type { Check } from "./context.ts";

export interface Names {
  /** Variables, Accumulators, inputs, secrets, and what nodes with an invalid shape may give; the same for every node. */
  shared: ReadonlySet<string>;
  /** Names that loops provide, with the loop of each. */
  ofLoops: ReadonlyMap<string, string>;
}

/** A field of a node, and what its names may mean. */
export interface CheckedField extends TextField {
  node: GraphNode;
  /** Loop variables. */
  scope: readonly string[];
  check: Check;
  names: Names;
  /** The position of a part of the text. */
  at(start: number, end: number): At;
}

export function namesOf(check: Check): Names {
  const { workflow } = check;
  const shared = new Set<string>([...Object.keys(workflow.inputs), ...workflow.secrets, ...check.draft.broken]);
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

/** Whether `${name}` in the node's content is the value of something in the workflow. */
export function isKnown(name: string, node: GraphNode, scope: ReadonlySet<string>, names: Names): boolean {
  if (/^[0-9]/.test(name)) return Number(name) <= node.parents.length;
  return scope.has(name) || names.shared.has(name) || node.refers.get(name)?.byName === true;
}

/** The other meaning of a name that is also the id of a node. A Variable may carry its own id as its name. */
export function otherMeaning(
  name: string,
  { node, index, refers }: GraphNode,
  own: boolean,
  check: Check,
): string | undefined {
  const { indexOf, named, taken } = check.graph;
  const id = indexOf.get(name);
  // A node never means itself.
  if (id === undefined || id === index || named.get(name) === id) return undefined;
  const statics = own ? staticsOf(node) : {};
  const text = Object.hasOwn(statics, name) ? statics[name] : undefined;
  if (taken.has(name) || (text !== undefined && text !== `\${${name}}`))
    return taken.get(name) ?? "a name in env.static";
  const isReferred = refers.get(name)?.byName === true;
  return isReferred && check.options.environment?.has(name) ? "an environment variable" : undefined;
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

/** Names to suggest for a misspelt one. */
export function definedNames({ scope, names, check }: CheckedField): string[] {
  return [...scope, ...names.shared, ...check.graph.indexOf.keys()];
}

/** The id with a dash that a text such as `${fetch-page.items}` was meant to name. */
export function dashedId(seen: string, check: Check): string | undefined {
  const id = /^\$\{\s*([A-Za-z_]\w*-[\w-]*)/.exec(seen)?.[1];
  return id !== undefined && check.graph.indexOf.has(id) ? id : undefined;
}
