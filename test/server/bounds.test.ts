// The limits of a server: malformed, slow and oversized requests, floods, and the headers of its pages (spec 4.3
// S1, S6, S10, S15).

import { readFileSync } from "node:fs";
import { get } from "node:https";
import { connect, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Problem } from "../../src/api/shapes.ts";
import { limits } from "../../src/base/limits.ts";
import { openServer } from "../../src/server/serve.ts";
import { ask, bytes } from "./raw.ts";
import { served, servedIn } from "./served.ts";
import { follow, messageOf } from "./streams.ts";

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

/** A small generator, so that a find can be repeated. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const LINES = [
  "GET / HTTP/1.1",
  "POST /api/v1/runs HTTP/1.1",
  "GET  / HTTP/1.1",
  "GET / HTTP/9.9",
  "GET http://evil/ HTTP/1.1",
];
const MORE_LINES = [
  "\0\0\0",
  "GET /%00%ff%zz HTTP/1.1",
  "CONNECT 127.0.0.1:22 HTTP/1.1",
  "PRI * HTTP/2.0",
  "OPTIONS * HTTP/1.1",
];
const HEADERS = [
  "Host: HOST",
  "Host: evil",
  "Host:",
  "Content-Length: 5",
  "Content-Length: -1",
  "Content-Length: 99999999999999999999",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: identity, chunked",
  "Transfer-Encoding : chunked",
  "Authorization: Bearer TOKEN",
  "Authorization: Bearer TOKEN, Bearer x",
  "Content-Type: application/json",
  "Expect: 100-continue",
  "Expect: nonsense",
  "Upgrade: websocket\r\nConnection: Upgrade",
  " folded",
  "X: \u0001",
  `X: ${"y".repeat(20_000)}`,
  "\u00ff\u00fe: x",
];
const BODIES = [
  "",
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "fffffffff\r\n",
  "-1\r\n",
  "0\r\n\r\nGET /api/v1/runs HTTP/1.1\r\nHost: HOST\r\n\r\n",
  "{",
];

test("the server survives any bytes, reveals nothing, and starts nothing", {
  timeout: 120_000,
}, async () => {
  const it = await served();
  const pick = dice(SEED);
  const one = <T>(of: readonly T[]): T => of[pick(of.length)]!;
  for (let round = 0; round < 40; round++) {
    const sent = Array.from({ length: 8 }, () => {
      const lines = [one([...LINES, ...MORE_LINES]), ...Array.from({ length: pick(6) }, () => one(HEADERS))];
      const text = `${lines.join(one(["\r\n", "\r\n", "\n"]))}\r\n\r\n${one(BODIES)}`;
      return text
        .replaceAll("HOST", new URL(it.url).host)
        .replaceAll("TOKEN", pick(2) === 0 ? it.token : "x".repeat(43));
    });
    const answers = await Promise.all(sent.map((text) => bytes(it.url, Buffer.from(text, "latin1"), 150)));
    for (const answer of answers) {
      expect(answer, `seed ${SEED}`).not.toMatch(/at .*\.ts:\d+|node:internal/);
      expect(answer, `seed ${SEED}`).not.toContain(it.home);
      if (answer !== "") expect(answer.slice(0, 9), `seed ${SEED}`).toBe("HTTP/1.1 ");
    }
    expect((await it.api("GET", "/server")).status, `seed ${SEED}`).toBe(200);
  }
  const log = readFileSync(join(it.home, "server.log"), "utf8");
  expect(log).not.toContain(it.token);
  expect(log).not.toContain('"level":50');
});

test("two Host headers, two lengths, or a length beside chunks are rejected before anything is read", async () => {
  const it = await served();
  const { host } = new URL(it.url);
  const status = async (...lines: string[]) =>
    (await bytes(it.url, `POST /api/v1/validate HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n{}`, 500)).slice(9, 12);
  expect(await status(`Host: ${host}`, "Host: evil")).toMatch(/4\d\d/);
  expect(await status(`Host: ${host}`, "Content-Length: 2", "Content-Length: 3")).toBe("400");
  expect(await status(`Host: ${host}`, "Content-Length: 2", "Transfer-Encoding: chunked")).toBe("400");
  expect(await status("X: 1")).toBe("400");
});

test("an invalid request is answered like any other: with a problem, closed to pages, and nothing after it is read", async () => {
  const it = await served();
  const { host } = new URL(it.url);
  const json = `Authorization: Bearer ${it.token}\r\nContent-Type: application/json\r\n`;
  const post = `POST /api/v1/validate HTTP/1.1\r\nHost: ${host}\r\n${json}`;
  const cases: [sent: string, status: number, code: string][] = [
    ["\0\u0001nonsense\r\n\r\n", 400, "bad-request"],
    ["GET /api/v1/server HTTP/1.1\r\n\r\n", 400, "bad-request"],
    [`GET / HTTP/1.1\r\nHost: ${host}\r\nX : 1\r\n\r\n`, 400, "bad-request"],
    [`GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${"y".repeat(20_000)}\r\n\r\n`, 431, "headers-too-large"],
    [`${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`, 400, "bad-request"],
    [`${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, 400, "bad-request"],
    [`${post}Transfer-Encoding: chunked\r\n\r\n2;${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, 413, "body-too-large"],
  ];
  for (const [sent, status, code] of cases) {
    const received = await bytes(it.url, Buffer.from(sent, "latin1"));
    const [head = "", body = ""] = received.split("\r\n\r\n");
    expect(head.slice(0, 12), sent.slice(0, 80)).toBe(`HTTP/1.1 ${status}`);
    expect(JSON.parse(body)).toMatchObject({ type: `urn:curlew:problem:${code}`, status, code });
    for (const header of ["content-type: application/problem+json", "content-security-policy: default-src 'none'"])
      expect(head.toLowerCase(), sent.slice(0, 80)).toContain(header);
    for (const header of ["nosniff", "no-store", "no-referrer", "connection: close"])
      expect(head.toLowerCase()).toContain(header);
  }
  const expecting = await bytes(it.url, `${post}Expect: nonsense\r\nContent-Length: 15\r\n\r\n{"text":"a: 1"}`, 1_000);
  expect(expecting).toMatch(/^HTTP\/1\.1 200 /);
  expect(await bytes(it.running.hooksUrl, "nonsense\r\n\r\n")).toMatch(
    /^HTTP\/1\.1 400 .*nosniff.*\r\n\r\nbad-request\n$/s,
  );
});

test("a body is read up to its limit and no further, even without a stated length", async () => {
  const it = await served();
  const { host } = new URL(it.url);
  const head = `POST /api/v1/validate HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${it.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `100000\r\n${" ".repeat(0x100000)}\r\n`;
  const received = await bytes(it.url, head + chunk.repeat(12), 3_000);
  expect(received).toMatch(/^HTTP\/1\.1 413 /);
  expect(received).toContain('"code":"body-too-large"');
});

test("a closing server does not wait for a page that only listens: it ends the stream and the connection", async () => {
  const it = await served();
  const { port, host } = new URL(it.url);
  const page = connect(Number(port), "127.0.0.1");
  let received = "";
  const isOver = new Promise((resolve) => page.once("close", resolve));
  page.on("data", (part) => {
    received += part.toString("latin1");
  });
  page.write(`GET /api/v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${it.token}\r\n\r\n`);
  await expect.poll(() => received).toContain("event: live");
  const from = performance.now();
  await it.close();
  expect(performance.now() - from).toBeLessThan(limits.serverCloseMs);
  await isOver;
  expect(received).toMatch(/\r\n0\r\n\r\n$/);
});

test("idle connections keep no one out, and no call in progress is dropped for them", async () => {
  const it = await served();
  const { port, hostname } = new URL(it.url);
  const stream = await follow(it, "/events");
  const held = Array.from({ length: limits.serverConnectionsMax * 2 }, () => connect(Number(port), hostname));
  onTestFinished(() => {
    for (const socket of held) socket.destroy();
  });
  await Promise.all(
    held.map((socket) => new Promise((resolve) => socket.on("error", resolve).once("connect", resolve).resume())),
  );
  for (let asked = 0; asked < 20; asked++)
    expect((await it.api("GET", "/server", undefined, { connection: "close" })).status).toBe(200);
  it.write("new.flow.yaml", "curlew: 1\n");
  await stream.until((message) => messageOf(message).kind === "document");
});

test("a connection that does not finish its headers is soon closed, but a body may take its time", async () => {
  const { serverHeadersMs } = limits;
  onTestFinished(() => void Object.assign(limits, { serverHeadersMs }));
  Object.assign(limits, { serverHeadersMs: 800 });
  const it = await served();
  const { port, hostname, host } = new URL(it.url);
  const open = (text: string) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    onTestFinished(() => void socket.destroy());
    return socket.on("error", () => {});
  };
  const silent = open("");
  const slow = open(`GET /api/v1/server HTTP/1.1\r\nhost: ${host}\r\n`);
  const body = open(
    `POST /api/v1/validate HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${it.token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
  );
  const more = setInterval(() => slow.write("x-more: 1\r\n"), 100);
  onTestFinished(() => clearInterval(more));
  await Promise.all([silent, slow].map((socket) => new Promise((resolve) => socket.resume().once("close", resolve))));
  expect(body.closed).toBe(false);
});

test("failed logins are slowed down, tokens are not", async () => {
  const it = await served();
  const login = (code: string) =>
    fetch(`${it.url}/api/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
  for (let tries = 0; tries < limits.loginFailuresMax; tries++) expect((await login(`wrong${tries}`)).status).toBe(401);
  const held = await login("wrong");
  expect([held.status, ((await held.json()) as Problem).code]).toEqual([429, "too-many-tries"]);
  expect(Number(held.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await it.api("GET", "/server")).status).toBe(200);
});

test("both loopback addresses answer on one port, and no other address does", async () => {
  const it = await served();
  const { port } = new URL(it.url);
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const hasIpv6 = all.some(({ address }) => address === "::1");
  const headers = { authorization: `Bearer ${it.token}` };
  const names = ["127.0.0.1", "localhost", ...(hasIpv6 ? ["[::1]"] : [])];
  for (const name of names)
    expect((await fetch(`http://${name}:${port}/api/v1/server`, { headers })).status, name).toBe(200);
  const outside = all.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address);
  for (const address of outside)
    await expect(fetch(`http://${address}:${port}/api/v1/server`, { headers })).rejects.toThrow();
});

test("if a default port is taken the next one is used, but not if you chose the port", async () => {
  const holder = await taken(limits.serverPortDefault);
  const it = await served({}, { port: undefined as never });
  const port = Number(new URL(it.url).port);
  expect(port).toBeGreaterThan(limits.serverPortDefault);
  expect(port).toBeLessThan(limits.serverPortDefault + limits.serverPortsTried);
  const other = await served();
  await other.close();
  await expect(servedIn(other.home, other.folder, { port })).rejects.toThrow("port-taken");
  holder?.close();
});

/** Undefined if another program has it already, which is fine too. */
function taken(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

test("a request that went through a proxy or tunnel is reported once", async () => {
  const warnings: string[] = [];
  const it = await served({}, { onWarning: ({ code }) => warnings.push(code) });
  for (let times = 0; times < 2; times++)
    await ask(it.url, {
      method: "GET",
      path: "/",
      headers: { host: new URL(it.url).host, "x-forwarded-for": "192.0.2.7" },
    });
  expect(warnings.filter((code) => code === "forwarded-request")).toHaveLength(1);
});

test("a page has a policy and its own nonce, and is neither cached, framed nor sniffed", async () => {
  const it = await served();
  const [first, second] = await Promise.all([fetch(it.url), fetch(`${it.url}/runs/abc`)]);
  const policy = first.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w-]{22}'; /);
  for (const part of [
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(second.headers.get("content-security-policy")).not.toBe(policy);
  const nonce = /'nonce-([\w-]+)'/.exec(policy)?.[1];
  const html = await first.text();
  if (html.includes("csp-nonce")) expect(html).toContain(`<meta name="csp-nonce" content="${nonce}"`);
  const expected = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };
  for (const path of ["/", "/api/v1/server", "/nothing.js", "/api/v1/nothing"]) {
    const { headers } = await it.api("GET", "/../..".concat(path));
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]))).toEqual(expected);
  }
});

test("no path leads outside the files of the web UI", async () => {
  const it = await served();
  const { host } = new URL(it.url);
  for (const path of [
    "/../package.json",
    "/..%2fpackage.json",
    "/%2e%2e/package.json",
    "//etc/passwd",
    "/assets/../../cli.cjs",
    "/.stamp",
    "/index.html\0.js",
  ]) {
    const received = await bytes(it.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(received, path).not.toMatch(/"version"|root:|require\(/);
    expect(received, path).toMatch(/^HTTP\/1\.1 (400|404|200)/);
    if (received.startsWith("HTTP/1.1 200")) expect(received, path).toContain("text/html");
  }
});

test.each([
  [{ host: "0.0.0.0" }, "host-needs-auth"],
  [{ host: "0.0.0.0", auth: "token" as const }, "host-needs-tls"],
  [{ publicUrl: "https://curlew.example.com" }, "host-needs-auth"],
  [{ publicUrl: "http://curlew.example.com", auth: "token" as const }, "host-needs-tls"],
  [{ publicUrl: "https://curlew.example.com/editor", auth: "token" as const }, "bad-public-url"],
])("%j is refused: %s", async (more, code) => {
  const it = await served();
  await it.close();
  const { home, folder } = it;
  const options = {
    version: "0",
    home,
    folder,
    env: {},
    port: 0,
    logLevel: "silent" as const,
    onWarning: () => {},
    ...more,
  };
  const opened = await openServer(options);
  expect(opened.ok ? "opened" : opened.error.code).toBe(code);
});

test("behind a named proxy, only its address is allowed", async () => {
  const it = await served({}, { publicUrl: "https://curlew.example.com", auth: "token" });
  expect(it.running.link()).toMatch(/^https:\/\/curlew\.example\.com\/#code=/);
  const status = async (headers: Record<string, string>) =>
    (
      await ask(it.url, {
        method: "GET",
        path: "/api/v1/server",
        headers: { authorization: `Bearer ${it.token}`, ...headers },
      })
    ).status;
  expect(await status({ host: "curlew.example.com", origin: "https://curlew.example.com" })).toBe(200);
  expect(await status({ host: new URL(it.url).host })).toBe(200);
  expect(await status({ host: "curlew.example.com", origin: "http://curlew.example.com" })).toBe(403);
  expect(await status({ host: "other.example.com" })).toBe(421);
});

test("with a certificate the server speaks only TLS, on the named address", async () => {
  const place = join(import.meta.dirname, "../process/tls");
  const [cert, key] = ["self-signed.pem", "server-test-only.key"].map((name) => readFileSync(join(place, name)));
  const it = await served({}, { host: "127.0.0.1", auth: "token", tls: { cert: cert!, key: key! } });
  expect(it.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { authorization: `Bearer ${it.token}` };
    get(`${it.url}/api/v1/server`, { headers, rejectUnauthorized: false }, (answer) => {
      expect(answer.headers["strict-transport-security"]).toBeDefined();
      resolve(answer.resume().statusCode);
    }).on("error", reject);
  });
  expect(status).toBe(200);
  await expect(fetch(it.url.replace("https", "http"))).rejects.toThrow();
});
