// node-fields: fields that more than one room asks a node for, whatever its kind.

import type { WorkflowNode } from "./model.ts";

/** The name that a Variable or Accumulator gives its value. */
export function variableName({ data }: WorkflowNode): string | undefined {
  return "variableName" in data ? data.variableName : undefined;
}

/** The node's own env.static. */
export function staticsOf({ data }: WorkflowNode): Readonly<Record<string, string>> {
  return ("env" in data ? data.env?.static : undefined) ?? {};
}

export function isSecretVariable({ data }: WorkflowNode): boolean {
  return "secret" in data && data.secret === true;
}

/** Each complete line of its output starts the nodes after it once. */
export function emitsLines({ data }: WorkflowNode): boolean {
  return "emit" in data && data.emit === "lines";
}

/** If its end is not known, it starts again without asking: a listener too, unless it says otherwise (3.7). */
export function repeatsWhenLost(node: WorkflowNode): boolean {
  const onLost = "onLost" in node.data ? node.data.onLost : undefined;
  return onLost === "retry" || (onLost === undefined && emitsLines(node));
}

/** It never asks for approval. */
export function isAdvanced({ data }: WorkflowNode): boolean {
  return "safetyLevel" in data && data.safetyLevel === "advanced";
}

/** Whether a failed node after this listener ends the run. */
export function endsWithALine({ data }: WorkflowNode): boolean {
  return "onLineFailure" in data && data.onLineFailure === "fail";
}

/** The variables of the environment that it passes on. `true`: all. */
export function inheritedBy({ data }: WorkflowNode): readonly string[] | true {
  const inherit = "env" in data ? data.env?.inherit : undefined;
  return inherit === true || Array.isArray(inherit) ? inherit : [];
}
