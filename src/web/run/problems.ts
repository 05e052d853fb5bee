// problems: failures and warnings of a run, and whether the workflow handles them. Pure.

import type { RunModel } from "./run-model.ts";

export interface RunProblem {
  path: string;
  /** `handled`: a failure that the workflow tolerates or reacts to. */
  level: "failure" | "handled" | "warning";
  text: string;
}

/** "Problems 2", or "Problems · 7 handled" if the workflow handled all of them. */
export function problemsWords(model: RunModel): string {
  const all = problemsOf(model);
  const open = all.filter(({ level }) => level !== "handled").length;
  return open > 0 ? `Problems ${open}` : all.length > 0 ? `Problems · ${all.length} handled` : "Problems";
}

/** Cached, because a run may have many thousands of iterations. */
const known = new WeakMap<RunModel, { seq: number; problems: readonly RunProblem[] }>();

export function problemsOf(model: RunModel): readonly RunProblem[] {
  const made = known.get(model);
  if (made?.seq === model.seq) return made.problems;
  const problems: RunProblem[] = [];
  for (const { id, path, status, failure, attempts, warnings } of model.fold.nodes.values()) {
    if (status === "failed" && failure !== undefined)
      problems.push({ path, level: isHandled(model, id) ? "handled" : "failure", text: failure.message });
    for (const { message } of warnings ?? attempts.at(-1)?.warnings ?? [])
      problems.push({ path, level: "warning", text: message });
  }
  known.set(model, { seq: model.seq, problems });
  return problems;
}

function isHandled({ graph, status }: RunModel, id: string): boolean {
  const drawn = graph.nodes[graph.indexOf.get(id) ?? -1];
  if (status === "succeeded" || drawn === undefined) return status === "succeeded";
  const isAllowed = "continueOnError" in drawn.node.data && drawn.node.data.continueOnError === true;
  return isAllowed || drawn.outgoing.some(({ handle }) => handle === "error");
}
