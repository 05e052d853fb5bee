// no-place: the screens for an unknown URL and for a screen that failed. The rest of the web UI stays usable.

import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Failed } from "../ui/problem.tsx";
import { Screen } from "./screen.tsx";

export function NotFound() {
  return (
    <Screen title="Not found">
      <Empty title="Nothing is here">
        <Link to="/" className="text-accent underline">
          Go to the workflows
        </Link>
      </Empty>
    </Screen>
  );
}

export function Broken({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-2xl p-6">
      <Failed error={error} action={<Button onClick={reset}>Try again</Button>} />
    </div>
  );
}
