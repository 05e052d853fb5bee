// The examples of triggers, started by what they wait for: a signed delivery, their time, a file.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSampleApi } from "../../examples/sample-api/main.ts";
import type { DeliveryItem, Page, RunItem, Triggers } from "../../src/api/shapes.ts";
import { signWebhook } from "../../src/secrets/webhook-signatures.ts";
import { folder } from "../cli/curlew.ts";
import { has } from "../setup/machine.ts";
import { type Served, served, servedIn } from "./served.ts";
import { until } from "./until.ts";

const example = (name: string) => readFileSync(join(import.meta.dirname, `../../examples/${name}.flow.yaml`), "utf8");
const SECRET = "what GitHub was told";

async function get<T>(server: Served, path: string): Promise<T> {
  return (await (await server.api("GET", path)).json()) as T;
}

async function results(server: Served, count: number): Promise<unknown[]> {
  let items: RunItem[] = [];
  await until(async () => {
    items = (await get<Page<RunItem>>(server, "/runs")).items;
    return items.length === count && items.every(({ status }) => status === "succeeded");
  });
  return Promise.all(items.map(async ({ id }) => (await get<{ result: unknown }>(server, `/runs/${id}`)).result));
}

test("webhook-verified: a delivery signed with the secret starts it, one signed with another does not", async () => {
  const env = { ...process.env, GITHUB_WEBHOOK_SECRET: SECRET, CURLEW_KEYRING: "off" };
  const server = await served({ "a.flow.yaml": example("webhook-verified") }, { env });
  await until(async () => (await get<Triggers>(server, "/triggers")).hooks.length === 1);
  const url = `${server.running.hooksUrl}/h/github`;
  const stdin = '{"ref": "refs/heads/main", "pusher": {"name": "ada"}}';
  let deliveries = 0;
  const send = (secret: string, kind = "push") => {
    deliveries += 1;
    const id = `delivery-${deliveries}`;
    const signed = signWebhook("github", { body: Buffer.from(stdin), secret, nowMs: Date.now(), id });
    const headers = Object.entries(signed.ok ? signed.value : {}).flatMap(([name, value]) => [
      "-H",
      `${name}: ${value}`,
    ]);
    return folder().run(["http", "POST", url, "-H", `X-GitHub-Event: ${kind}`, ...headers, "--json", "@-"], { stdin });
  };
  expect(await send("somebody else's secret")).toMatchObject({ code: 22, stdout: "webhook-mismatch\n" });
  expect(await send(SECRET)).toMatchObject({ code: 0, stdout: "" });
  expect(await results(server, 1)).toEqual(["ada pushed to main"]);
  expect(await send(SECRET, "ping")).toMatchObject({ code: 0, stdout: "" });
  const { items } = await get<Page<DeliveryItem>>(server, "/deliveries");
  expect(items.map(({ status }) => status)).toEqual(["ping", "started", "refused"]);
});

test.skipIf(!has("curl"))("scheduled: its time starts it, after the machine was away too", async () => {
  const api = await startSampleApi();
  const text = example("scheduled").replace("http://127.0.0.1:4790", api.url);
  const server = await served({ "a.flow.yaml": text });
  await until(async () => (await get<Triggers>(server, "/triggers")).schedules.length === 1);
  await server.close();
  const { DatabaseSync } = await import("node:sqlite");
  {
    using database = new DatabaseSync(join(server.home, "curlew.db"));
    database.prepare("UPDATE triggers SET since_ms = ?").run(Date.now() - 9 * 86_400_000);
  }
  const next = await servedIn(server.home, server.folder);
  expect(await results(next, 1)).toEqual(["8 items are open this morning."]);
  await next.close();
  await api.close();
});

test("file-inbox: a file that comes starts it", async () => {
  const server = await served({ "a.flow.yaml": example("file-inbox") });
  mkdirSync(join(server.folder, "inbox"));
  await until(async () => (await get<Triggers>(server, "/triggers")).files.length === 1);
  writeFileSync(join(server.folder, "inbox/an order; $(id).json"), '{"n": 1}');
  expect(await results(server, 1)).toEqual(["8 inbox/an order; $(id).json"]);
});
