// Tokens that need you to sign in (spec 3.6): a code typed elsewhere, a browser that comes back; with a terminal,
// without one, and afterwards.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Ran, Started } from "../cli/curlew.ts";
import { onTerminal } from "../cli/on-terminal.ts";
import { has } from "../setup/machine.ts";
import { document, ENTRIES, env, openShop, type Shop, shopWith } from "./shop.ts";

vi.setConfig({ testTimeout: 240_000 });

const { api, shop: with_ } = openShop();
const login = (it: Shop, more = ""): Started =>
  it.start(`auth login shop shop.flow.yaml --input api=${api().url} ${more}`, { env });

/** A program's output up to the text. */
async function heard(program: Started, text: string): Promise<string> {
  let printed = "";
  program.process.stderr.on("data", (part) => {
    printed += part;
  });
  program.process.stdout.on("data", (part) => {
    printed += part;
  });
  await Promise.race([program.says(text), program.says(text, "stdout")]);
  return printed;
}

async function decide(it: Shop, program: Started, decision: string): Promise<void> {
  const printed = await heard(program, "Ctrl-C gives up");
  const user_code = /The code there is {2}([A-Z0-9-]+)/.exec(printed)?.[1];
  expect((await it.post("/oauth/device/answer", { user_code, decision })).status).toBe(200);
}

async function browse(program: Started, decision: string): Promise<URL> {
  const printed = await heard(program, "Ctrl-C gives up");
  const url = new URL(/http:\S+\/oauth\/authorize\S+/.exec(printed)![0]);
  url.searchParams.set("decision", decision);
  const answer = await fetch(url, { redirect: "manual" });
  return new URL(answer.headers.get("location")!);
}

async function succeedsAfter(it: Shop, done: Ran): Promise<void> {
  expect(done.code, done.stderr).toBe(0);
  expect(done.stderr).toContain('Signed in: "shop"');
  const ran = await it.shop();
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toContain("You came in by oauth");
}

test("a subflow that signs in by an entry of config.yaml asks before anything runs", async () => {
  const inner = document(ENTRIES.device).replace(/^auth: .*$/m, "");
  const outer =
    'curlew: 1\nname: Outer\nnodes:\n  - { id: first, type: cli, data: { title: F, content: touch ran } }\n  - { id: in, type: subflow, data: { title: I, workflow: inner.flow.yaml, inputs: { api: "API" } } }\nedges: [first -> in]\n';
  const it = await shopWith(api(), { "inner.flow.yaml": inner, "shop.flow.yaml": outer.replace("API", api().url) });
  it.write(".home/config.yaml", `auth:\n  shop: ${ENTRIES.device.replaceAll("${api}", api().url)}\n`);
  const ran = await it.run("run shop.flow.yaml", { env });
  expect(ran.stderr).toContain("error[auth-login-needed]");
  expect(ran.code).toBe(2);
  expect(existsSync(join(it.path, "ran"))).toBe(false);
});

test("a subflow that signs in by its own inputs asks when it is reached", async () => {
  const outer = `curlew: 1\nname: Outer\nnodes:\n  - { id: in, type: subflow, data: { title: I, workflow: inner.flow.yaml, inputs: { api: "${api().url}" } } }\n`;
  const it = await shopWith(api(), { "inner.flow.yaml": document(ENTRIES.device), "shop.flow.yaml": outer });
  const ran = await it.run("run shop.flow.yaml", { env });
  expect(ran.stderr).toContain("error[auth-login-needed]");
  expect(ran.code).toBe(1);
});

describe.skipIf(!has("curl"))("a device", () => {
  test("shows where to go and what to type, polls as slowly as the server says, and then the run continues", async () => {
    const it = await with_(ENTRIES.device);
    const begun = login(it);
    await decide(it, begun, "allow");
    await succeedsAfter(it, await begun.done);
    expect((await it.counters()).device_code).toBeGreaterThan(0);
    expect(JSON.parse((await it.run("auth --json")).stdout)).toMatchObject([
      { name: "shop", type: "oauth2-device", renewable: true, fresh: true },
    ]);
  });

  test.each([
    ["deny", {}, "auth-access-denied"],
    ["", { deviceSeconds: 1 }, "auth-expired-token"],
    ["", { error: "slow_down", deviceSeconds: 2 }, "auth-expired-token"],
    ["", { error: "invalid_client", status: 401 }, "auth-invalid-client"],
  ])("%s %j: %s", async (decision, settings, code) => {
    const it = await with_(ENTRIES.device);
    await it.settings(settings);
    const begun = login(it);
    if (decision !== "") await decide(it, begun, decision);
    const done = await begun.done;
    expect(done.code).toBe(1);
    expect(done.stderr).toContain(`error[${code}]`);
  });

  test("Ctrl-C cancels it", async () => {
    const it = await with_(ENTRIES.device);
    const begun = login(it);
    await begun.says("Ctrl-C gives up");
    begun.process.kill("SIGINT");
    expect((await begun.done).code).toBe(130);
  });
});

describe.skipIf(!has("curl"))("a browser", () => {
  test("comes back with a code, once, to this machine, with Curlew's state", async () => {
    const it = await with_(ENTRIES.code);
    const begun = login(it);
    const back = await browse(begun, "allow");
    expect(back.hostname).toBe("127.0.0.1");
    const stray = new URL(back);
    stray.searchParams.set("state", "guessed");
    stray.searchParams.set("code", "planted");
    expect((await fetch(stray)).status).toBe(404);
    expect((await fetch(new URL("/", back))).status).toBe(404);
    const page = await fetch(back);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    await succeedsAfter(it, await begun.done);
    const asked = api().requests.find(({ path }) => path === "/oauth/token")!;
    expect(asked.body).toContain("code_verifier=");
  });

  test("another host name is not answered", async () => {
    const it = await with_(ENTRIES.code);
    const begun = login(it);
    const back = await browse(begun, "allow");
    const { request } = await import("node:http");
    const status = await new Promise((resolve) =>
      request({
        host: "127.0.0.1",
        port: back.port,
        path: back.pathname + back.search,
        headers: { Host: "evil.example" },
      })
        .on("response", (answer) => resolve(answer.resume().statusCode))
        .end(),
    );
    expect(status).toBe(404);
    await fetch(back);
    await succeedsAfter(it, await begun.done);
  });

  test("says no", async () => {
    const it = await with_(ENTRIES.code);
    const begun = login(it);
    await fetch(await browse(begun, "deny"));
    const done = await begun.done;
    expect(done.code).toBe(1);
    expect(done.stderr).toContain("error[auth-access-denied]");
  });
});

describe.skipIf(!has("curl"))("a run", () => {
  test("without a terminal does not start, and names the command that helps", async () => {
    const it = await with_(ENTRIES.device);
    const ran = await it.shop();
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("error[auth-login-needed]");
    expect(ran.stderr).toContain("curlew auth login shop");
    expect((await it.run("runs --json")).stdout.trim()).toBe("[]");
    expect(await it.counters()).toEqual({});
  });

  test("on a terminal shows where to go, and continues", async () => {
    const it = await with_(ENTRIES.device);
    const begun = onTerminal(it, `run shop.flow.yaml --input api=${api().url}`, env, 200);
    await decide(it, begun, "allow");
    const done = await begun.done;
    expect(done.code, done.stdout).toBe(0);
    expect(done.stdout).toContain("You came in by oauth");
  });

  test("of an imported workflow sends nothing before you have seen its commands", async () => {
    const text = document(ENTRIES.device).replace("name: Shop", "name: Shop\nimported: { from: https://x.example/a }");
    const it = await shopWith(api(), { "shop.flow.yaml": text });
    const ran = await it.shop();
    expect(ran.code, ran.stderr).toBe(3);
    expect(api().requests.filter(({ path }) => path.startsWith("/oauth/d"))).toEqual([]);
  });
});
