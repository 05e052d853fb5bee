// FirstSteps: the home screen of an empty folder, with three ways to start (spec ui 6.2.1). Each button does something
// real.

import { FileInput, Play, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";
import { openOverlay } from "../app/overlays.ts";
import { Button } from "../ui/button.tsx";
import { CurlForm } from "./curl-form.tsx";
import { RunDemo } from "./demo.tsx";

export function FirstSteps({ folder }: { folder: string | undefined }) {
  return (
    <div className="mx-auto max-w-4xl pt-6 sm:pt-14">
      <h2 className="text-xl font-semibold">Make a first workflow</h2>
      <p className="mt-1 text-muted">
        {folder === undefined ? "The folder" : <span className="font-mono text-sm">{folder}</span>} has no workflows
        yet. Each of these takes under a minute.
      </p>
      <div className="mt-6 grid gap-4 md:grid-cols-3">
        <Card icon={<SquareTerminal size={18} />} title="Paste a curl command">
          <CurlForm rows={4} />
        </Card>
        <Card icon={<Play size={18} />} title="Open the demo">
          <p className="flex-1 text-muted">
            Four branches with a loop, a decision, and a language model, against a sample API on this machine. Needs no
            network, takes three seconds.
          </p>
          <RunDemo />
        </Card>
        <Card icon={<FileInput size={18} />} title="Import from OpenAPI or Postman">
          <p className="flex-1 text-muted">Copy a request as curl, in Postman under “Code”, and paste it here.</p>
          <Button onClick={() => openOverlay("paste-curl")}>Paste one call</Button>
        </Card>
      </div>
      <p className="mt-6 text-muted">
        Or{" "}
        <button
          type="button"
          className="text-accent underline underline-offset-2"
          onClick={() => openOverlay("new-workflow")}
        >
          start from a small workflow that runs
        </button>
        .
      </p>
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
