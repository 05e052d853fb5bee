// scope: the names that a template or an expression of a node can use, and where each comes from, in order of
// precedence (spec 1.3, 1.4).
//   N1. The order is the engine's: loop variables (innermost first), env.static of this node, Variables and
//       Accumulators, inputs, secrets, ids of nodes. A name that another one hides is not offered.
//   N2. Parents are numbered, and `${1}` is the first. They are listed with their titles.

import { type FactPlace, factNames } from "../../workflow/facts.ts";
import type { Graph } from "../../workflow/graph.ts";
import { loopNames } from "../../workflow/graph-loops.ts";
import { kindOf } from "../../workflow/kinds/index.ts";
import type { Workflow, WorkflowNode } from "../../workflow/model.ts";
import { isSecretVariable, staticsOf, variableName } from "../../workflow/node-fields.ts";
import { bringsDelivery, bringsEvent, DELIVERY } from "../../workflow/triggers/index.ts";

export type NameKind =
  | "parent"
  | "node"
  | "loop"
  | "env"
  | "variable"
  | "input"
  | "secret"
  | "event"
  | "fact"
  | "expression";

export interface ScopeName {
  name: string;
  kind: NameKind;
  /** Where the value comes from, as a short sentence. */
  from: string;
  /** The id of the node that provides the value. */
  node?: string;
  secret?: true;
  /** It is an input of the workflow. */
  input?: { default?: string };
}

/**
 * `own`: the field can use the node's env.static. `inside`: it is evaluated inside the loop that the node starts or
 * ends.
 */
export interface FieldScope {
  own?: boolean;
  inside?: boolean;
}

export function scopeAt(graph: Graph, id: string, field: FieldScope = {}): ScopeName[] {
  const index = graph.indexOf.get(id);
  const names: ScopeName[] = [];
  const taken = new Set<string>();
  const add = (name: ScopeName) => {
    if (taken.has(name.name)) return;
    taken.add(name.name);
    names.push(name);
  };
  const node = index === undefined ? undefined : graph.nodes[index];
  if (node !== undefined) {
    for (const parent of parentsOf(graph, id)) add(parent);
    const own = node.node.type === "loop-start" ? node.index : graph.startOf.get(node.index);
    const loops = field.inside === true && own !== undefined ? [...node.loops, own] : node.loops;
    for (const loop of loops.toReversed()) {
      const start = graph.nodes[loop]?.node;
      if (start === undefined) continue;
      for (const name of loopNames(start))
        add({ name, kind: "loop", from: `of the loop "${titleOf(start)}"`, node: start.id });
    }
    if (field.own === true)
      for (const [name, text] of Object.entries(staticsOf(node.node)))
        add({ name, kind: "env", from: `environment of this node: ${brief(text)}` });
  }
  for (const each of documentNames(graph.workflow)) add(each);
  for (const other of graph.nodes) {
    // A node in a loop has a value only there (spec 8.1 L4).
    const loops = graph.loops.has(other.index) ? [...other.loops, other.index] : other.loops;
    if (other.index === index || !/^\w+$/.test(other.id) || graph.taken.has(other.id)) continue;
    const isItsEnd = node?.loops.includes(graph.startOf.get(other.index) ?? -1) === true;
    if (isItsEnd || !loops.every((loop) => node?.loops.includes(loop))) continue;
    add({ name: other.id, kind: "node", from: `value of "${titleOf(other.node)}"`, node: other.id });
  }
  return names;
}

/** The values that Curlew sets. They come after all other names. */
export const factScope = (place?: FactPlace): ScopeName[] =>
  factNames(place).map((name) => ({ name, kind: "fact", from: FROM[name.split(".")[0]!] ?? "set by Curlew" }));

const FROM: Record<string, string> = { state: "kept between runs", failure: "of the failure" };

/** `${1}`, `${2}`, … with the titles of the parent nodes. */
export function parentsOf(graph: Graph, id: string): ScopeName[] {
  const node = graph.nodes[graph.indexOf.get(id) ?? -1];
  return (node?.parents ?? []).flatMap(({ source, handle }, at) => {
    const parent = graph.nodes[source]?.node;
    if (parent === undefined) return [];
    const how = handle === "error" ? "failure of" : "value of";
    return [{ name: String(at + 1), kind: "parent" as const, from: `${how} "${titleOf(parent)}"`, node: parent.id }];
  });
}

function usualOf({ default: usual }: Workflow["inputs"][string]): ScopeName["input"] {
  return { default: usual === undefined || typeof usual === "string" ? usual : JSON.stringify(usual) };
}

/** The names that every node of the document can use. */
export function documentNames(workflow: Workflow): ScopeName[] {
  const names: ScopeName[] = [];
  for (const node of workflow.nodes) {
    const name = variableName(node);
    if (name === undefined) continue;
    const from = `${kindOf(node).name} "${titleOf(node)}"`;
    names.push({ name, kind: "variable", from, node: node.id, ...(isSecretVariable(node) ? { secret: true } : {}) });
  }
  for (const [name, spec] of Object.entries(workflow.inputs))
    names.push({ name, kind: "input", from: `input, ${spec.type}${about(spec.description)}`, input: usualOf(spec) });
  for (const name of workflow.secrets) names.push({ name, kind: "secret", from: "secret", secret: true });
  if (bringsEvent(workflow)) names.push({ name: "event", kind: "event", from: "what started the run, as JSON" });
  if (bringsDelivery(workflow))
    names.push({ name: DELIVERY, kind: "event", from: "headers and query of the webhook, as JSON" });
  return names;
}

/** The names that an expression can use (spec 1.4). Variables are below `vars`. */
export function expressionNames(graph: Graph, id: string, field: FieldScope = {}): ScopeName[] {
  const plain = (name: string, from: string): ScopeName => ({ name, kind: "expression", from });
  const scope = scopeAt(graph, id, field);
  const parents = scope.filter(({ kind }) => kind === "parent");
  return [
    ...parents.map((parent, at) => ({ ...parent, name: `inputs[${at}]` })),
    plain("inputs", "values of the parents, as JSON where they are JSON"),
    plain("exitCode", "exit code of the first parent's command"),
    plain("status", "HTTP status of the first parent's last call"),
    plain("headers", "headers of the first parent's last call"),
    plain("run.inputs", "the inputs of the run"),
    ...factScope(graph.nodes[graph.indexOf.get(id) ?? -1]),
    ...scope.filter(({ kind }) => kind === "loop"),
    ...scope
      .filter(({ kind }) => kind === "variable" || kind === "input")
      .map((each) => ({ ...each, name: `vars.${each.name}` })),
    ...scope.filter(({ kind }) => kind === "node").map((each) => ({ ...each, name: `nodes.${each.name}` })),
  ];
}

export function titleOf(node: WorkflowNode): string {
  const { title } = node.data as { title?: unknown };
  return typeof title === "string" && title !== "" ? title : node.id;
}

function about(description: string | undefined): string {
  return description === undefined || description === "" ? "" : `: ${brief(description)}`;
}

function brief(value: string): string {
  const line = value.replaceAll(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}
