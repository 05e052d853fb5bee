// safety/provenance: where the values of a workflow come from: who started the run, or a command, a model, a delivery (spec 4.1, 4.2).
//   P1. Inputs, secrets, loop counters and the document's own texts are trusted; what a command printed, what a model wrote, what a
//       subflow gave and what a webhook or a file brought is untrusted, and so is whatever is made of it.
//   P2. A secret stays one in whatever is made of it.
//   P3. Asked node by node and remembered; a circle (the pass before) adds nothing.

import { variablesOf } from "../expression.ts";
import type { Graph, GraphNode } from "../graph.ts";
import { loopNames } from "../graph-loops.ts";
import { inOrder } from "../graph-order.ts";
import { type SecretSources, secretSources } from "../graph-secrets.ts";
import { parseTemplate, type Reference, referencesOf } from "../template.ts";
import { bringsDelivery, DELIVERY, EVENT } from "../triggers.ts";
import type { Meaning } from "./script.ts";

export interface Provenance {
  /** Of a reference in the node's content (`own`: it sees its env.static) or in another of its fields. */
  ofReference(node: GraphNode, reference: Pick<Reference, "root" | "members" | "filter">, own: boolean): Meaning;
  /** Of a parent's value; index from 0. */
  ofParent(node: GraphNode, index: number): Meaning;
  /** Of a variable that the node exports (env.static, exposeParents). */
  ofExported(node: GraphNode, name: string): Meaning | undefined;
  /** Of a text with references. */
  ofText(node: GraphNode, text: string, own: boolean): Meaning;
}

/** Texts are known only as far as no run is needed: literals, Variables that nothing feeds, env.static made of them. */
export function provenanceOf(graph: Graph): Provenance {
  return new Origins(graph);
}

const NOTHING: Meaning = {};
/** Of circles: the values of earlier passes. */
const DEPTH_MAX = 200;

class Origins implements Provenance {
  #graph: Graph;
  #values = new Map<number, Meaning>();
  /** What secret Variables take their values from. */
  #secrets: SecretSources;
  #open = new Set<number>();
  #isWarm = false;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#secrets = secretSources(graph);
  }

  ofReference(
    node: GraphNode,
    { root, members, filter }: Pick<Reference, "root" | "members" | "filter">,
    own: boolean,
  ): Meaning {
    const meaning = this.#ofName(node, root, own);
    if (members.length === 0 && filter === undefined) return meaning;
    const { text: _, ...rest } = meaning;
    return rest;
  }

  #ofName(node: GraphNode, root: string, own: boolean): Meaning {
    const { nodes, named, workflow } = this.#graph;
    if (/^[0-9]/.test(root)) return this.ofParent(node, Number(root) - 1);
    const loop = node.loops.findLast((index) => loopNames(nodes[index]!.node).includes(root));
    if (loop !== undefined) return this.#ofLoopName(nodes[loop]!, root);
    const data = node.node.type === "cli" ? node.node.data : undefined;
    const literal = own ? data?.env?.static?.[root] : undefined;
    if (literal !== undefined) return this.ofText(node, literal, false);
    const variable = nodes[named.get(root) ?? -1];
    if (variable !== undefined) return this.#ofValue(variable);
    if (workflow.secrets.includes(root) || this.#secrets.inputs.has(root)) return { secret: root };
    const from = brought(workflow.on);
    if (root === EVENT && from !== undefined) return { untrusted: from, foreign: true };
    if (root === DELIVERY && bringsDelivery(workflow)) return { untrusted: "what a webhook brought", foreign: true };
    // Members of a delivery's body are inputs of the same name.
    if (Object.hasOwn(workflow.inputs, root) && (workflow.on ?? []).some((trigger) => "webhook" in trigger))
      return { untrusted: "what a webhook brought", foreign: true };
    return NOTHING;
  }

  ofParent(node: GraphNode, index: number): Meaning {
    const source = this.#graph.nodes[node.parents[index]?.source ?? -1];
    return source === undefined ? NOTHING : this.#ofValue(source);
  }

  ofExported(node: GraphNode, name: string): Meaning | undefined {
    if (node.node.type !== "cli") return undefined;
    const { env } = node.node.data;
    const literal = Object.hasOwn(env?.static ?? {}, name) ? env?.static?.[name] : undefined;
    if (literal !== undefined) return this.ofText(node, literal, false);
    if (env?.exposeParents !== true) return undefined;
    const index = env.names?.indexOf(name) ?? -1;
    const number = index >= 0 ? index : /^INPUT_[1-9][0-9]*$/.test(name) ? Number(name.slice(6)) - 1 : -1;
    return number >= 0 && number < node.parents.length ? this.ofParent(node, number) : undefined;
  }

  ofText(node: GraphNode, text: string, own: boolean): Meaning {
    let known: string | undefined = "";
    let sum: Meaning = NOTHING;
    for (const part of parseTemplate(text)) {
      const meaning = part.kind === "text" ? { text: part.text } : this.ofReference(node, part, own);
      known = known === undefined || meaning.text === undefined ? undefined : known + meaning.text;
      sum = both(sum, meaning);
    }
    return known === undefined ? sum : { ...sum, text: known };
  }

  /** Every node after those it depends on, so that no answer needs a long way of questions. */
  #warm(): void {
    if (this.#isWarm) return;
    this.#isWarm = true;
    for (const index of inOrder(this.#graph.nodes, (node) => [...node.children, ...node.waiters]))
      this.#ofValue(this.#graph.nodes[index]!);
  }

  #ofValue(node: GraphNode): Meaning {
    this.#warm();
    const known = this.#values.get(node.index);
    if (known !== undefined) return known;
    if (this.#open.has(node.index)) return NOTHING;
    if (this.#open.size > DEPTH_MAX) return { untrusted: "an earlier pass" };
    this.#open.add(node.index);
    const seen = this.#look(node);
    const meaning = this.#secrets.nodes.has(node.index) ? { ...without(seen), secret: seen.secret ?? node.id } : seen;
    this.#open.delete(node.index);
    // What was found inside a circle may lack what the circle brings; only whole answers are kept.
    if (this.#open.size === 0) this.#values.set(node.index, meaning);
    return meaning;
  }

  #look(node: GraphNode): Meaning {
    const { node: drawn } = node;
    const parents = () => node.parents.map((_each, index) => this.ofParent(node, index)).reduce(both, NOTHING);
    switch (drawn.type) {
      case "cli":
        return { untrusted: `the output of "${node.id}"` };
      case "llm":
        return { untrusted: `the answer of the model in "${node.id}"`, foreign: true };
      case "subflow":
        return { untrusted: `the result of the subflow "${node.id}"` };
      case "start": {
        const from = brought(this.#graph.workflow.on);
        return from === undefined ? NOTHING : { untrusted: from, foreign: true };
      }
      case "text":
        return this.ofText(node, drawn.data.content, false);
      case "variable": {
        const { content, initialValue, secret } = drawn.data;
        const meaning =
          content !== undefined
            ? this.ofText(node, content, false)
            : node.parents.length > 0
              ? this.ofParent(node, 0)
              : this.ofText(node, initialValue ?? "", false);
        const fixed = node.loops.length > 0 || node.parents.length > 0 ? without(meaning) : meaning;
        return secret === true ? { ...without(fixed), secret: drawn.data.variableName } : fixed;
      }
      case "accumulator":
        return without(
          both(
            drawn.data.content === undefined ? parents() : this.ofText(node, drawn.data.content, false),
            this.ofText(node, drawn.data.initialValue ?? "", false),
          ),
        );
      case "loop-start":
        return this.#ofLoopItems(node);
      case "if":
      case "loop-end":
        return without(parents());
    }
  }

  #ofLoopName(loop: GraphNode, name: string): Meaning {
    if (loop.node.type !== "loop-start") return NOTHING;
    const { as, items } = loop.node.data;
    return items !== undefined && name === (as ?? "item") ? this.#ofLoopItems(loop) : NOTHING;
  }

  #ofLoopItems(loop: GraphNode): Meaning {
    if (loop.node.type !== "loop-start" || loop.node.data.items === undefined) return NOTHING;
    const { items } = loop.node.data;
    if (referencesOf(items).length > 0) return without(this.ofText(loop, items, false));
    // An expression: whatever it may read.
    let sum = NOTHING;
    if (/\binputs\b/.test(items)) for (const index of loop.parents.keys()) sum = both(sum, this.ofParent(loop, index));
    for (const name of variablesOf(items).vars) sum = both(sum, this.#ofName(loop, name, false));
    return without(sum);
  }
}

/** What of its triggers may have started a run, as a source of text; undefined when none brings any. */
function brought(on: readonly Record<string, unknown>[] | undefined): string | undefined {
  if ((on ?? []).some((trigger) => "webhook" in trigger)) return "what a webhook brought";
  return (on ?? []).some((trigger) => "file" in trigger) ? "the name of a file that changed" : undefined;
}

function both(one: Meaning, other: Meaning): Meaning {
  const foreign = one.foreign === true || other.foreign === true;
  const untrusted = (foreign && one.foreign !== true ? other.untrusted : one.untrusted) ?? other.untrusted;
  const secret = one.secret ?? other.secret;
  return {
    ...(untrusted === undefined ? {} : { untrusted }),
    ...(foreign ? { foreign } : {}),
    ...(secret === undefined ? {} : { secret }),
  };
}

function without({ text: _, ...rest }: Meaning): Meaning {
  return rest;
}
