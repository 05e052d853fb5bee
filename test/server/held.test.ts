// Terminal commands for a run that the server executes: they ask the server, and take nothing out of its hands (spec
// 2.2, 3.4, 3.5).

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { type Folder, folder, inARow } from "../cli/curlew.ts";
import { start, view } from "./asking.ts";
import { type Served, servedIn } from "./served.ts";
import { until } from "./until.ts";

vi.setConfig({ testTimeout: 60_000 });

/** A gate beside a branch that runs until `free` exists. Only the server has TOKEN. */
const BUSY = `curlew: 1
name: busy
secrets: [TOKEN]
nodes:
  - { id: long, type: cli, data: { title: L, content: "until test -e free; do sleep 0.05; done", cwd: . } }
  - { id: gate, type: cli, data: { title: G, content: 'printf "%s" "\${TOKEN}" | wc -c >> passed', cwd: ., needsUserApproval: true } }
`;
const AROUND = `curlew: 1
name: around
secrets: [TOKEN]
nodes:
  - { id: sub, type: subflow, data: { title: S, workflow: busy.flow.yaml } }
`;
const TOKEN = "only-the-server-has-it";

interface Held {
  it: Folder;
  server: Served;
  id: string;
  free(): void;
}

/** A run whose gate waits while its other branch runs in the server. */
async function held(path = "busy.flow.yaml"): Promise<Held> {
  const it = folder({ "busy.flow.yaml": BUSY, "around.flow.yaml": AROUND });
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, CURLEW_HOME: it.home, CURLEW_KEYRING: "off", TOKEN } as NodeJS.ProcessEnv;
  const server = await servedIn(it.home, it.path, { env });
  const { id } = await start(server, path);
  const asks = async () => JSON.parse(await (await server.api("GET", "/approvals")).text()).items.length;
  await until(async () => (await asks()) === 1);
  return { it, server, id, free: () => writeFileSync(join(it.path, "free"), "") };
}

const statusOf = async ({ server, id }: Held): Promise<string> => (await view(server, id)).status;

test.each([
  ["busy.flow.yaml", "gate"],
  ["around.flow.yaml", "sub/gate"],
])("%s: approve is acted on at once, with the secrets that the server has", async (path, node) => {
  const run = await held(path);
  const said = await run.it.run(["approve", run.id, node]);
  expect(said).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("The server continues run") });
  await until(() => existsSync(join(run.it.path, "passed")));
  expect(await statusOf(run)).toBe("running");
  run.free();
  await until(async () => (await statusOf(run)) === "succeeded");
  expect(run.it.read("passed").trim()).toBe(String(TOKEN.length));
});

test("reject --detach reaches the server, and masks secrets that only the server knows", async () => {
  const run = await held();
  const said = await run.it.run(["reject", run.id, "gate", "--detach", "--reason", `never with ${TOKEN}`]);
  expect(said).toMatchObject({ code: 0, stdout: "" });
  await until(async () => (await statusOf(run)) === "failed");
  const [approval] = (await view(run.server, run.id)).nodes.find(({ id }) => id === "gate")!.approvals!;
  expect(approval).toMatchObject({ answer: "rejected", reason: "never with ***" });
});

test("resume says that the server executes the run, and where to follow it", async () => {
  const run = await held("around.flow.yaml");
  const inner = (await view(run.server, run.id)).nodes[0]!.attempts[0]!.childRun!;
  for (const name of [run.id, inner]) {
    const said = await run.it.run(["runs", "resume", name]);
    expect(said).toMatchObject({ code: 0, stdout: "" });
    expect(said.stderr).toBe(
      `The server is working on run ${run.id.slice(0, 10)}. Follow it: curlew runs logs ${run.id.slice(0, 10)} -f\n`,
    );
  }
  expect(await statusOf(run)).toBe("running");
});

test("an interrupted run in a home that is served is resumed, once", async () => {
  const it = folder({
    "a.flow.yaml": inARow({ a: "echo on >> on; until test -e free; do sleep 0.05; done", b: "echo b >> ran" }),
  });
  const server = await servedIn(it.home, it.path);
  const run = it.start("run a.flow.yaml");
  await until(() => existsSync(join(it.path, "on")));
  run.process.kill("SIGKILL");
  await run.done;
  const resuming = it.start("runs resume latest");
  writeFileSync(join(it.path, "free"), "");
  const said = await resuming.done;
  expect(said, said.stderr).toMatchObject({ code: 0 });
  const { items } = JSON.parse(await (await server.api("GET", "/runs")).text());
  await until(async () => (await view(server, items[0].id)).status === "succeeded");
  expect([items.length, it.read("on"), it.read("ran")]).toEqual([1, "on\n", "b\n"]);
});

test("a subflow's run is cancelled together with its outer run, and not removed before that has ended", async () => {
  const run = await held("around.flow.yaml");
  const inner = (await view(run.server, run.id)).nodes[0]!.attempts[0]!.childRun!;
  run.free();
  await until(async () => (await statusOf(run)) === "waiting");
  const kept = await run.it.run(["runs", "rm", inner]);
  expect(kept).toMatchObject({ code: 2, stderr: expect.stringContaining("error[run-not-ended]") });
  expect(kept.stderr).toContain(`part of run ${run.id}`);
  expect((await run.server.api("DELETE", `/runs/${inner}`)).status).toBe(409);
  expect(await run.it.run(["runs", "cancel", inner])).toMatchObject({ code: 0 });
  expect(await statusOf(run)).toBe("cancelled");
  expect(await run.it.run(["runs", "rm", inner])).toMatchObject({ code: 0 });
});

test("cancelling a run does not end a server that hangs", async () => {
  const it = folder({ "a.flow.yaml": inARow({ a: "echo on >> on; until test -e free; do sleep 0.05; done" }) });
  const serving = it.start("serve --port 0 --hooks-port 0");
  await serving.says("Ctrl-C ends the server", "stderr");
  const { stdout } = await it.run("run a.flow.yaml --detach");
  await until(() => existsSync(join(it.path, "on")));
  serving.process.kill("SIGSTOP");
  const fromMs = performance.now();
  const said = await it.run(["runs", "cancel", stdout.trim()]);
  // A stopped process can't answer, so nothing waits for it.
  expect(performance.now() - fromMs).toBeLessThan(limits.serverAnswerMs);
  expect(said).toMatchObject({ code: 2, stderr: expect.stringContaining("error[no-server]") });
  serving.process.kill("SIGCONT");
  expect(await it.run(["runs", "cancel", stdout.trim()])).toMatchObject({ code: 0 });
  serving.process.kill("SIGTERM");
  expect((await serving.done).code).toBe(0);
});
