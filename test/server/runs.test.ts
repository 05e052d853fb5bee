// Runs through the API: start, follow, inspect, cancel, run again, remove (spec 2.4).

import { getEventListeners } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Page, RunItem, StartedRun } from "../../src/api/shapes.ts";
import { ok } from "../../src/base/result.ts";
import type { EngineOptions } from "../../src/engine/contract.ts";
import { openEngine } from "../../src/engine/open.ts";
import { serverStore } from "../../src/store/server-store.ts";
import { inARow } from "../cli/curlew.ts";
import { clusterOpening } from "../setup/on-postgres.ts";
import { refused, start, view } from "./asking.ts";
import { served, servedIn } from "./served.ts";
import { eventOf, follow, isLive, messageOf, ofType } from "./streams.ts";

const GREET = `
curlew: 1
name: greet
inputs:
  who: { type: string, required: true }
  times: { type: integer, default: 1 }
nodes:
  - id: hello
    type: cli
    data: { title: Say hello, content: 'echo "hello \${who}"' }
`;

const SLEEP = `
curlew: 1
name: sleeper
nodes:
  - id: nap
    type: cli
    data: { title: Nap, content: sleep 600 }
`;

const FLAKY = `
curlew: 1
name: flaky
nodes:
  - id: first
    type: cli
    data: { title: First, content: echo one }
  - id: second
    type: cli
    data: { title: Second, content: 'test -e fixed || { echo not yet >&2; exit 1; }; echo "\${1} two"', cwd: . }
edges:
  - first -> second
`;

test("a stored workflow runs with inputs, and the call waits for its result", async () => {
  const it = await served({ "greet.flow.yaml": GREET, "deep/er/greet.flow.yaml": GREET });
  const done = await start(it, "greet.flow.yaml", { inputs: { who: "ada" } }, "?wait=30");
  expect(done).toEqual({ id: expect.any(String), status: "succeeded", result: "hello ada" });
  const shown = await view(it, done.id);
  expect(shown).toMatchObject({
    id: done.id,
    workflow: "greet",
    path: "greet.flow.yaml",
    status: "succeeded",
    inputs: { who: "ada", times: 1 },
    trigger: { kind: "api" },
    nodes: [{ id: "hello", status: "succeeded", attempts: [{ number: 1, exitCode: 0 }] }],
  });
  expect((await start(it, "deep/er/greet.flow.yaml", { inputs: { who: "bo" } }, "?wait=30")).result).toBe("hello bo");
});

test.each([
  ["an input that is missing", "greet.flow.yaml", {}, 422, "missing-input"],
  ["an event that only a trigger brings", "hook.flow.yaml", {}, 422, "missing-input"],
  ["an input of another type", "greet.flow.yaml", { inputs: { who: "x", times: "many" } }, 422, "bad-input"],
  ["an input that is unknown", "greet.flow.yaml", { inputs: { who: "x", whom: 1 } }, 422, "unknown-input"],
  ["a file that is not there", "gone.flow.yaml", {}, 404, "not-found"],
  ["a path outside the folder", "../greet.flow.yaml", {}, 404, "not-found"],
  ["a document with errors", "wrong.flow.yaml", {}, 422, "document-invalid"],
  ["another body", "greet.flow.yaml", { input: {} }, 422, "bad-body"],
  ["a node that is not there", "greet.flow.yaml", { inputs: { who: "x" }, approve: ["zz"] }, 422, "unknown-node"],
  [
    "a secret that is not declared",
    "greet.flow.yaml",
    { inputs: { who: "x" }, secrets: { A: "1" } },
    422,
    "unknown-secret",
  ],
])("%s is refused, and nothing runs", async (_what, path, body, status, code) => {
  const hook = `curlew: 1\non: [{ webhook: { path: x, verify: none } }]\nnodes: [{ id: a, run: "echo \${event}" }]\n`;
  const it = await served({
    "greet.flow.yaml": GREET,
    "hook.flow.yaml": hook,
    "wrong.flow.yaml": "curlew: 1\nnodes: 3\n",
  });
  const response = await it.api("POST", `/workflows/${encodeURIComponent(path)}/runs`, body);
  expect(await refused(response)).toEqual([status, code]);
  expect(((await (await it.api("GET", "/runs")).json()) as Page<RunItem>).items).toEqual([]);
});

test("every event of a run arrives in order, live and from any position", async () => {
  const it = await served({ "greet.flow.yaml": GREET });
  const all = await follow(it, "/events");
  await all.until(isLive);
  const { id } = await start(it, "greet.flow.yaml", { inputs: { who: "ada" } }, "?wait=30");
  await all.until(ofType("run.succeeded", id));
  const own = await follow(it, `/runs/${id}/events`);
  await own.until(isLive);
  const events = own.messages.filter((message) => !isLive(message));
  expect(events.map(({ id: seq }) => Number(seq))).toEqual(events.map((_each, index) => index + 1));
  expect(events.map(eventOf)).toEqual(all.messages.map(eventOf).filter((event) => event?.run === id));
  const positions = all.messages
    .map(messageOf)
    .flatMap((message) => (message.kind === "run" ? [message.position] : []));
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  const later = await follow(it, "/events", String(positions[1]));
  await later.until(isLive);
  expect(later.messages.map(eventOf).filter(Boolean)).toEqual(events.slice(2).map(eventOf));
  const list = await it.api("GET", `/runs/${id}/events`, undefined, { accept: "application/json" });
  expect(((await list.json()) as Page<unknown>).items).toEqual(events.map(eventOf));
});

test("a run is cancelled, then run again and removed", async () => {
  const it = await served({ "sleeper.flow.yaml": SLEEP });
  const { id } = await start(it, "sleeper.flow.yaml");
  const own = await follow(it, `/runs/${id}/events`);
  await own.until(ofType("attempt.started"));
  expect(await refused(await it.api("POST", `/runs/${id}/retry`, {}))).toEqual([409, "run-claimed"]);
  expect(await refused(await it.api("DELETE", `/runs/${id}`))).toEqual([409, "run-claimed"]);
  expect((await it.api("POST", `/runs/${id}/cancel`)).status).toBe(202);
  await own.until(ofType("run.cancelled"));
  expect(await refused(await it.api("POST", `/runs/${id}/cancel`))).toEqual([409, "run-ended"]);
  const again = (await (await it.api("POST", `/runs/${id}/retry`, {})).json()) as StartedRun;
  expect((await view(it, again.id)).again).toEqual({ run: id });
  await it.api("POST", `/runs/${again.id}/cancel`);
  await (await follow(it, `/runs/${again.id}/events`)).until(ofType("run.cancelled"));
  await expect.poll(async () => (await it.api("DELETE", `/runs/${id}`)).status).toBe(204);
  expect(await refused(await it.api("GET", `/runs/${id}`))).toEqual([404, "not-found"]);
});

async function openHere(options: EngineOptions) {
  const opened = await openEngine(options);
  return opened.ok ? ok({ engine: opened.value, store: serverStore(opened.value.store) }) : opened;
}

test("a run is cancelled while the server is resuming it", async () => {
  const first = await served({ "sleeper.flow.yaml": SLEEP });
  const { id } = await start(first, "sleeper.flow.yaml");
  await (await follow(first, `/runs/${id}/events`)).until(ofType("attempt.started"));
  await first.close();
  const [claimed, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const second = await servedIn(first.home, first.folder, {
    open: async (...options) => {
      const opened = await (clusterOpening(first.home).open ?? openHere)(...options);
      if (!opened.ok) return opened;
      const { engine } = opened.value;
      const resume = engine.resume.bind(engine);
      engine.resume = async (...given) => {
        const begun = await resume(...given);
        claimed.resolve();
        await gate.promise;
        return begun;
      };
      return opened;
    },
  });
  await claimed.promise;
  const cancelled = second.api("POST", `/runs/${id}/cancel`);
  setTimeout(gate.resolve, 50);
  expect((await cancelled).status).toBe(202);
  await expect.poll(async () => (await view(second, id)).status, { timeout: 20_000 }).toBe("cancelled");
});

test("a subflow's run is retried as part of its outer run, from one of its nodes", async () => {
  const outer = `curlew: 1
name: Outer
nodes: [{ id: sub, type: subflow, data: { title: Sub, workflow: flaky.flow.yaml } }]
`;
  const it = await served({ "flaky.flow.yaml": FLAKY, "outer.flow.yaml": outer });
  const failed = await start(it, "outer.flow.yaml", {}, "?wait=30");
  it.write("fixed", "");
  const run = (await view(it, failed.id)).nodes[0]!.attempts[0]!.childRun;
  const again = await it.api("POST", `/runs/${run}/retry?wait=30`, { from: "second" });
  const retried = (await again.json()) as StartedRun;
  expect(retried).toMatchObject({ status: "succeeded", result: "one two" });
  const { again: by } = await view(it, retried.id);
  expect(by).toEqual({ run: failed.id, from: "sub/second" });
});

test("a retry keeps what succeeded", async () => {
  const it = await served({ "flaky.flow.yaml": FLAKY });
  const failed = await start(it, "flaky.flow.yaml", {}, "?wait=30");
  expect(failed.status).toBe("failed");
  it.write("fixed", "");
  const response = await it.api("POST", `/runs/${failed.id}/retry?wait=30`, {});
  const retried = (await response.json()) as StartedRun;
  expect(retried).toMatchObject({ status: "succeeded", result: "one two" });
  const { nodes } = await view(it, retried.id);
  expect(nodes.map(({ id, kept }) => [id, kept?.run])).toEqual([
    ["first", failed.id],
    ["second", undefined],
  ]);
  const list = async (query: string) =>
    ((await (await it.api("GET", `/runs${query}`)).json()) as Page<RunItem>).items.map(({ id }) => id);
  expect(await list("")).toEqual([retried.id, failed.id]);
  expect(await list("?status=failed")).toEqual([failed.id]);
  expect(await list("?failed=second")).toEqual([failed.id]);
  const { items } = (await (await it.api("GET", "/runs")).json()) as Page<RunItem>;
  expect(items.map(({ failure }) => failure)).toEqual([
    undefined,
    {
      ...{ node: "second", path: "second", title: "Second", answer: "not yet" },
      failure: { code: "exit-non-zero", message: "The command exited with code 1." },
    },
  ]);
  expect(await list("?failed=first")).toEqual([]);
  expect(await list("?text=FLAK&trigger=api&path=flaky.flow.yaml")).toEqual([retried.id, failed.id]);
  expect(await list("?workflow=flaky.flow.yaml&status=failed")).toEqual([failed.id]);
  expect(await list("?workflow=flaky&status=failed")).toEqual([failed.id]);
  expect(await list(`?limit=1&cursor=${retried.id}`)).toEqual([failed.id]);
  expect(await refused(await it.api("GET", "/runs?status=great"))).toEqual([400, "bad-query"]);
});

test("two starts with one key are one run, even after a restart of the server", async () => {
  const hook = `curlew: 1\non: [{ webhook: { path: x, verify: none } }]\nnodes: [{ id: a, run: "echo \${event}" }]\n`;
  const it = await served({
    "greet.flow.yaml": GREET,
    "hook.flow.yaml": hook,
    "wrong.flow.yaml": "curlew: 1\nnodes: 3\n",
  });
  const ask = (server: typeof it, who: string, path = "greet.flow.yaml") =>
    server.api("POST", `/workflows/${path}/runs?wait=30`, { inputs: { who } }, { "idempotency-key": "order 4711" });
  expect((await ask(it, "ada", "wrong.flow.yaml")).status).toBe(422);
  const all = await Promise.all([ask(it, "ada"), ask(it, "ada"), ask(it, "ada")]);
  const runs = (await Promise.all(all.map((each) => each.json()))) as StartedRun[];
  expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
  expect(all.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 201]);
  expect(await refused(await ask(it, "bo"))).toEqual([422, "key-taken"]);
  await it.close();
  const next = await servedIn(it.home, it.folder);
  const again = await ask(next, "ada");
  expect([again.status, await again.json()]).toEqual([
    200,
    { id: runs[0]!.id, status: "succeeded", result: "hello ada" },
  ]);
  expect(((await (await next.api("GET", "/runs")).json()) as Page<RunItem>).items).toHaveLength(1);
});

test("a call that waited for a run leaves nothing behind", async () => {
  const made = vi.spyOn(AbortSignal, "any");
  onTestFinished(() => made.mockRestore());
  const it = await served({ "a.flow.yaml": inARow({ a: "exit 3" }) });
  await it.api("POST", "/workflows/a.flow.yaml/runs?wait=30", {});
  const signals = made.mock.results.map(({ value }) => value as AbortSignal);
  expect(signals.length).toBeGreaterThan(0);
  expect(signals.flatMap((signal) => getEventListeners(signal, "abort"))).toEqual([]);
});
