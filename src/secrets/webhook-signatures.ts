// Verifies webhook signatures (spec 2.5): GitHub, Stripe, Slack, Standard Webhooks, and a plain token.
//   W1. Every secret is compared with every signature in constant time, so that the duration reveals nothing.
//   W2. The signature covers the exact bytes of the body, which is parsed only after verification.
//   W3. Schemes with a timestamp reject deliveries outside the tolerance even if the signature is
//       valid, because they may be replayed.
//   W4. Several secrets may be valid at once, so that one can be replaced without losing deliveries.
//       Failures contain no secret or signature.
// The caller passes `nowMs`, and remembers deliveries by the `id` that is returned.

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { parseJsonObject } from "../base/tolerant.ts";

export const WEBHOOK_SCHEMES = ["github", "stripe", "slack", "standard-webhooks", "token"] as const;
export type WebhookScheme = (typeof WEBHOOK_SCHEMES)[number];

export interface Delivery {
  /** Names in lowercase. If a header occurs more than once, the first value is used. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The exact bytes received. */
  body: Uint8Array;
  nowMs: number;
  /** Milliseconds in either direction. Default: 5 minutes. */
  toleranceMs?: number;
}

export interface Verified {
  /** The sender's id for the delivery, the same when it is sent again. Undefined if the sender gives no id. */
  id: string | undefined;
}

/**
 * Failures: `webhook-unsigned` (a header is missing), `webhook-malformed` (a header is invalid),
 * `webhook-too-old`, `webhook-too-new`, `webhook-mismatch` (another secret or other bytes), `webhook-secret`
 * (the configured secret is unusable).
 */
export function verifyWebhook(
  scheme: WebhookScheme,
  delivery: Delivery,
  secrets: readonly string[],
): Result<Verified, Failure> {
  const keys = keysOf(scheme, secrets);
  if (!keys.ok) return keys;
  const read = READ[scheme]((name) => first(delivery.headers[name]));
  if (!read.ok) return read;
  const { seconds, signatures, signed, encoding, id } = read.value;
  let matches = false;
  for (const key of keys.value)
    for (const signature of signatures) {
      const expected = signed === undefined ? hash(key) : hmac(key, signed, delivery.body);
      const given = signed === undefined ? hash(Buffer.from(signature)) : Buffer.from(signature, encoding);
      matches = (given.length === expected.length && timingSafeEqual(given, expected)) || matches;
    }
  if (!matches) return err(mismatch(scheme));
  const late = seconds === undefined ? undefined : untimely(seconds, delivery);
  return late === undefined ? ok({ id: id ?? idInBody(scheme, delivery.body) }) : err(late);
}

type Get = (name: string) => string | undefined;

interface Read {
  /** The time of sending, in seconds since 1970. */
  seconds?: number;
  signatures: readonly string[];
  /** The text before the body in the signed content. Absent if the signature is the secret itself. */
  signed?: string;
  encoding?: "hex" | "base64";
  id?: string | undefined;
}

const READ: Readonly<Record<WebhookScheme, (get: Get) => Result<Read, Failure>>> = {
  github: (get) => {
    const header = get("x-hub-signature-256");
    if (header === undefined) return err(unsigned("github", "X-Hub-Signature-256"));
    const hex = /^sha256=([0-9a-f]{64})$/i.exec(header.trim())?.[1];
    if (hex === undefined) return err(malformed("github", "X-Hub-Signature-256", "sha256= and 64 hex digits"));
    return ok({ signatures: [hex], signed: "", encoding: "hex", id: get("x-github-delivery") });
  },
  stripe: (get) => {
    const header = get("stripe-signature");
    if (header === undefined) return err(unsigned("stripe", "Stripe-Signature"));
    const parts = header.split(",").map((part) => part.trim());
    const seconds = secondsIn(parts.find((part) => part.startsWith("t="))?.slice(2));
    const signatures = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/i.exec(part)?.[1] ?? []);
    if (seconds === undefined || signatures.length === 0 || parts.length > limits.webhookSignaturesMax)
      return err(malformed("stripe", "Stripe-Signature", "t=TIME,v1=HEX"));
    return ok({ seconds, signatures, signed: `${seconds}.`, encoding: "hex" });
  },
  slack: (get) => {
    const header = get("x-slack-signature");
    const time = get("x-slack-request-timestamp");
    if (header === undefined) return err(unsigned("slack", "X-Slack-Signature"));
    if (time === undefined) return err(unsigned("slack", "X-Slack-Request-Timestamp"));
    const hex = /^v0=([0-9a-f]{64})$/i.exec(header.trim())?.[1];
    const seconds = secondsIn(time);
    if (hex === undefined) return err(malformed("slack", "X-Slack-Signature", "v0= and 64 hex digits"));
    if (seconds === undefined) return err(malformed("slack", "X-Slack-Request-Timestamp", "seconds since 1970"));
    return ok({ seconds, signatures: [hex], signed: `v0:${seconds}:`, encoding: "hex" });
  },
  "standard-webhooks": (get) => {
    // Senders from before the standard use the prefix `svix`.
    const part = (name: string) => get(`webhook-${name}`) ?? get(`svix-${name}`);
    const [id, time, header] = [part("id"), part("timestamp"), part("signature")];
    if (!id) return err(unsigned("standard-webhooks", "webhook-id"));
    if (time === undefined) return err(unsigned("standard-webhooks", "webhook-timestamp"));
    if (header === undefined) return err(unsigned("standard-webhooks", "webhook-signature"));
    const seconds = secondsIn(time);
    const parts = header.trim().split(/\s+/);
    const signatures = parts.flatMap((one) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one)?.[1] ?? []);
    if (seconds === undefined) return err(malformed("standard-webhooks", "webhook-timestamp", "seconds since 1970"));
    if (signatures.length === 0 || parts.length > limits.webhookSignaturesMax)
      return err(malformed("standard-webhooks", "webhook-signature", "v1, and base64 of 32 bytes"));
    return ok({ seconds, signatures, signed: `${id}.${seconds}.`, encoding: "base64", id });
  },
  token: (get) => {
    const bearer = /^Bearer\s+(\S+)\s*$/i.exec(get("authorization") ?? "")?.[1];
    const token = get("x-webhook-token") ?? get("x-gitlab-token") ?? bearer;
    if (!token) return err(unsigned("token", "X-Webhook-Token, X-Gitlab-Token or Authorization: Bearer"));
    return ok({ signatures: [token], id: get("x-gitlab-event-uuid") });
  },
};

/**
 * Accepts digits only, without a leading zero. JavaScript also parses "1e3" and
 * "0x10", but the sender signed other bytes.
 */
function secondsIn(text: string | undefined): number | undefined {
  return text !== undefined && /^(?:0|[1-9]\d{0,14})$/.test(text.trim()) ? Number(text) : undefined;
}

/** The keys for the scheme. An unusable secret is a failure and never skipped. */
function keysOf(scheme: WebhookScheme, secrets: readonly string[]): Result<Buffer[], Failure> {
  if (secrets.length === 0) return err(badSecret("There is no secret for checking it."));
  const keys: Buffer[] = [];
  for (const secret of secrets) {
    const text = scheme === "standard-webhooks" ? secret.replace(/^whsec_/, "") : secret;
    if (text === "") return err(badSecret("The secret is empty, so anyone could sign with it."));
    if (
      scheme === "standard-webhooks" &&
      !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text)
    )
      return err(badSecret("The secret of standard-webhooks must be whsec_ and base64."));
    keys.push(Buffer.from(text, scheme === "standard-webhooks" ? "base64" : "utf8"));
  }
  return ok(keys);
}

function hmac(key: Buffer, before: string, body: Uint8Array): Buffer {
  return createHmac("sha256", key).update(before).update(body).digest();
}

/** Hashes have the same length for any input. */
function hash(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" || value === undefined ? value : value[0];
}

/** W3. */
function untimely(seconds: number, { nowMs, toleranceMs = limits.webhookToleranceMs }: Delivery): Failure | undefined {
  const ageMs = nowMs - seconds * 1_000;
  if (Math.abs(ageMs) <= toleranceMs) return undefined;
  const isOld = ageMs > 0;
  const far = `${Math.round(Math.abs(ageMs) / 1_000)} s`;
  return {
    ...(isOld ? { code: "webhook-too-old" } : { code: "webhook-too-new" }),
    message: `The delivery's signature is from ${far} ${isOld ? "ago" : "ahead"}. The limit is ${Math.round(toleranceMs / 1_000)} s.`,
    hint: "Let the sender send it again, and check the clocks of both machines.",
  };
}

/** W2: the body is parsed only after its signature was verified. */
function idInBody(scheme: WebhookScheme, body: Uint8Array): string | undefined {
  const field = scheme === "stripe" ? "id" : scheme === "slack" ? "event_id" : undefined;
  if (field === undefined) return undefined;
  const value = parseJsonObject(Buffer.from(body).toString("utf8"))?.[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}

const unsigned = failureOf("webhook-unsigned", (scheme: WebhookScheme, header: string) => [
  `The delivery has no ${header} header, which ${scheme} needs.`,
  "Set the secret at the sender, and check that no proxy removes the header.",
]);

const malformed = failureOf("webhook-malformed", (scheme: WebhookScheme, header: string, form: string) => [
  `The ${header} header of the delivery must be ${form} for ${scheme}.`,
  "Check that verify matches the sender.",
]);

const mismatch = failureOf("webhook-mismatch", (scheme: WebhookScheme) => [
  scheme === "token"
    ? "The token of the delivery is wrong."
    : "The signature of the delivery does not match its body and the secret.",
  "Check that both sides have the same secret, and that no proxy changes the body.",
]);

function badSecret(message: string): Failure {
  return { code: "webhook-secret", message, hint: "Use the secret that the sender shows for this webhook." };
}
