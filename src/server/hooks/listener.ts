// The webhook listener: its own port and its own HTTP server, with nothing else reachable through it (spec 2.5, 4.3).
//   L1. Only POST /h/PATH is accepted. All other requests get the same 404 after the same work: the body is read, and a
//       signature is computed.
//   L2. A body is parsed only after its signature is verified. Rejected deliveries are listed without their bodies.
//   L3. The response is 2xx only after the delivery is on disk.
//   L4. Limits apply to bytes, reading time, attempts and deliveries per second, and waiting deliveries, per hook.
//   L5. Without a signature (verify: none), requests from web pages (Origin, Sec-Fetch-Site) are rejected, unless the
//       document allows the site (ADR 49).
//   L6. A response contains only a code: no file path, no secret, nothing about a run.

import { createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../../app/log.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseJsonObject } from "../../base/tolerant.ts";
import type { Masker } from "../../secrets/masker.ts";
import { verifyWebhook } from "../../secrets/webhook-signatures.ts";
import type { WebhookTrigger } from "../../workflow/triggers/index.ts";
import { depthOf } from "../security/body.ts";
import type { ActiveTrigger } from "../triggers/active-trigger.ts";
import type { PlainResponse, Unreadable } from "../unreadable.ts";
import { keptHeaders, keptQuery } from "./headers.ts";
import type { Inbox } from "./inbox.ts";
import type { HookSecrets } from "./secrets.ts";

export type Hook = ActiveTrigger<WebhookTrigger>;

export interface HooksDeps {
  inbox: Inbox;
  secrets: HookSecrets;
  log: Log;
  nowMs(): number;
  /** Wall clock, as senders use it. It may be set back. */
  wallMs(): number;
  newRunId(): string;
  /** False while the documents have not been read, so the hooks are not known yet. */
  isReady(): boolean;
  hookAt(path: string): Hook | undefined;
  /** Asked after the signature, so that known and unknown paths take the same time. */
  isPaused(hook: Hook): Promise<boolean>;
}

interface Refusal {
  status: number;
  code: string;
  /** Seconds until the sender may try again. */
  retryAfter?: number;
}

interface Rates {
  tries: ReturnType<typeof bucket>;
  deliveries: ReturnType<typeof bucket>;
}

const NOT_FOUND: Refusal = { status: 404, code: "not-found" };
/** The key for the signature computed for unknown paths. */
const NOBODY = randomBytes(32);

export function hookHandler(deps: HooksDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const rates = new Map<string, Rates>();
  const ratesOf = (path: string): Rates => {
    const nowMs = deps.nowMs();
    const known = rates.get(path) ?? {
      tries: bucket(limits.hookTriesPerSecond, limits.hookTriesPerSecond, nowMs),
      deliveries: bucket(limits.hookPerSecond, limits.hookBurst, nowMs),
    };
    rates.set(path, known);
    return known;
  };
  return (request, response) => {
    answerTo(request, response, deps, ratesOf).catch((reason) => {
      deps.log.error({ err: reason }, "a delivery could not be answered");
      refuse(response, { status: 500, code: "internal" });
    });
  };
}

/** A token bucket: a rate per second, with room for a burst. Tells whether one more is allowed at that time. */
function bucket(perSecond: number, most: number, nowMs: number): (nowMs: number) => boolean {
  let left = most;
  let atMs = nowMs;
  return (now) => {
    left = Math.min(most, left + (Math.max(0, now - atMs) / 1_000) * perSecond);
    atMs = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

async function answerTo(
  request: IncomingMessage,
  response: ServerResponse,
  deps: HooksDeps,
  ratesOf: (path: string) => Rates,
): Promise<void> {
  const path = request.method === "POST" ? /^\/h\/([^?#]+)(?:\?|$)/.exec(request.url ?? "")?.[1] : undefined;
  const hook = path === undefined ? undefined : deps.hookAt(path);
  // All unknown paths share one rate: they cost the same, and are not remembered.
  const rates = ratesOf(hook === undefined ? "" : hook.trigger.path);
  const tried = rates.tries(deps.nowMs());
  const body = tried ? await readBody(request) : { refused: "too-many" as const };
  // L3. Do not report a hook as missing while the hooks are not known.
  if (!deps.isReady()) return refuse(response, REFUSALS.starting);
  if ("refused" in body) {
    if (hook === undefined) return refuse(response, tried ? NOT_FOUND : REFUSALS["too-many"]);
    // Do not list rejections of a flood.
    if (tried && body.refused !== "gone") await turnAway(hook, REFUSALS[body.refused], request, 0, deps);
    return refuse(response, REFUSALS[body.refused]);
  }
  if (hook === undefined) {
    createHmac("sha256", NOBODY).update(body.bytes).digest();
    return refuse(response, NOT_FOUND);
  }
  const known = hook;
  const verified = await verify(hook, request, body.bytes, deps);
  if (!verified.ok) return turned(verified.error);
  if ((hook.problem !== undefined && hook.broken !== true) || (await deps.isPaused(hook)))
    return turned(REFUSALS.paused);
  if ((request.headers["content-encoding"] ?? "identity") !== "identity") return turned(REFUSALS.encoded);
  if (depthOf(body.bytes.toString("utf8")) > limits.bodyDepthMax) return turned(REFUSALS["too-deep"]);
  const challenge = challengeOf(hook, body.bytes);
  if (challenge !== undefined) return answer(response, 200, challenge);
  if (!rates.deliveries(deps.nowMs()) || deps.inbox.waiting(hook.trigger.path) >= limits.hookQueuedMax)
    return turned(REFUSALS["too-many"]);
  const senderId = verified.value ?? senderIdOf(request);
  const masker = await deps.secrets.masker(hook);
  const received = await deps.inbox.receive({
    ...{ id: deps.newRunId(), run: deps.newRunId(), hook: hook.trigger.path, file: hook.file },
    ...{ receivedAt: new Date(deps.nowMs()).toISOString(), headers: keptHeaders(request.headers, masker) },
    ...{ query: keptQuery(request.url ?? "", masker), body: masked(body.bytes, masker), isPing: isPing(hook, request) },
    senderId: senderId === undefined ? undefined : masker.mask(senderId).slice(0, limits.deliveryIdCharsMax),
  });
  if (!received.ok) {
    deps.log.error({ hook: hook.trigger.path, code: received.error.code }, "a delivery could not be stored");
    return refuse(response, { status: 503, code: "try-later", retryAfter: 5 });
  }
  return answer(response, hook.trigger.respond, "");

  async function turned(refusal: Refusal): Promise<void> {
    await turnAway(known, refusal, request, "bytes" in body ? body.bytes.byteLength : 0, deps);
    refuse(response, refusal);
  }
}

const REFUSALS = {
  "too-many": { status: 429, code: "too-many", retryAfter: 1 },
  "too-large": { status: 413, code: "too-large" },
  "too-slow": { status: 408, code: "too-slow" },
  "too-deep": { status: 400, code: "json-too-deep" },
  encoded: { status: 415, code: "content-encoding" },
  gone: { status: 400, code: "gone" },
  starting: { status: 503, code: "starting", retryAfter: 2 },
  page: { status: 403, code: "foreign-page" },
  paused: { status: 503, code: "paused", retryAfter: 60 },
  secret: { status: 503, code: "secret", retryAfter: 60 },
} satisfies Record<string, Refusal>;

function masked(body: Buffer, masker: Masker): Uint8Array {
  if (masker.isEmpty) return body;
  const stream = masker.stream();
  return Buffer.concat([stream.push(body), stream.end()]);
}

/** Verifies the delivery and returns the sender's id for it, if its scheme has one. */
async function verify(
  hook: Hook,
  request: IncomingMessage,
  body: Uint8Array,
  deps: HooksDeps,
): Promise<Result<string | undefined, Refusal>> {
  const { verify: scheme } = hook.trigger;
  if (scheme === "none") return isForeignPage(hook, request) ? err(REFUSALS.page) : ok(undefined);
  const delivery = { headers: request.headers, body, nowMs: deps.wallMs() };
  for (const again of [false, true]) {
    const secrets = await deps.secrets.of(hook, again);
    if (!secrets.ok) {
      deps.log.error({ hook: hook.trigger.path, code: secrets.error.code }, "a webhook's secret is not available");
      return err(REFUSALS.secret);
    }
    const verified = verifyWebhook(scheme, delivery, secrets.value);
    if (verified.ok) return ok(verified.value.id);
    // The secret may just have been replaced.
    if (again || verified.error.code !== "webhook-mismatch")
      return err({ status: verified.error.code === "webhook-secret" ? 503 : 401, code: verified.error.code });
  }
  return err(REFUSALS.secret);
}

/** L5. */
function isForeignPage({ trigger }: Hook, { headers }: IncomingMessage): boolean {
  const { origin } = headers;
  if (origin !== undefined) return trigger.origins?.includes(origin) !== true;
  return headers["sec-fetch-site"] !== undefined;
}

/** For schemes without a delivery id: the id that other senders put into a header. */
function senderIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers["idempotency-key"] ?? headers["webhook-id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Slack sends a signed request once to check that the URL works. */
function challengeOf({ trigger }: Hook, body: Uint8Array): string | undefined {
  if (trigger.verify !== "slack" || body.byteLength > limits.deliveryHeaderCharsMax) return undefined;
  const { type, challenge } = parseJsonObject(Buffer.from(body).toString("utf8")) ?? {};
  return type === "url_verification" && typeof challenge === "string" ? challenge : undefined;
}

/** GitHub's first delivery to a new hook. It reports no event. */
function isPing({ trigger }: Hook, { headers }: IncomingMessage): boolean {
  return trigger.verify === "github" && headers["x-github-event"] === "ping";
}

async function turnAway(
  { trigger, file }: Hook,
  { code }: Refusal,
  request: IncomingMessage,
  bytes: number,
  deps: HooksDeps,
): Promise<void> {
  await deps.inbox.refuse({
    ...{ hook: trigger.path, file, receivedAt: new Date(deps.nowMs()).toISOString(), reason: code },
    bytes: bytes === 0 ? Number(request.headers["content-length"] ?? 0) || 0 : bytes,
  });
}

function refuse(response: ServerResponse, { status, code, retryAfter }: Refusal): void {
  // The response has already started. The sender cannot use the rest.
  if (response.headersSent) return void response.destroy();
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter));
  // Do not wait for the rest of the body.
  if (status === 413 || status === 408 || status === 429) response.setHeader("connection", "close");
  answer(response, status, `${code}\n`);
}

const HEADERS = {
  "content-type": "text/plain; charset=utf-8",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** L6. */
export function unreadable(why: Unreadable): PlainResponse {
  const status = { "bad-request": 400, "headers-too-large": 431, "body-too-large": 413, "request-too-slow": 408 }[why];
  return { status, headers: HEADERS, text: `${why}\n` };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    ...HEADERS,
    ...(status === 204 || status === 205 ? {} : { "content-length": Buffer.byteLength(text) }),
  });
  // HEAD must not have a body: Node.js throws if one is given.
  response.end(response.req.method === "HEAD" ? undefined : text);
}

/** `gone`: the sender disconnected, so there is no one to respond to. */
type Body = { bytes: Buffer } | { refused: "too-large" | "too-slow" | "gone" };

function readBody(request: IncomingMessage): Promise<Body> {
  if (Number(request.headers["content-length"] ?? 0) > limits.hookBodyBytesMax)
    return Promise.resolve({ refused: "too-large" });
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    const done = (body: Body): void => {
      clearTimeout(timer);
      chunks = [];
      resolve(body);
    };
    // Data may have arrived while this process was busy. Read it first, because the sender was not slow.
    const late = () => setImmediate(() => setImmediate(() => done({ refused: "too-slow" })));
    const timer = setTimeout(late, limits.hookReadMs);
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.hookBodyBytesMax) done({ refused: "too-large" });
      else chunks.push(chunk);
      // Drop what arrives after the body was rejected.
      if (bytes > limits.hookBodyBytesMax) chunks = [];
    });
    request.on("end", () => done({ bytes: Buffer.concat(chunks) }));
    request.on("error", () => done({ refused: "gone" }));
    request.on("close", () => done({ refused: "gone" }));
  });
}
