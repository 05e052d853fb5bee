// DemoBanner: where a sample API runs (`--demo`), one press runs the demo against it, also beside other workflows.

import { Play } from "lucide-react";
import { problemOf } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { useRunDemo } from "./demo.ts";

export function DemoBanner({ url }: { url: string }) {
  const demo = useRunDemo();
  return (
    <section aria-label="The demo" className="mb-6 rounded-lg border border-line bg-panel p-5">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="min-w-60 flex-1">
          <h2 className="font-semibold">Try it: run the demo</h2>
          <p className="mt-0.5 text-muted">
            Four branches with a loop, a decision and a language model, in three seconds, against a sample API on this
            machine: <span className="font-mono text-sm">{url}</span>
          </p>
        </div>
        <Button
          kind="primary"
          icon={<Play size={14} aria-hidden="true" />}
          busy={demo.isPending}
          onClick={() => demo.mutate()}
        >
          Run the demo
        </Button>
      </div>
      {demo.error !== null && (
        <div className="mt-3">
          <Problem problem={problemOf(demo.error)} />
        </div>
      )}
    </section>
  );
}
