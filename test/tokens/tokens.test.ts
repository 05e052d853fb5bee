// The token broker, seen from outside (spec 3.6): real processes, and a real authorization server that counts its
// requests.

import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { filesOf } from "../secrets/hunt.ts";
import { has } from "../setup/machine.ts";
import { CALL, document, ENTRIES, env, openShop, shopWith } from "./shop.ts";

vi.setConfig({ testTimeout: 240_000 });

const { api, shop: with_ } = openShop();

describe.skipIf(!has("curl"))("one token", () => {
  test("for many nodes and many runs", async () => {
    const it = await with_(ENTRIES.credentials, { a: CALL, b: CALL, c: CALL });
    for (let run = 0; run < 2; run++) {
      const ran = await it.shop();
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stdout).toContain("You came in by oauth");
    }
    expect(await it.counters()).toMatchObject({ client_credentials: 1, issued: 1 });
  });

  test("for many processes that need it at the same moment: the server gets one request", async () => {
    const it = await with_(ENTRIES.refresh, { a: CALL, b: CALL });
    await it.settings({ delayMs: 300 });
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => it.start(`run shop.flow.yaml --input api=${api().url}`, { env }).done),
    );
    expect(
      runs.map(({ code }) => code),
      runs.map(({ stderr }) => stderr).join(),
    ).toEqual(Array(8).fill(0));
    expect(await it.counters()).toMatchObject({ refresh_token: 1, atOnce: 1, issued: 1 });
  });

  test("is renewed before it expires, by refresh tokens that work once, and the first is then no longer needed", async () => {
    const it = await with_(ENTRIES.refresh);
    // It is renewed with a quarter of its lifetime left: time for a call to arrive, however busy the machine is.
    await it.settings({ lifetime: 6 });
    const failed: string[] = [];
    const issued = async () => {
      const ran = await it.shop();
      if (ran.code !== 0) failed.push(ran.stderr);
      return (await it.counters()).issued;
    };
    for (const times of [1, 2]) await expect.poll(issued, { timeout: 60_000, interval: 500 }).toBe(times);
    expect(failed).toEqual([]);
    const counted = await it.counters();
    expect(counted.refused).toBeUndefined();
    expect(counted.refresh_token).toBe(2);
  });

  test("is renewed in the middle of a command, for every call that is still to come", async () => {
    const it = await with_(ENTRIES.refresh, { fetch: `while [ ! -e go ]; do sleep 0.05; done; ${CALL}` });
    await it.settings({ lifetime: 2 });
    const run = it.start(`run shop.flow.yaml --input api=${api().url}`, { env });
    const issued = (times: number) =>
      expect.poll(async () => (await it.counters()).issued, { timeout: 60_000, interval: 20 }).toBe(times);
    const handed = () =>
      filesOf(it.home).flatMap((file) =>
        /auth-[^/]*\/\.curlrc$/.test(file) ? /oauth2-bearer = "(.*)"/.exec(readFileSync(file, "utf8"))! : [],
      )[1];
    await issued(2);
    await it.settings({ lifetime: 3_600 });
    const before = handed();
    await issued(3);
    await expect.poll(handed, { timeout: 60_000, interval: 20 }).not.toBe(before);
    it.write("go", "");
    const ran = await run.done;
    expect(ran.code, ran.stderr).toBe(0);
    expect((await it.counters()).refused).toBeUndefined();
    // The first token expired long ago; the call was made once, with the newest.
    expect(
      api()
        .requests.filter(({ path }) => path === "/protected/oauth")
        .map(({ status }) => status),
    ).toEqual([200]);
  });

  test.each([
    ["as JSON, the mission's form", "body: json", /^\{"grant_type"|"grant_type":"client_credentials"/, undefined],
    ["as a form", "body: form", /grant_type=client_credentials/, undefined],
    ["with the client in the header", "clientAuth: basic", /^grant_type=client_credentials$/, /^Basic /],
    [
      "with scope, audience and resource",
      'scope: "read write", audience: aud, resource: "urn:r"',
      /scope=read\+write&audience=aud&resource=urn%3Ar/,
      undefined,
    ],
  ])("is asked for %s", async (_, more, body, header) => {
    const it = await with_(ENTRIES.credentials.replace(" }", `, ${more} }`));
    const ran = await it.shop();
    expect(ran.code, ran.stderr).toBe(0);
    const asked = api().requests.find(({ path }) => path === "/oauth/token")!;
    expect(asked.body).toMatch(body);
    if (header === undefined) expect(asked.headers.authorization).toBeUndefined();
    else expect(asked.headers.authorization).toMatch(header);
  });

  test("a client whose id has dashes, by a server that does not decode the header", async () => {
    const it = await with_(ENTRIES.credentials.replace(" }", ", clientAuth: basic }"));
    await it.shop();
    const { authorization = "" } = api().requests.find(({ path }) => path === "/oauth/token")!.headers;
    const { CLIENT_ID, CLIENT_SECRET } = env;
    expect(CLIENT_ID).toContain("-");
    expect(Buffer.from(authorization.slice(6), "base64").toString()).toBe(`${CLIENT_ID}:${CLIENT_SECRET}`);
  });

  test("by the issuer alone", async () => {
    const it = await with_(ENTRIES.credentials.replace('tokenUrl: "${api}/oauth/token"', 'issuer: "${api}"'));
    const ran = await it.shop();
    expect(ran.code, ran.stderr).toBe(0);
    expect(api().requests.map(({ path }) => path)).toContain("/.well-known/oauth-authorization-server");
  });

  test("over TLS, with the CA that the environment names", async () => {
    const it = await with_(ENTRIES.credentials, { a: "echo in" });
    const at = { args: `run shop.flow.yaml --input api=${api().httpsUrl}` };
    const refused = await it.run(at.args, { env });
    expect(refused.stderr).toContain("auth-certificate");
    expect((await it.run(at.args, { env: { ...env, SSL_CERT_FILE: api().caFile } })).stdout).toBe("in\n");
  });

  test("another client secret does not get the token of the first", async () => {
    const it = await with_(ENTRIES.credentials);
    expect((await it.shop()).code).toBe(0);
    const wrong = await it.shop({ env: { CLIENT_SECRET: "not-the-secret" } });
    expect(wrong.stderr).toContain("error[auth-invalid-client]");
    expect(wrong.stderr).not.toContain("not-the-secret");
  });

  test("a dry run requests nothing", async () => {
    const it = await with_(ENTRIES.credentials);
    expect((await it.shop({}, "--dry-run")).code).toBe(0);
    expect(await it.counters()).toEqual({});
  });

  test("nothing is requested before the approval, and the approval does not depend on a token", async () => {
    const it = await with_(ENTRIES.credentials, { fetch: CALL }, ", needsUserApproval: true");
    expect((await it.shop()).code).toBe(3);
    expect(await it.counters()).toEqual({});
    const approved = await it.run("approve latest fetch", { env });
    expect(approved.code, approved.stderr).toBe(0);
    expect(approved.stdout).toContain("You came in by oauth");
    expect(await it.counters()).toMatchObject({ client_credentials: 1 });
  });

  test("an entry of config.yaml, with a secret that the document does not declare", async () => {
    const text = document(ENTRIES.credentials)
      .replace(/^auth: .*$/m, "")
      .replace(/^secrets: .*$/m, "");
    const it = await shopWith(api(), { "shop.flow.yaml": text });
    const entry = ENTRIES.credentials.replaceAll("${api}", api().url);
    it.write(".home/config.yaml", `auth:\n  shop: ${entry}\n`);
    const ran = await it.shop();
    expect(ran.code, ran.stderr).toBe(0);
    it.write(".home/config.yaml", "auth:\n  other: { type: bearer, token: x }\n");
    expect((await it.shop()).stderr).toContain("error[auth-unknown]");
    it.write(".home/config.yaml", "auth:\n  shop: { type: bearer }\n");
    expect((await it.shop()).stderr).toContain("error[auth-config]");
  });
});

describe.skipIf(!has("curl"))("no token", () => {
  test.each([
    ["invalid_client", {}, "auth-invalid-client"],
    ["access_denied", {}, "auth-access-denied"],
    ["invalid_grant", {}, "auth-invalid-grant"],
    ["tea_only", {}, "auth-refused"],
    [undefined, { garbage: "<html>hello</html>" }, "auth-not-json"],
    [undefined, { garbage: "{}", status: 503 }, "auth-unavailable"],
    [undefined, { garbage: "{}", status: 302 }, "auth-refused"],
    [undefined, { garbage: '{"access_token":"a b\\nc","token_type":"bearer"}' }, "auth-answer"],
  ])("%s %j: %s", async (error, more, code) => {
    const it = await with_(ENTRIES.credentials);
    await it.settings({ error, ...more });
    const ran = await it.shop();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`error[${code}]`);
    expect(ran.stderr).not.toContain(env.CLIENT_SECRET);
    expect(ran.stderr).not.toMatch(/\bat .*\.ts:/);
  });

  test("no server listens; temporary failures are retried, others are not", async () => {
    const retry = ", retry: { maxAttempts: 3, initialInterval: 5ms, jitter: none }";
    const it = await with_(ENTRIES.credentials, { fetch: CALL }, retry);
    const ran = await it.run("run shop.flow.yaml --input api=http://127.0.0.1:9", { env });
    expect(ran.stderr).toContain("error[auth-unreachable]");
    const attempts = async () => JSON.parse((await it.run("runs show latest --json")).stdout).nodes[0].attempts.length;
    expect(await attempts()).toBe(3);
    expect((await it.shop({ env: { CLIENT_SECRET: "not-the-secret" } })).code).toBe(1);
    expect(await attempts()).toBe(1);
  });

  test("http to another machine: nothing is sent", async () => {
    const it = await with_(ENTRIES.credentials, { fetch: "echo in" });
    const ran = await it.run("run shop.flow.yaml --input api=http://shop.example", { env });
    expect(ran.stderr).toContain("error[auth-not-https]");
  });

  test("the server's message is shown on one line, shortened, without secrets", async () => {
    const it = await with_(ENTRIES.credentials);
    const said = `bad ${env.CLIENT_SECRET} \u001b[31m\n${"x".repeat(900)}`;
    await it.settings({ garbage: JSON.stringify({ error: "invalid_client", error_description: said }), status: 400 });
    const ran = await it.shop();
    expect(ran.stderr).toContain("It said: «bad *** [31m x");
    expect(ran.stderr).not.toContain("x".repeat(400));
    expect(ran.stderr).not.toContain(env.CLIENT_SECRET);
  });
});
