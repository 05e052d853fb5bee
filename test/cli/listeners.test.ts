// Listeners through the whole program (spec 3.7): lines become iterations, once each and in order, even across kill -9.
// The nodes themselves write what they saw; the test does not trust Curlew's report of it.

import { expect, test } from "vitest";
import type { RunEvent } from "../../src/scheduler/event.ts";
import type { RunView } from "../../src/scheduler/view.ts";
import { eventsIn, type Folder, folder } from "./curlew.ts";

interface Listener {
  content: string;
  more?: string;
  /** The node that each line starts; `note` appends its line to the file `seen`. */
  nodes?: string;
  edges?: string;
  document?: string;
}

function note(content: string): string {
  return `{ id: note, type: cli, data: { title: Note, safetyLevel: advanced, content: ${JSON.stringify(content)} } }`;
}

const NOTE = note("printf '%s %s\\n' ${i} ${1} >> seen");

function workflow({ content, more = "", nodes = NOTE, edges = "listen -> note", document = "" }: Listener): string {
  return [
    "curlew: 1",
    "name: Test",
    document,
    "nodes:",
    `  - { id: listen, type: cli, data: { title: Listen, emit: lines, mode: script, safetyLevel: advanced, ${more} content: ${JSON.stringify(content)} } }`,
    ...nodes.split("\n").map((node) => `  - ${node}`),
    `edges: [ ${edges} ]`,
    "",
  ].join("\n");
}

function seen(at: Folder): string[] {
  try {
    return at.read("seen").trimEnd().split("\n");
  } catch {
    return [];
  }
}

async function events(at: Folder, run: string): Promise<RunEvent[]> {
  return eventsIn(await at.run(`run ${run} --json`));
}

async function shown(at: Folder): Promise<RunView> {
  return JSON.parse((await at.run("runs show latest --json")).stdout);
}

test("lines of every kind: CR LF, empty, not UTF-8, longer than a buffer, the last without a newline", async () => {
  const script = [
    "#!/usr/bin/env node",
    'const long = "x".repeat(300000);',
    'process.stdout.write(Buffer.from("one\\r\\n\\n\\xff\\n" + long + "\\n" + long + "y\\r\\nlast", "latin1"));',
  ].join("\n");
  const count =
    "{ id: note, type: cli, data: { title: Count, content: wc -c >> seen, stdin: { source: parent-index } } }";
  const at = folder({ "a.flow.yaml": workflow({ content: script, nodes: count }) });
  const { code, stderr } = await at.run("run a.flow.yaml");
  expect([code, seen(at)], stderr).toEqual([0, ["3", "0", "1", "300000", "300001", "4"]]);
});

test("the listener's value is its whole output, and nodes after it read the collected lines", async () => {
  const nodes = [
    '{ id: all, type: accumulator, data: { title: All, variableName: all, content: "${i}=${1}" } }',
    '{ id: after, type: text, data: { title: After, content: "${all}" } }',
  ].join("\n");
  const at = folder({ "a.flow.yaml": workflow({ content: "printf 'a\\nb\\n'", nodes, edges: "listen -> all" }) });
  expect(await at.run("run a.flow.yaml --quiet")).toMatchObject({ code: 0, stdout: "1=a\n2=b\n" });
  at.write("b.flow.yaml", workflow({ content: "printf 'a\\nb\\n'" }));
  expect(await at.run("run b.flow.yaml --quiet")).toMatchObject({ code: 0, stdout: "a\nb\n" });
});

test("a line that fails ends only its own iteration; the run fails at the end, with the first failure", async () => {
  const nodes = note("test ${1} != b && printf '%s\\n' ${1} >> seen");
  const at = folder({ "a.flow.yaml": workflow({ content: "printf 'a\\nb\\nc\\n'", nodes }) });
  const { code, stderr } = await at.run("run a.flow.yaml");
  expect([code, seen(at)], stderr).toEqual([1, ["a", "c"]]);
  expect(stderr).toContain("note[1]");
  const view = await shown(at);
  expect(view.failure?.path).toBe("note[1]");
  const listen = view.nodes.find(({ path }) => path === "listen");
  expect([listen?.status, listen?.failure?.code]).toEqual(["failed", "lines-failed"]);
  expect(listen?.failure?.message).toContain("1 of 3 lines failed");
  at.write("b.flow.yaml", workflow({ content: "printf 'a\\nb\\nc\\n'", nodes, more: "continueOnError: true," }));
  expect((await at.run("run b.flow.yaml --quiet")).code).toBe(0);
});

test("with onLineFailure: fail the first failure ends the run", async () => {
  const nodes = note("test ${1} != b && printf '%s\\n' ${1} >> seen");
  const listen = "printf 'a\\nb\\nc\\n'; exec sleep 1000";
  const at = folder({ "a.flow.yaml": workflow({ content: listen, nodes, more: "onLineFailure: fail," }) });
  expect([(await at.run("run a.flow.yaml")).code, seen(at)]).toEqual([1, ["a"]]);
});

test("output.format and select apply to every line, and a line that is not JSON fails alone", async () => {
  const more = "output: { format: json, select: n }, continueOnError: true,";
  const lines = String.raw`printf '{"n":1}\n\nnot JSON\n{"n":2}\n'`;
  const at = folder({ "a.flow.yaml": workflow({ content: lines, more }) });
  const told = await events(at, "a.flow.yaml");
  expect(seen(at)).toEqual(["1 1", "3 2"]);
  const failed = told.filter((event) => event.type === "pass.failed");
  expect(failed.map(({ failedAt, failure }) => [failedAt, failure.code])).toEqual([["listen[1]", "output-not-json"]]);
  expect(told.filter((event) => event.type === "line.received")).toHaveLength(3);
});

test("a listener that fails is retried; the numbers continue, and nothing of the earlier attempt is lost", async () => {
  const content = "printf 'a\\nb\\nc'; test -e again || { touch again; exit 3; }";
  const more = "retry: { maxAttempts: 2, initialInterval: 10ms },";
  const at = folder({ "a.flow.yaml": workflow({ content, more }) });
  const { code, stderr } = await at.run("run a.flow.yaml");
  expect([code, seen(at)], stderr).toEqual([0, ["1 a", "2 b", "3 c", "4 a", "5 b", "6 c"]]);
});

test("Ctrl-C ends the listener and its iterations, and finally nodes run", async () => {
  const nodes = [
    "{ id: note, type: cli, data: { title: Note, content: echo begun >&2; exec sleep 1000 } }",
    "{ id: always, type: cli, data: { title: Always, content: echo over > seen } }",
  ].join("\n");
  const document = "finally: [always]";
  const content = "echo a; exec sleep 1000";
  const at = folder({ "a.flow.yaml": workflow({ content, nodes, document }) });
  const run = at.start("run a.flow.yaml");
  await run.says("note[0] started");
  run.process.kill("SIGINT");
  expect([(await run.done).code, seen(at)]).toEqual([130, ["over"]]);
});

test("kill -9 in the middle: each line before and after starts its nodes once, in order", {
  timeout: 240_000,
}, async () => {
  // More lines than are recorded ahead. The program dies during the 5th, and the listener continues.
  const content = "seq 1 130; while ! test -e dead; do sleep 0.05; done; seq 131 150";
  const nodes = note("printf '%s\\n' ${1} >> seen; test ${1} != 5 || while ! test -e dead; do sleep 0.05; done");
  const at = folder({ "a.flow.yaml": workflow({ content, nodes }) });
  const run = at.start("run a.flow.yaml");
  await expect.poll(() => seen(at).at(-1), { timeout: 120_000 }).toBe("5");
  run.process.kill("SIGKILL");
  await run.done;
  at.write("dead", "");
  const { code, stderr } = await at.run("runs resume latest");
  expect(code, stderr).toBe(0);
  expect(seen(at).map(Number)).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
  expect((await shown(at)).status).toBe("succeeded");
});
