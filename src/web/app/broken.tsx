// Broken: a screen that stumbled over itself. The rest of the web stays, and trying again is one press.

import type { ErrorComponentProps } from "@tanstack/react-router";
import { problemOf } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";

export function Broken({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-2xl p-6">
      <Problem problem={problemOf(error)} action={<Button onClick={reset}>Try again</Button>} />
    </div>
  );
}
