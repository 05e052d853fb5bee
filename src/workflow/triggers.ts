// triggers: what `on:` says, with its defaults, for those who start runs by it (spec 2.5).
//   T1. What an event brings is data: it reaches a run as the input `event`, text, and as members of a JSON body that are inputs by name.
//   T2. How a delivery came (its headers and query) is data too: the input `delivery`, text. A name of the author's own comes first.

import { isOfType } from "./inputs.ts";
import type { InputSpec, Workflow } from "./model.ts";

export const VERIFY_KINDS = ["github", "stripe", "slack", "standard-webhooks", "token", "none"] as const;
export type VerifyKind = (typeof VERIFY_KINDS)[number];

export interface ScheduleTrigger {
  kind: "schedule";
  /** Place in `on:`. */
  index: number;
  cron: string;
  /** Absent: that of the machine. */
  timezone?: string;
  catchUp: "latest" | "all" | "none";
  overlap: "skip" | "queue" | "cancel" | "allow";
}

export interface WebhookTrigger {
  kind: "webhook";
  index: number;
  path: string;
  verify: VerifyKind;
  secret?: string;
  respond: number;
  /** Sites whose pages may send to it, when nothing else proves who sends. */
  origins?: string[];
}

export interface FileTrigger {
  kind: "file";
  index: number;
  paths: string[];
  on: ("add" | "change" | "remove")[];
}

export type DocumentTrigger = ScheduleTrigger | WebhookTrigger | FileTrigger;

/** Of a document without errors; entries of no known kind are left out. */
export function triggersOf(workflow: Pick<Workflow, "on">): DocumentTrigger[] {
  return (workflow.on ?? []).flatMap((entry, index): DocumentTrigger[] => {
    if (isMap(entry.schedule))
      return [
        { ...{ catchUp: "latest", overlap: "skip" }, ...entry.schedule, kind: "schedule", index } as ScheduleTrigger,
      ];
    if (isMap(entry.webhook))
      return [{ ...{ respond: 200, verify: "none" }, ...entry.webhook, kind: "webhook", index } as WebhookTrigger];
    if (isMap(entry.file)) return [{ ...{ on: ["add", "change"] }, ...entry.file, kind: "file", index } as FileTrigger];
    return [];
  });
}

/** The name that what an event brings has in templates and expressions. */
export const EVENT = "event";

const EVENT_SPEC: InputSpec = { type: "string", description: "what a webhook or a file watch brings, as JSON text" };

/** Whether the document has a trigger that brings something. */
export function bringsEvent({ on }: Pick<Workflow, "on">): boolean {
  return (on ?? []).some((trigger) => "webhook" in trigger || "file" in trigger);
}

/** The name that the way a webhook came has: `${delivery.headers.x-github-event}`. */
export const DELIVERY = "delivery";

const DELIVERY_SPEC: InputSpec = { type: "string", description: "headers and query of a webhook, as JSON text" };

/** T2. Whether the document has a webhook, and nothing of its own that is called so. */
export function bringsDelivery({ on, inputs, secrets, nodes }: Named): boolean {
  if (!(on ?? []).some((trigger) => "webhook" in trigger)) return false;
  const isOwn = nodes.some(
    ({ type, data }) => (type === "variable" || type === "accumulator") && data.variableName === DELIVERY,
  );
  return !isOwn && !Object.hasOwn(inputs, DELIVERY) && !secrets.includes(DELIVERY);
}

type Named = Pick<Workflow, "on" | "inputs" | "secrets" | "nodes">;

/** What a run of the workflow may be given: its inputs and, where a trigger brings one, the event, so that a person can give one too. */
export function inputSpecs(workflow: Named): Record<string, InputSpec> {
  const event = bringsEvent(workflow) && !Object.hasOwn(workflow.inputs, EVENT) ? { [EVENT]: EVENT_SPEC } : undefined;
  const delivery = bringsDelivery(workflow) ? { [DELIVERY]: DELIVERY_SPEC } : undefined;
  return event === undefined && delivery === undefined
    ? workflow.inputs
    : { ...workflow.inputs, ...event, ...delivery };
}

/** Members of a JSON object that are inputs of the workflow by name and type; the rest stays in `${event}` alone. */
export function inputsFromBody(specs: Record<string, InputSpec>, body: unknown): Record<string, unknown> {
  if (!isMap(body)) return {};
  const given: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(specs))
    if (name !== EVENT && Object.hasOwn(body, name) && isOfType(body[name], spec.type)) given[name] = body[name];
  return given;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
