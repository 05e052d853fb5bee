// Problem: the server's problem (RFC 9457): what happened, where, and how to fix it. The code links to
// docs/reference/failures.md. It may quote untrusted text, so hidden and reordering characters are made visible.

import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Problem as Told } from "../../api/shapes.ts";
import { visible } from "../../base/visible.ts";
import { problemOf } from "../client/queries.ts";

const errorsMax = 3;

export function Problem({ problem, action }: { problem: Told; action?: ReactNode }) {
  const errors = problem.diagnostics?.filter(({ severity }) => severity === "error").slice(0, errorsMax) ?? [];
  return (
    <div role="alert" className="flex gap-3 rounded-lg border border-failed/50 bg-failed/5 p-4">
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-failed" />
      <div className="min-w-0 flex-1">
        <p className="break-words font-semibold">{visible(problem.title)}</p>
        {problem.detail !== undefined && <p className="mt-0.5 break-words text-muted">{visible(problem.detail)}</p>}
        {problem.hint !== undefined && <p className="mt-1 break-words">{visible(problem.hint)}</p>}
        {errors.length > 0 && (
          <ul className="mt-1 flex list-disc flex-col gap-1 pl-4">
            {errors.map(({ message, help }) => (
              <li key={message} className="break-words">
                {visible(message)} {help !== undefined && <span className="text-muted">{visible(help)}</span>}
              </li>
            ))}
          </ul>
        )}
        <p className="mt-1 font-mono text-xs text-muted">{problem.code}</p>
        {action !== undefined && <div className="mt-3 flex gap-2">{action}</div>}
      </div>
    </div>
  );
}

/** The problem of a query or mutation, if it failed. */
export function Failed({ error, action }: { error: unknown; action?: ReactNode }) {
  return error === null ? null : <Problem problem={problemOf(error)} action={action} />;
}
