// variables: the values of Variables and Accumulators in a run, and when they changed (spec ui 6.4). Pure.

import type { Value } from "../../base/value.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { isSecretVariable } from "../../workflow/node-fields.ts";
import type { RunModel } from "./run-model.ts";

interface Change {
  seq: number;
  at: string;
  path: string;
  value: Value;
  /** For an accumulator: the value was added to the earlier ones. */
  added: boolean;
}

interface VariableHistory {
  name: string;
  node: string;
  kind: "variable" | "accumulator";
  secret: boolean;
  changes: Change[];
}

export function variablesOf({ graph, events }: Pick<RunModel, "graph" | "events">): VariableHistory[] {
  const found = new Map<string, VariableHistory>();
  for (const { node } of graph.nodes) {
    if (node.type !== "variable" && node.type !== "accumulator") continue;
    const secret = isSecretVariable(node);
    found.set(node.id, { name: node.data.variableName, node: node.id, kind: node.type, secret, changes: [] });
  }
  for (const event of events)
    if (event.type === "node.succeeded" || event.type === "node.kept")
      found.get(event.node)?.changes.push(...changesBy(event));
  return [...found.values()];
}

function changesBy(event: Extract<RunEvent, { type: "node.succeeded" | "node.kept" }>): Change[] {
  const { seq, at, path, value, added } = event;
  if (added !== undefined) return added.map((one) => ({ seq, at, path, value: one, added: true }));
  return value === undefined ? [] : [{ seq, at, path, value, added: false }];
}
