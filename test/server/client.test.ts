// The package's typed client against a running server (spec 2.4): starts, waits, follows, errors. As
// docs/reference/http-api.md shows it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect, Refused, readServerFile } from "../../src/index.ts";
import { inARow, started } from "../cli/curlew.ts";
import { served } from "./served.ts";

async function connected(files: Record<string, string>) {
  const it = await served(files);
  const found = readServerFile(it.home);
  if (found === undefined) throw new Error("no server.json");
  return { it, curlew: connect(found) };
}

test("a run is started and waited for, and all its events arrive in order", async () => {
  const { curlew } = await connected({ "dir/a b.flow.yaml": inARow({ a: "echo hi", b: "cat; echo there" }) });
  const controller = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const message of curlew.follow({ after: 0, signal: controller.signal }))
      if (message.kind === "run") seen.push(message.event.type);
  })();
  const run = await curlew.start("dir/a b.flow.yaml", { inputs: {} }, { waitSeconds: 30 });
  expect(run.status).toBe("succeeded");
  const types: string[] = [];
  for await (const event of curlew.events(run.id)) types.push(event.type);
  expect([types[0], types.at(-1)]).toEqual(["run.started", "run.succeeded"]);
  while (seen.length < types.length) await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual(types);
  controller.abort();
  await expect(following).rejects.toThrow();
  const view = await curlew.call("GET /runs/{id}", { params: { id: run.id } });
  expect(view.nodes.map(({ id, status }) => [id, status])).toEqual([
    ["a", "succeeded"],
    ["b", "succeeded"],
  ]);
  const value = await curlew.ask("GET /runs/{id}/nodes/{path}/value", { params: { id: run.id, path: "a" } });
  expect((await value.text()).trimEnd()).toBe("hi");
});

test("the same key starts a run once, and lists come page by page", async () => {
  const { curlew } = await connected({ "a.flow.yaml": inARow({ a: "true" }) });
  const [first, again] = [
    await curlew.start("a.flow.yaml", {}, { key: "order-7", waitSeconds: 20 }),
    await curlew.start("a.flow.yaml", {}, { key: "order-7", waitSeconds: 20 }),
  ];
  expect(again.id).toBe(first.id);
  for (let more = 0; more < 4; more++) await curlew.start("a.flow.yaml", {}, { waitSeconds: 20 });
  const ids: string[] = [];
  for await (const { id } of curlew.runs({ limit: 2, status: ["succeeded", "failed"] })) ids.push(id);
  expect(ids).toHaveLength(5);
  expect(ids.toSorted().toReversed()).toEqual(ids);
});

test("an error is thrown with the server's problem", async () => {
  const { it, curlew } = await connected({});
  const refused = async (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (reason) => (reason instanceof Refused ? [reason.problem.status, reason.problem.code] : reason),
    );
  expect(await refused(curlew.start("none.flow.yaml"))).toEqual([404, "not-found"]);
  const stranger = connect({ url: it.url, token: "x".repeat(43) });
  expect(await refused(stranger.call("GET /runs"))).toEqual([401, "wrong-token"]);
});

test("the example of docs/reference/http-api.md works", async () => {
  const { it } = await connected({ "hello.flow.yaml": inARow({ a: "echo Hello" }) });
  const page = readFileSync(join(import.meta.dirname, "../../docs/reference/http-api.md"), "utf8");
  const [, program = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const index = join(import.meta.dirname, "../../dist/index.js");
  const file = join(it.folder, "client.mjs");
  writeFileSync(file, program.replace('"curlew"', JSON.stringify(index)));
  const ran = await started(process.execPath, [file], it.folder, { env: { CURLEW_HOME: it.home } }, it.home).done;
  expect(ran).toMatchObject({ code: 0, stdout: "succeeded Hello\n" });
});
