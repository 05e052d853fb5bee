// check/fields: the fields of a node that are templates or expressions (spec 1.2 to 1.4).

import type { WorkflowNode } from "../model.ts";
import type { Path } from "../source-map.ts";

export interface TextField {
  path: Path;
  text: string;
  /** `while` and `until` are read inside the loop that their node starts or closes. */
  inside?: boolean;
  /** It sees the node's own env.static. */
  own?: boolean;
}

/** Templates that no shell reads. */
export function templateFields(node: WorkflowNode): TextField[] {
  const fields: TextField[] = [];
  const add = (path: Path, text: unknown, own = false) => {
    if (typeof text === "string" && text.includes("$")) fields.push({ path, text, own });
  };
  const addAll = (path: Path, map: Record<string, unknown> | undefined) => {
    for (const [key, text] of Object.entries(map ?? {})) add([...path, key], text);
  };
  const { data, type } = node;
  switch (type) {
    case "cli":
      addAll(["env", "static"], data.env?.static);
      add(["stdin", "literal"], data.stdin?.literal, true);
      add(["cwd"], data.cwd, true);
      add(["cache", "key"], data.cache?.key);
      add(["rateLimit", "key"], data.rateLimit?.key);
      add(["concurrency", "key"], data.concurrency?.key);
      add(["approval", "prompt"], data.approval?.prompt);
      if (typeof data.auth === "object") addAll(["auth"], data.auth);
      break;
    case "llm":
      add(["content"], data.content);
      add(["system"], data.system);
      add(["cache", "key"], data.cache?.key);
      add(["approval", "prompt"], data.approval?.prompt);
      break;
    case "variable":
    case "accumulator":
      add(["content"], data.content);
      add(["initialValue"], data.initialValue);
      break;
    case "text":
      add(["content"], data.content);
      break;
    case "loop-start":
      add(["iterations"], data.iterations);
      add(["start"], data.start);
      if (data.items?.includes("${")) add(["items"], data.items);
      break;
    case "subflow":
      addAll(["inputs"], data.inputs);
      break;
    default:
  }
  return fields;
}

export function expressionFields(node: WorkflowNode): TextField[] {
  const fields: TextField[] = [];
  const add = (path: Path, text: unknown, inside = false) => {
    if (typeof text === "string" && text.trim() !== "") fields.push({ path, text, inside });
  };
  const { data, type } = node;
  switch (type) {
    case "cli":
      add(["output", "select"], data.output?.select);
      if (typeof data.retry?.on === "string") add(["retry", "on"], data.retry.on);
      break;
    case "llm":
      if (typeof data.retry?.on === "string") add(["retry", "on"], data.retry.on);
      break;
    case "if":
      add(["content"], data.content);
      break;
    case "loop-start":
      if (data.items !== undefined && !data.items.includes("${")) add(["items"], data.items);
      add(["while"], data.while, true);
      break;
    case "loop-end":
      add(["until"], data.until, true);
      break;
    default:
  }
  return fields;
}
