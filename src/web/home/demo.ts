// demo: one press starts the bundled sample API, writes the demo beside the other workflows if it is not there, and runs it.

import { useMutation } from "@tanstack/react-query";
import type { Demo } from "../../api/shapes.ts";
import { useLead } from "../app/lead.ts";
import { startRun } from "../app/start-run.tsx";
import { ask } from "../client/api.ts";

async function runDemo(): Promise<string> {
  const { path, url } = await ask<Demo>("/demo", { method: "POST" });
  return (await startRun(path, { inputs: { api: url } })).id;
}

/** Leads to the run when it has begun. */
export function useRunDemo() {
  const lead = useLead();
  return useMutation({
    mutationFn: runDemo,
    onMutate: lead,
    onSuccess: (run, _, goOn) => goOn({ run, of: "The demo" }),
  });
}
