// Webhooks against a real server: signed, stored, started once, rejected, replayed. And the port that serves nothing
// else.

import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Delivery, DeliveryItem, Page } from "../../src/api/shapes.ts";
import { limits } from "../../src/base/limits.ts";
import { hunt } from "../secrets/hunt.ts";
import {
  armed,
  deliveries,
  flow,
  get,
  github,
  result,
  SECRET,
  send,
  signed,
  started,
  triggers,
  withSecret,
} from "./hooking.ts";
import { type Served, served, servedIn } from "./served.ts";
import { until } from "./until.ts";

test("a signed delivery is stored, acknowledged and becomes a run with its body; sent again it starts nothing", async () => {
  const server = await served({ "hook.flow.yaml": github }, withSecret);
  await armed(server);
  const body = '{"ref": "main", "odd": "$(id)"}';
  const first = await send(server, "gh/push", body, signed(body, "one"));
  expect([first.status, await first.text()]).toEqual([200, ""]);
  expect((await send(server, "gh/push", body, signed(body, "one"))).status).toBe(200);
  await started(server, 1);
  const all = await deliveries(server);
  expect(all.map(({ status, deliveryId }) => [status, deliveryId])).toEqual([
    ["duplicate", "one"],
    ["started", "one"],
  ]);
  expect(all[0]!.run).toBe(all[1]!.run);
  expect(await result(server, all[1]!.run!)).toBe(`got ${body}`);
  const shown = await get<Delivery>(server, `/deliveries/${all[1]!.id}`);
  expect(shown).toMatchObject({
    body,
    hook: "gh/push",
    workflow: "hook.flow.yaml",
    headers: { "x-github-delivery": "one" },
  });
  const runs = await get<Page<{ trigger: unknown }>>(server, "/runs");
  expect(runs.items.map(({ trigger }) => trigger)).toEqual([
    { kind: "webhook", by: "gh/push", at: expect.any(String) },
  ]);
});

test("a delivery without a valid signature starts nothing, is listed without its body, and learns nothing", async () => {
  const server = await served({ "hook.flow.yaml": github }, withSecret);
  await armed(server);
  const body = '{"a":1}';
  const tries: [Record<string, string>, string][] = [
    [signed(body, "x", "github", "another-secret-altogether"), "webhook-mismatch"],
    [{}, "webhook-unsigned"],
    [{ "x-hub-signature-256": "sha256=zz" }, "webhook-malformed"],
    [signed('{"a":2}', "x"), "webhook-mismatch"],
  ];
  for (const [headers, code] of tries) {
    const answer = await send(server, "gh/push", body, headers);
    expect([answer.status, await answer.text()]).toEqual([401, `${code}\n`]);
  }
  const all = await deliveries(server);
  expect(all.map(({ status, reason, bytes }) => [status, reason, bytes])).toEqual(
    tries.map(([, code]) => ["refused", code, 7]).reverse(),
  );
  expect((await get<Delivery>(server, `/deliveries/${all[0]!.id}`)).body).toBeUndefined();
  expect((await server.api("POST", `/deliveries/${all[0]!.id}/replay`, {})).status).toBe(409);
  expect((await get<Page<unknown>>(server, "/runs")).items).toEqual([]);
});

test("stripe, slack, standard webhooks, a token and no verification at all; slack's challenge is answered", async () => {
  const kinds = ["stripe", "slack", "standard-webhooks", "token"] as const;
  const secret = `whsec_${Buffer.from("0123456789abcdef").toString("base64")}`;
  const files = Object.fromEntries(
    kinds.map((kind) => [
      `${kind}.flow.yaml`,
      flow(`{ path: ${kind}, verify: ${kind}, secret: HOOK_SECRET, respond: 202 }`),
    ]),
  );
  const server = await served(
    { ...files, "open.flow.yaml": flow("{ path: open, verify: none }") },
    { env: { ...process.env, HOOK_SECRET: secret, CURLEW_KEYRING: "off" } },
  );
  await armed(server, 5);
  for (const kind of kinds) {
    const body = JSON.stringify({ id: `of-${kind}`, event_id: `of-${kind}` });
    expect((await send(server, kind, body, signed(body, `of-${kind}`, kind, secret))).status, kind).toBe(202);
  }
  const form = { "content-type": "application/x-www-form-urlencoded", "idempotency-key": "form" };
  expect((await send(server, "open", "a=1&b=x%26y&b=z", form)).status).toBe(200);
  expect((await send(server, "open", "no json", { "content-type": "text/plain" })).status).toBe(200);
  await started(server, 6);
  const all = (await deliveries(server)).toReversed();
  expect(all.map(({ deliveryId }) => deliveryId)).toEqual([
    "of-stripe",
    "of-slack",
    "of-standard-webhooks",
    undefined,
    "form",
    undefined,
  ]);
  expect(await result(server, all[4]!.run!)).toBe('got {"a":"1","b":["x&y","z"]}');
  expect(await result(server, all[5]!.run!)).toBe('got "no json"');
  expect((await get<Delivery>(server, `/deliveries/${all[3]!.id}`)).headers["x-webhook-token"]).toBe("•••");

  const hello = '{"type":"url_verification","challenge":"c-h-a"}';
  const answer = await send(server, "slack", hello, signed(hello, "", "slack", secret));
  expect([answer.status, await answer.text(), answer.headers.get("content-type")]).toEqual([
    200,
    "c-h-a",
    "text/plain; charset=utf-8",
  ]);
  expect(await deliveries(server)).toHaveLength(6);
});

test("the port serves nothing else, and every unknown path gets the same answer", async () => {
  const server = await served({ "hook.flow.yaml": github }, withSecret);
  await armed(server);
  const { hooksUrl } = server.running;
  for (const [method, path] of [
    ...["/", "/h", "/h/", "/h/nobody", "/h/gh", "/h/gh/push/", "/api/v1/server", "/index.html", "/h/gh%2Fpush"].map(
      (at) => ["POST", at],
    ),
    ...["/h/gh/push", "/", "/api/v1/runs"].map((at) => ["GET", at]),
    ["PUT", "/h/gh/push"],
    ["OPTIONS", "/h/gh/push"],
  ] as const) {
    const answer = await fetch(`${hooksUrl}${path}`, { method, headers: { authorization: `Bearer ${server.token}` } });
    expect([answer.status, await answer.text()], `${method} ${path}`).toEqual([404, "not-found\n"]);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  }
  expect(await (await fetch(`${server.url}/h/gh/push`, { method: "POST" })).status).not.toBe(200);
  expect(await deliveries(server)).toEqual([]);
});

/** The raw response to these bytes. */
function raw(server: Served, head: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.running.hooksUrl).port), "127.0.0.1");
    let said = "";
    socket.on("data", (chunk) => {
      said += chunk;
    });
    socket.on("close", () => resolve(said));
    socket.on("error", reject);
    socket.write(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n${body}`);
  });
}

test("too much, too slow, too deep", async () => {
  const server = await served({ "hook.flow.yaml": flow("{ path: open, verify: none }") }, withSecret);
  await armed(server);
  const large = "x".repeat(limits.hookBodyBytesMax + 1);
  expect(await raw(server, `POST /h/open HTTP/1.1\r\nContent-Length: ${large.length}`, "")).toMatch(/^HTTP\/1.1 413 /);
  expect(
    await raw(
      server,
      "POST /h/open HTTP/1.1\r\nTransfer-Encoding: chunked",
      `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`,
    ),
  ).toMatch(/^HTTP\/1.1 413 /);
  const { hookReadMs } = limits;
  onTestFinished(() => void Object.assign(limits, { hookReadMs }));
  Object.assign(limits, { hookReadMs: 200 });
  expect(await raw(server, "POST /h/open HTTP/1.1\r\nContent-Length: 5", "abc")).toMatch(/^HTTP\/1.1 408 /);
  expect((await send(server, "open", "[".repeat(100) + "]".repeat(100), {})).status).toBe(400);
  const reasons = (await deliveries(server)).map(({ status, reason }) => [status, reason]);
  expect(reasons).toEqual([
    ["refused", "json-too-deep"],
    ["refused", "too-slow"],
    ["refused", "too-large"],
    ["refused", "too-large"],
  ]);
});

test("a secret that a sender repeats is stored nowhere: not in the body, a header, the query or the delivery's name", async () => {
  const server = await served(
    { "hook.flow.yaml": flow("{ path: open, verify: token, secret: HOOK_SECRET }", "", "${event} ${delivery}") },
    withSecret,
  );
  await armed(server);
  const body = `{"said": "it is ${SECRET}", "in": "${Buffer.from(`:${SECRET}`).toString("base64")}", "n": 1}`;
  const long = `${"x".repeat(limits.deliveryHeaderCharsMax - 5)}${SECRET}`;
  const said = { "x-odd": SECRET, "x-long": long, "user-agent": `bot ${SECRET}`, "idempotency-key": `id-${SECRET}` };
  const headers = { "content-type": "application/json", "x-webhook-token": SECRET, ...said };
  for (const status of ["started", "duplicate"]) {
    const query = `?q=${SECRET}&q=2&${SECRET}=1`;
    expect((await send(server, `open${query}`, body, headers)).status).toBe(200);
    await until(async () => (await deliveries(server))[0]?.status === status);
  }
  const [, first] = await deliveries(server);
  const shown = await get<Delivery>(server, `/deliveries/${first!.id}`);
  expect(shown).toMatchObject({ deliveryId: "id-***", headers: { "x-odd": "***" }, query: { q: ["***", "2"] } });
  expect(JSON.parse(shown.body!)).toMatchObject({ said: "it is ***", n: 1 });
  expect(await result(server, first!.run!)).toContain("it is ***");
  expect(hunt(server.home, { shown: JSON.stringify(shown) }, [SECRET])).toEqual([]);
});

test("a missing secret rejects deliveries and is reported; once it is set, they pass", async () => {
  const { hookSecretAgainMs } = limits;
  onTestFinished(() => void Object.assign(limits, { hookSecretAgainMs }));
  Object.assign(limits, { hookSecretAgainMs: 50 });
  const server = await served({ "hook.flow.yaml": github });
  await armed(server);
  const [hook] = await triggers(server, "webhook");
  expect(hook).toMatchObject({
    fields: { path: "gh/push", verify: "github", secret: "HOOK_SECRET", respond: 200 },
    workflow: "hook.flow.yaml",
  });
  expect(hook!.url).toBe(`${server.running.hooksUrl}/h/gh/push`);
  expect(hook!.problem).toContain("HOOK_SECRET is not set");
  const answer = await send(server, "gh/push", "{}", signed("{}", "1"));
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
  server.write(".env", `HOOK_SECRET=${SECRET}\n`);
  await until(async () => (await send(server, "gh/push", "{}", signed("{}", "1"))).status === 200);
  expect((await triggers(server, "webhook"))[0]!.problem).toBeUndefined();
});

test("a paused hook rejects, so that the sender tries again; a changed document moves its hook at once", async () => {
  const server = await served({ "hook.flow.yaml": github }, withSecret);
  await armed(server);
  const [hook] = await triggers(server, "webhook");
  expect((await server.api("POST", `/triggers/${hook!.id}/pause`, {})).status).toBe(204);
  expect((await send(server, "gh/push", "{}", signed("{}", "1"))).status).toBe(503);
  expect((await server.api("POST", `/triggers/${hook!.id}/resume`, {})).status).toBe(204);
  expect((await send(server, "gh/push", "{}", signed("{}", "1"))).status).toBe(200);
  expect((await server.api("POST", "/triggers/webhook-none/pause", {})).status).toBe(404);

  server.write("hook.flow.yaml", github.replace("gh/push", "gh/moved"));
  await until(async () => (await send(server, "gh/moved", "{}", signed("{}", "2"))).status === 200);
  expect((await send(server, "gh/push", "{}", signed("{}", "3"))).status).toBe(404);
});

test("a path belongs to the first document; an imported workflow receives nothing before you have seen it", async () => {
  const imported = `curlew: 1
name: From elsewhere
imported: { from: https://example.com/x.flow.yaml }
on: [{ webhook: { path: far, verify: none } }]
nodes:
  - { id: c, type: cli, data: { title: c, content: echo hi } }
`;
  const server = await served({ "a.flow.yaml": github, "b.flow.yaml": github, "c.flow.yaml": imported }, withSecret);
  await armed(server, 3);
  const hooks = await triggers(server, "webhook");
  expect(hooks.map(({ workflow, problem }) => [workflow, problem ?? ""])).toEqual([
    ["a.flow.yaml", ""],
    ["b.flow.yaml", expect.stringContaining("already used by a.flow.yaml")],
    ["c.flow.yaml", expect.stringContaining("curlew trust c.flow.yaml")],
  ]);
  const document = await get<{ diagnostics: { code: string; message: string }[] }>(server, "/workflows/b.flow.yaml");
  expect(document.diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ["duplicate-hook", 'The webhook path "gh/push" is already used by a.flow.yaml.'],
  ]);
  expect((await get<{ diagnostics: unknown[] }>(server, "/workflows/a.flow.yaml")).diagnostics).toEqual([]);
  expect((await send(server, "far", "{}", {})).status).toBe(503);
  expect((await get<Page<unknown>>(server, "/runs")).items).toEqual([]);
});

test("a body fills inputs of the same name and type; an impossible start is reported, and a replay uses the fixed workflow or another", async () => {
  const wants = flow(
    "{ path: shop, verify: none }",
    "inputs: { order: { type: integer, required: true, minimum: 1 } }",
  ).replace("got ${event}", "order ${order}");
  const server = await served(
    {
      "shop.flow.yaml": wants,
      "other.flow.yaml": wants
        .replace("path: shop", "path: x")
        .replace("order ${order}", "other ${order} ${event.note}"),
    },
    withSecret,
  );
  await armed(server, 2);
  const json = { "content-type": "application/json" };
  await send(server, "shop", '{"order": 7, "note": "n", "extra": true}', json);
  await send(server, "shop", '{"order": "7"}', json);
  await until(async () =>
    (await deliveries(server)).every(({ status }) => status === "started" || status === "failed"),
  );
  const [failed, good] = await deliveries(server);
  expect(await result(server, good!.run!)).toBe("order 7");
  expect(failed).toMatchObject({ status: "failed", reason: expect.stringContaining('"order" is required') });
  expect(failed!.run).toBeUndefined();

  const nowhere = await server.api("POST", `/deliveries/${good!.id}/replay`, { workflow: "away.flow.yaml" });
  expect(nowhere.status).toBe(404);
  const replay = await server.api("POST", `/deliveries/${good!.id}/replay`, { workflow: "other.flow.yaml" });
  expect(replay.status).toBe(201);
  const again = (await replay.json()) as DeliveryItem;
  expect(again).toMatchObject({ replayOf: good!.id, workflow: "other.flow.yaml" });
  expect(await result(server, again.run!)).toBe("other 7 n");

  server.write("shop.flow.yaml", wants.replace("type: integer, required: true, minimum: 1", "type: string"));
  const replayed = (await (await server.api("POST", `/deliveries/${failed!.id}/replay`, {})).json()) as DeliveryItem;
  expect(await result(server, replayed.run!)).toBe("order 7");
  for (const [workflow, status] of [
    ["../x.flow.yaml", 400],
    ["/etc/passwd", 400],
    [5, 422],
  ] as const)
    expect((await server.api("POST", `/deliveries/${good!.id}/replay`, { workflow })).status).toBe(status);
  expect((await server.api("POST", "/deliveries/nothing/replay", {})).status).toBe(404);
});

test("hooks are shown with the tunnel's URL, and a delivery survives a restart of the server", async () => {
  const server = await served({ "hook.flow.yaml": github }, withSecret);
  await armed(server);
  await send(server, "gh/push", "{}", signed("{}", "kept"));
  await started(server, 1);
  await server.close();
  const { writeFileSync } = await import("node:fs");
  writeFileSync(`${server.home}/config.yaml`, "publicHooksUrl: https://hooks.example.com/\n", { mode: 0o600 });
  const next = await servedIn(server.home, server.folder, withSecret);
  await armed(next);
  expect((await triggers(next, "webhook"))[0]).toMatchObject({
    url: "https://hooks.example.com/h/gh/push",
    last: { at: expect.any(String) },
  });
  writeFileSync(`${server.home}/config.yaml`, "publicHooksUrl: https://another.trycloudflare.com\n");
  expect((await triggers(next, "webhook"))[0]!.url).toBe("https://another.trycloudflare.com/h/gh/push");
  expect((await send(next, "gh/push", "{}", signed("{}", "kept"))).status).toBe(200);
  expect((await deliveries(next)).map(({ status }) => status)).toEqual(["duplicate", "started"]);
});
