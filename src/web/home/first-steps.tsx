// FirstSteps: the home screen of an empty folder, with three ways to start (spec ui 6.2.1). Each button does something
// real.

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Play, Plus, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";
import type { Demo } from "../../api/shapes.ts";
import { startRun } from "../app/start-run.tsx";
import { ask } from "../client/api.ts";
import { Button } from "../ui/button.tsx";
import { Failed } from "../ui/problem.tsx";
import { useNewWorkflow } from "./create.ts";
import { NewFromCurl } from "./curl-form.tsx";

export function FirstSteps({ folder }: { folder: string | undefined }) {
  const newWorkflow = useNewWorkflow();
  return (
    <div className="mx-auto max-w-4xl pt-6 sm:pt-14">
      <h2 className="text-xl font-semibold">Make a first workflow</h2>
      <p className="mt-1 text-muted">
        {folder === undefined ? "The folder" : <span className="font-mono text-sm">{folder}</span>} has no workflows
        yet. Each of these takes under a minute.
      </p>
      <div className="mt-6 grid gap-4 md:grid-cols-3">
        <Card icon={<SquareTerminal size={18} />} title="Paste a curl command">
          <NewFromCurl />
        </Card>
        <Card icon={<Play size={18} />} title="Open the demo">
          <p className="flex-1 text-muted">
            Four branches with a loop, a decision, and a language model, against a sample API on this machine. Needs no
            network, takes three seconds.
          </p>
          <RunDemo />
        </Card>
        <Card icon={<Plus size={18} />} title="Start with an empty canvas">
          <p className="flex-1 text-muted">
            Add an HTTP request, a script, or an example. The file gets the name that you give the workflow.
          </p>
          <Button onClick={newWorkflow}>New workflow</Button>
        </Card>
      </div>
    </div>
  );
}

function Card({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-h-56 flex-col gap-3 rounded-lg border border-line bg-panel p-5">
      <h3 className="flex items-center gap-2.5 font-semibold">
        <span className="text-accent">{icon}</span>
        {title}
      </h3>
      {children}
    </section>
  );
}

/** Starts the bundled sample API, writes the demo workflow if it does not exist, runs it, and opens the run. */
function RunDemo() {
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
