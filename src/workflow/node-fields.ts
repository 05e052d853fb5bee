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

/** It never asks for approval. */
export function isAdvanced({ data }: WorkflowNode): boolean {
  return "safetyLevel" in data && data.safetyLevel === "advanced";
}

/** Whether a failed node after this listener ends the run. */
export function endsWithALine({ data }: WorkflowNode): boolean {
  return "onLineFailure" in data && data.onLineFailure === "fail";
}
