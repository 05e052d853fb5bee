// names-used: the names that a node's fields refer to, and in which field. Reads text only; what a name means is the graph's business.

import { variablesOf } from "./expression.ts";
import type { WorkflowNode } from "./model.ts";
import { referencesOf } from "./template.ts";

export interface NameUse {
  name: string;
  /** The field: `content`, `while`, `until`, `env`, `other`. */
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
      template(data.content, "content");
      templates(data.env?.static, "env");
      template(data.stdin?.literal, "other");
      template(data.cwd, "other");
      template(data.cache?.key, "other");
      template(data.rateLimit?.key, "other");
      template(data.concurrency?.key, "other");
      if (typeof data.auth === "object") templates(data.auth, "other");
      expression(data.output?.select, "other");
      break;
    case "llm":
      template(data.content, "content");
      template(data.system, "other");
      template(data.cache?.key, "other");
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
