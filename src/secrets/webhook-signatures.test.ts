// Webhook signatures: the senders' published examples, rejected deliveries, and the
// standard's library as reference (spec 2.5).

import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { signWebhook } from "../../test/server/sign-webhook.ts";
import { limits } from "../base/limits.ts";
import { verifyWebhook, WEBHOOK_SCHEMES, type WebhookScheme } from "./webhook-signatures.ts";

interface Example {
  scheme: WebhookScheme;
  secret: string;
  body: string;
  seconds: number;
  headers: Record<string, string>;
  id: string | undefined;
}

/**
 * From docs.github.com "Validating webhook deliveries", api.slack.com "Verifying requests from Slack", and
 * the tests of the standard's library.
 */
const EXAMPLES: Example[] = [
  {
    scheme: "github",
    secret: "It's a Secret to Everybody",
    body: "Hello, World!",
    seconds: 0,
    headers: {
      "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
      "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
    },
    id: "72d3162e-cc78-11e3-81ab-4c9367dc0958",
  },
  {
    scheme: "slack",
    secret: "8f742231b10e8888abcd99yyyzzz85a5",
    body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
    seconds: 1531420618,
    headers: {
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    },
    id: undefined,
  },
  {
    scheme: "standard-webhooks",
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    body: '{"test": 2432232314}',
    seconds: 1614265330,
    headers: {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  },
  // Stripe documents its scheme but no example bytes: HMAC-SHA-256 of `t.body`.
  {
    scheme: "stripe",
    secret: "whsec_test_secret",
    body: '{"id":"evt_test_webhook","object":"event"}',
    seconds: 1492774577,
    headers: {
      "stripe-signature": `t=1492774577,v1=${createHmac("sha256", "whsec_test_secret").update('1492774577.{"id":"evt_test_webhook","object":"event"}').digest("hex")},v0=6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39`,
    },
    id: "evt_test_webhook",
  },
  {
    scheme: "token",
    secret: "a-plain-token",
    body: "x",
    seconds: 0,
    headers: { "x-gitlab-token": "a-plain-token" },
    id: undefined,
  },
];

function check({ scheme, secret, body, seconds, headers }: Example, secrets: string[] = [secret]) {
  const result = verifyWebhook(scheme, { headers, body: Buffer.from(body), nowMs: seconds * 1_000 }, secrets);
  return result.ok ? result.value : result.error.code;
}

test.each(EXAMPLES)("$scheme: the published example is accepted", (example) => {
  expect(check(example)).toEqual({ id: example.id });
});

test.each(EXAMPLES)("$scheme: one changed bit of the body, the secret, or the signature is noticed", (example) => {
  if (example.scheme !== "token") expect(check({ ...example, body: `${example.body} ` })).toBe("webhook-mismatch");
  const other =
    example.scheme === "standard-webhooks" ? "whsec_AfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" : `${example.secret}x`;
  expect(check(example, [other])).toBe("webhook-mismatch");
  for (const [name, value] of Object.entries(example.headers)) {
    if (!/signature|token/.test(name)) continue;
    const at = value.lastIndexOf("v1=") + 10;
    const changed = value.slice(0, at) + (value[at] === "a" ? "b" : "a") + value.slice(at + 1);
    expect(check({ ...example, headers: { ...example.headers, [name]: changed } })).toBe("webhook-mismatch");
    expect(check({ ...example, headers: { ...example.headers, [name]: "" } })).toMatch(
      /^webhook-(?:malformed|unsigned)$/,
    );
    expect(check({ ...example, headers: {} })).toBe("webhook-unsigned");
  }
});

test.each(EXAMPLES)("$scheme: several secrets are accepted, in any order; without a secret nothing is", (example) => {
  const other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  expect(check(example, [other, example.secret])).toEqual({ id: example.id });
  expect(check(example, [example.secret, other])).toEqual({ id: example.id });
  expect(check(example, [])).toBe("webhook-secret");
  expect(check(example, [example.secret, ""])).toBe("webhook-secret");
});

test("a time outside the tolerance is rejected in both directions, and an invalid signature before it", () => {
  const tolerance = limits.webhookToleranceMs / 1_000;
  for (const example of EXAMPLES.filter(({ seconds }) => seconds > 0)) {
    const at = (seconds: number) => {
      const delivery = { headers: example.headers, body: Buffer.from(example.body), nowMs: seconds * 1_000 };
      const result = verifyWebhook(example.scheme, delivery, [example.secret]);
      return result.ok ? "ok" : result.error.code;
    };
    expect(at(example.seconds + tolerance)).toBe("ok");
    expect(at(example.seconds - tolerance)).toBe("ok");
    expect(at(example.seconds + tolerance + 1)).toBe("webhook-too-old");
    expect(at(example.seconds - tolerance - 1)).toBe("webhook-too-new");
    expect(check({ ...example, body: "other", seconds: example.seconds + 9_999 })).toBe("webhook-mismatch");
  }
});

test("one good signature among several is enough; too many are not read", () => {
  const [standard] = EXAMPLES.filter(({ scheme }) => scheme === "standard-webhooks");
  const good = standard!.headers["webhook-signature"]!;
  const withSignature = (text: string) =>
    check({ ...standard!, headers: { ...standard!.headers, "webhook-signature": text } });
  const bad = `v1,${Buffer.alloc(32).toString("base64")}`;
  expect(withSignature(`v1a,abc ${bad} ${good}`)).toEqual({ id: standard!.id });
  expect(withSignature(`${bad} ${bad}`)).toBe("webhook-mismatch");
  expect(withSignature(`${`${bad} `.repeat(limits.webhookSignaturesMax)}${good}`)).toBe("webhook-malformed");
});

test("times that are numbers only to JavaScript are invalid", () => {
  for (const time of ["1e9", "0x10", " ", "-5", "1.5", "01531420618", "NaN", "9".repeat(30)]) {
    const slack = EXAMPLES[1]!;
    const headers = { ...slack.headers, "x-slack-request-timestamp": time };
    expect(check({ ...slack, headers })).toBe("webhook-malformed");
  }
});

test("a signature from here is accepted here, for any bytes", () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  fc.assert(
    fc.property(fc.uint8Array(), fc.constantFrom(...WEBHOOK_SCHEMES), (body, scheme) => {
      const nowMs = 1_700_000_000_123;
      const signed = signWebhook(scheme, { body, secret, nowMs, id: "msg_1" });
      const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
      expect(verifyWebhook(scheme, { headers, body, nowMs }, [secret]).ok).toBe(true);
    }),
  );
});

test("the standard's library signs the same, and accepts signatures from here", () => {
  const secret = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
  const library = new Webhook(secret);
  fc.assert(
    fc.property(fc.json(), (body) => {
      const nowMs = Date.now();
      const signed = signWebhook("standard-webhooks", { body: Buffer.from(body), secret, nowMs, id: "msg_2" });
      expect(signed["webhook-signature"]).toBe(library.sign("msg_2", new Date(nowMs), body));
      expect(library.verify(body, signed)).toEqual(JSON.parse(body));
    }),
  );
});
