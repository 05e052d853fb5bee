// What `curlew run` prints on which stream, and its exit codes (spec 2.2).

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clusterEnv, onOneMachine } from "../setup/on-postgres.ts";
import { eventsIn, type Folder, folder, inARow, MAIN } from "./curlew.ts";

const hello = `curlew: 1
name: Hello
inputs:
  name: { type: string, default: world }
  times: { type: integer, minimum: 1, maximum: 3, default: 1 }
nodes:
  - { id: greet, type: cli, data: { title: Greet, content: 'printf "Hello, %s! x%s" "\${name}" "\${times}"' } }
`;

test("stdout has the result and one newline, and stderr has a line for each change, without colours", async () => {
  const ran = await folder({ "hello.flow.yaml": hello }).run("run hello.flow.yaml");
  expect(ran).toMatchObject({ code: 0, stdout: "Hello, world! x1\n" });
  expect(ran.stderr.replaceAll(/[0-9a-z]{20}|1[0-9a-z]{9}/g, "ID").replaceAll(/\d+\.\ds/g, "TIME")).toBe(
    "run ID started: Hello\ngreet started\ngreet succeeded in TIME\nsucceeded in TIME · 1 node succeeded · run ID\n",
  );
  expect(ran.stderr).not.toContain("\u001b");
});

test("a failed run prints nothing on stdout, and names the first failure with what helps", async () => {
  const it = folder({
    "f.flow.yaml": inARow({ before: "echo fine", breaks: "echo one >&2; echo two >&2; exit 7", after: "echo never" }),
  });
  const ran = await it.run("run f.flow.yaml");
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toContain('Node "breaks" failed:');
  expect(ran.stderr).toContain(
    "  command: echo one >&2; echo two >&2; exit 7\n  exit code: 7\n  stderr:\n    | one\n    | two\n",
  );
  expect(ran.stderr).toMatch(/curlew runs logs \w{10} breaks/);
  expect(ran.stderr).not.toContain("after started");
});

test("--quiet prints nothing about a success, and everything important about a failure", async () => {
  const it = folder({ "hello.flow.yaml": hello, "f.flow.yaml": inARow({ breaks: "exit 3" }) });
  expect(await it.run("run hello.flow.yaml --quiet")).toEqual({ code: 0, stdout: "Hello, world! x1\n", stderr: "" });
  const failed = await it.run("run f.flow.yaml --quiet");
  expect(failed).toMatchObject({ code: 1, stdout: "" });
  expect(failed.stderr).toMatch(/^curlew: error\[[a-z-]+\]: Node "breaks" failed: /);
});

test("a run whose last node was skipped says why there is no result, and runs show finds the one that ran", async () => {
  const it = folder({
    "f.flow.yaml": `curlew: 1
inputs: { to: { type: string, default: a } }
nodes:
  - { id: n, run: "echo 5" }
  - { id: high, if: "inputs[0] > 10", after: n }
  - { id: tell, text: high, after: "high:true" }
`,
    "g.flow.yaml": `curlew: 1
nodes:
  - { id: n, run: "echo 5" }
  - { id: high, if: "inputs[0] > 10", after: n }
  - { id: tell, text: high, after: "high:true" }
  - { id: calm, text: low, after: "high:false" }
`,
  });
  const ran = await it.run("run f.flow.yaml");
  expect(ran).toMatchObject({ code: 0, stdout: "\n" });
  expect(ran.stderr).toContain('\n  No result: the last node, "tell", was skipped.\n');
  expect((await it.run("runs show latest")).stdout).toContain('No result: the last node, "tell", was skipped.');
  expect((await it.run("run g.flow.yaml -q")).stdout).toBe("low\n");
  expect((await it.run("runs show latest")).stdout).toContain("result\n  | low\n");
});

test("--json prints every event as one object per line, and nothing else anywhere", async () => {
  const it = folder({ "hello.flow.yaml": hello });
  const ran = await it.run("run hello.flow.yaml --json");
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const events = eventsIn(ran);
  expect(events.map((event) => event.type)).toEqual([
    "run.started",
    "attempt.started",
    "attempt.succeeded",
    "run.succeeded",
  ]);
  expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4]);
  expect(new Set(events.map((event) => event.run)).size).toBe(1);
});

const inputs = (title: string, args: string[], stdin: string, expected: { code: number; says: string }) =>
  test(`inputs: ${title}`, async () => {
    const ran = await folder({
      "hello.flow.yaml": hello,
      "in.json": '{"name": "file", "times": 2}',
      "list.json": "[1]",
      "bad.json": "{",
    }).run(["run", "hello.flow.yaml", "--quiet", ...args], { stdin });
    expect(ran.code).toBe(expected.code);
    expect(expected.code === 0 ? ran.stdout : ran.stderr).toContain(expected.says);
    if (expected.code !== 0) expect(ran.stdout).toBe("");
  });
inputs("a flag", ["--input", "name=a=b c"], "", { code: 0, says: "Hello, a=b c! x1" });
inputs("an empty value", ["--input", "name="], "", { code: 0, says: "Hello, ! x1" });
test("--json has the result in the last event, and says which events are of a subflow", async () => {
  const node = (id: string, type: string, data: string) =>
    `  - { id: ${id}, type: ${type}, data: { title: T, ${data} } }\n`;
  const it = folder({
    "inner.flow.yaml": `curlew: 1\nname: Inner\nnodes:\n${node("a", "text", "content: inner")}`,
    "outer.flow.yaml": `curlew: 1\nname: Outer\nnodes:\n${node("sub", "subflow", "workflow: inner.flow.yaml")}`,
  });
  const ran = await it.run("run outer.flow.yaml --json");
  const events = eventsIn(ran);
  const ends = events.filter(({ type }) => type === "run.succeeded");
  expect(ends.map(({ inside, result }) => [inside, result])).toEqual([
    ["sub", undefined],
    [undefined, "inner"],
  ]);
  expect(events.at(-1)).toBe(ends[1]);
});

inputs("a file", ["--input-file", "in.json"], "", { code: 0, says: "Hello, file! x2" });
inputs("stdin", ["--input-file", "-"], '{"times":3}', { code: 0, says: "Hello, world! x3" });
inputs("a flag wins over a file", ["--input-file", "in.json", "--input", "times=3"], "", {
  code: 0,
  says: "Hello, file! x3",
});
inputs("a wrong type", ["--input", "times=many"], "", {
  code: 2,
  says: 'error[bad-input]: Input "times": "many" is not an integer.',
});
inputs("no value", ["--input", "name"], "", { code: 2, says: 'error[bad-input]: --input "name" has no value.' });
inputs("no name", ["--input", "=x"], "", { code: 2, says: 'error[bad-input]: --input "=x" has no name.' });
inputs("a file that isn't an object", ["--input-file", "list.json"], "", {
  code: 2,
  says: "error[bad-input-file]: list.json must hold a JSON object",
});
inputs("a file that isn't JSON", ["--input-file", "bad.json"], "", {
  code: 2,
  says: "error[bad-input-file]: bad.json is not JSON",
});
inputs("no file", ["--input-file", "none.json"], "", {
  code: 2,
  says: "error[cannot-read]: --input-file none.json cannot be read: it does not exist.",
});

type Tests = ReturnType<typeof onOneMachine>;
const refused = (title: string, args: string, expected: string, tests: Tests = test) =>
  tests(`rejected with exit code 2: ${title}`, async () => {
    const it = folder({
      "hello.flow.yaml": hello,
      "bad.flow.yaml": "curlew: 1\nnodes: [{ id: a, type: cly }]\n",
      "sub/x.flow.yaml": hello,
    });
    const ran = await it.run(args);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(expected);
    expect(existsSync(it.home)).toBe(false);
  });
refused("a wrong document", "run bad.flow.yaml", "error[unknown-node-type]");
refused(
  "no such file",
  "run helo.flow.yaml",
  'error[file-not-found]: There is no file helo.flow.yaml. Did you mean "hello.flow.yaml"?',
);
refused(
  "a folder",
  "run sub",
  "error[is-a-folder]: sub is a folder; give a workflow file.\n  help: For example sub/x.flow.yaml.",
);
const detached = onOneMachine("--detach needs no server: it leaves the run to a machine of the cluster.");
refused("no server for --detach", "run hello.flow.yaml --detach", "error[no-server]", detached);
refused(
  "--approve of an unknown node",
  "run hello.flow.yaml --approve gret",
  'curlew: error[unknown-node]: --approve names "gret", but no node of that name can ask for approval. Did you mean "greet"?',
);
refused(
  "a secret that is not declared",
  "run hello.flow.yaml --secret KEY",
  'error[unknown-secret]: The workflow has no secret "KEY".',
);
refused(
  "an env file that is not there",
  "run hello.flow.yaml --env-file .env",
  "error[cannot-read]: --env-file .env cannot be read",
);

test("a secret is requested only on a terminal", async () => {
  const it = folder({ "s.flow.yaml": inARow({ a: "true" }, "secrets: [API_KEY]\n") });
  expect(await it.run("run s.flow.yaml --secret API_KEY")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[no-terminal]"),
  });
});

test("--env-file adds variables that the workflow may name", async () => {
  const node =
    "curlew: 1\nname: E\nnodes: [{ id: a, type: cli, data: { title: A, content: 'echo \"$KEY\"', env: { static: { KEY: '${MY_NAME}' } } } }]\n";
  const it = folder({ "e.flow.yaml": node, ".env": "# comment\nMY_NAME='from the file'\n" });
  expect(await it.run("run e.flow.yaml --quiet --env-file .env")).toMatchObject({ code: 0, stdout: "from the file\n" });
});

test("--dry-run shows each rendered command with secrets hidden, runs nothing and records nothing", async () => {
  const it = folder({
    "d.flow.yaml": `curlew: 1
name: Plan
inputs: { name: { type: string, default: world } }
secrets: [API_KEY]
nodes:
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 2 } }
  - { id: fetch, type: cli, data: { title: Fetch, content: 'touch ran; curl -H "X: \${API_KEY}" "https://x/\${name}/\${i}"', needsUserApproval: true } }
  - { id: end, type: loop-end, data: { title: End } }
edges: [ pages -> fetch -> end ]
`,
  });
  const ran = await it.run("run d.flow.yaml --dry-run --input name=Ada", { env: { API_KEY: "tops3cret" } });
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain('| touch ran; curl -H "X: ‹secret API_KEY›" "https://x/Ada/‹i of pages›"');
  expect(ran.stdout).toMatch(/approval +needed/);
  expect(ran.stdout + ran.stderr).not.toContain("tops3cret");
  expect([existsSync(join(it.path, "ran")), existsSync(it.home)]).toEqual([false, false]);
  const json = JSON.parse((await it.run("run d.flow.yaml --dry-run --json --approve fetch")).stdout);
  expect(json.steps.map((step: { id: string }) => step.id)).toEqual(["pages", "fetch", "end"]);
  expect(json.steps[1]).toMatchObject({
    loops: ["pages"],
    after: ["pages"],
    approval: "given in advance",
    shell: "bash",
  });
});

test("a run that takes longer than its time limit ends with exit code 4", async () => {
  const it = folder({ "t.flow.yaml": inARow({ a: "sleep 60" }, "timeout: 300ms\n") });
  expect(await it.run("run t.flow.yaml")).toMatchObject({
    code: 4,
    stdout: "",
    stderr: expect.stringContaining("timed out after"),
  });
});

/** Writes that it has started, and ends only when told to. */
const patient = inARow({ waits: "echo begun; echo $$ > pid; sleep 300" });

async function isGone(it: Folder): Promise<void> {
  const pid = Number(it.read("pid"));
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
}

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 4],
  ["SIGHUP", 4],
] as const)("%s cancels in an orderly way, with exit code %i and nothing left behind", async (signal, code) => {
  const it = folder({ "p.flow.yaml": patient });
  const run = it.start("run p.flow.yaml --json");
  await run.says("attempt.started", "stdout");
  await it.run(["runs", "logs", "latest", "waits"]);
  while (!existsSync(join(it.path, "pid"))) await it.run("--version");
  run.process.kill(signal);
  const ran = await run.done;
  expect(ran.code).toBe(code);
  expect(ran.stdout).toContain('"type":"run.cancelled"');
  await isGone(it);
  expect((await it.run("runs show latest --json")).stdout).toContain('"status": "cancelled"');
});

test("a reader that goes away is not an error", async () => {
  const it = folder({ "big.flow.yaml": inARow({ big: "head -c 3000000 /dev/zero | tr '\\0' x" }) });
  const run = it.start("run big.flow.yaml --quiet");
  run.process.stdout.destroy();
  expect(await run.done).toMatchObject({ code: 0, stderr: "" });
});

test("a result that cannot be written is an error, so that a script never takes an empty file for the whole", async () => {
  const it = folder({ "a.flow.yaml": inARow({ a: "echo there" }) });
  const into = (args: string) => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, ["--", MAIN, ...args.split(" ")], {
      cwd: it.path,
      env: { PATH: process.env.PATH, CURLEW_HOME: it.home, CURLEW_KEYRING: "off", ...clusterEnv(it.home) },
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    return { status, stderr };
  };
  for (const args of [
    "run a.flow.yaml",
    "run a.flow.yaml --json",
    "runs --json",
    "runs logs latest a",
    "validate a.flow.yaml",
    "schema",
    "--help",
    "--version",
  ]) {
    const told = into(args);
    expect(told.status, args).toBe(5);
    expect(told.stderr, args).toContain("curlew: error[cannot-write]: Curlew can't write to standard output: ENOSPC");
    expect(told.stderr, args).not.toMatch(/^ +at /m);
  }
  expect(JSON.parse((await it.run("runs --json")).stdout)).toMatchObject([
    { status: "succeeded" },
    { status: "succeeded" },
  ]);
});

test("a working folder that was removed is reported as such", async () => {
  const it = folder({ "a.flow.yaml": inARow({ a: "echo there" }) });
  const gone = (args: string) =>
    spawnSync("/bin/sh", ["-c", `mkdir gone && cd gone && rmdir ../gone && exec "$NODE" -- "$MAIN" ${args}`], {
      cwd: it.path,
      env: { PATH: process.env.PATH, CURLEW_HOME: it.home, CURLEW_KEYRING: "off", NODE: process.execPath, MAIN },
      encoding: "utf8",
    });
  for (const args of [`run ${it.path}/a.flow.yaml`, "runs"]) {
    const { status, stderr } = gone(args);
    expect(status, args).toBe(2);
    expect(stderr, args).toContain("curlew: error[no-folder]: The current folder no longer exists.");
    expect(stderr, args).not.toMatch(/^ +at /m);
  }
});

test("a result that Curlew cannot store ends with exit code 5 and a short message, without a stack", async () => {
  const it = folder();
  it.write(
    "w.flow.yaml",
    inARow({ wrecks: `chmod 700 ${it.home}; rm -rf ${it.home}; : > ${it.home}`, next: "echo never" }),
  );
  const ran = await it.run("run w.flow.yaml --yes");
  expect(ran).toMatchObject({ code: 5, stdout: "" });
  expect(ran.stderr).toContain("curlew: error[");
  expect(ran.stderr).not.toMatch(/^ +at /m);
});

test("a failure in a loop shows the loop's variables, without their secrets", async () => {
  const it = folder({
    "t.flow.yaml": `curlew: 1
name: Loop
secrets: [KEY]
nodes:
  - { id: all, type: loop-start, data: { title: All, items: "[\\"one\\", \\"\${KEY}\\"]" } }
  - { id: page, type: cli, data: { title: Page, content: 'test "\${i}" = 1' } }
  - { id: end, type: loop-end, data: { title: End } }
edges: [all -> page -> end]
`,
  });
  const ran = await it.run("run t.flow.yaml", { env: { KEY: "very-secret-value" } });
  expect(ran.stderr).toContain("page[1] (i = 2, item = ***) failed after");
  expect(ran.stderr).toContain('Node "page[1]" (i = 2, item = ***) failed:');
  expect((await it.run("runs show latest")).stdout).toContain('Node "page[1]" (i = 2, item = ***) failed:');
});

test("a member that is null becomes an empty text, and the node's record says so", async () => {
  const it = folder({
    "t.flow.yaml": `curlew: 1
name: Nulls
nodes:
  - { id: user, type: text, data: { title: User, content: '{"name": null}' } }
  - { id: greet, type: text, data: { title: Greet, content: "Hello \${1.name}!" } }
  - { id: ask, type: cli, data: { title: Ask, content: 'echo "<\${1.name}>" \${1.name|json}' } }
edges: [user -> greet, user -> ask]
output: ask
`,
  });
  const ran = await it.run("run t.flow.yaml");
  expect(ran).toMatchObject({ code: 0, stdout: "<> null\n" });
  expect(ran.stderr).toContain("warning at greet: ${1.name} is null. Curlew used an empty string.");
  const shown = await it.run("runs show latest");
  expect(shown.stdout).toContain("warning at greet: ${1.name} is null.");
  const { nodes } = JSON.parse((await it.run("runs show latest --json")).stdout);
  const { attempts } = nodes.find(({ id }: { id: string }) => id === "ask");
  expect(attempts[0].warnings).toEqual([{ code: "template-null", message: expect.stringContaining("${1.name}") }]);
});

test.each([
  ["without a package.json", {}],
  ["in a package of CommonJS modules", { "package.json": '{ "type": "commonjs" }' }],
  ["in a package of ES modules", { "package.json": '{ "type": "module" }' }],
])("a workflow written in TypeScript imports curlew and its neighbours %s", async (_where, files) => {
  const it = folder({
    "words.ts": 'export const word: string = "typed";\n',
    "t.flow.ts": `import { workflow } from "curlew";
import { word } from "./words.ts";
export default workflow({ name: "Typed" }).cli("a", { title: "A", content: \`echo \${word}\` });
`,
    ...files,
  });
  expect(await it.run("run t.flow.ts --quiet")).toEqual({ code: 0, stdout: "typed\n", stderr: "" });
});

test("a workflow written in TypeScript runs", async () => {
  const it = folder({
    "t.flow.ts": `const title: string = "A";\nexport default { curlew: 1, name: "Typed", nodes: [{ id: "a", type: "cli", data: { title, content: "echo typed" } }] };\n`,
    "none.flow.ts": "export const nothing = 1;\n",
    "throws.flow.ts": 'throw new Error("no luck");\n',
    "lost.flow.ts":
      'import { workflow } from "curlew";\nconst flow = workflow();\nflow.start("a", { title: "A" });\nexport default flow;\n',
  });
  expect(await it.run("run t.flow.ts --quiet")).toEqual({ code: 0, stdout: "typed\n", stderr: "" });
  expect(await it.run("run none.flow.ts")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("error[no-workflow]"),
  });
  expect(await it.run("run lost.flow.ts")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Chain the calls"),
  });
  expect(await it.run("run throws.flow.ts")).toMatchObject({ code: 2, stderr: expect.stringContaining("no luck") });
});
