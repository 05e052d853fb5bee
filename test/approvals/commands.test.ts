// The same from a shell: a run is killed while it waits for approval, answered through its outermost run, and resumed.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../cli/curlew.ts";

const FILES = {
  "t.flow.yaml": `curlew: 1
name: Parent
nodes:
  - {id: sub, type: subflow, data: {title: Sub, workflow: child.flow.yaml}}
  - {id: busy, type: cli, data: {title: B, content: "until [ -e go ]; do sleep 0.01; done", onLost: retry}}
`,
  "child.flow.yaml": `curlew: 1
name: Child
nodes:
  - {id: gate, type: cli, data: {title: Gate, content: "echo once | tee -a ran", needsUserApproval: true}}
`,
};

test("kill -9 while a subflow waits: nothing is lost, nothing starts unasked, and the answer counts once", {
  timeout: 90_000,
}, async () => {
  const at = folder(FILES);
  const first = at.start("run t.flow.yaml");
  await first.says("sub/gate waits for an approval", "stderr");
  await first.says("busy started", "stderr");
  first.process.kill("SIGKILL");
  await first.done;
  writeFileSync(join(at.path, "go"), "");

  const resumed = await at.run("runs resume latest");
  expect(resumed, resumed.stderr).toMatchObject({ code: 3, stdout: "" });
  expect(resumed.stderr).toContain("sub/gate waits for an approval: curlew approve");
  expect(JSON.parse((await at.run("runs show latest --json")).stdout).nodes).toMatchObject([
    { path: "sub", status: "waiting", waitingFor: "approval", waiting: ["sub/gate"], attempts: [{ number: 1 }] },
    { path: "busy", status: "succeeded", attempts: [{ number: 1, status: "succeeded" }] },
  ]);

  const approved = await at.run("approve latest sub/gate");
  expect(approved, approved.stderr).toMatchObject({ code: 0 });
  expect(approved.stderr).toContain("sub/gate succeeded");
  expect(at.read("ran")).toBe("once\n");
  expect(await at.run("approve latest sub/gate")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not-waiting"),
  });
});

test("a cancel of the outermost run ends what waits inside", { timeout: 90_000 }, async () => {
  const at = folder({ ...FILES, go: "" });
  expect((await at.run("run t.flow.yaml --quiet")).code).toBe(3);
  expect((await at.run("runs cancel latest")).code).toBe(0);
  expect((await at.run("approvals")).stdout).toBe("");
  expect((await at.run("runs")).stdout).toMatch(/cancelled/);
});
