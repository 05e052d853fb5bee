// names-used: the names that a node's fields refer to, and in which field. It only reads text; graph-names.ts resolves
// the names.

import { referencesOf } from "../shell/template.ts";
import { variablesOf } from "./expression.ts";
import type { CliData, WorkflowNode } from "./model.ts";

export interface NameUse {
  name: string;
  /** `content`: a field that sees the node's own env.static. Otherwise the field's name, or `other`. */
  where: string;
}

export function namesUsed(node: WorkflowNode): NameUse[] {
  const uses: NameUse[] = [];
  const template = (text: unknown, where: string): void => {
    if (typeof text !== "string" || !text.includes("${")) return;
    for (const { root } of referencesOf(text)) if (!/^[0-9]/.test(root)) uses.push({ name: root, where });
  };
  const expression = (text: unknown, where: string): void => {
    if (typeof text !== "string") return;
    const { vars, references } = variablesOf(text);
    for (const name of vars) uses.push({ name, where });
    for (const { root } of references) if (!/^[0-9]/.test(root)) uses.push({ name: root, where });
  };
  const templates = (map: Record<string, unknown> | undefined, where: string): void => {
    for (const text of Object.values(map ?? {})) template(text, where);
  };
  const { type, data } = node;
  switch (type) {
    case "cli":
      if (!isForeignScript(data)) template(data.content, "content");
      templates(data.env?.static, "env");
      template(data.stdin?.literal, "content");
      template(data.cwd, "content");
      template(data.cache?.key, "other");
      template(data.rateLimit?.key, "other");
      template(data.concurrency?.key, "other");
      if (typeof data.auth === "object") templates(data.auth, "other");
      template(data.approval?.prompt, "other");
      expression(data.output?.select, "other");
      if (typeof data.retry?.on === "string") expression(data.retry.on, "other");
      break;
    case "llm":
      template(data.content, "content");
      template(data.system, "other");
      template(data.cache?.key, "other");
      template(data.approval?.prompt, "other");
      if (typeof data.retry?.on === "string") expression(data.retry.on, "other");
      break;
    case "variable":
    case "accumulator":
      template(data.content, "content");
      template(data.initialValue, "other");
      break;
    case "if":
      expression(data.content, "content");
      break;
    case "loop-start":
      template(data.iterations, "other");
      template(data.start, "other");
      expression(data.items, "other");
      expression(data.while, "while");
      break;
    case "loop-end":
      expression(data.until, "until");
      break;
    case "text":
      template(data.content, "content");
      break;
    case "subflow":
      templates(data.inputs, "other");
      break;
    case "start":
      break;
  }
  return uses;
}

/** A script whose first line names an interpreter that is not a shell: there `${…}` belongs to that language (1.3). */
function isForeignScript(data: CliData): boolean {
  const first = data.mode === "script" ? /^#!.*/.exec(data.content)?.[0] : undefined;
  return first !== undefined && !/[/\s](?:bash|sh|zsh|dash)(?:\s|$)/.test(first);
}
