// outcomes: what the nodes at the end of a run know, and that a kill makes none of them run twice (spec 8.3).

import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "./cli/curlew.ts";
import { until } from "./server/until.ts";

const document = (lines: string) => ({ "t.flow.yaml": `curlew: 1\nname: T\n${lines}` });
const FACTS =
  "${run.status} ${failure.node} ${failure.code} ${failure.exitCode} ${failure.body} ${failure.stderr} ${failure.attempts} x${failure.status}";

test("the nodes of onFailure and finally know the failure, with secrets masked", async () => {
  const at = folder(
    document(`secrets: [TOKEN]
nodes:
  - id: a
    type: cli
    data:
      title: A
      content: "echo no order for \${TOKEN}; echo sorry >&2; exit 22"
      retry: { maxAttempts: 2, initialInterval: 1ms }
  - { id: warn, type: cli, data: { title: W, content: "echo ${FACTS} >> log; exit 3" } }
  - { id: clean, type: cli, data: { title: C, content: "echo ${FACTS} >> log" } }
onFailure: [warn]
finally: [clean]
`),
  );
  const ran = await at.run("run t.flow.yaml", { env: { TOKEN: "hunter2-hunter2" } });
  expect(ran.stderr).toContain('error[exit-non-zero]: Node "a" failed: The command exited with code 22.');
  expect(ran.stderr).toMatch(/warn\s+failed/);
  const line = "failed a exit-non-zero 22 no order for *** sorry\n 2 x";
  expect(at.read("log")).toBe(`${line}\n${line}\n`);
});

test("the beginning of what a failed command printed is shown", async () => {
  const at = folder(
    document(`nodes:
  - { id: a, type: cli, data: { title: A, content: "echo '{\\"detail\\": \\"no such order\\", \\"id\\": 5}'; exit 4" } }
`),
  );
  const ran = await at.run("run t.flow.yaml --quiet");
  const lines = ["no such order", '{"detail": "no such order", "id": 5}'].map((line) => `    | ${line}`);
  expect(ran.stderr).toContain(["  printed:", ...lines].join("\n"));
  const [, id = ""] = /curlew runs show (\w+)/.exec(ran.stderr) ?? [];
  expect((await at.run(["runs", "show", id])).stdout).toContain("| no such order\n");
});

test("a member of a long body is there, though the body itself is shortened", async () => {
  const at = folder(
    document(`nodes:
  - { id: a, run: "jq -nc '{pad: (\\"é\\" * 3000), error: {message: \\"no such order\\"}}'; exit 4" }
  - { id: note, run: "echo \${failure.body.error.message} >> log; printf %s \${failure.body} | wc -c >> log" }
  - { id: check, after: note, if: 'failure.body.error.message = "no such order"' }
  - { id: yes, after: "check:true", run: echo yes >> log }
onFailure: [note, check, yes]
`),
  );
  expect((await at.run("run t.flow.yaml")).stderr).toContain("printed:\n    | no such order\n");
  expect(at.read("log")).toMatch(/^no such order\n *4096\nyes\n$/);
});

test("the failure of a subflow says what its failed command printed, and its status", async () => {
  const api = createServer((_request, response) => {
    response.writeHead(409, { "Content-Type": "application/json" }).end('{"error": {"message": "no such order"}}');
  }).listen(0, "127.0.0.1");
  await once(api, "listening");
  const { port } = api.address() as AddressInfo;
  const flow = (name: string, rest: string) => `curlew: 1\nname: ${name}\nnodes:\n${rest}`;
  const at = folder({
    "call.flow.yaml": flow(
      "Call",
      `  - { id: call, run: "curl -sS --fail-with-body http://127.0.0.1:${port}/orders" }\n`,
    ),
    "between.flow.yaml": flow("Between", "  - { id: inner, type: subflow, workflow: call.flow.yaml }\n"),
    "t.flow.yaml": flow(
      "T",
      `  - { id: sub, type: subflow, workflow: between.flow.yaml }
  - { id: answer, after: "sub:error", run: "echo \${failure.node} \${failure.status} \${failure.body.error.message} >> log" }
  - { id: again, after: answer, type: subflow, workflow: call.flow.yaml, continueOnError: true }
  - { id: empty, run: "echo again: \${again} >> log" }
  - { id: last, after: empty, type: subflow, workflow: call.flow.yaml }
  - { id: note, run: "echo \${failure.node} \${failure.status} \${failure.body} >> log" }
onFailure: [note]
`,
    ),
  });
  expect((await at.run("run t.flow.yaml")).code).toBe(1);
  api.close();
  const body = '{"error": {"message": "no such order"}}';
  expect(at.read("log")).toBe(`sub 409 no such order\nagain: \nlast 409 ${body}\n`);
});

test("a run that timed out has its own failure, and one that succeeded has none", async () => {
  const at = folder({
    ...document(`timeout: 300ms
nodes:
  - { id: a, type: cli, data: { title: A, content: sleep 60, killGrace: 0s } }
  - { id: warn, type: cli, data: { title: W, content: "echo ${FACTS} >> log" } }
onFailure: [warn]
`),
    "good.flow.yaml": `curlew: 1
name: Good
nodes:
  - { id: a, type: text, data: { title: A, content: a } }
  - { id: warn, type: cli, data: { title: W, content: "echo never >> log" } }
  - { id: clean, type: cli, data: { title: C, content: "echo \${run.status}\${failure.code}. >> log" } }
onFailure: [warn]
finally: [clean]
`,
  });
  expect((await at.run("run t.flow.yaml")).code).not.toBe(0);
  expect((await at.run("run good.flow.yaml")).stderr).toContain("no failure");
  expect(at.read("log")).toBe("timed-out  run-timed-out     x\nsucceeded.\n");
});

test("a kill in the middle of onFailure repeats nothing", async () => {
  const at = folder(
    document(`nodes:
  - { id: a, type: cli, data: { title: A, content: exit 1 } }
  - { id: first, type: cli, data: { title: F, content: "echo first >> log" } }
  - { id: slow, type: cli, data: { title: S, content: "until [ -e go ]; do sleep 0.05; done; echo slow >> log" } }
  - { id: clean, type: cli, data: { title: C, content: "echo clean \${failure.node} >> log" } }
edges: [first -> slow]
onFailure: [first, slow]
finally: [clean]
`),
  );
  const killed = at.start("run t.flow.yaml");
  await killed.says("slow", "stderr");
  killed.process.kill("SIGKILL");
  await killed.done;
  at.write("go", "");
  const [, run = ""] = /(\w{10,})/.exec((await at.run("runs --json")).stdout) ?? [];
  const resumed = await at.run(["runs", "resume", run]);
  expect(resumed.stderr).toContain('Node "a" failed');
  expect(at.read("log")).toBe("first\nslow\nclean a\n");
});

test("a run that fails starts the workflow that waits for it, once, whatever is killed", {
  timeout: 60_000,
}, async () => {
  const at = folder({
    "jobs/a.flow.yaml": `curlew: 1
name: Job
nodes:
  - { id: fetch, type: cli, data: { title: F, content: "echo no room; exit 9" } }
`,
    "alert.flow.yaml": `curlew: 1
name: Alert
on: [{ run: { workflow: "jobs/*.flow.yaml", status: [failed] } }]
nodes:
  - id: note
    type: cli
    data:
      title: Note
      content: "echo \${event.workflow} \${event.failure.node} \${event.failure.exitCode} \${trigger.kind} >> alerts; exit 1"
`,
  });
  const runs = async () => (await at.run("runs --json")).stdout;
  const serve = async () => {
    const server = at.start("serve --port 0 --hooks-port 0 .");
    await server.says("hooks");
    return server;
  };
  const kill = async ({ process, done }: Awaited<ReturnType<typeof serve>>) => {
    process.kill("SIGKILL");
    await done;
  };
  const first = await serve();
  await until(async () => (await at.run("triggers --json")).stdout.includes("run jobs/"));
  await kill(first);
  await at.run("run jobs/a.flow.yaml");
  const second = await serve();
  await until(async () => (await runs()).includes("Alert"));
  await kill(second);
  const third = await serve();
  await at.run("run jobs/a.flow.yaml");
  await until(() => existsSync(join(at.path, "alerts")) && at.read("alerts").split("\n").length === 3);
  await kill(third);
  expect(at.read("alerts")).toBe("jobs/a.flow.yaml fetch 9 run\n".repeat(2));
});
