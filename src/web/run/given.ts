// given: what a node of a run was given, as far as the page knows it: values by their names, and standard input. Pure.
//   G1. Large values, those of secrets and what was cut stand nowhere on the page: then it is unknown, never a part of it.

import { indexesOf } from "../../scheduler/state.ts";
import type { NodeView } from "../../scheduler/view.ts";
import { loopNames } from "../../workflow/graph-loops.ts";
import { parseTemplate, type Reference, referencesOf } from "../../workflow/template.ts";
import { pathOf } from "./paths.ts";
import type { RunModel } from "./run-model.ts";

/** Characters of a value that stand in a command that is read. */
const VALUE_SHOWN = 200;

/** The text that a name stands for at this node; undefined when the page does not know it. */
export function textNamed(model: RunModel, node: NodeView, root: string): string | undefined {
  const { graph, started, loops } = model;
  const index = graph.indexOf.get(node.id) ?? -1;
  const indexes = indexesOf(node.path);
  if (/^[0-9]+$/.test(root)) return textAt(graph.nodes[index]?.parents[Number(root) - 1]?.source);
  const around = graph.nodes[index]?.loops ?? [];
  // Of two loops with the same name the inner one is meant.
  for (let depth = around.length - 1; depth >= 0; depth--) {
    const loop = graph.nodes[around[depth] ?? -1]?.node;
    const at = loop === undefined ? -1 : loopNames(loop).indexOf(root);
    if (loop === undefined || at < 0) continue;
    const cell = loops.byPath.get(pathOf(loop.id, indexes.slice(0, depth)))?.cells.get(indexes[depth] ?? -1);
    const isItem = at === 0 && loop.type === "loop-start" && loop.data.items !== undefined;
    return isItem ? cell?.item : cell && String(cell.counter);
  }
  const named = graph.named.get(root);
  if (named !== undefined) return textAt(named);
  if (!Object.hasOwn(started.inputs, root)) return undefined;
  const input = started.inputs[root];
  return typeof input === "string" ? input : JSON.stringify(input);

  function textAt(source: number | undefined): string | undefined {
    const drawn = graph.nodes[source ?? -1];
    if (drawn === undefined) return undefined;
    return model.node(pathOf(drawn.id, indexes.slice(0, drawn.loops.length)))?.value;
  }
}

export interface GivenValue {
  /** As it is written: `${api}`. */
  reference: string;
  /** Undefined: nowhere on the page (G1). */
  text: string | undefined;
  isSecret: boolean;
}

/** What stood for the references in the command of its last attempt, each once. */
export function valuesGiven(model: RunModel, node: NodeView): GivenValue[] {
  const command = node.attempts.at(-1)?.command ?? "";
  const found = new Map<string, GivenValue>();
  for (const reference of referencesOf(command)) {
    const written = command.slice(reference.start, reference.end);
    if (found.has(written) || !isKnownName(model, node, reference.root)) continue;
    const isSecret = isSecretName(model, reference.root);
    found.set(written, { reference: written, text: textOf(model, node, reference), isSecret });
  }
  return [...found.values()];
}

/** The command of its last attempt with the values in their places, as far as they are known; to be read, not to be run. */
export function commandGiven(model: RunModel, node: NodeView): string | undefined {
  const command = node.attempts.at(-1)?.command;
  if (command === undefined || !command.includes("${")) return command;
  return parseTemplate(command)
    .map((part) => {
      if (part.kind === "text") return part.text;
      const text = textOf(model, node, part) ?? command.slice(part.start, part.end);
      return text.length > VALUE_SHOWN ? `${text.slice(0, VALUE_SHOWN)}…` : text;
    })
    .join("");
}

/** Declared, or of a Variable that is. */
export function isSecretName({ graph }: RunModel, root: string): boolean {
  const named = graph.nodes[graph.named.get(root) ?? -1]?.node;
  return graph.workflow.secrets.includes(root) || (named?.type === "variable" && named.data.secret === true);
}

/** Else it is the shell's own. */
function isKnownName(model: RunModel, node: NodeView, root: string): boolean {
  const isNamed = /^[0-9]+$/.test(root) || model.graph.named.has(root) || isSecretName(model, root);
  return isNamed || textNamed(model, node, root) !== undefined;
}

function textOf(model: RunModel, node: NodeView, { root, members }: Reference): string | undefined {
  const text = textNamed(model, node, root);
  return text === undefined ? undefined : memberOf(text, members);
}

/** Of a text that is JSON. */
export function memberOf(text: string, members: Reference["members"]): string | undefined {
  if (members.length === 0) return text;
  try {
    let value: unknown = JSON.parse(text);
    for (const member of members) value = (value as Record<string | number, unknown> | undefined)?.[member];
    return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Standard input of its last attempt. */
export function stdinOf(model: RunModel, node: NodeView): string | undefined {
  const given = node.attempts.at(-1)?.stdin;
  const drawn = model.graph.nodes[model.graph.indexOf.get(node.id) ?? -1]?.node;
  const stdin = drawn?.type === "cli" ? drawn.data.stdin : undefined;
  if (given === undefined || stdin?.source !== "parent-index") return undefined;
  const text = textNamed(model, node, String((stdin.parentIndex ?? 0) + 1));
  return text !== undefined && new TextEncoder().encode(text).length === given.bytes ? text : undefined;
}
