// A workflow sees the data of a delivery, without credentials. A ping starts nothing (spec 2.5; ADR 49).

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Delivery } from "../../src/api/shapes.ts";
import {
  armed,
  deliveries,
  flow,
  get,
  github,
  result,
  send,
  signed,
  started,
  triggers,
  withSecret,
} from "./hooking.ts";
import { served, servedIn } from "./served.ts";
import { until } from "./until.ts";

const byKind = `curlew: 1
name: By kind
secrets: [HOOK_SECRET]
on: [{ webhook: { path: gh, verify: github, secret: HOOK_SECRET } }]
nodes:
  - { id: pushed, type: if, data: { title: p, content: 'vars.delivery.headers.\`x-github-event\` = "push"' } }
  - { id: opened, type: if, data: { title: o, content: '\${delivery.headers.x-github-event} == issues' } }
  - { id: a, type: text, data: { title: a, content: "push \${delivery.query.for} \${delivery.id} \${delivery.hook}" } }
  - { id: b, type: text, data: { title: b, content: "issue \${event.action}" } }
edges: [pushed:true -> a, opened:true -> b]
`;

test("headers and query of a delivery are values: the kind of event decides which branch runs", async () => {
  const server = await served({ "hook.flow.yaml": byKind }, withSecret);
  await armed(server);
  const body = '{"action":"opened"}';
  const push = { ...signed(body, "one"), "x-github-event": "push" };
  const issue = { ...signed(body, "two"), "x-github-event": "issues" };
  expect((await send(server, "gh?for=me", body, push)).status).toBe(200);
  expect((await send(server, "gh", body, issue)).status).toBe(200);
  await started(server, 2);
  const [second, first] = await deliveries(server);
  expect(await result(server, first!.run!)).toBe("push me one gh");
  expect(await result(server, second!.run!)).toBe("issue opened");
});

test("credentials are not values: tokens, cookies and signatures are masked in the inbox and absent in the run", async () => {
  const file = flow("{ path: open, verify: token, secret: HOOK_SECRET }").replace("got ${event}", "${delivery}");
  const server = await served({ "hook.flow.yaml": file }, withSecret);
  await armed(server);
  const covered = {
    ...{ authorization: "Bearer a-secret-of-the-hook", cookie: "session=abcdefgh", "x-api-key": "0123456789" },
    ...{ "x-hub-signature-256": "sha256=abc", "stripe-signature": "t=1,v1=2", "x-shopify-hmac-sha256": "aGk=" },
    ...{ "webhook-signature": "v1,abc", "x-amz-security-token": "zzzzzzzz", "x-my-password": "12345678" },
  };
  const seen = { "x-kind": "order; DROP", "content-type": "application/json", __proto__: "x" };
  const query = "a=1&a=2&token=abcdefgh&api_key=qwertz&b=%24%28id%29";
  expect((await send(server, `open?${query}`, "{}", { ...covered, ...seen })).status).toBe(200);
  await started(server, 1);
  const [item] = await deliveries(server);
  const kept = await get<Delivery>(server, `/deliveries/${item!.id}`);
  for (const name of Object.keys(covered)) expect(kept.headers[name], name).toBe("•••");
  expect(kept.query).toEqual({ a: ["1", "2"], token: "•••", api_key: "•••", b: "$(id)" });
  const brought = JSON.parse(String(await result(server, item!.run!)));
  expect(Object.keys(brought.headers).filter((name) => name in covered)).toEqual([]);
  expect(brought).toMatchObject({ hook: "open", headers: { "x-kind": "order; DROP" }, query: { a: ["1", "2"] } });
  expect(Object.keys(brought.query)).toEqual(["a", "b"]);
  expect(JSON.stringify(await get(server, `/runs/${item!.run}`))).not.toMatch(/abcdefgh|qwertz|0123456789/);
});

test("a sender's timestamp is compared with the wall clock, even after it was set back", async () => {
  const server = await served(
    { "hook.flow.yaml": flow("{ path: pay, verify: stripe, secret: HOOK_SECRET }") },
    withSecret,
  );
  await armed(server);
  expect((await send(server, "pay", '{"id":"1"}', signed('{"id":"1"}', "1", "stripe"))).status).toBe(200);
  const before = Date.now.bind(Date);
  const wall = vi.spyOn(Date, "now").mockImplementation(() => before() - 3_600_000);
  onTestFinished(() => wall.mockRestore());
  const late = await send(server, "pay", '{"id":"2"}', signed('{"id":"2"}', "2", "stripe"));
  expect([late.status, await late.text()]).toEqual([200, ""]);
});

test("a GitHub ping is acknowledged and stored, and starts nothing; a replay starts a run, because a user wants it", async () => {
  const server = await served({ "hook.flow.yaml": github }, withSecret);
  await armed(server);
  const body = '{"zen":"Keep it logically awesome.","hook_id":1}';
  const ping = { ...signed(body, "p1"), "x-github-event": "ping" };
  expect((await send(server, "gh/push", body, ping)).status).toBe(200);
  expect((await send(server, "gh/push", body, ping)).status).toBe(200);
  const wrong = { ...signed("{}", "p2"), "x-github-event": "ping" };
  expect((await send(server, "gh/push", body, wrong)).status).toBe(401);
  // The delivery after it has become a run: a ping that was taken for one would be earlier.
  await send(server, "gh/push", body, { ...signed(body, "p3"), "x-github-event": "push" });
  await started(server, 1);
  const all = await deliveries(server);
  expect(all.map(({ status }) => status)).toEqual(["started", "refused", "duplicate", "ping"]);
  expect(all[3]!.run).toBeUndefined();
  expect((await get<{ items: unknown[] }>(server, "/runs")).items).toHaveLength(1);
  expect((await server.api("POST", `/deliveries/${all[3]!.id}/replay`, {})).status).toBe(201);
  await started(server, 2);
});

test("an invalid document keeps its hooks when the server starts: deliveries are acknowledged, shown, and replayed when it is fixed", async () => {
  const server = await served(
    { "hook.flow.yaml": github, "gone.flow.yaml": flow("{ path: gone, verify: none }") },
    withSecret,
  );
  await armed(server, 2);
  await server.close();
  server.write("hook.flow.yaml", "");
  rmSync(join(server.folder, "gone.flow.yaml"));
  const second = await servedIn(server.home, server.folder, withSecret);
  await armed(second);
  await second.close();
  second.write("hook.flow.yaml", `${github}  - { id: t\n`);

  const next = await servedIn(server.home, server.folder, withSecret);
  await armed(next);
  const [hook] = await triggers(next, "webhook");
  expect(hook).toMatchObject({
    fields: { path: "gh/push" },
    workflow: "hook.flow.yaml",
    problem: expect.stringContaining("has errors"),
  });
  expect((await send(next, "gone", "{}", {})).status).toBe(404);
  expect((await send(next, "gh/push", "{}", signed("{}", "1", "github", "another-secret-altogether"))).status).toBe(
    401,
  );
  expect((await send(next, "gh/push", "{}", signed("{}", "2"))).status).toBe(200);
  await until(async () => (await deliveries(next))[0]?.status === "failed");
  const [failed] = await deliveries(next);
  expect(failed).toMatchObject({ deliveryId: "2", reason: expect.stringContaining("has errors") });

  next.write("hook.flow.yaml", github);
  await until(async () => (await triggers(next, "webhook"))[0]?.problem === undefined);
  await next.api("POST", `/deliveries/${failed!.id}/replay`, {});
  await started(next, 1);
  // A valid document without hooks has none.
  next.write("hook.flow.yaml", github.replace(/^on: .*$/m, "").replace("got ${event}", "got it"));
  await armed(next, 0);
  await next.close();
  next.write("hook.flow.yaml", "nodes: [");
  const last = await servedIn(server.home, server.folder, withSecret);
  await until(async () => (await send(last, "gh/push", "{}", signed("{}", "3"))).status === 404);
});
