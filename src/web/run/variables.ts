// variables: the values of Variables and Accumulators in a run, and when they changed (spec ui 6.4). Pure.

import type { Value } from "../../base/value.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { Graph } from "../../workflow/graph.ts";

export interface Change {
  seq: number;
  at: string;
  path: string;
  value: Value;
  /** For an accumulator: the value was added to the earlier ones. */
  added?: true;
}

export interface VariableHistory {
  name: string;
  node: string;
  kind: "variable" | "accumulator";
  secret: boolean;
  changes: Change[];
}

export class Variables {
  readonly byNode = new Map<string, VariableHistory>();

  constructor(graph: Graph) {
    for (const { node } of graph.nodes)
      if (node.type === "variable" || node.type === "accumulator")
        this.byNode.set(node.id, {
          name: node.data.variableName,
          node: node.id,
          kind: node.type,
          secret: node.type === "variable" && node.data.secret === true,
          changes: [],
        });
  }

  apply(event: RunEvent): void {
    if (event.type !== "node.succeeded" && event.type !== "node.kept") return;
    const history = this.byNode.get(event.node);
    if (history === undefined) return;
    const { seq, at, path } = event;
    for (const value of event.added ?? []) history.changes.push({ seq, at, path, value, added: true });
    if (event.added === undefined && event.value !== undefined)
      history.changes.push({ seq, at, path, value: event.value });
  }
}
