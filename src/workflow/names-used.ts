// names-used: the names that a node's fields refer to, and in which field. It only reads text; graph-names.ts and
// graph-references.ts resolve the names.

import { foreignInterpreter } from "../shell/dialect.ts";
import { referencesOf } from "../shell/template.ts";
import { variablesOf } from "./expression.ts";
import { kindOf } from "./kinds/index.ts";
import { type TextField, textsOf } from "./kinds/kind.ts";
import type { WorkflowNode } from "./model.ts";

export interface NameUse {
  name: string;
  /** `own`: a field that sees the node's own env.static. Otherwise the first part of the field's path. */
  where: string;
}

/** `id`: it can only be a node, as in `stdin: id` and `nodes.id`. `vars`: it is never a node. */
export type AnyUse = NameUse & { as: "template" | "vars" | "id" };

export function namesUsed(node: WorkflowNode): NameUse[] {
  return usesOf(node).filter((use) => use.as !== "id");
}

/** Names and node ids in order of appearance: `stdin`, then `content`, then the other fields (spec 8.1 L2). */
export function usesOf(node: WorkflowNode): AnyUse[] {
  const { data } = node;
  const fields = textsOf(kindOf(node), data).map((field) => ({ first: String(field.path[0]), field }));
  const inOrder = [
    ...fields.filter(({ first }) => first === "stdin"),
    ...fields.filter(({ first }) => first === "content"),
    ...fields.filter(({ first }) => first !== "stdin" && first !== "content"),
  ];
  const fed = "stdin" in data && data.stdin?.source === "node" ? data.stdin.node : undefined;
  return [
    ...(fed === undefined ? [] : [{ name: fed, where: "stdin", as: "id" as const }]),
    ...inOrder.flatMap(({ first, field }) => usesIn(field, first, node)),
  ];
}

function usesIn(field: TextField, first: string, { data }: WorkflowNode): AnyUse[] {
  const { reading, text } = field;
  const where = reading === "own" || reading === "script" ? "own" : first;
  if (reading === "script" && "mode" in data && foreignInterpreter(data) !== undefined) return [];
  const isExpression = reading === "expression" || reading === "inside";
  const { vars, nodes, references } = isExpression
    ? variablesOf(text, isSelect(field.path))
    : { vars: [], nodes: [], references: referencesOf(text) };
  return [
    ...nodes.map((name) => ({ name, where, as: "id" as const })),
    ...vars.map((name) => ({ name, where, as: "vars" as const })),
    ...references.flatMap(({ root: name }) => (/^[0-9]/.test(name) ? [] : [{ name, where, as: "template" as const }])),
  ];
}

/** In `output.select` a bare name is a member of the output, so only `$nodes` means the nodes. */
export function isSelect(path: readonly (string | number)[]): boolean {
  return path.at(-1) === "select";
}
