// triggers/webhook: starts a run for each delivery to a path. The server compares paths across workflows.

import * as z from "zod/mini";
import * as found from "../diagnostics/trigger.ts";
import { filled, oneOf, opt, whole, words } from "../schema/fields.ts";
import type { TriggerKind, TriggerOf } from "./kind.ts";

const data = z.object({
  path: filled("Last part of the webhook's URL."),
  secret: opt(filled("Name of the secret that signs deliveries.")),
  verify: opt(
    oneOf(["github", "stripe", "slack", "standard-webhooks", "token", "none"], "How a delivery proves who sent it."),
  ),
  respond: opt(whole("HTTP status of the response.", 200, 299)),
  origins: opt(words("Sites whose pages may call the webhook, such as https://shop.example.com. Needs verify: none.")),
});

export type WebhookTrigger = TriggerOf<"webhook", typeof data, "verify" | "respond">;

const HOOK_PATH = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const HOOK_PATH_CHARS = 200;

export const isHookPath = (text: string): boolean => HOOK_PATH.test(text) && text.length <= HOOK_PATH_CHARS;

export const webhook: TriggerKind<typeof data> = {
  name: "webhook",
  plural: "Webhooks",
  data,
  defaults: { respond: 200, verify: "none" },
  example: { path: "hook", verify: "none" },
  event: "any",
  identity: ({ path }) => [path],
  check({ path: hook, verify, secret, origins }, path, check, before) {
    if (hook !== undefined) {
      const at = check.at([...path, "path"]);
      const same = before.find((other) => other.data.path === hook);
      if (!isHookPath(hook)) check.report(found.badHookPath(at, hook));
      else if (same !== undefined) {
        const line = check.line([...same.path, "path"]);
        check.report(found.duplicateHook(at, hook, `by the webhook on line ${line}`));
      }
    }
    if (verify === undefined) check.report(found.webhookWithoutVerify(check.at(path)));
    else if (verify === "none") {
      check.report(found.webhookUnverified(check.at([...path, "verify"])));
      if (secret !== undefined) check.report(found.webhookSecretUnused(check.at([...path, "secret"], "key")));
    } else if (secret === undefined) check.report(found.webhookWithoutSecret(check.at([...path, "verify"]), verify));
    for (const [index, origin] of (origins ?? []).entries())
      if (!isOrigin(origin)) check.report(found.badHookOrigin(check.at([...path, "origins", index]), origin));
    const { secrets } = check.workflow;
    if (secret !== undefined && verify !== "none" && !secrets.includes(secret))
      check.report(found.webhookSecretUnknown(check.at([...path, "secret"]), secret, secrets));
  },
};

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
