// graph-secrets: finds the nodes with a secret value because a Variable with `secret: true` takes its value from them
// (spec 1.2, 4.2).
//   Z1. A secret Variable makes its sources secret: its parent, or the names in its `content`, and their sources in
//       turn. It ends at a node that ran something, or at an input.
//   Z2. Values computed from a secret need no entry: the masker knows the secret by then and finds it.
//   Z3. Waits and conditions pass no value. An `error` edge passes a failure, which is masked anyway.

import { referencesOf } from "../shell/template.ts";
import { variablesOf } from "./expression.ts";
import type { Graph, GraphNode } from "./graph.ts";
import { loopNames } from "./graph-loops.ts";
import { kindOf } from "./kinds/index.ts";
import type { Source, Sources } from "./kinds/kind.ts";
import { isSecretVariable } from "./node-fields.ts";

export interface SecretSources {
  /** Nodes whose value is secret, including the secret Variables. */
  nodes: ReadonlySet<number>;
  /** Secret inputs of the workflow. */
  inputs: ReadonlySet<string>;
}

const NONE: SecretSources = { nodes: new Set(), inputs: new Set() };

/** `result`: the run's result is secret too, because a secret Variable takes the result of this subflow. */
export function secretSources(graph: Graph, result = false): SecretSources {
  const named = graph.workflow.output;
  const results = named === undefined ? graph.last : [graph.indexOf.get(named) ?? -1];
  const first = graph.nodes.filter(({ index, node }) => isSecretVariable(node) || (result && results.includes(index)));
  if (first.length === 0) return NONE;
  const nodes = new Set(first.map(({ index }) => index));
  const inputs = new Set<string>();
  const open = [...nodes];
  for (let index = open.pop(); index !== undefined; index = open.pop())
    for (const source of sourcesOf(graph.nodes[index]!, graph)) {
      if (typeof source === "string") inputs.add(source);
      else if (!nodes.has(source)) {
        nodes.add(source);
        open.push(source);
      }
    }
  return { nodes, inputs };
}

/** The sources of a node's value. A node that ran something has no sources. */
function sourcesOf(node: GraphNode, graph: Graph): readonly Source[] {
  const from: Sources = {
    parents: node.parents.filter(({ handle }) => handle !== "error").map(({ source }) => source),
    inputs: Object.keys(graph.workflow.inputs),
    template: (text = "") => referencesOf(text).flatMap(({ root }) => meaningOf(root, node, graph)),
    expression: (text) => expressionSources(text, node, graph),
  };
  return kindOf(node.node).sources?.(node.node.data, from) ?? [];
}

function expressionSources(text: string, node: GraphNode, graph: Graph): Source[] {
  if (text.includes("${")) return [];
  const words = new Set(text.match(/[A-Za-z_][A-Za-z0-9_]*/g));
  const parents = words.has("inputs") ? node.parents.map(({ source }) => source) : [];
  const items = node.loops.flatMap((index) => loopNames(graph.nodes[index]!.node)).filter((name) => words.has(name));
  const { vars, nodes } = variablesOf(text);
  const byId = nodes.flatMap((id) => node.refers.get(id)?.source ?? []);
  return [...parents, ...byId, ...[...vars, ...items].flatMap((name) => meaningOf(name, node, graph))];
}

/** Looks up a name in the order of 1.3: a parent's number, a loop variable, a Variable or Accumulator, a node, an input. */
function meaningOf(root: string, node: GraphNode, graph: Graph): Source[] {
  if (/^[0-9]/.test(root)) {
    const parent = node.parents[Number(root) - 1];
    return parent === undefined || parent.handle === "error" ? [] : [parent.source];
  }
  const loop = node.loops.findLast((index) => loopNames(graph.nodes[index]!.node).includes(root));
  if (loop !== undefined) {
    const { node: start } = graph.nodes[loop]!;
    return start.type === "loop-start" && start.data.items !== undefined && root === (start.data.as ?? "item")
      ? [loop]
      : [];
  }
  const named = graph.named.get(root) ?? node.refers.get(root)?.source;
  if (named !== undefined) return [named];
  return Object.hasOwn(graph.workflow.inputs, root) ? [root] : [];
}
