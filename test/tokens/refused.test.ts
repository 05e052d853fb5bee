// Tokens that are rejected, and renewals that are interrupted (spec 3.6): after a 401, kill -9 in the middle, a clock
// that was set back.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createBroker } from "../../src/secrets/tokens/broker.ts";
import { type Grant, grantOf } from "../../src/secrets/tokens/grant.ts";
import { folder } from "../cli/curlew.ts";
import { serve } from "../http/server.ts";
import { has } from "../setup/machine.ts";
import { CALL, document, ENTRIES, env, openShop, type Shop } from "./shop.ts";

vi.setConfig({ testTimeout: 240_000 });

const { api, shop: with_ } = openShop();
const attempts = async (it: Shop): Promise<number> =>
  JSON.parse((await it.run("runs show latest --json")).stdout).nodes[0].attempts.length;

describe.skipIf(!has("curl"))("a 401", () => {
  test("drops the token, and a single plain call is repeated with another, once", async () => {
    const it = await with_(ENTRIES.credentials);
    expect((await it.shop()).code).toBe(0);
    await it.post("/oauth/revoke");
    const ran = await it.shop();
    expect(ran.code, ran.stderr).toBe(0);
    expect(await attempts(it)).toBe(2);
    expect(await it.counters()).toMatchObject({ client_credentials: 2 });
    expect((await it.shop()).code).toBe(0);
    expect(await it.counters()).toMatchObject({ client_credentials: 2 });
  });

  test("of a token that was just issued is final", async () => {
    const it = await with_(ENTRIES.credentials, { fetch: CALL.replace("/protected/oauth", "/status/401") });
    const ran = await it.shop();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("The token was new, so it had not expired");
    expect(await attempts(it)).toBe(1);
    // The second run asks for a new token: the first was dropped.
    await it.shop();
    expect(await it.counters()).toMatchObject({ client_credentials: 2 });
  });

  test.each([
    ["a script is not run again automatically", ", mode: script", `echo done >> done\n${CALL}`, 1, 1],
    ["nor is one whose second call is refused", ", mode: script", `echo done >> done\n${CALL}\n${CALL}`, 1, 1],
    ["nor a line with more in it", "", `echo done >> done; ${CALL}`, 1, 1],
    [
      "but where the node says retry",
      ", retry: { maxAttempts: 2, initialInterval: 1ms }, mode: script",
      `echo done >> done\n${CALL}`,
      0,
      2,
    ],
  ])("%s", async (_, more, command, code, times) => {
    const it = await with_(ENTRIES.credentials, { fetch: command }, more);
    expect((await it.shop()).code).toBe(0);
    writeFileSync(join(it.path, "done"), "");
    await it.post("/oauth/revoke");
    const ran = await it.shop();
    expect(ran.code, ran.stderr).toBe(code);
    expect(ran.stderr.includes("Curlew did not repeat the command, because it may do something twice")).toBe(
      code === 1,
    );
    expect(it.read("done")).toBe("done\n".repeat(times));
    // From now on the token is another one, whether or not the command was repeated.
    expect((await it.shop()).code).toBe(0);
  });
});

test("curlew http with an entry of config.yaml asks for another token after a 401, once, and not if the token was just issued", async () => {
  const it = await with_(ENTRIES.credentials);
  const entry = ENTRIES.credentials.replaceAll("${api}", api().url);
  it.write(".home/config.yaml", `auth:\n  shop: ${entry}\n`);
  const ask = (path: string) => it.run(["http", "GET", api().url + path, "--auth", "shop"], { env });
  expect((await ask("/protected/oauth")).code).toBe(0);
  await it.post("/oauth/revoke");
  const again = await ask("/protected/oauth");
  expect(again).toMatchObject({ code: 0, stderr: "curlew: status 401; again with a new token\n" });
  expect(await it.counters()).toMatchObject({ client_credentials: 2 });
  // The token is good, and this URL rejects all: one more is requested, and no third.
  expect((await ask("/status/401")).code).toBe(22);
  expect(await it.counters()).toMatchObject({ client_credentials: 3 });
});

const grant = (more: Record<string, string> = {}): Grant => {
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, REFRESH_TOKEN: refreshToken } = env;
  const fields = {
    type: "oauth2-refresh",
    tokenUrl: `${api().url}/oauth/token`,
    clientId,
    clientSecret,
    refreshToken,
    ...more,
  };
  const made = grantOf("shop", fields);
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
};

/** A process that asks for a token, like every engine; `nowMs` is its clock. */
const asks = async (home: string, nowMs = Date.now, more?: Record<string, string>) => {
  const broker = await createBroker({ home, environment: { CURLEW_KEYRING: "off" }, warn: () => {}, nowMs });
  if (!broker.ok) throw new Error(broker.error.message);
  const asked = { grant: grant(more), mask: (text: string) => text, learn: () => {} };
  const learning = (learn: (secrets: string[]) => void) => broker.value.token({ ...asked, learn });
  return {
    learning,
    token: () => broker.value.token(asked),
    refused: (access: string) => broker.value.refused(asked, access),
  };
};
const codeOf = (result: { ok: boolean; error?: { code: string } }) => (result.ok ? "ok" : result.error?.code);

test("a token endpoint that says when to come back is not called until then, and its response is on record", async () => {
  const at: number[] = [];
  const { url } = await serve(({ url: path }, response) => {
    if (path === "/api") return void response.end("in\n");
    at.push(performance.now());
    const token = { access_token: "a-token-that-works", token_type: "Bearer", expires_in: 3600 };
    if (at.length > 2) return void response.end(JSON.stringify(token));
    const soon = { "retry-after": "2", "content-type": "application/json", "set-cookie": "a=b" };
    response.writeHead(at.length === 1 ? 429 : 503, soon).end(at.length === 1 ? '{"error":"slow_down"}' : "busy");
  });
  const entry = `{ type: oauth2-client-credentials, tokenUrl: "${url}/token?tenant=1", clientId: me, clientSecret: "\${CLIENT_SECRET}" }`;
  const fetchIt = { fetch: `curlew http GET ${url}/api` };
  const defaults = "defaults: { retry: { maxAttempts: 3, initialInterval: 1ms } }\n";
  const it = folder({ "f.flow.yaml": document(entry, fetchIt).replace("nodes:", `${defaults}nodes:`) });
  const ran = await it.run("run f.flow.yaml", { env });
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "in\n" });
  expect(at).toHaveLength(3);
  for (const [index, time] of at.slice(1).entries()) expect(time - at[index]!).toBeGreaterThan(1_990);
  const { attempts } = JSON.parse((await it.run("runs show latest --json")).stdout).nodes[0];
  expect(attempts[0].http).toMatchObject([{ method: "POST", url: `${url}/token`, status: 429, client: "curlew" }]);
  expect(attempts[0].http[0].headers).toMatchObject({ "retry-after": "2" });
  expect(attempts[0].http[0].headers).not.toHaveProperty("set-cookie");
});

test("a token endpoint that redirects is reported as such", async () => {
  const { url } = await serve((_, response) => void response.writeHead(307, { location: "/elsewhere" }).end());
  const entry = `{ type: oauth2-client-credentials, tokenUrl: "${url}/token", clientId: me, clientSecret: "\${CLIENT_SECRET}" }`;
  const it = folder({ "f.flow.yaml": document(entry) });
  const ran = await it.run("run f.flow.yaml --input api=http://127.0.0.1:1", { env });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("responded with status 307, a redirect, which Curlew does not follow");
});

describe.skipIf(!has("curl"))("kill -9", () => {
  /** Killed when the server has the request, before it has responded. */
  async function killedInTheMiddle(it: Shop): Promise<void> {
    await it.settings({ delayMs: 1_500 });
    const before = (await it.counters()).refresh_token ?? 0;
    const run = it.start(`run shop.flow.yaml --input api=${api().url}`, { env });
    await expect
      .poll(async () => (await it.counters()).refresh_token, { timeout: 60_000, interval: 20 })
      .toBe(before + 1);
    run.process.kill("SIGKILL");
    expect((await run.done).code).toBe("SIGKILL");
    await expect.poll(async () => (await it.counters()).issued, { timeout: 60_000 }).toBeGreaterThan(0);
    await it.settings({ delayMs: 0 });
  }

  test("while the response is on its way: no process waits for it, and the loss is reported", async () => {
    const it = await with_(ENTRIES.refresh);
    await killedInTheMiddle(it);
    const ran = await it.shop();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("error[auth-refresh-lost]");
    expect(ran.stderr).toContain("Give the auth entry a new refreshToken");
  });

  test("costs nothing if refresh tokens work more than once", async () => {
    const it = await with_(ENTRIES.refresh);
    await it.settings({ rotation: false });
    await killedInTheMiddle(it);
    const ran = await it.shop();
    expect(ran.code, ran.stderr).toBe(0);
    expect(await it.counters()).toMatchObject({ refresh_token: 2 });
  });

  test("of the engine: a resumed run asks again", async () => {
    const it = await with_(ENTRIES.credentials);
    await it.settings({ delayMs: 1_500 });
    const run = it.start(`run shop.flow.yaml --input api=${api().url}`, { env });
    await expect.poll(async () => (await it.counters()).client_credentials, { timeout: 60_000, interval: 20 }).toBe(1);
    run.process.kill("SIGKILL");
    await run.done;
    await it.settings({ delayMs: 0 });
    const again = await it.run("runs resume latest", { env });
    expect(again.code, again.stderr).toBe(0);
    expect(again.stdout).toContain("You came in by oauth");
  });
});

describe("the broker itself", () => {
  const home = () => folder().home;

  test("a token that is still good is used while the server is gone", async () => {
    api().reset();
    const at = home();
    let now = Date.now();
    const { token } = await asks(at, () => now);
    const first = await token();
    now += 3_600_000 - 30_000;
    await fetch(`${api().url}/oauth/settings`, post({ garbage: "<p>down</p>", status: 502 }));
    expect(await token()).toMatchObject({ ok: true, value: { access: first.ok && first.value.access, isNew: false } });
    now += 40_000;
    expect(codeOf(await token())).toBe("auth-unavailable");
    await fetch(`${api().url}/oauth/settings`, post({ garbage: undefined, error: "invalid_client" }));
    expect(codeOf(await token())).toBe("auth-invalid-client");
  });

  test("whoever holds a rejected token drops it, and a newer one stays", async () => {
    api().reset();
    const at = home();
    const one = await asks(at);
    const other = await asks(at);
    const first = await one.token();
    const access = first.ok ? first.value.access : "";
    await one.refused(access);
    const second = await other.token();
    expect(second).toMatchObject({ ok: true, value: { isNew: true } });
    await one.refused(access);
    expect(await one.token()).toMatchObject({ value: { access: second.ok && second.value.access, isNew: false } });
  });

  test("a file that was changed is reported, and nothing is sent", async () => {
    api().reset();
    const at = home();
    const one = await asks(at);
    await one.token();
    const asked = api().requests.length;
    const tokens = join(at, "tokens");
    const file = join(tokens, readdirSync(tokens).find((name) => name.endsWith(".age"))!);
    const bytes = readFileSync(file);
    bytes[bytes.length - 5]! ^= 1;
    writeFileSync(file, bytes);
    expect(codeOf(await (await asks(at)).token())).toBe("auth-token-damaged");
    expect(api().requests.length).toBe(asked);
  });
});

function post(body: unknown): RequestInit {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body, (_, each) => each ?? null),
  };
}

test("two processes that wait for one token both learn what to mask", async () => {
  const { url } = await serve((_, response) =>
    response.end(JSON.stringify({ access_token: "a-token-for-both", token_type: "Bearer", expires_in: 3600 })),
  );
  const { learning } = await asks(folder().home, Date.now, { tokenUrl: `${url}/token` });
  const learned: string[][] = [[], [], []];
  const given = await Promise.all(learned.map((secrets) => learning((more) => secrets.push(...more))));
  expect(given.map((token) => token.ok && token.value.access)).toEqual(Array(3).fill("a-token-for-both"));
  for (const secrets of learned) expect(secrets).toContain("a-token-for-both");
});
