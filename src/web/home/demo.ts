// demo: one press starts the bundled sample API, writes the demo beside the other workflows if it is not there, and runs it.

import type { Demo } from "../../api/shapes.ts";
import { startRun } from "../app/start-run.tsx";
import { ask } from "../client/api.ts";

export async function runDemo(): Promise<string> {
  const { path, url } = await ask<Demo>("/demo", { method: "POST" });
  return (await startRun(path, { inputs: { api: url } })).id;
}
