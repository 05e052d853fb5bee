// The history: `curlew runs …` over runs that `curlew run` made (spec 2.2, 2.7).

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isOnPostgres, onOneMachine } from "../setup/on-postgres.ts";
import { endRunners, folder, inARow, made } from "./curlew.ts";

const twice = inARow({ first: "echo one; echo two; echo three; echo oops >&2", second: "cat" }).replace(
  'content: "cat"',
  'content: "cat", stdin: { source: parent-index, parentIndex: 0 }',
);
const loop = `curlew: 1
name: Loop
nodes:
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 3 } }
  - { id: page, type: cli, data: { title: Page, content: 'echo "page \${i}"' } }
  - { id: end, type: loop-end, data: { title: End } }
edges: [ pages -> page -> end ]
`;

test("the file of a failed subflow is not called a prompt", async () => {
  const it = folder({
    "a.flow.yaml": "curlew: 1\nnodes: [{ id: s, type: subflow, workflow: b.flow.yaml }]\n",
    "b.flow.yaml":
      'curlew: 1\nnodes: [{ id: l, type: loop-start, items: "1 + {}" }, { id: e, type: loop-end, after: l }]\n',
  });
  expect((await it.run("run a.flow.yaml")).stderr).not.toContain("prompt");
  expect((await it.run("runs show latest")).stdout).toContain("\n  command: b.flow.yaml\n");
});

test("an empty history says how to start, and is an empty array", async () => {
  const it = folder();
  const { stderr, ...ran } = await it.run("runs");
  expect(ran).toEqual({ code: 0, stdout: "" });
  const [says, ...rest] = stderr.split("\n").slice(isOnPostgres ? 0 : 1);
  expect([says, rest]).toEqual(["No runs yet. Start one: curlew run FILE", [""]]);
  if (!isOnPostgres) expect(stderr).toMatch(/^There is no data directory \S+ yet\./);
  expect(JSON.parse((await it.run("runs --json")).stdout)).toEqual([]);
  expect(await it.run("runs show latest")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[run-not-found]: You have not started a run yet."),
  });
});

test("runs are listed newest first, filtered, and named by id, prefix or latest", async () => {
  const it = folder({
    "a.flow.yaml": inARow({ a: "echo hi" }),
    "b.flow.yaml": inARow({ b: "exit 1" }).replace("name: Test", "name: Other"),
  });
  await it.run("run a.flow.yaml");
  await it.run("run b.flow.yaml");
  const all = JSON.parse((await it.run("runs --json")).stdout);
  expect(all.map((run: { workflow: string }) => run.workflow)).toEqual(["Other", "Test"]);
  expect(all[1]).toMatchObject({
    status: "succeeded",
    trigger: { kind: "cli" },
    inputs: {},
    durationMs: expect.any(Number),
  });
  expect(all[1]).not.toHaveProperty("nodes");
  const table = (await it.run("runs --limit 1")).stdout.trimEnd().split("\n");
  expect(table).toHaveLength(2);
  expect(table[1]).toMatch(
    /^[0-9a-z]{10} {2}failed +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +\d\.\ds +cli +Other {2}b: The command exited with code 1\.$/,
  );
  expect(all[0].failure).toEqual({
    node: "b",
    path: "b",
    failure: { code: "exit-non-zero", message: "The command exited with code 1." },
  });
  expect(all[1]).not.toHaveProperty("failure");
  expect(JSON.parse((await it.run("runs --status succeeded --json")).stdout)).toHaveLength(1);
  expect(JSON.parse((await it.run("runs --workflow Other --json")).stdout)).toHaveLength(1);
  expect(await it.run("runs --status done")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('error[unknown-status]: Unknown status "done".'),
  });
  for (const name of [all[1].id, all[1].id.slice(0, 12)])
    expect(JSON.parse((await it.run(["runs", "show", name, "--json"])).stdout).id).toBe(all[1].id);
  expect(JSON.parse((await it.run("runs show latest --json")).stdout).id).toBe(all[0].id);
  expect(await it.run("runs show 1")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[run-ambiguous]"),
  });
  expect(await it.run("runs show zzzz")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[run-not-found]"),
  });
});

test("show lists every attempt, for programs and for people", async () => {
  const it = folder({ "t.flow.yaml": twice });
  await it.run("run t.flow.yaml");
  const shown = JSON.parse((await it.run("runs show latest --json")).stdout);
  expect(shown).toMatchObject({
    workflow: "Test",
    status: "succeeded",
    trigger: { kind: "cli" },
    inputs: {},
    result: "one\ntwo\nthree",
  });
  expect(shown.durationMs).toBe(Date.parse(shown.endedAt) - Date.parse(shown.startedAt));
  expect(shown.nodes.map((node: { path: string }) => node.path)).toEqual(["first", "second"]);
  expect(shown.nodes[1]).toMatchObject({ id: "second", title: "Title of second", type: "cli", status: "succeeded" });
  expect(shown.nodes[1].attempts).toEqual([
    {
      number: 1,
      status: "succeeded",
      cause: "exited(0)",
      exitCode: 0,
      startedAt: expect.any(String),
      endedAt: expect.any(String),
      durationMs: expect.any(Number),
      command: "cat",
      shell: "bash",
      cwd: it.path,
      env: [],
      stdin: { bytes: 13, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      stdout: { bytes: 13 },
      stderr: { bytes: 0 },
      http: [],
    },
  ]);
  const text = (await it.run("runs show latest")).stdout;
  expect(text).toMatch(/^Test {2}succeeded in \d/);
  expect(text).toMatch(/ {2}first {3}succeeded {2}\d\.\ds +Title of first · stdout 14 B · stderr 5 B\n/);
  expect(text).toContain("result\n  | one\n  | two\n  | three\n");
});

test("logs of a node are its exact bytes; logs of a run have the node's path before each line", async () => {
  const it = folder({ "t.flow.yaml": twice, "l.flow.yaml": loop });
  await it.run("run t.flow.yaml");
  expect(await it.run("runs logs latest first")).toEqual({ code: 0, stdout: "one\ntwo\nthree\n", stderr: "oops\n" });
  expect(await it.run("runs logs latest second")).toEqual({ code: 0, stdout: "one\ntwo\nthree", stderr: "" });
  expect(await it.run("runs logs latest first --tail 1")).toEqual({ code: 0, stdout: "three\n", stderr: "oops\n" });
  expect(await it.run("runs logs latest --tail 1")).toEqual({
    code: 0,
    stdout: "first | three\nsecond | three\n",
    stderr: "first | oops\n",
  });
  await it.run("run l.flow.yaml");
  expect((await it.run("runs logs latest page")).stdout).toBe("page 1\npage 2\npage 3\n");
  expect((await it.run(["runs", "logs", "latest", "page[1]"])).stdout).toBe("page 2\n");
  expect((await it.run("runs logs latest")).stdout).toBe("page[0] | page 1\npage[1] | page 2\npage[2] | page 3\n");
  expect(await it.run("runs logs latest pag")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean "page"?'),
  });
});

test("logs of a node that started no command say so", async () => {
  const it = folder({
    "t.flow.yaml": "curlew: 1\nnodes:\n  - { id: a, run: exit 3 }\n  - { id: b, after: a, run: echo b }\n",
  });
  await it.run("run t.flow.yaml");
  expect(await it.run("runs logs latest a")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await it.run("runs logs latest b")).toMatchObject({
    ...{ code: 0, stdout: "" },
    stderr: expect.stringMatching(
      /^"b" started no command, so it has no output\. Its state: curlew runs show \w{10}\n$/,
    ),
  });
});

test("logs -f follows a run to its end", async () => {
  const it = folder({
    "f.flow.yaml": inARow({ slow: "echo begun; until [ -e go ]; do sleep 0.02; done; echo ended" }),
  });
  const run = it.start("run f.flow.yaml");
  await run.says("slow started");
  const logs = it.start("runs logs latest slow -f");
  await logs.says("begun\n", "stdout");
  it.write("go", "");
  expect(await logs.done).toEqual({ code: 0, stdout: "begun\nended\n", stderr: "" });
  expect((await run.done).code).toBe(0);
});

test("logs -f follows a command that was found again after its program was killed", async () => {
  const it = folder({
    "f.flow.yaml": inARow({ slow: "echo begun; until [ -e go ]; do sleep 0.02; done; echo ended" }),
  });
  const run = it.start("run f.flow.yaml");
  await run.says("slow started");
  run.process.kill("SIGKILL");
  await run.done;
  const resumed = it.start("runs resume latest");
  await resumed.says("slow");
  const logs = it.start("runs logs latest slow -f");
  await logs.says("begun\n", "stdout");
  it.write("go", "");
  expect((await logs.done).stdout).toBe("begun\nended\n");
  expect((await resumed.done).code).toBe(0);
});

test("logs --attempt prints one attempt", async () => {
  const it = folder({
    "t.flow.yaml": `curlew: 1
nodes:
  - { id: a, run: 'echo "attempt \${attempt}"; test \${attempt} = 2', retry: { initialInterval: 10ms, on: 1 } }
`,
  });
  await it.run("run t.flow.yaml");
  expect(await it.run("runs logs latest a --attempt 1")).toEqual({ code: 0, stdout: "attempt 1\n", stderr: "" });
  expect((await it.run("runs logs latest --attempt 2")).stdout).toBe("a | attempt 2\n");
  expect((await it.run("runs logs latest a")).stdout).toBe("attempt 1\nattempt 2\n");
  expect(await it.run("runs logs latest a --attempt 3")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/error\[unknown-attempt\].*attempt 3 of "a"/),
  });
});

test("cancel ends a run of another process, which reports it", async () => {
  const it = folder({ "c.flow.yaml": inARow({ waits: "sleep 300" }) });
  const run = it.start("run c.flow.yaml");
  await run.says("waits started");
  expect(await it.run("runs cancel latest")).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Run \w{10} cancelled\.\n$/),
  });
  expect((await run.done).code).toBe(4);
  expect(await it.run("runs cancel latest")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has already ended (cancelled)"),
  });
});

test("a run whose program was killed is interrupted: you can show, cancel or resume it", async () => {
  const it = folder({
    "k.flow.yaml": inARow({ first: "echo once >> first.txt", waits: "touch began; sleep 300", last: "echo done" }),
  });
  const run = it.start("run k.flow.yaml");
  await made(join(it.path, "began"));
  run.process.kill("SIGKILL");
  await run.done;
  await endRunners(it.home, "SIGKILL");
  expect((await it.run("runs")).stdout).toContain("interrupted");
  expect((await it.run("runs --status interrupted")).stdout).toContain("interrupted");
  expect(JSON.parse((await it.run("runs --status interrupted --json")).stdout)).toHaveLength(1);
  const resumed = await it.run("runs resume latest");
  // With its runner killed too, the attempt's result is unknown; onLost is fail.
  expect(resumed).toMatchObject({ code: 1, stdout: "" });
  expect(resumed.stderr).not.toContain("first started");
  expect(resumed.stderr).toContain("retry: curlew runs retry 1");
  expect((await it.run("runs show latest")).stdout).toMatch(/\n {2}retry: curlew runs retry 1\w+\n/);
  expect(it.read("first.txt")).toBe("once\n");
  expect((await it.run("runs --status interrupted")).stdout).toBe("");
  expect(await it.run("runs resume latest")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[run-ended]"),
  });
});

test("rm removes runs and their output, all of them or none", async () => {
  const it = folder({ "a.flow.yaml": inARow({ a: "echo hi" }) });
  await it.run("run a.flow.yaml");
  await it.run("run a.flow.yaml");
  const [newest, oldest] = JSON.parse((await it.run("runs --json")).stdout).map((run: { id: string }) => run.id);
  expect(await it.run(["runs", "rm", newest, "zzzz"])).toMatchObject({ code: 2 });
  expect(await it.run(["runs", "rm", newest])).toMatchObject({ code: 0, stdout: "" });
  expect(existsSync(join(it.home, "runs", newest))).toBe(false);
  expect(JSON.parse((await it.run("runs --json")).stdout).map((run: { id: string }) => run.id)).toEqual([oldest]);
});

const asks = inARow({ made: "echo made", publish: "echo published" }).replace(
  'content: "echo published"',
  'content: "echo published", needsUserApproval: true',
);

test("a run without anyone to approve it waits with exit code 3, and continues when it is approved", async () => {
  const it = folder({ "a.flow.yaml": asks });
  const waits = await it.run("run a.flow.yaml");
  expect(waits).toMatchObject({ code: 3, stdout: "" });
  expect(waits.stderr).toMatch(/publish waits for an approval: curlew approve \w{10} publish\n$/);
  expect(JSON.parse((await it.run("approvals --json")).stdout)).toMatchObject([
    { node: "publish", path: "publish", workflow: "Test" },
  ]);
  expect(await it.run("approve latest publsh")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean "publish"?'),
  });
  expect(await it.run("approve latest publish --quiet")).toEqual({ code: 0, stdout: "published\n", stderr: "" });
  expect(await it.run("approvals")).toEqual({ code: 0, stdout: "", stderr: "Nothing waits for an approval.\n" });
});

test.each(["--yes", "--approve publish"])("%s approves in advance", async (flag) => {
  const it = folder({ "a.flow.yaml": asks });
  expect(await it.run(`run a.flow.yaml --quiet ${flag}`)).toEqual({ code: 0, stdout: "published\n", stderr: "" });
});

const local = onOneMachine("the missing directory holds no history. test/cluster/commands.test.ts has its own test.");
local("commands that only read create no data directory, and name the one that is missing", async () => {
  const it = folder();
  const reads = [
    "runs",
    "runs show latest",
    "runs logs latest a",
    "approvals",
    "audit",
    "runs resume latest",
    "approve a",
  ];
  for (const line of reads) {
    const ran = await it.run(line);
    expect(ran.stderr, line).toContain(`There is no data directory ${it.home} yet.`);
    expect(existsSync(it.home), line).toBe(false);
  }
});
