// The engine with real shells and a real store: results, journals, and what a run leaves on disk.

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import type { Failure } from "../base/failure.ts";
import { err, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { viewOf } from "../scheduler/view.ts";
import { openStore, type Store } from "../store/index.ts";
import { analyze } from "../workflow/graph.ts";
import { parseWorkflow } from "../workflow/parse.ts";
import { type Answer, giveAnswer } from "./answer.ts";
import { type Engine, openEngine, type RunHandle, type RunOutcome } from "./index.ts";
import { LocalEngine } from "./local-engine.ts";
import { allPending } from "./pending.ts";
import { thisWorld } from "./world.ts";

interface Story {
  nodes: string;
  edges?: string;
  top?: string;
  inputs?: Record<string, unknown>;
  env?: Record<string, string>;
  files?: Record<string, string>;
  approved?: string[];
  /** Called for each event, after its commit. */
  during?(event: RunEvent, handle: RunHandle, engine: Engine): void;
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
  const home = tempFolder();
  const folder = tempFolder();
  for (const [name, text] of Object.entries(story.files ?? {})) writeFileSync(join(folder, name), text);
  const file = join(folder, "story.flow.yaml");
  const text = `curlew: 1\nname: story\n${story.top ?? ""}\nnodes:\n${story.nodes}\n${story.edges === undefined ? "" : `edges:\n${story.edges}\n`}`;
  const { workflow, diagnostics } = parseWorkflow(text, file);
  if (workflow === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const events: RunEvent[] = [];
  let handle: RunHandle | undefined;
  const engine = await openEngine({
    home,
    env: { ...process.env, ...story.env },
    onEvent: (event) => {
      events.push(event);
      queueMicrotask(() => handle && engine.ok && story.during?.(event, handle, engine.value));
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
    const own = await journalOf(engine.value, outcome.id);
    expect(own).toEqual(events.filter((event) => event.run === outcome.id));
    const status = Object.fromEntries(
      viewOf(analyze(workflow).graph, own).nodes.map((node) => [node.path, node.status]),
    );
    return { outcome, result: await resultOf(outcome), events: own, status, folder, home };
  } finally {
    await engine.value.close();
  }
}

async function journalOf(engine: Engine, id: string): Promise<RunEvent[]> {
  const events = await engine.store.journal.read(id);
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
  expect((await needs(`"os:${process.platform}", "shell:sh", folder`)).result).toBe("a");
  await expect(run({ nodes: cli("a", "echo a"), top: "runsOn: [eu]" })).rejects.toThrow(
    /no-machine.*The workflow.*"eu"/,
  );
  const sub = (more: string) =>
    `  - { id: s, type: subflow, data: { title: s, workflow: sub.flow.yaml, runsOn: [${more}] } }`;
  const files = { "sub.flow.yaml": `curlew: 1\nname: sub\nnodes:\n${cli("a", "echo a", ", runsOn: [eu]")}` };
  await expect(run({ nodes: sub("gpu, folder"), files })).rejects.toThrow(/no-machine.*"(?:gpu|eu)"/);
});

test("a declared secret reaches its command, and no file, event, or result has it in any encoding", async () => {
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

test("a collection that is too large fails the node that outputs it, and never becomes empty", async () => {
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

test("a chosen id starts one run, and a start that fails does not remove the run of another server", async () => {
  const home = tempFolder();
  const text = "curlew: 1\nname: once\nnodes:\n  - { id: t, type: text, data: { title: t, content: hi } }\n";
  const { workflow } = parseWorkflow(text, "once.flow.yaml");
  const engine = await openEngine({ home, env: process.env });
  if (!engine.ok) throw new Error(engine.error.message);
  const id = "0123456789abcdefghjk";
  const request = { id, file: join(home, "once.flow.yaml"), text, workflow: workflow!, subflows: {}, inputs: {} };
  const trigger = { kind: "webhook" as const };
  const first = await engine.value.start({ ...request, trigger });
  if (!first.ok) throw new Error(first.error.message);
  expect((await first.value.done).id).toBe(id);
  const again = await engine.value.start({ ...request, trigger });
  expect(again.ok ? "started" : again.error.code).toBe("run-exists");
  const { store } = engine.value;
  // Its looks came before the first start, and its write came to nothing.
  const away = err({ code: "store-unreachable" as const, path: "", message: "The database is away." });
  const journal = Object.assign(Object.create(store.journal), { lastSeq: () => away, createRun: () => away });
  const world = { ...thisWorld(), owner: { ...thisWorld().owner, token: "other" } };
  const other = new LocalEngine({ home, env: process.env }, { ...store, journal }, world);
  expect(await other.start({ ...request, trigger })).toMatchObject({ error: { code: "store-unreachable" } });
  expect((await journalOf(engine.value, id)).at(-1)?.type).toBe("run.succeeded");
  await other.close();
  await engine.value.close();
});

test("of two simultaneous answers one counts, and the other is rejected", async () => {
  let given: Promise<Result<void, Failure>[]> | undefined;
  const { events } = await run({
    nodes: [
      cli("gate", "touch go", ", needsUserApproval: true"),
      cli("long", "until test -e go; do sleep 0.02; done"),
    ].join("\n"),
    during: (event, handle, engine) => {
      if (event.type === "approval.requested") given = answeredTwice(handle.id, engine);
    },
  });
  const answers = events.filter(({ type }) => type === "approval.granted" || type === "approval.rejected");
  const refused = (await given)!.map((answer) => !answer.ok && answer.error.code);
  expect(new Set(refused)).toEqual(new Set([false, "run-claimed"]));
  expect(answers.map(({ type }) => type)).toEqual([refused[0] === false ? "approval.granted" : "approval.rejected"]);
});

async function answeredTwice(id: string, engine: Engine): Promise<Result<void, Failure>[]> {
  const all = await allPending(engine.store);
  const pending = all.ok ? all.value.find(({ run }) => run.id === id) : undefined;
  const give = (answer: Answer) =>
    giveAnswer(pending!, answer, engine.store, (text) => text, Date.now, undefined, engine);
  return Promise.all([give({ grant: true }), give({ grant: false, reason: "no" })]);
}

test("a run that is resumed twice at once has one driver, and ends", async () => {
  const home = tempFolder();
  const gate = "{ id: gate, run: sleep 0.2, needsUserApproval: true }";
  const text = `curlew: 1\nname: twice\nnodes: [${gate}]\n`;
  const file = join(home, "twice.flow.yaml");
  const engine = await openEngine({ home, env: process.env });
  if (!engine.ok) throw new Error(engine.error.message);
  const document = { file, text, workflow: parseWorkflow(text, file).workflow!, subflows: {} };
  const started = await engine.value.start({ ...document, inputs: {}, trigger: { kind: "cli" } });
  if (!started.ok) throw new Error(started.error.message);
  const { id } = await started.value.done;
  const all = await allPending(engine.value.store);
  const [pending] = all.ok ? all.value : [];
  await giveAnswer(pending!, { grant: true }, engine.value.store, (reason) => reason);
  const [first, second] = await Promise.all([engine.value.resume(id), engine.value.resume(id)]);
  expect(second.ok ? "resumed" : second.error.code).toBe("run-claimed");
  expect(first.ok ? (await first.value.done).status : first.error.code).toBe("succeeded");
  await engine.value.close();
});

test("a run that stopped is resumed after its places in queues are given up", { timeout: 20_000 }, async () => {
  const home = tempFolder();
  const file = join(home, "places.flow.yaml");
  const shared = "concurrency: { key: k, limit: 1 }";
  const nodes = `[{ id: a, run: until test -e go; do sleep 0.02; done, ${shared} }, { id: b, run: "true", ${shared} }]`;
  const text = `curlew: 1\nname: places\nnodes: ${nodes}\n`;
  const store = openStore(home);
  if (!store.ok) throw new Error(store.error.message);
  const given = Promise.withResolvers<void>();
  const budgets = (...of: Parameters<Store["budgets"]>) => {
    const own = store.value.budgets(...of);
    return Object.assign(Object.create(own), {
      giveBack: (...back: Parameters<typeof own.giveBack>) => given.promise.then(() => own.giveBack(...back)),
    });
  };
  const waits = Promise.withResolvers<void>();
  const onEvent = ({ type }: RunEvent): void => void (type === "budget.awaited" && waits.resolve());
  const engine = new LocalEngine({ home, env: process.env, onEvent }, { ...store.value, budgets }, thisWorld());
  const document = { file, text, workflow: parseWorkflow(text, file).workflow!, subflows: {} };
  const started = await engine.start({ ...document, inputs: {}, trigger: { kind: "cli" } });
  if (!started.ok) throw new Error(started.error.message);
  await waits.promise;
  started.value.leave();
  await expect(started.value.done).rejects.toThrow("was left");
  let isResumed = false;
  const resumed = engine.resume(started.value.id).finally(() => {
    isResumed = true;
  });
  for (let turns = 0; turns < 5_000 && !isResumed; turns++) await new Promise(setImmediate);
  given.resolve();
  writeFileSync(join(home, "go"), "");
  const again = await resumed;
  expect(again.ok ? (await again.value.done).status : again.error.code).toBe("succeeded");
  await engine.close();
});

test("a webhook's event is text, JSON in expressions, and the value of a start node; without an event it is empty", async () => {
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
