// A server starts, says where it is, answers, and ends (spec 2.2, 2.7).

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ServerInfo, Session } from "../../src/api/shapes.ts";
import { served, servedIn } from "./served.ts";

test("server.json has the server's URL, readable only for its owner, until the server ends", async () => {
  const it = await served();
  const file = join(it.home, "server.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    url: it.url,
    hooksUrl: it.running.hooksUrl,
    token: it.token,
    pid: process.pid,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(it.home, "server.log")).mode & 0o777).toBe(0o600);
  const info = (await (await it.api("GET", "/server")).json()) as ServerInfo;
  expect(info).toMatchObject({ version: "0.0.0-test", folder: it.folder });
  await it.close();
  expect(existsSync(file)).toBe(false);
  await expect(it.api("GET", "/server")).rejects.toThrow();
});

test("a data directory has one server at a time", async () => {
  const it = await served();
  await expect(servedIn(it.home, it.folder)).rejects.toThrow("server-running");
  await it.close();
  const next = await servedIn(it.home, it.folder);
  expect((await next.api("GET", "/server")).status).toBe(200);
});

test("a link with misspelt rights is not issued, and certainly not one with all rights", async () => {
  const it = await served();
  for (const body of [
    { right: ["read"] },
    { rights: ["read"], for: "Ada" },
    { rights: ["Read"] },
    [],
    ["read"],
    "read",
  ]) {
    const answer = await it.api("POST", "/server/login", body);
    expect([400, 422], JSON.stringify(body)).toContain(answer.status);
    expect(((await answer.json()) as { url?: string }).url).toBeUndefined();
  }
});

test("the code of a link gives one session, which ends when it is given back", async () => {
  const it = await served();
  const code = new URL(it.running.link()).hash.replace("#code=", "");
  const login = () =>
    fetch(`${it.url}/api/v1/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
  const first = await login();
  expect(first.status).toBe(201);
  const { token, rights } = (await first.json()) as Session;
  expect(rights).toContain("admin");
  const again = await login();
  expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([401, "login-code-invalid"]);
  const headers = { authorization: `Bearer ${token}` };
  const server = () => fetch(`${it.url}/api/v1/server`, { headers });
  expect((await server()).status).toBe(200);
  expect((await fetch(`${it.url}/api/v1/session`, { method: "DELETE", headers })).status).toBe(204);
  expect((await server()).status).toBe(401);
});
