// safety/known: finds the values that are known before the run: their text, and whether they are or contain a secret.
//   K1. Text is known for literals, for Variables and Text nodes without parents, and for env.static made of them.
//   K2. A secret counts under its own name, and in Variables, Text nodes and env.static that name it. It is followed no
//       further.

import type { Meaning, Source } from "../shell/safety/index.ts";
import { parseTemplate, type Reference } from "../shell/template.ts";
import type { Graph, GraphNode } from "./graph.ts";
import { loopNames } from "./graph-loops.ts";
import { type SecretSources, secretSources } from "./graph-secrets.ts";
import { staticsOf, variableName } from "./node-fields.ts";

/** Longer chains of Variables and Text nodes are not followed. */
const DEPTH_MAX = 100;

export class KnownValues {
  #graph: Graph;
  #secrets: SecretSources;
  #nodes = new Map<number, Meaning>();
  #depth = 0;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#secrets = secretSources(graph);
  }

  /** The meaning of references in the content of a CLI node, and of variables that it exports. */
  sourceOf(node: GraphNode): Source {
    return {
      meaningOf: (reference) => this.#ofReference(node, reference, true),
      exported: (name) => this.#ofExported(node, name),
    };
  }

  #ofReference(
    node: GraphNode,
    { root, members, filter }: Pick<Reference, "root" | "members" | "filter">,
    seesStatic: boolean,
  ): Meaning {
    const meaning = this.#ofName(node, root, seesStatic);
    return members.length === 0 && filter === undefined ? meaning : { secret: meaning.secret };
  }

  /** Looks up a name in the order of 1.3. */
  #ofName(node: GraphNode, root: string, seesStatic: boolean): Meaning {
    const { nodes, named, workflow } = this.#graph;
    if (/^[0-9]/.test(root)) return this.#ofParent(node, Number(root) - 1);
    if (node.loops.some((index) => loopNames(nodes[index]!.node).includes(root))) return {};
    const literal = seesStatic ? staticOf(node, root) : undefined;
    if (literal !== undefined) return this.#ofText(node, literal);
    const variable = nodes[named.get(root) ?? -1];
    if (variable !== undefined) return this.#ofNode(variable);
    return workflow.secrets.includes(root) || this.#secrets.inputs.has(root) ? { secret: root } : {};
  }

  #ofParent(node: GraphNode, index: number): Meaning {
    const parent = this.#graph.nodes[node.parents[index]?.source ?? -1];
    return parent === undefined ? {} : this.#ofNode(parent);
  }

  #ofExported(node: GraphNode, name: string): Meaning | undefined {
    const literal = staticOf(node, name);
    if (literal !== undefined) return this.#ofText(node, literal);
    const index = parentNames(node).indexOf(name);
    return index === -1 ? undefined : this.#ofParent(node, index);
  }

  #ofText(node: GraphNode, text: string): Meaning {
    const parts = parseTemplate(text).map((part) =>
      part.kind === "text" ? { text: part.text } : this.#ofReference(node, part, false),
    );
    const isKnown = parts.every((part) => part.text !== undefined);
    return {
      text: isKnown ? parts.map((part) => part.text).join("") : undefined,
      secret: parts.find((part: Meaning) => part.secret !== undefined)?.secret,
    };
  }

  #ofNode(node: GraphNode): Meaning {
    const known = this.#nodes.get(node.index);
    if (known !== undefined) return known;
    if (this.#depth >= DEPTH_MAX) return {};
    this.#nodes.set(node.index, {});
    this.#depth++;
    const meaning = this.#secrets.nodes.has(node.index) ? { secret: nameOf(node) } : this.#look(node);
    this.#depth--;
    this.#nodes.set(node.index, meaning);
    return meaning;
  }

  #look(node: GraphNode): Meaning {
    const { type, data } = node.node;
    if (type === "text") return this.#ofText(node, data.content);
    if (type !== "variable") return {};
    const isFed = node.parents.length > 0;
    if (data.content === undefined && isFed) return { secret: this.#ofParent(node, 0).secret };
    const meaning = this.#ofText(node, data.content ?? data.initialValue ?? "");
    return isFed || node.loops.length > 0 ? { secret: meaning.secret } : meaning;
  }
}

/** Names of the variables in which a CLI node exports its parents' values. */
export function parentNames({ node, parents }: GraphNode): string[] {
  if (!("env" in node.data) || node.data.env?.exposeParents !== true) return [];
  const { names } = node.data.env;
  return parents.map((_parent, index) => names?.[index] ?? `INPUT_${index + 1}`);
}

function staticOf({ node }: GraphNode, name: string): string | undefined {
  const texts = staticsOf(node);
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

function nameOf({ node, id }: GraphNode): string {
  return variableName(node) ?? id;
}
