// demo: starts the bundled sample API, writes the demo workflow if it does not exist, and runs it.

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Play } from "lucide-react";
import type { Demo } from "../../api/shapes.ts";
import { startRun } from "../app/start-run.tsx";
import { ask } from "../client/api.ts";
import { Button } from "../ui/button.tsx";
import { Failed } from "../ui/problem.tsx";

/** Opens the run when it has started. */
export function RunDemo() {
  const navigate = useNavigate();
  const demo = useMutation({
    mutationFn: async () => {
      const { path, url } = await ask<Demo>("/demo", { method: "POST" });
      return startRun(path, { inputs: { api: url } });
    },
    onSuccess: ({ id }) => void navigate({ to: "/runs/$id", params: { id } }),
  });
  return (
    <>
      <Failed error={demo.error} />
      <Button kind="primary" icon={<Play />} busy={demo.isPending} onClick={() => demo.mutate()}>
        Run the demo
      </Button>
    </>
  );
}

/** Shown above the workflows while a sample API runs (`--demo`). */
export function DemoBanner({ url }: { url: string }) {
  return (
    <section
      aria-label="The demo"
      className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-line bg-panel p-5"
    >
      <div className="min-w-60 flex-1">
        <h2 className="font-semibold">Try it: run the demo</h2>
        <p className="mt-0.5 text-muted">
          Four branches with a loop, a decision, and a language model, in three seconds, against a sample API on this
          machine: <span className="font-mono text-sm">{url}</span>
        </p>
      </div>
      <RunDemo />
    </section>
  );
}
