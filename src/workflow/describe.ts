// describe: a short description of a node for the graph. Pure.

import { oneLine } from "../base/text.ts";
import type { LoopStartNode, WorkflowNode } from "./model.ts";

export function describeLoop({ data }: LoopStartNode): string {
  const together = (data.maxConcurrency ?? 1) > 1 ? `, ${data.maxConcurrency} at a time` : "";
  if (data.items !== undefined) return `each ${data.as ?? "item"} of ${oneLine(data.items)}${together}`;
  if (data.while !== undefined) return `while ${oneLine(data.while)}`;
  if (data.iterations === undefined) return "until its end says so";
  const passes =
    typeof data.iterations === "number" ? `${data.iterations} passes` : `${oneLine(data.iterations)} passes`;
  return `${passes}${together}`;
}

/** A node's condition, variable or workflow file on one line; empty for other kinds. */
export function describeNode(node: WorkflowNode): string {
  switch (node.type) {
    case "loop-start":
      return describeLoop(node);
    case "loop-end":
      return node.data.until === undefined ? "" : `until ${oneLine(node.data.until)}`;
    case "if":
      return (node.data.content ?? "").trim() === "" ? "first parent succeeded?" : oneLine(node.data.content ?? "");
    case "variable":
    case "accumulator":
      return node.data.variableName;
    case "subflow":
      return node.data.workflow;
    default:
      return "";
  }
}
