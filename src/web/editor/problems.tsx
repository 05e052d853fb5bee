// Problems: lists the problems that the checks found. Pressing a problem goes to its place.
//   P1. The list changes with each key that the user types. Only rows with a new text are rendered again, and only
//       visible rows are laid out.

import { CircleX, TriangleAlert } from "lucide-react";
import { memo } from "react";
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
        <Problem
          key={`${code} ${start.line}:${start.column} ${message}`}
          {...{ severity, message, help, line: start.line, column: start.column, onGo }}
        />
      ))}
    </ul>
  );
}

interface ProblemProps extends Pick<Diagnostic, "severity" | "message"> {
  help: string | undefined;
  line: number;
  column: number;
  onGo: ProblemsProps["onGo"];
}

/** A row is rendered again only when its text changes (P1). */
const Problem = memo(function Problem({ severity, message, help, line, column, onGo }: ProblemProps) {
  return (
    <li className="[contain-intrinsic-height:auto_32px] [content-visibility:auto]">
      <button
        type="button"
        onClick={() => onGo(line, column)}
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
});
