// killed-at-end: runs a workflow and is killed right after it recorded the end of a run. `node killed-at-end.ts HOME
// FILE NAME`: NAME is the workflow of that run, the file's own or a subflow's.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openEngine } from "../../src/engine/index.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";

const [home, file, name] = process.argv.slice(2) as [string, string, string];
const names = new Map<string, string>();
const engine = await openEngine({
  home,
  env: process.env,
  onEvent: (event) => {
    if (event.type === "run.started") names.set(event.run, event.workflow.name);
    if (event.type === "run.succeeded" && names.get(event.run) === name) process.kill(process.pid, "SIGKILL");
  },
});
if (!engine.ok) throw new Error(engine.error.message);
const text = readFileSync(file, "utf8");
const sub = join(dirname(file), "sub.flow.yaml");
const begun = await engine.value.start({
  file,
  text,
  workflow: parseWorkflow(text, file).workflow!,
  subflows: { [sub]: readFileSync(sub, "utf8") },
  inputs: {},
  trigger: { kind: "cli" },
  envFile: {},
  secrets: {},
});
if (!begun.ok) throw new Error(begun.error.message);
await begun.value.done;
