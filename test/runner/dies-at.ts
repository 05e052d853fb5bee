// dies-at: an engine that kills itself with SIGKILL right after its n-th event was committed, before anything is done because of it.
//   node dies-at.ts HOME FILE N [RUN]

import { readFileSync } from "node:fs";
import { openEngine } from "../../src/engine/index.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";

const [home = "", file = "", count = "", run] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
const { workflow } = parseWorkflow(text, file);
if (workflow === undefined) throw new Error("the workflow does not parse");
let left = Number(count);
const engine = await openEngine({
  home,
  env: process.env,
  onEvent: () => {
    left -= 1;
    if (left === 0) process.kill(process.pid, "SIGKILL");
  },
});
if (!engine.ok) throw new Error(engine.error.message);
const begun =
  run === undefined
    ? await engine.value.start({ file, text, workflow, subflows: {}, inputs: {}, trigger: { kind: "cli" } })
    : await engine.value.resume(run);
if (!begun.ok) throw new Error(begun.error.message);
const { status } = await begun.value.done;
await engine.value.close();
process.stdout.write(`${status}\n`);
