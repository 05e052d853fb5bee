// Problems: lists the problems that the checks found. Pressing a problem goes to its place. Only visible rows are laid
// out, because the list changes while the user types.

import { CircleX, TriangleAlert } from "lucide-react";
import type { Diagnostic } from "../../workflow/diagnostic.ts";

export interface ProblemsProps {
  diagnostics: readonly Diagnostic[];
  /** Both are counted from 1. */
  onGo: (line: number, column: number) => void;
}

export function Problems({ diagnostics, onGo }: ProblemsProps) {
  if (diagnostics.length === 0) return <p className="px-4 py-3 text-muted">Nothing is wrong with this file.</p>;
  return (
    <ul aria-label="Problems" className="py-1">
      {diagnostics.map(({ code, severity, message, help, range: { start } }) => (
        <li
          key={`${code} ${start.line}:${start.column} ${message}`}
          className="[contain-intrinsic-height:auto_32px] [content-visibility:auto]"
        >
          <button
            type="button"
            onClick={() => onGo(start.line, start.column)}
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
              {start.line}:{start.column}
            </code>
          </button>
        </li>
      ))}
    </ul>
  );
}
