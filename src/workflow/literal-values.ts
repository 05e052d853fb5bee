// literal-values: what the document itself says about the values of a command: text written in env.static or in a
// Variable, and names of secrets.
//   V1. Values of other nodes are unknown here. A secret counts under its own name and in env.static.

import type { Meaning, Source } from "../shell/safety/index.ts";
import { referencesOf } from "../shell/template.ts";
import type { Graph, GraphNode } from "./graph.ts";
import { loopNames } from "./graph-loops.ts";
import { type SecretSources, secretSources } from "./graph-secrets.ts";
import { staticsOf, variableName } from "./node-fields.ts";

/** For the references in the content of a CLI node, and for variables that it exports. */
export function literalValues(graph: Graph): (node: GraphNode) => Source {
  const secrets = secretSources(graph);
  return (node) => {
    const ofName = (root: string) => meaningOf(root, node, graph, secrets);
    const ofStatic = (name: string): Meaning | undefined => {
      const statics = staticsOf(node.node);
      const text = Object.hasOwn(statics, name) ? statics[name] : undefined;
      if (text === undefined) return undefined;
      const references = referencesOf(text);
      if (references.length === 0) return { text };
      return { secret: references.map(({ root }) => ofName(root).secret).find((secret) => secret !== undefined) };
    };
    const ofParent = (name: string): Meaning | undefined => {
      const index = parentNames(node).indexOf(name);
      return index === -1 ? undefined : ofName(String(index + 1));
    };
    return {
      meaningOf: ({ root, members, filter, default: fallback }) => {
        const isLoops = node.loops.some((index) => loopNames(graph.nodes[index]!.node).includes(root));
        const meaning = isLoops ? {} : (ofStatic(root) ?? ofName(root));
        return members.length === 0 && filter === undefined && fallback === undefined
          ? meaning
          : { secret: meaning.secret };
      },
      exported: (name) => ofStatic(name) ?? ofParent(name),
    };
  };
}

/** A name of the workflow, or the number of a parent. */
function meaningOf(root: string, node: GraphNode, graph: Graph, secrets: SecretSources): Meaning {
  const source = /^[0-9]/.test(root) ? node.parents[Number(root) - 1]?.source : sourceOf(root, node, graph);
  const found = graph.nodes[source ?? -1];
  if (found !== undefined && secrets.nodes.has(found.index)) return { secret: variableName(found.node) ?? found.id };
  if (found?.node.type === "variable" && found.parents.length === 0 && found.loops.length === 0) {
    const text = found.node.data.content ?? found.node.data.initialValue ?? "";
    return referencesOf(text).length === 0 ? { text } : {};
  }
  return graph.workflow.secrets.includes(root) || secrets.inputs.has(root) ? { secret: root } : {};
}

function sourceOf(name: string, node: GraphNode, graph: Graph): number | undefined {
  return graph.named.get(name) ?? node.refers.get(name)?.source;
}

/** Names of the variables in which a CLI node exports its parents' values. */
export function parentNames({ node, parents }: GraphNode): string[] {
  if (!("env" in node.data) || node.data.env?.exposeParents !== true) return [];
  const { names } = node.data.env;
  return parents.map((_parent, index) => names?.[index] ?? `INPUT_${index + 1}`);
}
