// TestOutcome: the result of testing a secret or model provider, below its row.

import { Check } from "lucide-react";
import { problemOf } from "../client/queries.ts";

interface TestOutcomeProps {
  test: { data: { ok: boolean; problem?: string; hint?: string } | undefined; error: unknown };
  /** The message for a successful test. */
  good: string;
}

export function TestOutcome({ test: { data, error }, good }: TestOutcomeProps) {
  if (data === undefined && error === null) return null;
  if (data?.ok)
    return (
      <p className="col-span-full flex items-start gap-1.5 text-sm text-succeeded">
        <Check className="mt-0.5 shrink-0" />
        <span className="min-w-0 break-words">{good}</span>
      </p>
    );
  const refused = error === null ? undefined : problemOf(error);
  const hint = data?.hint ?? refused?.hint;
  return (
    <div className="col-span-full border-l-2 border-failed pl-3 text-sm break-words whitespace-pre-wrap">
      <p>{data?.problem ?? refused?.detail ?? refused?.title}</p>
      {hint !== undefined && <p className="text-muted">{hint}</p>}
    </div>
  );
}
