// The sample API, asked over real sockets. Everything the examples and the guide say about it is seen here first.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SampleApi, startSampleApi } from "../examples/sample-api/main.ts";
import { CREDENTIALS } from "../examples/sample-api/seed.ts";

let api: SampleApi;
beforeAll(async () => {
  api = await startSampleApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

interface Ask {
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
}

/** `ask("POST /api/items", { json })` → what came back, the body parsed when it is JSON. */
async function ask(request: string, { headers = {}, json, text }: Ask = {}) {
  const [method, path] = request.split(" ") as [string, string];
  const type: Record<string, string> = json === undefined ? {} : { "Content-Type": "application/json" };
  const body = json === undefined ? text : JSON.stringify(json);
  const init = { method, headers: { ...type, ...headers }, redirect: "manual" as const };
  const answer = await fetch(api.url + path, body === undefined ? init : { ...init, body });
  const raw = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json");
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(raw) : raw };
}

/** The answer has this status, and a body with these members. */
async function check(request: string, given: Ask, status: number, body: unknown) {
  const answer = await ask(request, given);
  expect([answer.status, answer.body]).toEqual([status, body]);
  return answer;
}

/** The answer has this status, this error code, and a message that speaks of this. */
async function checkRefused(request: string, given: Ask, status: number, code: string, message: RegExp) {
  const answer = await ask(request, given);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  expect(answer.body.error.message).toMatch(message);
  return answer;
}

describe("collections", () => {
  test("a row is created, read, replaced, merged and deleted", async () => {
    const row = { id: 13, title: "New", status: "open", priority: "normal", assignee: null };
    const created = await check("POST /api/items", { json: { title: "New" } }, 201, row);
    expect(created.headers.get("location")).toBe("/api/items/13");
    await check("GET /api/items/13", {}, 200, row);
    await check("PATCH /api/items/13", { json: { status: "closed" } }, 200, { ...row, status: "closed" });
    await check("PUT /api/items/13", { json: { title: "Newer", id: 99 } }, 200, { title: "Newer", id: 13 });
    await check("DELETE /api/items/13", {}, 200, { deleted: 13 });
    await checkRefused("GET /api/items/13", {}, 404, "not-found", /no row "13" in items/);
    await checkRefused("DELETE /api/items/13", {}, 404, "not-found", /no row/);
  });

  test("what cannot be stored is refused with a reason", async () => {
    const json = { "Content-Type": "application/json" };
    await checkRefused("POST /api/items", { text: "{}" }, 415, "not-json", /Content-Type: application\/json/);
    await checkRefused("POST /api/items", { headers: json, text: "" }, 400, "empty-body", /empty/);
    await checkRefused("POST /api/items", { headers: json, text: '{"title":' }, 400, "bad-json", /not JSON/);
    await checkRefused("POST /api/items", { json: [1] }, 400, "not-an-object", /JSON object/);
    await checkRefused("POST /api/items", { json: { title: " " } }, 422, "missing-member", /needs "title"/);
    await checkRefused("POST /api/nothing", { json: {} }, 404, "no-such-collection", /items, users, notes, archive/);
    await checkRefused("POST /api/items", { json: { title: "x".repeat(11e6) } }, 413, "too-large", /10485760 bytes/);
  });
});

describe("protected paths", () => {
  const basic = (text: string) => ({ headers: { Authorization: `Basic ${Buffer.from(text).toString("base64")}` } });
  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
  const client = { client_id: CREDENTIALS.clientId, client_secret: CREDENTIALS.clientSecret };
  const grant = { grant_type: "client_credentials", ...client };

  test.each([
    ["GET /protected/api-key", {}, "ApiKey", /header "X-API-Key"/],
    ["GET /protected/api-key", { headers: { "X-API-Key": "wrong" } }, "ApiKey", /not valid/],
    ["GET /protected/bearer", {}, "Bearer", /Authorization: Bearer/],
    ["GET /protected/bearer", bearer("wrong"), "Bearer", /not valid/],
    ["GET /protected/basic", {}, "Basic", /--user/],
    ["GET /protected/basic", basic("ada.lovelace:wrong"), "Basic", /do not match/],
    ["GET /protected/oauth", bearer(CREDENTIALS.accessToken), "Bearer", /not valid/],
  ] as [string, Ask, string, RegExp][])("keep others out: %s %j", async (request, given, challenge, message) => {
    const answer = await checkRefused(request, given, 401, "unauthorized", message);
    expect(answer.headers.get("www-authenticate")).toMatch(new RegExp(`^${challenge} realm="sample-api"`));
  });

  test("a token request that is wrong is answered as RFC 6749 says", async () => {
    const wrongSecret = await ask("POST /oauth/token", { json: { ...grant, client_secret: "no" } });
    expect([wrongSecret.status, wrongSecret.body.error]).toEqual([401, "invalid_client"]);
    const wrongGrant = await ask("POST /oauth/token", { json: { ...grant, grant_type: "password" } });
    expect([wrongGrant.status, wrongGrant.body.error]).toEqual([400, "unsupported_grant_type"]);
    await checkRefused("POST /oauth/token", { text: "x" }, 415, "not-json", /Content-Type/);
  });
});

describe("webhook sender", () => {
  test("goes nowhere but to this machine", async () => {
    for (const url of [
      "https://example.com/",
      "http://127.0.0.1.example.com/",
      "http://10.0.0.1/",
      "file:///etc/passwd",
      7,
    ]) {
      await checkRefused("POST /webhooks/send", { json: { url, event: 1 } }, 422, "not-loopback", /loopback/);
    }
    const nobody = { url: `http://127.0.0.1:${await closedPort()}/webhook`, event: 1 };
    await checkRefused("POST /webhooks/send", { json: nobody }, 502, "not-delivered", /ECONNREFUSED/);
    await checkRefused("POST /webhooks/send", { json: { url: nobody.url } }, 422, "missing-member", /"event"/);
  });
});

/** A port that was free a moment ago, so that nobody answers there. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}

describe("the server", () => {
  test("answers to this machine's name only", async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    socket.end("GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n");
    const answer = (await socket.setEncoding("utf8").toArray()).join("");
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*foreign-host/);
  });

  test.each(["127.0.0.1", "localhost"])("speaks TLS as %s, and only its CA file proves it", async (host) => {
    const url = `${api.httpsUrl.replace("127.0.0.1", host)}/api/users`;
    const get = async (options: object) => {
      const request = httpsGet(url, { agent: false, family: 4, ...options });
      const [answer] = (await once(request, "response")) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await get({ ca: readFileSync(api.caFile) })).toBe(200);
    await expect(get({})).rejects.toThrow(/unable to verify|local issuer/);
  });

  test("runs from a terminal, says where, and ends on Ctrl-C", async () => {
    const child = spawn(process.execPath, [
      "examples/sample-api/main.ts",
      "--port",
      "0",
      "--https-port",
      "0",
      "--json",
    ]);
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const told = JSON.parse(line);
    expect((await fetch(`${told.url}/api/users`)).status).toBe(200);
    expect(told.caFile).toMatch(/examples\/sample-api\/tls\/ca\.pem$/);
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("says so when its port is taken or an option is wrong", () => {
    const { port } = new URL(api.url);
    const taken = spawnSync(process.execPath, ["examples/sample-api/main.ts", "--port", port, "--https-port", "0"], {
      encoding: "utf8",
    });
    expect([taken.status, taken.stdout]).toEqual([1, ""]);
    expect(taken.stderr).toMatch(`Port ${port} is taken.`);
    const wrong = spawnSync(process.execPath, ["examples/sample-api/main.ts", "--port", "x"], { encoding: "utf8" });
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      "A port is a whole number from 0 to 65535; 0 takes a free one.\n",
    ]);
  });
});
