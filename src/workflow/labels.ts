// labels: the labels that the machine of a run must have (spec 6.5).
//   L1. A label of a node is for the run that the node is in. A subflow is a run, so its own labels pick its machine.

import { knows } from "./kinds/index.ts";
import type { Workflow } from "./model.ts";
import { parseWorkflow } from "./parse.ts";

export interface NeededLabel {
  /** Absent: the whole workflow needs it. */
  node?: string;
  label: string;
}

/** L1. */
export function labelsOfRun({ runsOn = [], nodes }: Workflow): NeededLabel[] {
  return [...runsOn.map((label) => ({ label })), ...labelsOf(nodes.filter((node) => !knows(node, "workflow")))];
}

/** Those of the run and of its subflows, for a machine that runs all of them. `subflows`: workflow texts by path. */
export function labelsOfAll(workflow: Workflow, subflows: Readonly<Record<string, string>>): NeededLabel[] {
  const inside = Object.entries(subflows).flatMap(([file, text]) =>
    text.includes("runsOn") ? (parseWorkflow(text, file).workflow ?? []) : [],
  );
  return [workflow, ...inside].flatMap((each) => [
    ...labelsOfRun(each),
    ...labelsOf(each.nodes.filter((node) => knows(node, "workflow"))),
  ]);
}

function labelsOf(nodes: Workflow["nodes"]): NeededLabel[] {
  return nodes.flatMap(({ id, data }) =>
    ("runsOn" in data ? (data.runsOn ?? []) : []).map((label) => ({ node: id, label })),
  );
}
