// Problems: what the checks found, each with its place; pressing one goes there.

import { CircleX, TriangleAlert } from "lucide-react";
import type { Diagnostic } from "../../workflow/diagnostic.ts";

export interface ProblemsProps {
  diagnostics: readonly Diagnostic[];
  onGo: (diagnostic: Diagnostic) => void;
}

export function Problems({ diagnostics, onGo }: ProblemsProps) {
  if (diagnostics.length === 0) return <p className="px-4 py-3 text-muted">Nothing is wrong with this file.</p>;
  return (
    <ul aria-label="Problems" className="py-1">
      {diagnostics.map((found) => {
        const { code, severity, message, help, range } = found;
        const { line, column } = range.start;
        return (
          <li key={`${code} ${line}:${column} ${message}`}>
            <button
              type="button"
              onClick={() => onGo(found)}
              className="flex w-full items-start gap-2.5 px-4 py-1.5 text-left hover:bg-hover"
            >
              {severity === "error" ? (
                <CircleX size={15} className="mt-0.5 shrink-0 text-failed" aria-label="Error" />
              ) : (
                <TriangleAlert size={15} className="mt-0.5 shrink-0 text-waiting" aria-label="Warning" />
              )}
              <span className="min-w-0 flex-1">
                {message} {help !== undefined && <span className="text-muted">{help}</span>}
              </span>
              <code className="shrink-0 text-muted">
                {line}:{column}
              </code>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
