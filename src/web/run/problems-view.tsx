// ProblemsView: failures and warnings of the run, each linked to its node (spec ui 6.1).

import { TriangleAlert, X } from "lucide-react";
import { visible } from "../../base/visible.ts";
import type { RunModel } from "./run-model.ts";
import { useShownRun } from "./run-store.ts";

export function ProblemsView({ onSelect }: { onSelect: (path: string) => void }) {
  const { model } = useShownRun();
  const problems = problemsOf(model);
  if (problems.length === 0) return <p className="p-4 text-muted">No problems so far</p>;
  return (
    <ul aria-label="Problems" className="flex h-full flex-col overflow-auto py-1">
      {problems.map(({ path, level, text }) => (
        <li key={`${path} ${text}`}>
          <button
            type="button"
            onClick={() => onSelect(path)}
            className="flex min-h-8 w-full items-center gap-2 px-3 py-1 text-left hover:bg-hover"
          >
            {level === "failure" ? (
              <X aria-label="Failed" className="shrink-0 text-failed" />
            ) : (
              <TriangleAlert aria-label="Warning" className="shrink-0 text-waiting" />
            )}
            <code className="shrink-0">{path}</code>
            <span className="min-w-0 truncate">{visible(text)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export interface RunProblem {
  path: string;
  level: "failure" | "warning";
  text: string;
}

/** Cached, because a run may have many thousands of iterations. */
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
