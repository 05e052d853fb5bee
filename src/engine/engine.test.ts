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

test("a value of any size arrives byte by byte and stays out of the journal", async () => {
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

test("a shell that is not installed is refused before anything runs", async () => {
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
