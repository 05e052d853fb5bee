// Every route of the API against every invalid way in (spec 4.3 S2-S5, S9, S17): rejected, nothing changes and nothing
// is revealed.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { API_PREFIX, ROUTES, type Route } from "../../src/api/routes.ts";
import type { Page, Problem, Right, RunItem, Session } from "../../src/api/shapes.ts";
import { limits } from "../../src/base/limits.ts";
import { inARow } from "../cli/curlew.ts";
import { ask, type RawRequest } from "./raw.ts";
import { type Served, served } from "./served.ts";
import { follow } from "./streams.ts";

/** Each names something that exists, where it can. */
const FILLED: Record<string, string> = { path: "a.flow.yaml", id: "latest", n: "1", name: "TOKEN" };
const BODIES: Record<string, unknown> = {
  "POST /session": { code: "x".repeat(43) },
  "PUT /workflows/{path}": { text: inARow({ evil: "touch evil" }) },
  "POST /workflows/{path}/runs": { inputs: {} },
  "PUT /secrets/{name}": { value: "a-secret-value" },
  "PUT /settings": { retention: { days: 1 } },
  "POST /validate": { path: "a.flow.yaml", text: inARow({ a: "true" }) },
  "POST /import": { source: "curl https://api.example.com" },
  "POST /preview": { path: "a.flow.yaml", text: inARow({ a: "true" }) },
};

function requestTo(route: Route, token: string | undefined, url: string): Required<RawRequest> {
  const path = API_PREFIX + route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => FILLED[name]!);
  const body = route.method === "GET" ? "" : JSON.stringify(BODIES[route.key] ?? {});
  return {
    method: route.method,
    path,
    headers: {
      host: new URL(url).host,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === "" ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }),
      ...(route.method === "PUT" || route.method === "DELETE" ? { "if-match": "*" } : {}),
    },
    body,
  };
}

type Request = Required<RawRequest>;

const set = (request: Request, headers: Record<string, string>): Request => ({
  ...request,
  headers: { ...request.headers, ...headers },
});
const without = (request: Request, name: string): Request => {
  const { [name]: _, ...headers } = request.headers;
  return { ...request, headers };
};
const withBody = (request: Request, body: string): Request => ({
  ...set(request, { "content-length": String(Buffer.byteLength(body)) }),
  body,
});
const header = (name: string, value: string) => (request: Request) => set(request, { [name]: value });
const tokenOf = (request: Request): string => String(request.headers.authorization).slice(7);
const port = (url: string): string => new URL(url).port;

const ATTACKS: [what: string, code: string, change: (request: Request, url: string) => Request][] = [
  ["no token", "no-token", (r) => without(r, "authorization")],
  ["a wrong token", "wrong-token", header("authorization", `Bearer ${"A".repeat(43)}`)],
  [
    "the token as a cookie alone",
    "no-token",
    (r) => set(without(r, "authorization"), { cookie: `token=${tokenOf(r)}` }),
  ],
  [
    "the token in the address alone",
    "no-token",
    (r) => ({ ...without(r, "authorization"), path: `${r.path}?token=${tokenOf(r)}` }),
  ],
  ["the token as a password", "wrong-token", (r) => set(r, { authorization: `Basic ${btoa(`x:${tokenOf(r)}`)}` })],
  ["another site", "foreign-origin", header("origin", "https://evil.example")],
  ["no origin that has a name", "foreign-origin", header("origin", "null")],
  ["another port of this machine", "foreign-origin", header("origin", "http://127.0.0.1:1")],
  ["an origin that begins like ours", "foreign-origin", (r, url) => set(r, { origin: `${url}.evil.example` })],
  ["an origin with a path", "foreign-origin", (r, url) => set(r, { origin: `${url}/` })],
  ["a name that leads here (rebinding)", "wrong-host", (r, url) => set(r, { host: `evil.example:${port(url)}` })],
  ["0.0.0.0", "wrong-host", (r, url) => set(r, { host: `0.0.0.0:${port(url)}` })],
  ["our name with another port", "wrong-host", header("host", "127.0.0.1:1")],
  ["our name without a port", "wrong-host", header("host", "127.0.0.1")],
  ["a page of another site, by Sec-Fetch-Site", "foreign-origin", header("sec-fetch-site", "cross-site")],
  ["another port of this machine, by Sec-Fetch-Site", "foreign-origin", header("sec-fetch-site", "same-site")],
  ["a body of a form", "not-json", header("content-type", "text/plain")],
  ["a body of no type", "not-json", (r) => without(r, "content-type")],
  [
    "a key that reaches into prototypes",
    "json-forbidden-key",
    (r) => withBody(r, '{"a":[{"__proto__":{"rights":["admin"]}}]}'),
  ],
  ["JSON that is nested without end", "json-too-deep", (r) => withBody(r, "[".repeat(100_000))],
  ["an enormous length", "body-too-large", header("content-length", "10000001")],
];

/** A login has no token, and a GET has no body. */
const isSpared = (route: Route, code: string): boolean =>
  code.endsWith("-token") ? route.right === "none" : /json|body/.test(code) && route.method === "GET";

/** Everything that a call could have changed. */
function stateOf(it: Served): string {
  const hash = createHash("sha256");
  for (const place of [it.folder, it.home])
    for (const entry of readdirSync(place, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !/^(server\.log|server\.lock.*|curlew\.db.*|s|begun)$/.test(entry.name))
        hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)));
  return hash.digest("hex");
}

describe("every route rejects", () => {
  test.each(ATTACKS)("%s", async (_, wanted, change) => {
    const it = await served({ "a.flow.yaml": inARow({ a: "touch ran" }) });
    const before = stateOf(it);
    for (const route of ROUTES) {
      if (isSpared(route, wanted)) continue;
      const answer = await ask(it.url, change(requestTo(route, it.token, it.url), it.url));
      const { code, status } = JSON.parse(answer.text) as Problem;
      expect({ route: route.key, code, status }).toEqual({
        route: route.key,
        code: wanted,
        status: answer.status,
      });
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
    expect(stateOf(it)).toBe(before);
    const runs = (await (await it.api("GET", "/runs")).json()) as Partial<Page<RunItem>>;
    expect(runs.items ?? []).toEqual([]);
  });
});

const RIGHTS: readonly Right[] = ["read", "run", "submit", "approve", "admin"];

test.each(RIGHTS)("a token with only the right %s may do what needs that right, and nothing else", async (right) => {
  const it = await served();
  const made = await it.api("POST", "/server/login", { rights: [right] });
  const code = new URL(((await made.json()) as { url: string }).url).hash.replace("#code=", "");
  const login = await fetch(`${it.url}/api/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const { token, rights } = (await login.json()) as Session;
  expect(rights).toEqual([right]);
  for (const route of ROUTES) {
    if (route.right === "none" || route.path === "/session") continue;
    const { status, text } = await ask(it.url, requestTo(route, token, it.url));
    const refused = status === 403 && (JSON.parse(text) as Problem).code === "right-missing";
    expect({ route: route.key, refused }).toEqual({ route: route.key, refused: route.right !== right });
    expect(status).not.toBe(401);
  }
});

test("a session that ended, or that newer ones replaced, receives nothing more", async () => {
  const { sessionsMax } = limits;
  onTestFinished(() => void Object.assign(limits, { sessionsMax }));
  Object.assign(limits, { sessionsMax: 2 });
  const it = await served();
  const login = async (): Promise<string> => {
    const { url } = (await (await it.api("POST", "/server/login")).json()) as { url: string };
    const answer = await it.api("POST", "/session", { code: new URL(url).hash.replace("#code=", "") });
    return ((await answer.json()) as Session).token;
  };
  const [oldest, other] = [await login(), await login()];
  const streams = await Promise.all([oldest, other].map((token) => follow({ url: it.url, token }, "/events")));
  const [pushedOut, givenBack] = streams.map((stream) => stream.until(() => false).catch(String));
  const newest = await follow({ url: it.url, token: await login() }, "/events");
  expect(await pushedOut).toBe("Error: the stream has ended");
  const answer = await fetch(`${it.url}${API_PREFIX}/session`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${other}` },
  });
  expect(answer.status).toBe(204);
  expect(await givenBack).toBe("Error: the stream has ended");
  await newest.until(({ event }) => event === "live");
  newest.close();
});

test.each(["OPTIONS", "HEAD", "PATCH"])("no route has the method %s", async (method) => {
  const it = await served();
  for (const route of ROUTES) {
    const request = { ...requestTo(route, it.token, it.url), method, body: "" };
    const { "content-length": _, "content-type": __, ...headers } = request.headers;
    const answer = await ask(it.url, { ...request, headers });
    expect({ route: route.key, status: answer.status }).toEqual({ route: route.key, status: 405 });
    expect(answer.headers.allow?.split(", ")).toContain(route.method);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test("without a token no one learns what exists", async () => {
  const it = await served();
  const answers = await Promise.all(
    ["/api", "/api/v1", "/api/v1/nothing", "/api/v2/runs", "/api/v1/runs/../../x"].map((path) =>
      ask(it.url, { method: "GET", path, headers: { host: new URL(it.url).host } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
});
