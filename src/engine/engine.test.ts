// The engine with real shells and a real store: results, journals, and what a run leaves on disk.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, expect, test } from "vitest";
import type { RunEvent } from "../scheduler/event.ts";
import { viewOf } from "../scheduler/view.ts";
import { analyze } from "../workflow/graph.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { type Engine, openEngine, type RunHandle, type RunOutcome } from "./index.ts";

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

interface Story {
  nodes: string;
  edges?: string;
  top?: string;
  inputs?: Record<string, unknown>;
  env?: Record<string, string>;
  files?: Record<string, string>;
  approved?: string[];
  /** Called for each event, after its commit. */
  during?(event: RunEvent, handle: RunHandle): void;
}

interface Told {
  outcome: RunOutcome;
  result: string;
  events: RunEvent[];
  status: Record<string, string>;
  folder: string;
  home: string;
}

/** Runs a workflow and returns its outcome. */
async function run(story: Story): Promise<Told> {
  const home = mkdtempSync(join(tmpdir(), "curlew-engine-"));
  homes.push(home);
  const folder = mkdtempSync(join(tmpdir(), "curlew-flow-"));
  homes.push(folder);
  for (const [name, text] of Object.entries(story.files ?? {})) writeFileSync(join(folder, name), text);
  const file = join(folder, "story.flow.yaml");
  const text = `curlew: 1\nname: story\n${story.top ?? ""}\nnodes:\n${story.nodes}\n${story.edges === undefined ? "" : `edges:\n${story.edges}\n`}`;
  const { workflow, diagnostics } = parseWorkflow(text, file);
  if (workflow === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const events: RunEvent[] = [];
  let handle: RunHandle | undefined;
  const engine = openEngine({
    home,
    env: { ...process.env, ...story.env },
    onEvent: (event) => {
      events.push(event);
      queueMicrotask(() => handle && story.during?.(event, handle));
    },
  });
  if (!engine.ok) throw new Error(engine.error.message);
  try {
    const subflows = Object.fromEntries(
      Object.entries(story.files ?? {})
        .filter(([name]) => name.endsWith(".yaml"))
        .map(([name, content]) => [join(folder, name), content]),
    );
    const started = await engine.value.start({
      file,
      text,
      workflow,
      subflows,
      inputs: story.inputs ?? {},
      trigger: { kind: "cli" },
      ...(story.approved === undefined ? {} : { approvedInAdvance: story.approved }),
    });
    if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`);
    handle = started.value;
    const outcome = await handle.done;
    const own = journalOf(engine.value, outcome.id);
    expect(own).toEqual(events.filter((event) => event.run === outcome.id));
    const status = Object.fromEntries(
      viewOf(analyze(workflow).graph, own).nodes.map((node) => [node.path, node.status]),
    );
    return { outcome, result: await resultOf(outcome), events: own, status, folder, home };
  } finally {
    await engine.value.close();
  }
}

function journalOf(engine: Engine, id: string): RunEvent[] {
  const events = engine.store.journal.read(id);
  if (!events.ok) throw new Error(events.error.message);
  return events.value;
}

async function resultOf(outcome: RunOutcome): Promise<string> {
  const sink = new PassThrough();
  const chunks: Buffer[] = [];
  sink.on("data", (chunk: Buffer) => chunks.push(chunk));
  await outcome.result?.write(sink);
  return Buffer.concat(chunks).toString("latin1");
}

const cli = (id: string, content: string, more = ""): string =>
  `  - { id: ${id}, type: cli, data: { title: ${id}, content: ${JSON.stringify(content)}${more} } }`;
const text = (id: string, content: string): string =>
  `  - { id: ${id}, type: text, data: { title: ${id}, content: ${JSON.stringify(content)} } }`;

test("the value of one command reaches the next by stdin, by ${1} and by a parent's environment name, the trailing line break removed once", async () => {
  const { result } = await run({
    nodes: [
      cli("a", "printf 'one two\\n\\n'"),
      cli(
        "b",
        'printf "[%s]" "${1}"; cat; printf "<%s>" "$FIRST"',
        ", stdin: { source: parent-index, parentIndex: 0 }, env: { exposeParents: true, names: [FIRST] }",
      ),
    ].join("\n"),
    edges: "  - a -> b",
  });
  expect(result).toBe("[one two\n]one two\n<one two\n>");
});

test("a value that looks like shell code arrives as it is, and nothing runs", async () => {
  const hostile = "'; touch pwned; \"$(touch pwned)`touch pwned`${HOME} * \\ \n--";
  const { result, folder } = await run({
    nodes: [
      cli("a", "printf '%s' \"$RAW\"", ', env: { static: { RAW: "${raw}" } }'),
      cli("b", "printf '%s|%s' ${1|arg} \"${raw|arg}\""),
    ].join("\n"),
    edges: "  - a -> b",
    top: "inputs: { raw: { type: string } }",
    inputs: { raw: hostile },
  });
  expect(result).toBe(`${hostile}|${hostile}`);
  expect(() => readFileSync(join(folder, "pwned"))).toThrow();
});

test("several last nodes make an object: declared JSON stands as JSON, everything else as a string", async () => {
  const { result } = await run({
    nodes: [
      cli("a", "echo '{\"n\": 1}'", ", output: { format: json }"),
      cli("b", "echo '{\"n\": 1}'"),
      text("c", "plain"),
    ].join("\n"),
  });
  expect(JSON.parse(result)).toEqual({ a: { n: 1 }, b: '{"n": 1}', c: "plain" });
});

test("the first failure cancels what runs, skips the rest and names itself", async () => {
  const { outcome, status, result } = await run({
    nodes: [cli("slow", "sleep 60"), cli("bad", "echo oh no >&2; exit 7"), cli("after", "echo never")].join("\n"),
    edges: "  - bad -> after",
  });
  expect(outcome.status).toBe("failed");
  expect(outcome.failure).toMatchObject({
    node: "bad",
    command: "echo oh no >&2; exit 7",
    failure: { exitCode: 7, stderr: "oh no\n" },
  });
  expect(status).toEqual({ slow: "cancelled", bad: "failed", after: "skipped" });
  expect(result).toBe("");
});

test("an error branch gets the failure as JSON, and the run succeeds", async () => {
  const { outcome, result, status } = await run({
    nodes: [
      cli("call", "echo broken >&2; exit 22"),
      cli("fine", "echo fine"),
      text("help", "${1.exitCode} ${1.stderr}"),
    ].join("\n"),
    edges: "  - call -> fine\n  - call:error -> help",
    top: "output: help",
  });
  expect(outcome.status).toBe("succeeded");
  expect(result).toBe("22 broken\n");
  expect(status).toEqual({ call: "failed", fine: "skipped", help: "succeeded" });
});

test("an IF takes one branch; where branches merge the node runs once, the skipped parent keeps its number", async () => {
  const { result, status } = await run({
    nodes: [
      cli("get", 'echo \'{"status":"open"}\''),
      "  - { id: open, type: if, data: { title: open, content: 'inputs[0].status = \"open\"' } }",
      text("yes", "yes"),
      text("no", "no"),
      text("both", "[${1}][${2}]"),
    ].join("\n"),
    edges: "  - get -> open:true -> yes -> both\n  - open:false -> no -> both",
  });
  expect(result).toBe("[yes][]");
  expect(status.no).toBe("skipped");
});

test("an IF without a condition asks whether the command succeeded", async () => {
  const { result, outcome } = await run({
    nodes: [
      cli("get", "echo partial; exit 3"),
      "  - { id: ok, type: if, data: { title: ok } }",
      text("yes", "yes"),
      text("no", "no: ${1}"),
    ].join("\n"),
    edges: "  - get -> ok:true -> yes\n  - ok:false -> no",
    top: "output: no",
  });
  expect(outcome.status).toBe("succeeded");
  expect(result).toBe("no: partial");
});

test("pages are fetched in a loop and collected in pass order though they run side by side", async () => {
  const { result } = await run({
    nodes: [
      "  - { id: pages, type: loop-start, data: { title: p, iterations: 4, maxConcurrency: 4 } }",
      cli("fetch", 'sleep "0.$((4 - ${i}))"; echo "page ${i}"'),
      "  - { id: all, type: accumulator, data: { title: all, variableName: all } }",
      "  - { id: done, type: loop-end, data: { title: d } }",
      text("show", "${all}"),
    ].join("\n"),
    edges: "  - pages -> fetch -> all -> done -> show",
  });
  expect(result).toBe("page 1\npage 2\npage 3\npage 4");
});

test("a for-each loop hands on an array; each item is the loop's value and has its name", async () => {
  const { result } = await run({
    nodes: [
      '  - { id: each, type: loop-start, data: { title: e, items: \'["a b", {"n": 2}, 3]\' } }',
      cli("show", 'printf "%s" "${item}"'),
      "  - { id: done, type: loop-end, data: { title: d } }",
    ].join("\n"),
    edges: "  - each -> show -> done",
  });
  expect(JSON.parse(result)).toEqual(["a b", { n: 2 }, 3]);
});

test("a loop of no passes hands on an empty value, and its body never runs", async () => {
  const { result, status } = await run({
    nodes: [
      "  - { id: each, type: loop-start, data: { title: e, items: '[]' } }",
      cli("show", "echo x"),
      "  - { id: done, type: loop-end, data: { title: d } }",
      text("after", "[${1}]"),
    ].join("\n"),
    edges: "  - each -> show -> done -> after",
  });
  expect(result).toBe("[]");
  expect(status.show).toBe("skipped");
});

test("a while loop reads the value of the pass before, until the limit says stop", async () => {
  const story = (limit: number): Story => ({
    nodes: [
      `  - { id: more, type: loop-start, data: { title: m, while: 'vars.cursor != "xxx"', maxIterations: ${limit} } }`,
      cli("next", 'printf "%sx" "${cursor}"'),
      "  - { id: keep, type: variable, data: { title: k, variableName: cursor } }",
      "  - { id: done, type: loop-end, data: { title: d } }",
    ].join("\n"),
    edges: "  - more -> next -> keep -> done",
  });
  expect((await run(story(10))).result).toBe("xxx");
  expect((await run(story(2))).outcome.failure?.failure.code).toBe("loop-limit");
});

test("finally nodes run after a failure and after a cancel", async () => {
  const nodes = [cli("work", "echo $$; sleep 60"), cli("clean", "echo cleaned")].join("\n");
  const cancelled = await run({
    nodes,
    top: "finally: [clean]",
    during: (event, handle) => void (event.type === "attempt.started" && event.node === "work" && handle.cancel()),
  });
  expect(cancelled.outcome.status).toBe("cancelled");
  expect(cancelled.status).toEqual({ work: "cancelled", clean: "succeeded" });
  const failed = await run({ nodes: nodes.replace("sleep 60", "exit 1"), top: "finally: [clean]" });
  expect(failed.outcome.status).toBe("failed");
  expect(failed.status.clean).toBe("succeeded");
});

test("a run that takes longer than it may is timed out", async () => {
  const { outcome, status } = await run({ nodes: cli("work", "sleep 60"), top: "timeout: 200ms" });
  expect(outcome.status).toBe("timed-out");
  expect(status.work).toBe("cancelled");
});

test("a subflow is one node with a run of its own; its result is the node's value", async () => {
  const inner =
    "curlew: 1\nname: inner\ninputs: { who: { type: string, required: true } }\nnodes:\n  - { id: greet, type: cli, data: { title: g, content: 'echo \"hello ${who}\"' } }\n";
  const { result } = await run({
    nodes: [
      "  - { id: sub, type: subflow, data: { title: s, workflow: ./inner.flow.yaml, inputs: { who: '${name}' } } }",
      text("say", "<${1}>"),
    ].join("\n"),
    edges: "  - sub -> say",
    top: "inputs: { name: { type: string } }",
    inputs: { name: "you" },
    files: { "inner.flow.yaml": inner },
  });
  expect(result).toBe("<hello you>");
});

test("what needs an approval waits for a person, everything else finishes; approval in advance is on record", async () => {
  const nodes = [cli("del", "echo deleted", ", needsUserApproval: true"), cli("other", "echo other")].join("\n");
  const waiting = await run({ nodes });
  expect(waiting.outcome).toMatchObject({ status: "waiting", waiting: [{ node: "del", path: "del" }] });
  expect(waiting.status).toEqual({ del: "waiting", other: "succeeded" });
  const approved = await run({ nodes, approved: ["del"] });
  expect(approved.outcome.status).toBe("succeeded");
  expect(approved.events[0]).toMatchObject({ type: "run.started", approvedInAdvance: ["del"] });
});

test("a node that says retry is tried again; every attempt has its own record", async () => {
  const { outcome, events } = await run({
    nodes: cli(
      "flaky",
      'echo x >> tries; test "$(wc -l < tries)" -ge 3',
      ", retry: { maxAttempts: 5, initialInterval: 1ms }",
    ),
  });
  expect(outcome.status).toBe("succeeded");
  expect(events.filter(({ type }) => type.startsWith("attempt.")).map(({ type }) => type)).toEqual([
    "attempt.started",
    "attempt.failed",
    "attempt.started",
    "attempt.failed",
    "attempt.started",
    "attempt.succeeded",
  ]);
});

test("a value of any size is handed on byte by byte, and stays out of the journal", async () => {
  const { result, events } = await run({
    nodes: [
      cli("big", "head -c 3000000 /dev/zero | tr '\\0' 'a'; printf '\\377'"),
      cli("size", "wc -c", ", stdin: { source: parent-index, parentIndex: 0 }"),
    ].join("\n"),
    edges: "  - big -> size",
  });
  expect(result.trim()).toBe("3000001");
  expect(JSON.stringify(events).length).toBeLessThan(10_000);
});

test("a shell that is not installed is said before anything runs", async () => {
  await expect(
    run({ nodes: [cli("a", "echo a"), cli("b", "echo b", ", shell: zsh")].join("\n"), env: { PATH: "/nonexistent" } }),
  ).rejects.toThrow(/shell-not-found/);
});

test("a node that needs a label this machine lacks is refused before anything runs", async () => {
  const needs = (labels: string) => run({ nodes: cli("a", "echo a", `, runsOn: [${labels}]`) });
  await expect(needs("gpu")).rejects.toThrow(/no-machine.*"gpu"/);
  expect((await needs(`"os:${process.platform}", "shell:sh"`)).result).toBe("a");
});

test("a declared secret reaches its command, and no file, event or result holds it in any form", async () => {
  const TOKEN = "s3cr3t/t0ken+value";
  const { result, events, home } = await run({
    nodes: [
      '  - { id: key, type: variable, data: { title: k, variableName: key, initialValue: "${TOKEN}" } }',
      cli(
        "call",
        'test "${key}" = "$OWN" && printf "%s:%s" "${TOKEN}" "$(printf %s "$OWN" | base64)"; echo "$OWN" >&2',
        ', env: { static: { OWN: "${TOKEN}" } }',
      ),
      cli("fail", 'echo "bad $OWN" >&2; exit 3', ', continueOnError: true, env: { static: { OWN: "${TOKEN}" } }'),
    ].join("\n"),
    top: "secrets: [TOKEN]\noutput: call",
    env: { TOKEN },
  });
  expect(result).toBe("***:***");
  expect(events.some((event) => event.type === "attempt.succeeded" && event.node === "call")).toBe(true);
  const forms = [TOKEN, Buffer.from(TOKEN).toString("base64"), encodeURIComponent(TOKEN)];
  for (const file of readdirSync(home, { recursive: true, encoding: "utf8" })) {
    const path = join(home, file);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path, "latin1");
    for (const form of forms) expect(bytes.includes(form), `${form} in ${file}`).toBe(false);
  }
});

test("a secret too short to be masked is refused before anything runs", async () => {
  await expect(run({ nodes: cli("a", 'echo "${PIN}"'), top: "secrets: [PIN]", env: { PIN: "1234" } })).rejects.toThrow(
    /secret-too-short/,
  );
});

test("a collection too large to be handed on fails the node that hands it on; it is never nothing", async () => {
  const { outcome } = await run({
    nodes: [
      cli("big", "head -c 65000000 /dev/zero | tr '\\0' a"),
      "  - { id: all, type: accumulator, data: { title: all, variableName: all } }",
      "  - { id: keep, type: variable, data: { title: keep, variableName: keep } }",
    ].join("\n"),
    edges: "  - big -> all -> keep",
  });
  expect(outcome.failure).toMatchObject({ node: "keep", failure: { code: "value-too-large" } });
});

test("an id chosen before starts one run, however often it is asked for", async () => {
  const home = mkdtempSync(join(tmpdir(), "curlew-engine-"));
  homes.push(home);
  const text = "curlew: 1\nname: once\nnodes:\n  - { id: t, type: text, data: { title: t, content: hi } }\n";
  const { workflow } = parseWorkflow(text, "once.flow.yaml");
  const engine = openEngine({ home, env: process.env });
  if (!engine.ok) throw new Error(engine.error.message);
  const id = "0123456789abcdefghjk";
  const request = { id, file: join(home, "once.flow.yaml"), text, workflow: workflow!, subflows: {}, inputs: {} };
  const trigger = { kind: "webhook" as const };
  const first = await engine.value.start({ ...request, trigger });
  if (!first.ok) throw new Error(first.error.message);
  expect((await first.value.done).id).toBe(id);
  const again = await engine.value.start({ ...request, trigger });
  expect(again.ok ? "started" : again.error.code).toBe("run-exists");
  expect(journalOf(engine.value, id).at(-1)?.type).toBe("run.succeeded");
  await engine.value.close();
});

test("what a webhook brought is text, JSON in expressions, the value of a start node, and empty when nothing was brought", async () => {
  const story = {
    top: "on: [{ webhook: { path: a, verify: none } }]",
    nodes: `  - { id: s, type: start, data: { title: s } }
  - { id: big, type: if, data: { title: b, content: 'inputs[0].n > 5' } }
  - { id: lone, type: if, data: { title: l, content: 'inputs[0].n > 5 or vars.event.n > 5' } }
  - { id: shell, type: cli, data: { title: c, content: 'printf %s "\${event}" "\${event.n}"' } }
  - { id: end, type: text, data: { title: e, content: "\${1} \${2}" } }`,
    edges: "  - s -> big\n  - big:true -> end\n  - shell -> end\n  - lone:true -> end",
    files: {},
  };
  const told = await run({ ...story, inputs: { event: '{"n":7,"x":"$(id)"}' } });
  expect(told.result).toBe('{"n":7,"x":"$(id)"} {"n":7,"x":"$(id)"}7');
  expect(told.status.lone).toBe("succeeded");
  const none = await run({
    ...story,
    nodes: '  - { id: t, type: text, data: { title: t, content: "[${event}]" } }',
    edges: "  []",
  });
  expect(none.result).toBe("[]");
});
