// names-used: the names that a node's fields refer to, and in which field. It only reads text; graph-names.ts resolves
// the names.

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

export function namesUsed(node: WorkflowNode): NameUse[] {
  return textsOf(kindOf(node), node.data).flatMap((field) => {
    const isOwn = field.reading === "own" || field.reading === "script";
    return namesIn(field, node).map((name) => ({ name, where: isOwn ? "own" : String(field.path[0]) }));
  });
}

function namesIn({ reading, text }: TextField, { data }: WorkflowNode): string[] {
  if (reading === "script" && "mode" in data && isForeignScript(text, data.mode)) return [];
  const isExpression = reading === "expression" || reading === "inside";
  const { vars, references } = isExpression ? variablesOf(text) : { vars: [], references: referencesOf(text) };
  return [...vars, ...references.map(({ root }) => root).filter((root) => !/^[0-9]/.test(root))];
}

/** A script whose first line names an interpreter that is not a shell: there `${…}` belongs to that language (1.3). */
function isForeignScript(content: string, mode: string | undefined): boolean {
  const first = mode === "script" ? /^#!.*/.exec(content)?.[0] : undefined;
  return first !== undefined && !/[/\s](?:bash|sh|zsh|dash)(?:\s|$)/.test(first);
}
