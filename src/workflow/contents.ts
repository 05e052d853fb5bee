// contents: hashes everything in a workflow that decides what a command does. Trust is stored by this hash (spec 4.2).
//   H1. Every field of the command except its title counts, with defaults merged and keys sorted. So do the workflow's
//       egress, the credentials it names, and the meaning of each name it uses: a secret, or an input with its default.
//   H2. Upstream nodes that are not commands (texts, variables, conditions, loops) count in full. Upstream commands
//       count with their own fields only. So neither another text nor another source of a value passes as the trusted
//       one.
//   H3. If a command reads variables of the previous iteration, everything in that loop counts.
//   H4. In a subflow, the node that names the subflow counts too, with everything upstream of it.
//   H5. The cost grows with nodes and edges, without recursion.

import { impossible } from "../base/result.ts";
import { referencesOf } from "../shell/template.ts";
import type { Graph, GraphNode } from "./graph.ts";
import { isCommand } from "./graph.ts";
import { inOrder } from "./graph-order.ts";
import { knows } from "./kinds/index.ts";
import type { Workflow, WorkflowNode } from "./model.ts";
import { namesUsed } from "./names-used.ts";

/** Hexadecimal SHA-256 of a text. The caller provides it. */
export type Digest = (text: string) => string;

export interface Surroundings {
  /** Absolute folder of the workflow file: commands run there. */
  folder: string;
  /** For a subflow: the hash of the node that names it, in that node's workflow. */
  within?: string | undefined;
}

/** Hashes by node id, for commands (CLI, LLM) and subflow nodes. */
export function contentHashes(
  graph: Graph,
  { folder, within }: Surroundings,
  digest: Digest,
): ReadonlyMap<string, string> {
  const own = graph.nodes.map(({ node }) => digest(ownText(node, graph.workflow)));
  const loops = new Map<number, string>();
  const fed: (string | undefined)[] = [];
  const hashes = new Map<string, string>();
  const targets = targetsOf(graph.nodes);
  let bodies: Map<number, GraphNode[]> | undefined;
  for (const index of inOrder(graph.nodes, (node) => targets[node.index]!)) {
    const node = graph.nodes[index]!;
    fed[index] = digest(JSON.stringify([own[index], ...sourcesOf(node)]));
    if (isCommand(node.node))
      hashes.set(node.id, digest(JSON.stringify(["curlew command", 1, folder, within ?? "", fed[index]])));
  }
  return hashes;

  function sourcesOf(node: GraphNode): unknown[] {
    const parents = node.parents.map(({ source, handle }) => [handle ?? "", handedOn(source)]);
    const around = node.loops.map((loop) => handedOn(loop));
    return [parents, node.waits.map(handedOn), around, named(node), carried(node)];
  }

  /** H2. */
  function handedOn(index: number): string {
    return isCommand(graph.nodes[index]!.node) ? own[index]! : (fed[index] ?? impossible("a source behind its target"));
  }

  function named(node: GraphNode): unknown[] {
    return namesUsed(node.node).flatMap(({ name }) => {
      const index = graph.named.get(name);
      return index === undefined ? [] : [[name, own[index]]];
    });
  }

  /** H3. */
  function carried(node: GraphNode): string[] {
    if (graph.carried.size === 0) return [];
    const meant = namesUsed(node.node).map(({ name }) => graph.carried.get(`${node.id} ${name}`));
    return [...new Set(meant)].flatMap((loop) => (loop === undefined ? [] : [wholeLoop(loop)]));
  }

  function wholeLoop(loop: number): string {
    const known = loops.get(loop);
    if (known !== undefined) return known;
    bodies ??= bodiesOf(graph.nodes);
    const drawn = (bodies.get(loop) ?? []).map(({ id, index, parents }) => [
      id,
      own[index],
      parents.map(({ source, handle }) => [graph.nodes[source]!.id, handle ?? ""]),
    ]);
    const whole = digest(JSON.stringify(drawn));
    loops.set(loop, whole);
    return whole;
  }
}

/** The nodes that use a node's value: through edges (including to finally nodes), by name, and in loops. */
function targetsOf(nodes: readonly GraphNode[]): number[][] {
  const targets: number[][] = nodes.map(() => []);
  for (const { index, parents, waits, loops } of nodes)
    for (const source of new Set([...parents.map((parent) => parent.source), ...waits, ...loops]))
      targets[source]!.push(index);
  return targets;
}

function bodiesOf(nodes: readonly GraphNode[]): Map<number, GraphNode[]> {
  const bodies = new Map<number, GraphNode[]>();
  for (const node of nodes)
    for (const loop of node.loops) {
      const body = bodies.get(loop);
      if (body === undefined) bodies.set(loop, [node]);
      else body.push(node);
    }
  return bodies;
}

/** H1. */
function ownText(node: WorkflowNode, workflow: Workflow): string {
  const { title: _, ...data } = node.data as unknown as Record<string, unknown>;
  const names = new Set(namesUsed(node).map(({ name }) => name));
  const auth = typeof data.auth === "string" ? workflow.auth?.[data.auth] : undefined;
  for (const text of Object.values(auth ?? {})) for (const { root } of referencesOf(text)) names.add(root);
  const known = [...names].sort().map((name) => [name, workflow.secrets.includes(name), defaultOf(name, workflow)]);
  const egress = knows(node, "egress") ? workflow.egress : undefined;
  return JSON.stringify(sorted([node.type, data, egress ?? null, auth ?? null, known]));
}

function defaultOf(name: string, { inputs }: Workflow): unknown {
  return Object.hasOwn(inputs, name) ? ["input", inputs[name]?.default ?? null] : null;
}

/** The value with its keys sorted; its depth is bounded by the workflow's. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}
