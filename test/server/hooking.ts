// hooking: helpers for webhooks against a real server.

import type { DeliveryItem, Page, TriggerItem } from "../../src/api/shapes.ts";
import type { WebhookScheme } from "../../src/secrets/webhook-signatures.ts";
import type { Served } from "./served.ts";
import { signWebhook } from "./sign-webhook.ts";
import { until } from "./until.ts";

export const SECRET = "a-secret-of-the-hook";
export const withSecret = {
  env: { ...process.env, HOOK_SECRET: SECRET, CURLEW_KEYRING: "off" } as Record<string, string>,
};

/** A workflow with this hook, which outputs its event. */
export function flow(hook: string, more = "", content = "got ${event}"): string {
  return `curlew: 1
name: Hook
secrets: [HOOK_SECRET]
on: [{ webhook: ${hook} }]
${more}
nodes:
  - { id: t, type: text, data: { title: t, content: "${content}" } }
`;
}

export const github = flow("{ path: gh/push, verify: github, secret: HOOK_SECRET }");

export function signed(
  body: string,
  id: string,
  scheme: WebhookScheme = "github",
  secret = SECRET,
): Record<string, string> {
  const headers = signWebhook(scheme, { body: Buffer.from(body), secret, nowMs: Date.now(), id });
  return { "content-type": "application/json", ...headers };
}

export const send = (server: Served, path: string, body: string, headers: Record<string, string>) =>
  fetch(`${server.running.hooksUrl}/h/${path}`, { method: "POST", body, headers });

export async function get<T>(server: Served, path: string): Promise<T> {
  return (await (await server.api("GET", path)).json()) as T;
}

export const deliveries = async (server: Served) => (await get<Page<DeliveryItem>>(server, "/deliveries")).items;

/** The triggers of one kind. */
export const triggers = async (server: Served, kind: TriggerItem["kind"]) =>
  (await get<Page<TriggerItem>>(server, "/triggers")).items.filter((item) => item.kind === kind);

export const armed = (server: Served, count = 1) =>
  until(async () => (await triggers(server, "webhook")).length === count);

export const started = (server: Served, count: number) =>
  until(async () => (await deliveries(server)).filter(({ status }) => status === "started").length === count);

export async function result(server: Served, run: string): Promise<unknown> {
  let shown: { status?: string; result?: unknown } = {};
  await until(async () => {
    shown = await get(server, `/runs/${run}`);
    return shown.status === "succeeded";
  });
  return shown.result;
}
