// sign: headers that sign a call as a webhook of somebody's (spec 2.5). The secret comes from the environment.

import { randomUUID } from "node:crypto";
import { signWebhook, WEBHOOK_SCHEMES } from "../../secrets/webhook-signatures.ts";
import type { Body } from "./body.ts";
import type { Header } from "./headers.ts";
import type { HttpOptions } from "./options.ts";
import { usage } from "./problem.ts";

/** Signs at the time of each try; the delivery keeps its id. */
export function signer(
  options: HttpOptions,
  body: Body,
  env: Readonly<Record<string, string | undefined>>,
): () => Header[] {
  const scheme = WEBHOOK_SCHEMES.find((one) => one === options.sign);
  if (scheme === undefined)
    throw usage(
      "bad-sign",
      `There is no way to sign "${options.sign}".`,
      `It is one of ${WEBHOOK_SCHEMES.join(", ")}.`,
    );
  const name = options.signSecret ?? "WEBHOOK_SECRET";
  const secret = env[name];
  if (!secret)
    throw usage(
      "sign-secret-missing",
      `The variable ${name}, which holds the secret to sign with, is not set.`,
      "--sign-secret VAR names another; in a node it is granted by env.inherit or secrets.",
    );
  const id = scheme === "standard-webhooks" ? `msg_${randomUUID().replaceAll("-", "")}` : randomUUID();
  return () => {
    const signed = signWebhook(scheme, { body: body.bytes(), secret, nowMs: Date.now(), id });
    if (!signed.ok) throw usage(signed.error.code, signed.error.message, signed.error.hint);
    return Object.entries(signed.value).map(([header, value]) => ({ name: header, value, secret: true }));
  };
}
