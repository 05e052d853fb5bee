// triggers: the entries of `on:` with their defaults (spec 2.5).
//   T1. Data of an event reaches a run as the string input `event`. Members of a JSON body also fill inputs of the same
//       name.
//   T2. Headers and query of a delivery reach it as the string input `delivery`, unless the workflow uses that name
//       itself.

import { isOfType } from "./inputs.ts";
import type { InputSpec, Workflow } from "./model.ts";
import { variableName } from "./node-fields.ts";

export const VERIFY_KINDS = ["github", "stripe", "slack", "standard-webhooks", "token", "none"] as const;
export type VerifyKind = (typeof VERIFY_KINDS)[number];

export interface ScheduleTrigger {
  kind: "schedule";
  /** Index in `on:`. */
  index: number;
  cron: string;
  /** Absent: the machine's time zone. */
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
  /** Sites whose pages may send to it, if nothing else verifies the sender. */
  origins?: string[];
}

export interface FileTrigger {
  kind: "file";
  index: number;
  paths: string[];
  on: ("add" | "change" | "remove")[];
}

export type DocumentTrigger = ScheduleTrigger | WebhookTrigger | FileTrigger;

/** `workflow` must be valid. Entries of an unknown kind are skipped. */
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

/** The name of an event's data in templates and expressions. */
export const EVENT = "event";

const EVENT_SPEC: InputSpec = { type: "string", description: "what a webhook or a file watch brings, as JSON text" };

/** Whether the workflow has a trigger that provides an event. */
export function bringsEvent({ on }: Pick<Workflow, "on">): boolean {
  return (on ?? []).some((trigger) => "webhook" in trigger || "file" in trigger);
}

/** The name of a webhook's headers and query: `${delivery.headers.x-github-event}`. */
export const DELIVERY = "delivery";

const DELIVERY_SPEC: InputSpec = { type: "string", description: "headers and query of a webhook, as JSON text" };

/** T2. Whether the workflow has a webhook and does not use the name itself. */
export function bringsDelivery({ on, inputs, secrets, nodes }: Named): boolean {
  if (!(on ?? []).some((trigger) => "webhook" in trigger)) return false;
  const isOwn = nodes.some((node) => variableName(node) === DELIVERY);
  return !isOwn && !Object.hasOwn(inputs, DELIVERY) && !secrets.includes(DELIVERY);
}

type Named = Pick<Workflow, "on" | "inputs" | "secrets" | "nodes">;

/** The inputs that a run accepts: the workflow's, and those of a trigger, so that a manual start can set them too. */
export function inputSpecs(workflow: Named): Record<string, InputSpec> {
  const event = bringsEvent(workflow) && !Object.hasOwn(workflow.inputs, EVENT) ? { [EVENT]: EVENT_SPEC } : undefined;
  const delivery = bringsDelivery(workflow) ? { [DELIVERY]: DELIVERY_SPEC } : undefined;
  return event === undefined && delivery === undefined
    ? workflow.inputs
    : { ...workflow.inputs, ...event, ...delivery };
}

/** Members of a JSON object that match an input by name and type. The rest is only in `${event}`. */
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
