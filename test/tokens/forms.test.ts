// Token endpoints that answer like GitHub's: forms instead of JSON, errors with status 200, their own names (spec 3.6).

import { expect, test } from "vitest";
import { createBroker } from "../../src/secrets/tokens/broker.ts";
import { type Grant, grantOf } from "../../src/secrets/tokens/grant.ts";
import { login } from "../../src/secrets/tokens/login.ts";
import { folder } from "../cli/curlew.ts";
import { type Seen, serve } from "../http/server.ts";

const FORM = "application/x-www-form-urlencoded; charset=utf-8";

/** Responses that come one after the other, each a form or JSON. */
async function endpoint(...answers: [body: string, status?: number][]): Promise<{ url: string; seen: Seen[] }> {
  return serve((_, response, count) => {
    const [body, status = 200] = answers[Math.min(count, answers.length) - 1]!;
    response.writeHead(status, { "content-type": body.startsWith("{") ? "application/json" : FORM }).end(body);
  });
}

function grant(fields: Record<string, string>): Grant {
  const made = grantOf("hub", { clientId: "me", ...fields });
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

async function ask(fields: Record<string, string>) {
  const { home } = folder({});
  const broker = await createBroker({
    home,
    environment: { CURLEW_KEYRING: "off" },
    warn: () => {},
    nowMs: () => Date.now(),
  });
  if (!broker.ok) throw new Error(broker.error.message);
  return broker.value.token({ grant: grant(fields), mask: (text) => text, learn: () => {} });
}

const client = (url: string) => ({ type: "oauth2-client-credentials", tokenUrl: `${url}/token`, clientSecret: "hush" });

test("a token in a form is accepted, and JSON is requested", async () => {
  const { url, seen } = await endpoint([
    "access_token=gho_16C7e42F&expires_in=28800&scope=repo%2Cgist&token_type=bearer",
  ]);
  expect(await ask(client(url))).toMatchObject({ ok: true, value: { access: "gho_16C7e42F", isNew: true } });
  expect(seen[0]?.headers.accept).toBe("application/json");
});

test("a device login works with forms, errors with status 200 and an interval that grows", async () => {
  const { url, seen } = await endpoint(
    [
      "device_code=3584d83&expires_in=899&interval=1&user_code=WDJB-MJHT&verification_uri=https%3A%2F%2Fgithub.com%2Flogin%2Fdevice",
    ],
    ["error=authorization_pending&error_description=The+authorization+request+is+still+pending."],
    ["access_token=gho_by_device&scope=&token_type=bearer"],
  );
  const shown: unknown[] = [];
  const entry = grant({ type: "oauth2-device", deviceUrl: `${url}/device/code`, tokenUrl: `${url}/token` });
  const came = await login({ grant: entry, environment: {}, mask: (text) => text }, (prompt) => shown.push(prompt));
  expect(came).toMatchObject({ ok: true, value: { access: "gho_by_device" } });
  expect(shown).toMatchObject([{ url: "https://github.com/login/device", code: "WDJB-MJHT" }]);
  expect(seen.map(({ headers }) => headers.accept)).toEqual(Array(3).fill("application/json"));
});

test.for<[string, [string, number?], string, string]>([
  [
    "GitHub's word for a wrong client",
    ["error=incorrect_client_credentials&error_description=The+client_id+and%2For+client_secret+passed+are+incorrect."],
    "auth-invalid-client",
    "(incorrect_client_credentials, status 200). It said: «The client_id and/or client_secret passed are incorrect.»",
  ],
  ["a custom error", ["error=constructor"], "auth-refused", "(constructor, status 200)"],
  [
    "an error in another form",
    ['{"errorCode":"E0000011","errorSummary":"Invalid token provided"}', 400],
    "auth-refused",
    "responded with status 400 and said «Invalid token provided»",
  ],
  [
    "an error that is an object",
    ['{"error":{"message":"Unknown application","code":101}}', 503],
    "auth-unavailable",
    "responded with status 503 and said «Unknown application»",
  ],
  ["a page that speaks of a token", ["<p>error=1&access_token=no</p>"], "auth-not-json", "a page that is not JSON"],
  ["a text", ["hello=world"], "auth-not-json", "something that is not JSON"],
])("%s is reported", async ([, answer, code, words]) => {
  const { url } = await endpoint(answer);
  expect(await ask(client(url))).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(words) } });
});
