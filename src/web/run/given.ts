// given: the input of a node in a run, as far as the page knows it: values by name, and standard input. Pure.
//   G1. Large, secret and truncated values are unknown to the page. They are never shown in part.

import { indexesOf } from "../../scheduler/state.ts";
import type { NodeView } from "../../scheduler/view.ts";
import { parseTemplate, type Reference, referencesOf } from "../../shell/template.ts";
import { isFact } from "../../workflow/facts.ts";
import { loopNames } from "../../workflow/graph-loops.ts";
import { isSecretVariable } from "../../workflow/node-fields.ts";
import { pathOf } from "./paths.ts";
import type { RunModel } from "./run-model.ts";

const VALUE_SHOWN = 200;

/** The text of a name at this node; undefined if the page does not know it. */
export function textNamed(
  model: RunModel,
  node: NodeView,
  root: string,
  members: Reference["members"] = [],
): string | undefined {
  const { graph, started, loops } = model;
  const index = graph.indexOf.get(node.id) ?? -1;
  const indexes = indexesOf(node.path);
  if (/^[0-9]+$/.test(root)) return textAt(graph.nodes[index]?.parents[Number(root) - 1]?.source);
  const around = graph.nodes[index]?.loops ?? [];
  // If two enclosing loops have the same name, the inner one counts.
  for (let depth = around.length - 1; depth >= 0; depth--) {
    const loop = graph.nodes[around[depth] ?? -1]?.node;
    const at = loop === undefined ? -1 : loopNames(loop).indexOf(root);
    if (loop === undefined || at < 0) continue;
    const cell = loops.byPath.get(pathOf(loop.id, indexes.slice(0, depth)))?.cells.get(indexes[depth] ?? -1);
    const isItem = at === 0 && loop.type === "loop-start" && loop.data.items !== undefined;
    return isItem ? cell?.item : cell && String(cell.counter);
  }
  const named =
    graph.named.get(root) ?? (graph.taken.has(root) ? undefined : graph.nodes[index]?.refers.get(root)?.source);
  if (named !== undefined) return textAt(named);
  if (!Object.hasOwn(started.inputs, root)) return isFact(root, members) ? factText(model, root) : undefined;
  const input = started.inputs[root];
  return typeof input === "string" ? input : JSON.stringify(input);

  function textAt(source: number | undefined): string | undefined {
    const drawn = graph.nodes[source ?? -1];
    if (drawn === undefined) return undefined;
    return model.node(pathOf(drawn.id, indexes.slice(0, drawn.loops.length)))?.value;
  }
}

/** A fact, as far as the page knows it. The number of an attempt is not one value for the node. */
function factText({ started }: RunModel, root: string): string | undefined {
  const { run: id, at, workflow, trigger } = started;
  if (root === "run") return JSON.stringify({ id, name: workflow.name, startedAt: at });
  return root === "trigger" ? JSON.stringify({ kind: trigger.kind, at: trigger.at ?? at }) : undefined;
}

export interface GivenValue {
  /** As written: `${api}`. */
  reference: string;
  /** Undefined: unknown to the page (G1). */
  text: string | undefined;
  isSecret: boolean;
}

/** The values of the references in the command of the last attempt, each once. */
export function valuesGiven(model: RunModel, node: NodeView): GivenValue[] {
  const command = node.attempts.at(-1)?.command ?? "";
  const found = new Map<string, GivenValue>();
  for (const reference of referencesOf(command)) {
    const written = command.slice(reference.start, reference.end);
    if (found.has(written) || !isKnownName(model, node, reference)) continue;
    const isSecret = isSecretName(model, reference.root);
    found.set(written, { reference: written, text: referenceText(model, node, reference), isSecret });
  }
  return [...found.values()];
}

/** The command of the last attempt with known values filled in. For reading, not for running. */
export function commandGiven(model: RunModel, node: NodeView): string | undefined {
  const command = node.attempts.at(-1)?.command;
  return command === undefined ? undefined : filledText(model, node, command, { charsMax: VALUE_SHOWN });
}

interface Filling {
  /** Longer values are cut. */
  charsMax?: number;
  /** References with a filter stay, because the value was changed by it. */
  exact?: boolean;
}

/** The text with known values for its references. */
export function filledText(
  model: RunModel,
  node: NodeView,
  text: string,
  { charsMax = Number.POSITIVE_INFINITY, exact = false }: Filling,
): string {
  if (!text.includes("${")) return text;
  return parseTemplate(text)
    .map((part) => {
      if (part.kind === "text") return part.text;
      const isKept = exact && part.filter !== undefined;
      const value = (isKept ? undefined : referenceText(model, node, part)) ?? text.slice(part.start, part.end);
      return value.length > charsMax ? `${value.slice(0, charsMax)}…` : value;
    })
    .join("");
}

/** A declared secret, or a Variable that holds one. */
export function isSecretName({ graph }: RunModel, root: string): boolean {
  const named = graph.nodes[graph.named.get(root) ?? graph.indexOf.get(root) ?? -1]?.node;
  return graph.workflow.secrets.includes(root) || (named !== undefined && isSecretVariable(named));
}

/** Otherwise it is the shell's own variable. */
function isKnownName(model: RunModel, node: NodeView, { root, members }: Reference): boolean {
  const isNamed = /^[0-9]+$/.test(root) || model.graph.named.has(root) || isSecretName(model, root);
  return isNamed || textNamed(model, node, root, members) !== undefined;
}

function referenceText(model: RunModel, node: NodeView, { root, members }: Reference): string | undefined {
  const text = textNamed(model, node, root, members);
  return text === undefined ? undefined : memberOf(text, members);
}

/** A member of a text that is JSON. */
export function memberOf(text: string, members: Reference["members"]): string | undefined {
  if (members.length === 0) return text;
  try {
    let value: unknown = JSON.parse(text);
    for (const member of members) value = (value as Record<string | number, unknown> | undefined)?.[member];
    if (value === null) return "";
    return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Standard input of the last attempt. */
export function stdinOf(model: RunModel, node: NodeView): string | undefined {
  const given = node.attempts.at(-1)?.stdin;
  const drawn = model.graph.nodes[model.graph.indexOf.get(node.id) ?? -1]?.node;
  const stdin = drawn !== undefined && "stdin" in drawn.data ? drawn.data.stdin : undefined;
  const isOneValue = stdin?.source === "parent-index" || stdin?.source === "node";
  if (given === undefined || !isOneValue) return undefined;
  const text = textNamed(model, node, stdin.node ?? String((stdin.parentIndex ?? 0) + 1));
  return text !== undefined && new TextEncoder().encode(text).length === given.bytes ? text : undefined;
}
