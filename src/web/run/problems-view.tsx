// ProblemsView: failures and warnings of the run, each linked to its node (spec ui 6.1).

import { TriangleAlert, X } from "lucide-react";
import { visible } from "../../base/visible.ts";
import { problemsOf } from "./problems.ts";
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
            ) : level === "handled" ? (
              <X aria-label="Failed, and handled" className="shrink-0 text-muted" />
            ) : (
              <TriangleAlert aria-label="Warning" className="shrink-0 text-waiting" />
            )}
            <code className="shrink-0">{path}</code>
            <span className="min-w-0 flex-1 truncate">{visible(text)}</span>
            {level === "handled" && <span className="shrink-0 text-muted">handled by the workflow</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
