// Signs a delivery as its sender does (spec 2.5): the counterpart of secrets/webhook-signatures.ts.

import { createHmac } from "node:crypto";
import type { WebhookScheme } from "../../src/secrets/webhook-signatures.ts";

/** The headers, in their usual spelling. `id` is for standard-webhooks and github. */
export function signWebhook(
  scheme: WebhookScheme,
  { body, secret, nowMs, id }: { body: Uint8Array; secret: string; nowMs: number; id: string },
): Record<string, string> {
  const seconds = String(Math.floor(nowMs / 1_000));
  const hmac = (before: string, key: string | Buffer = secret) =>
    createHmac("sha256", key).update(before).update(body).digest();
  switch (scheme) {
    case "github":
      return { "X-Hub-Signature-256": `sha256=${hmac("").toString("hex")}`, "X-GitHub-Delivery": id };
    case "stripe":
      return { "Stripe-Signature": `t=${seconds},v1=${hmac(`${seconds}.`).toString("hex")}` };
    case "slack":
      return {
        "X-Slack-Request-Timestamp": seconds,
        "X-Slack-Signature": `v0=${hmac(`v0:${seconds}:`).toString("hex")}`,
      };
    case "standard-webhooks": {
      const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
      const signature = hmac(`${id}.${seconds}.`, key).toString("base64");
      return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` };
    }
    case "token":
      return { "X-Webhook-Token": secret };
  }
}
