// A server that shuts down leaves its commands to their runner, and the next server continues them (spec 3.4,
// `Engine.leave`).

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openEngine } from "../../src/engine/index.ts";
import { parseWorkflow } from "../../src/workflow/parse.ts";
import { folder, inARow, made, runnersOf } from "../cli/curlew.ts";

test("the command continues and is adopted, its run succeeds, and no end of it was recorded before", async () => {
  const it = folder();
  execFileSync("mkfifo", [join(it.path, "gate")]);
  const text = `${inARow({ a: `touch ${it.path}/began; cat ${it.path}/gate`, b: "echo done" })}`;
  const open = async () => {
    const engine = await openEngine({ home: it.home, env: { PATH: process.env.PATH } as NodeJS.ProcessEnv });
    if (!engine.ok) throw new Error(engine.error.message);
    return engine.value;
  };
  const workflow = parseWorkflow(text, "left.flow.yaml").workflow!;
  const first = await open();
  const file = join(it.path, "left.flow.yaml");
  const started = await first.start({ file, text, workflow, subflows: {}, inputs: {}, trigger: { kind: "cli" } });
  if (!started.ok) throw new Error(started.error.message);
  await made(join(it.path, "began"));
  await first.leave();
  expect(runnersOf(it.home)).toHaveLength(1);

  const second = await open();
  const row = second.store.journal.findRun("latest");
  expect(row.ok && row.value.status).toBe("running");
  const resumed = await second.resume(started.value.id);
  if (!resumed.ok) throw new Error(resumed.error.message);
  writeFileSync(join(it.path, "gate"), "passed on");
  expect(await resumed.value.done).toMatchObject({ status: "succeeded" });
  const events = second.store.journal.read(started.value.id);
  const types = events.ok ? events.value.map((event) => event.type) : [];
  expect(types).toContain("attempt.adopted");
  expect(types.filter((type) => type === "attempt.started")).toHaveLength(2);
  await second.close();
});

test("with no command running, the runner ends too", async () => {
  const it = folder();
  const engine = await openEngine({ home: it.home, env: { PATH: process.env.PATH } as NodeJS.ProcessEnv });
  if (!engine.ok) throw new Error(engine.error.message);
  const text = inARow({ a: "echo hi" });
  const workflow = parseWorkflow(text, "left.flow.yaml").workflow!;
  const file = join(it.path, "left.flow.yaml");
  const run = await engine.value.start({ file, text, workflow, subflows: {}, inputs: {}, trigger: { kind: "cli" } });
  if (!run.ok) throw new Error(run.error.message);
  expect(await run.value.done).toMatchObject({ status: "succeeded" });
  await engine.value.leave();
  while (runnersOf(it.home).length > 0) await new Promise((resolve) => setTimeout(resolve, 2));
});
