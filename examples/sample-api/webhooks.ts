// webhooks: POST /webhooks/send { url, event, times?, retryForMs? } posts `event` as JSON to a listener on this machine and
// reports what the listener said. A refused connection is tried again for `retryForMs`, as real senders do, so that a
// listener may be started at the same moment. Only loopback addresses are allowed, so it cannot be used as an open relay.

import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Hono } from "hono";
import { jsonObject, Refusal } from "./answer.ts";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const TIMES_MAX = 100;
const RETRY_MS_MAX = 60_000;
const ANSWER_MS_MAX = 10_000;
const RETRY_EVERY_MS = 100;

interface Delivery {
  id: string;
  status: number;
  bodyBytes: number;
  attempts: number;
}

export function webhooks(): Hono {
  return new Hono().post("/send", async (c) => {
    const body = jsonObject(c);
    const url = loopbackUrl(body.url);
    if (body.event === undefined)
      throw new Refusal(422, "missing-member", 'Say what to send: "event", any JSON value.');
    const times = bounded(body, "times", 1, 1, TIMES_MAX);
    const retryForMs = bounded(body, "retryForMs", 0, 0, RETRY_MS_MAX);
    const deliveries: Delivery[] = [];
    for (let number = 1; number <= times; number++) deliveries.push(await deliver(url, body.event, retryForMs));
    return c.json({ delivered: deliveries.every(({ status }) => status >= 200 && status < 300), deliveries });
  });
}

function loopbackUrl(value: unknown): URL {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^https?:$/.test(url.protocol) && LOOPBACK.has(url.hostname)) return url;
  throw new Refusal(422, "not-loopback", '"url" must be a loopback address, as in "http://127.0.0.1:4792/webhook".');
}

function bounded(body: Record<string, unknown>, name: string, fallback: number, min: number, max: number): number {
  const value = body[name] ?? fallback;
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw new Refusal(422, "bad-member", `"${name}" must be an integer from ${min} to ${max}.`);
}

async function deliver(url: URL, event: unknown, retryForMs: number): Promise<Delivery> {
  const id = randomUUID();
  const until = Date.now() + retryForMs;
  for (let attempts = 1; ; attempts++) {
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Webhook-Id": id },
        body: JSON.stringify(event),
        redirect: "manual",
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      });
      return { id, status: answer.status, bodyBytes: (await answer.arrayBuffer()).byteLength, attempts };
    } catch (error) {
      const { cause } = error as { cause?: { code?: string; message?: string } };
      const reason = cause?.code ?? cause?.message ?? String(error);
      if (reason === "ECONNREFUSED" && Date.now() < until) await wait(RETRY_EVERY_MS);
      else throw new Refusal(502, "not-delivered", `No server accepted the webhook at ${url.href} (${reason}).`);
    }
  }
}
