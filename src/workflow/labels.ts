// labels: the labels that the machine of a run must have (spec 6.5).
//   L1. A run stays on one machine, so it needs the labels of its workflow, of all its nodes, and of its subflows.

import type { Workflow } from "./model.ts";
import { parseWorkflow } from "./parse.ts";

export interface NeededLabel {
  /** Absent: the whole workflow needs it. */
  node?: string;
  label: string;
}

/** `subflows`: texts of the workflow files by path. */
export function labelsNeeded(workflow: Workflow, subflows: Readonly<Record<string, string>> = {}): NeededLabel[] {
  const inside = Object.entries(subflows).flatMap(([file, text]) =>
    text.includes("runsOn") ? (parseWorkflow(text, file).workflow ?? []) : [],
  );
  return [workflow, ...inside].flatMap(({ runsOn = [], nodes }) => [
    ...runsOn.map((label) => ({ label })),
    ...nodes.flatMap(({ id, data }) =>
      ("runsOn" in data ? (data.runsOn ?? []) : []).map((label) => ({ node: id, label })),
    ),
  ]);
}
