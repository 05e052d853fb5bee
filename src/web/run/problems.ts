// problems: what failed in a run and what a person should know of what went well, in the order in which the run came there. Pure.

import type { RunModel } from "./run-model.ts";

export interface RunProblem {
  path: string;
  level: "failure" | "warning";
  text: string;
}

/** A run of many thousands of passes is gone through once, whoever asks. */
const known = new WeakMap<RunModel, { seq: number; problems: readonly RunProblem[] }>();

export function problemsOf(model: RunModel): readonly RunProblem[] {
  const made = known.get(model);
  if (made?.seq === model.seq) return made.problems;
  const problems: RunProblem[] = [];
  for (const { path, status, failure, attempts } of model.fold.nodes.values()) {
    if (status === "failed" && failure !== undefined) problems.push({ path, level: "failure", text: failure.message });
    for (const { message } of attempts.at(-1)?.warnings ?? []) problems.push({ path, level: "warning", text: message });
  }
  known.set(model, { seq: model.seq, problems });
  return problems;
}
