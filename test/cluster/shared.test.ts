// One history for several servers and command lines (spec 6.2), with a real database.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readServerFile } from "../../src/app/instance.ts";
import { folder } from "../cli/curlew.ts";
import { cluster } from "./cluster.ts";

const TIMES = { timeout: 120_000 };
const HELLO = `curlew: 1\nname: Hello\nnodes: [{ id: greet, run: "echo hello" }]\n`;
const SLOW = `curlew: 1\nname: Slow\nnodes: [{ id: wait, run: "echo begins; until test -e go; do sleep 0.05; done; echo ends" }]\n`;
const ASK = `curlew: 1\nname: Ask\nnodes: [{ id: gate, run: "rm -rf nothing; echo done" }]\n`;

async function shared() {
  const { url } = await cluster({ isReady: false });
  const files = { "hello.flow.yaml": HELLO, "ask.flow.yaml": ASK, "slow.flow.yaml": SLOW };
  const [one, other] = [folder(files), folder(files)];
  expect((await one.run("db init --key-file key", { env: { CURLEW_DB: url } })).code).toBe(0);
  const env = { CURLEW_DB: url, CURLEW_KEY_FILE: join(one.path, "key") };
  return { one, other, env, reading: { CURLEW_DB: url } };
}

test("runs are seen, answered, and left to others from every command line that has the URL", TIMES, async () => {
  const { one, other, env, reading } = await shared();
  expect(await one.run("run hello.flow.yaml", { env })).toMatchObject({ code: 0, stdout: "hello\n" });
  const [run] = JSON.parse((await other.run("runs --json", { env: reading })).stdout);
  expect(run).toMatchObject({ workflow: "Hello", status: "succeeded" });
  expect(await one.run("runs logs latest", { env })).toMatchObject({ stdout: "greet | hello\n" });
  expect(await other.run("runs logs latest", { env: reading })).toMatchObject({
    stdout: "greet | hello\n",
    stderr: "",
  });
  for (const args of ["run hello.flow.yaml", "runs cancel latest", "approve gate"])
    expect((await other.run(args, { env: reading })).stderr).toContain("error[cluster-key-missing]");

  expect((await one.run("run ask.flow.yaml", { env })).code).toBe(3);
  expect(await other.run("approve gate", { env })).toMatchObject({ code: 0, stdout: "done\n" });

  const left = await one.run("run hello.flow.yaml --detach", { env });
  expect(left.code).toBe(0);
  const worker = other.start("worker --name two", { env });
  await expect.poll(async () => (await one.run("runs show latest", { env })).stdout).toContain("succeeded");

  const asking = (await one.run("run ask.flow.yaml --detach", { env })).stdout.trim();
  await expect.poll(async () => (await one.run("approvals", { env })).stdout).toContain("gate");
  expect(await one.run(["approve", asking, "gate", "--detach"], { env })).toMatchObject({ code: 0 });
  await expect.poll(async () => (await one.run(["runs", "show", asking], { env })).stdout).toContain("Ask  succeeded");

  const slow = (await one.run("run slow.flow.yaml --detach", { env })).stdout.trim();
  const following = one.start(["runs", "logs", slow, "-f"], { env: reading });
  await following.says("begins", "stdout");
  writeFileSync(join(one.path, "go"), "");
  expect((await following.done).stdout).toBe("wait | begins\nwait | ends\n");
  worker.process.kill("SIGTERM");
  await worker.done;
});

test("two servers show the same runs while they happen", TIMES, async () => {
  const { one, other, env } = await shared();
  const [first, second] = [
    one.start("serve --name s1 --port 0 --hooks-port 0", { env }),
    other.start("serve --name s2 --port 0 --hooks-port 0", { env }),
  ];
  await Promise.all([first.says("api"), second.says("api")]);
  const api = async (home: string, method: string, path: string, body?: object) => {
    const { url, token } = readServerFile(home)!;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return fetch(`${url}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  };
  const events = await api(other.home, "GET", "/events");
  const started = await (await api(one.home, "POST", "/workflows/ask.flow.yaml/runs", {})).json();
  const { id } = started as { id: string };
  const reader = events.body!.getReader();
  let text = "";
  while (!text.includes("approval.requested")) text += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  expect(text).toContain(id);

  const { items } = (await (await api(other.home, "GET", "/approvals")).json()) as { items: { id: string }[] };
  expect((await api(other.home, "POST", `/approvals/${items[0]!.id}/grant`, {})).status).toBe(200);
  const statusAt = async (home: string) => (await (await api(home, "GET", `/runs/${id}`)).json()) as { status: string };
  await expect.poll(() => statusAt(one.home)).toMatchObject({ status: "succeeded" });
  for (const { home } of [one, other]) {
    const output = await api(home, "GET", `/runs/${id}/nodes/gate/attempts/1/output`);
    expect(await output.text()).toBe("done\n");
  }
  for (const server of [first, second]) server.process.kill("SIGTERM");
  await Promise.all([first.done, second.done]);
});

test("a server that is killed continues its run when it starts again", TIMES, async () => {
  const { one, env } = await shared();
  const serve = () => one.start("serve --name s1 --port 0 --hooks-port 0", { env });
  const first = serve();
  await first.says("api");
  const run = (await one.run("run slow.flow.yaml --detach", { env })).stdout.trim();
  await expect.poll(async () => (await one.run(["runs", "show", run], { env })).stdout).toContain("running");
  first.process.kill("SIGKILL");
  await first.done;
  const second = serve();
  await second.says("api");
  writeFileSync(join(one.path, "go"), "");
  await expect.poll(async () => (await one.run(["runs", "show", run], { env })).stdout).toContain("Slow  succeeded");
  second.process.kill("SIGTERM");
  expect((await second.done).stderr).not.toContain("run-stopped");
});
