// Times in the responses of token endpoints, valid or not, and how often Curlew then calls them (spec 3.6): no response
// makes it call faster than it may.

import { describe, expect, test } from "vitest";
import { createBroker } from "../../src/secrets/tokens/broker.ts";
import { type Grant, grantOf } from "../../src/secrets/tokens/grant.ts";
import { login } from "../../src/secrets/tokens/login.ts";
import { folder } from "../cli/curlew.ts";
import { type Seen, serve } from "../http/server.ts";

function grant(fields: Record<string, string>): Grant {
  const made = grantOf("shop", { clientId: "me", ...fields });
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

/** A process that asks for a token, like every engine. */
async function processIn(home: string, entry: Grant, nowMs = Date.now) {
  const made = await createBroker({ home, environment: { CURLEW_KEYRING: "off" }, warn: () => {}, nowMs });
  if (!made.ok) throw new Error(made.error.message);
  return () => made.value.token({ grant: entry, mask: (text) => text, learn: () => {} });
}

async function answering(status: number, text: string): Promise<{ url: string; seen: Seen[] }> {
  return serve((_, response) => void response.writeHead(status, { "content-type": "application/json" }).end(text));
}

const NO_END = "kept, as one without an end";

describe("the lifetime of a token that says", () => {
  test.each([
    ["3600", 3_600],
    ['"3600"', 3_600],
    ["3599.5", 3_599.5],
    ["2", 2],
    ["1e300", 1_000_000_000],
    ["0", NO_END],
    ['"0"', NO_END],
    ["-5", NO_END],
    ["null", NO_END],
    ['"never"', NO_END],
    ['""', NO_END],
    ["true", NO_END],
    ["[]", NO_END],
  ])("%s is %s", async (told, seconds) => {
    const { url, seen } = await answering(200, `{"access_token":"good","expires_in":${told}}`);
    const entry = grant({ type: "oauth2-client-credentials", tokenUrl: `${url}/token`, clientSecret: "hush" });
    const now = Date.now();
    const token = await processIn(folder().home, entry, () => now);
    const first = await token();
    expect(first).toMatchObject({ ok: true, value: { access: "good", isNew: true } });
    const ahead = typeof seconds === "number" ? seconds - Math.min(60, seconds / 4) : undefined;
    expect(first.ok && first.value.renewAtMs).toBe(ahead === undefined ? undefined : now + ahead * 1_000);
    expect(await token()).toMatchObject({ ok: true, value: { access: "good", isNew: false } });
    expect(seen).toHaveLength(1);
  });
});

describe("a device whose server says", () => {
  const DEVICE = {
    device_code: "d",
    user_code: "AB-CD",
    verification_uri: "https://x.example/d",
    expires_in: 600,
    interval: 1,
  };

  async function check(says: object, answers: object[], expected: { code?: string; asked: number }): Promise<void> {
    let count = 0;
    const { url, seen } = await serve(({ url: path }, response) => {
      const said = path === "/device" ? { ...DEVICE, ...says } : answers[Math.min(count++, answers.length - 1)]!;
      response.writeHead("error" in said ? 400 : 200, { "content-type": "application/json" }).end(JSON.stringify(said));
    });
    const entry = grant({ type: "oauth2-device", deviceUrl: `${url}/device`, tokenUrl: `${url}/token` });
    const shown: { url: string; code?: string; endsAtMs: number }[] = [];
    const came = await login({ grant: entry, environment: {}, mask: (text) => text }, (prompt) => shown.push(prompt));
    if (expected.code === undefined) expect(came).toMatchObject({ ok: true, value: { access: "good" } });
    else expect(came).toMatchObject({ ok: false, error: { code: expected.code } });
    expect(shown).toMatchObject([{ url: "https://x.example/d", code: "AB-CD" }]);
    expect(new Date(shown[0]!.endsAtMs).getTime()).toBeGreaterThan(0);
    expect(seen.filter(({ url: path }) => path === "/token")).toHaveLength(expected.asked);
  }

  const GOOD = { access_token: "good" };
  const PENDING = { error: "authorization_pending" };

  test("to ask every 5 weeks is not called faster, and ends at its time limit", () =>
    check({ interval: 3_000_000, expires_in: 1 }, [PENDING], { code: "auth-expired-token", asked: 0 }));
  test("a longer interval than its lifetime is waited for no longer than that", async () => {
    const from = performance.now();
    await check({ interval: 60, expires_in: 1 }, [PENDING], { code: "auth-expired-token", asked: 0 });
    expect(performance.now() - from).toBeLessThan(30_000);
  });
  test("no end, as text, in a number beyond all dates", async () => {
    await check({ expires_in: null }, [PENDING, GOOD], { asked: 2 });
    await check({ expires_in: 1e300 }, [GOOD], { asked: 1 });
  });
  test("no interval is not called without one", () =>
    check({ interval: 0, expires_in: 1 }, [GOOD], { code: "auth-expired-token", asked: 0 }));
  test("where to go by an older field name", () =>
    check({ verification_uri: undefined, verification_url: "https://x.example/d" }, [GOOD], { asked: 1 }));
  test("that the code has expired, or that you refused", async () => {
    await check({}, [PENDING, { error: "expired_token" }], { code: "auth-expired-token", asked: 2 });
    await check({}, [{ error: "access_denied" }], { code: "auth-access-denied", asked: 1 });
  });
});

test("a revoked refresh token is sent to the server once, even by many processes, and always reported as revoked", async () => {
  const { url, seen } = await answering(400, '{"error":"invalid_grant","error_description":"revoked"}');
  const { home } = folder();
  const entry = grant({ type: "oauth2-refresh", tokenUrl: `${url}/token`, refreshToken: "gone" });
  let now = Date.now();
  const processes = await Promise.all(Array.from({ length: 8 }, () => processIn(home, entry, () => now)));
  const said = await Promise.all(processes.map((token) => token()));
  for (const one of said) expect(one).toMatchObject({ ok: false, error: { code: "auth-invalid-grant" } });
  expect(await processes[0]!()).toMatchObject({ ok: false, error: { code: "auth-invalid-grant" } });
  expect(seen).toHaveLength(1);
  // Another refresh token is another matter, and a later call may ask again.
  const other = await processIn(home, grant({ type: "oauth2-refresh", tokenUrl: `${url}/token`, refreshToken: "new" }));
  expect(await other()).toMatchObject({ ok: false, error: { code: "auth-invalid-grant" } });
  expect(seen).toHaveLength(2);
  now += 31_000;
  expect(await processes[1]!()).toMatchObject({ ok: false, error: { code: "auth-invalid-grant" } });
  expect(seen).toHaveLength(3);
});
