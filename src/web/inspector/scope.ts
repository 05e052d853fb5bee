// scope: the names that a template or an expression of a node can use, and where each comes from, in order of
// precedence (spec 1.3, 1.4).
//   N1. The order is the engine's: loop variables (innermost first), env.static of this node, Variables and
//       Accumulators, inputs, secrets. A name that another one hides is not offered.
//   N2. Parents are numbered, and `${1}` is the first. They are listed with their titles.
//   N3. An incomplete document works as well: an invalid node keeps its name and its edges.

import { limits } from "../../base/limits.ts";
import { analyze, type Graph } from "../../workflow/graph.ts";
import { loopNames } from "../../workflow/graph-loops.ts";
import { isNodeType, kindOf, knows } from "../../workflow/kinds/index.ts";
import type { Workflow, WorkflowNode } from "../../workflow/model.ts";
import { isSecretVariable, staticsOf, variableName } from "../../workflow/node-fields.ts";
import type { ParsedWorkflow } from "../../workflow/parse.ts";
import { bringsDelivery, DELIVERY } from "../../workflow/triggers.ts";
import { isMapValue } from "../document/equal.ts";

export type NameKind = "parent" | "loop" | "env" | "variable" | "input" | "secret" | "event" | "expression";

export interface ScopeName {
  name: string;
  kind: NameKind;
  /** Where the value comes from, as a short sentence. */
  from: string;
  /** The id of the node that provides the value. */
  node?: string;
  secret?: true;
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
  return names;
}

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
    names.push({ name, kind: "input", from: `input, ${spec.type}${about(spec.description)}` });
  for (const name of workflow.secrets) names.push({ name, kind: "secret", from: "secret", secret: true });
  if ((workflow.on ?? []).some((trigger) => "webhook" in trigger || "file" in trigger))
    names.push({ name: "event", kind: "event", from: "what started the run, as JSON" });
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
    plain("run", "this run: id, name, startedAt, inputs"),
    ...scope.filter(({ kind }) => kind === "loop"),
    ...scope
      .filter(({ kind }) => kind === "variable" || kind === "input")
      .map((each) => ({ ...each, name: `vars.${each.name}` })),
  ];
}

export function titleOf(node: WorkflowNode): string {
  const { title } = node.data as { title?: unknown };
  return typeof title === "string" && title !== "" ? title : node.id;
}

/** The graph of a document of which only some parts can be read (N3). `raw` is the document as plain data. */
export function sketchOf(parsed: ParsedWorkflow, raw: unknown): Graph {
  const known = new Map(parsed.draft?.workflow.nodes.map((node) => [node.id, node]));
  const list = isMapValue(raw) && Array.isArray(raw.nodes) ? raw.nodes.slice(0, limits.nodesMax) : [];
  const seen = new Set<string>();
  const nodes = list.flatMap((item): WorkflowNode[] => {
    if (!isMapValue(item) || typeof item.id !== "string" || seen.has(item.id)) return [];
    seen.add(item.id);
    return [known.get(item.id) ?? bareNode(item.id, item)];
  });
  const draft = parsed.draft?.workflow;
  const workflow: Workflow = {
    curlew: 1,
    name: draft?.name ?? "",
    on: draft?.on,
    inputs: draft?.inputs ?? {},
    secrets: draft?.secrets ?? [],
    finally: draft?.finally ?? [],
    edges: draft?.edges ?? [],
    nodes,
  };
  return analyze(workflow).graph;
}

/** The parts of an invalid node that names and loops need. */
function bareNode(id: string, item: Record<string, unknown>): WorkflowNode {
  const given = isMapValue(item.data) ? item.data : {};
  const type = typeof item.type === "string" && isNodeType(item.type) ? item.type : "start";
  const data: Record<string, unknown> = { title: text(given.title) ?? id, content: text(given.content) ?? "" };
  for (const key of ["loopVariable", "as", "items", "emit"]) if (text(given[key])) data[key] = given[key];
  if (knows({ type }, "variableName")) data.variableName = text(given.variableName) ?? "";
  if (given.secret === true) data.secret = true;
  const statics = isMapValue(given.env) && isMapValue(given.env.static) ? given.env.static : undefined;
  if (statics !== undefined)
    data.env = { static: Object.fromEntries(Object.entries(statics).map(([name, value]) => [name, String(value)])) };
  return { id, type, data } as unknown as WorkflowNode;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function about(description: string | undefined): string {
  return description === undefined || description === "" ? "" : `: ${brief(description)}`;
}

function brief(value: string): string {
  const line = value.replaceAll(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}
