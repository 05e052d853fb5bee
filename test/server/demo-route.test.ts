// POST /demo: one press adds the demo and the API that it calls to any folder.

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Demo } from "../../src/api/shapes.ts";
import { served } from "./served.ts";

test("writes the demo beside the other workflows, starts the API that it calls once, and ends it with the server", async () => {
  const server = await served();
  const answers = await Promise.all([server.api("POST", "/demo", {}), server.api("POST", "/demo", {})]);
  const [one, other] = (await Promise.all(answers.map((answer) => answer.json()))) as [Demo, Demo];
  expect(one).toEqual({ path: "demo.flow.yaml", url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  expect(other).toEqual(one);
  expect(readFileSync(join(server.folder, one.path), "utf8")).toContain(`default: "${one.url}"`);
  const reached = () =>
    fetch(`${one.url}/api/items/1`).then(
      ({ ok }) => ok,
      () => false,
    );
  expect(await reached()).toBe(true);
  await server.close();
  await expect.poll(reached, { timeout: 20_000 }).toBe(false);
});

test("its language model answers, whatever port the API got", async () => {
  const busy = createServer((_, response) => response.end()).listen(4790, "127.0.0.1");
  // The usual port may be taken by others on this machine: either way the demo's is another.
  await new Promise((settled) => busy.once("listening", settled).once("error", settled));
  onTestFinished(() => void busy.close());
  const server = await served();
  const { path } = (await (await server.api("POST", "/demo", {})).json()) as Demo;
  const run = await server.api("POST", `/workflows/${path}/runs?wait=30`, { inputs: {} });
  expect(await run.json()).toMatchObject({
    status: "succeeded",
    result: expect.stringContaining("A language model says that HTTP 429 means: Too Many Requests."),
  });
});

test("a file of that name with other content is left unchanged", async () => {
  const mine = "curlew: 1\nname: Mine\nnodes: []\n";
  const server = await served({ "demo.flow.yaml": mine });
  const demo = (await (await server.api("POST", "/demo", {})).json()) as Demo;
  expect(demo.path).toBe("curlew-demo.flow.yaml");
  expect(readFileSync(join(server.folder, "demo.flow.yaml"), "utf8")).toBe(mine);
  expect(existsSync(join(server.folder, demo.path))).toBe(true);
});
