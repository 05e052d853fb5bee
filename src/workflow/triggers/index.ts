// triggers: the entries of `on:` with their defaults (spec 2.5).
//   T1. Data of an event reaches a run as the string input `event`. Members of a JSON body also fill inputs of the same
//       name.
//   T2. Headers and query of a delivery reach it as the string input `delivery`, unless the workflow uses that name
//       itself.
//   T3. A manual start needs an event if only events start the workflow, and a node reads the event or
//       the value of a start node. Otherwise the run would do nothing and succeed.

import { isObject } from "../../base/tolerant.ts";
import { isOfType } from "../inputs.ts";
import type { InputSpec, Workflow } from "../model.ts";
import { usesOf } from "../names-used.ts";
import { variableName } from "../node-fields.ts";
import { type FileTrigger, file } from "./file.ts";
import type { TriggerKind } from "./kind.ts";
import { type RunTrigger, run } from "./run.ts";
import { type ScheduleTrigger, schedule } from "./schedule.ts";
import { isHookPath, type WebhookTrigger, webhook } from "./webhook.ts";

export type { FileTrigger, RunTrigger, ScheduleTrigger, WebhookTrigger };
export { isHookPath };

/** The registry of trigger kinds. Everything that differs between them in a document is in their descriptors. */
export const TRIGGER_KINDS = { schedule, webhook, file, run };

export type DocumentTrigger = ScheduleTrigger | WebhookTrigger | FileTrigger | RunTrigger;

function isTriggerKind(name: string): name is DocumentTrigger["kind"] {
  return Object.hasOwn(TRIGGER_KINDS, name);
}

/** The descriptor of a kind. The caller passes it data of that kind only. */
export function triggerKind(name: DocumentTrigger["kind"]): TriggerKind {
  return TRIGGER_KINDS[name] as unknown as TriggerKind;
}

/** `workflow` must be valid. Entries of an unknown kind are skipped. */
export function triggersOf(workflow: Pick<Workflow, "on">): DocumentTrigger[] {
  return (workflow.on ?? []).flatMap((entry, index): DocumentTrigger[] => {
    const kind = kindsIn(entry)[0];
    if (kind === undefined) return [];
    return [{ ...triggerKind(kind).defaults, ...(entry[kind] as object), kind, index } as DocumentTrigger];
  });
}

export const TRIGGER_NAMES = Object.keys(TRIGGER_KINDS).filter(isTriggerKind);

/** The kinds that an entry of `on:` names. */
export function kindsIn(entry: unknown): DocumentTrigger["kind"][] {
  return isObject(entry) ? TRIGGER_NAMES.filter((kind) => isObject(entry[kind])) : [];
}

/** The name of an event's data in templates and expressions. */
export const EVENT = "event";

const EVENT_SPEC: InputSpec = {
  type: "string",
  description: "what a webhook, a file watch, or an ended run brings, as JSON text",
};

const NEEDED_EVENT: InputSpec = {
  ...EVENT_SPEC,
  required: true,
  description: `the JSON text that only a trigger brings, such as {"path": "a.json"}`,
};

/** Whether the workflow has a trigger that provides an event. */
export function bringsEvent({ on }: Pick<Workflow, "on">): boolean {
  return (on ?? []).flatMap(kindsIn).some((kind) => triggerKind(kind).event !== undefined);
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

/** T3. Not if an expression asks whether there is an event. */
function needsEvent(workflow: Workflow): boolean {
  const { on, inputs, nodes, edges } = workflow;
  if (!bringsEvent(workflow) || Object.hasOwn(inputs, EVENT)) return false;
  if (!(on ?? []).flatMap(kindsIn).every((kind) => triggerKind(kind).event !== undefined)) return false;
  if (/\$exists\(vars\.event\b/.test(JSON.stringify(nodes))) return false;
  const starts = new Set(nodes.filter(({ type }) => type === "start").map(({ id }) => id));
  const fed = new Set(edges.filter(({ source }) => starts.has(source)).map(({ target }) => target));
  return nodes.some(
    (node) =>
      usesOf(node).some(({ name }) => name === EVENT || starts.has(name)) ||
      (fed.has(node.id) && /\binputs\[0\]|\$\{1\b/.test(JSON.stringify(node.data))),
  );
}

/** The inputs that a run accepts: the workflow's, and those of a trigger, so that a manual start can set them too. */
export function inputSpecs(workflow: Named): Record<string, InputSpec> {
  const event = bringsEvent(workflow) && !Object.hasOwn(workflow.inputs, EVENT) ? { [EVENT]: EVENT_SPEC } : undefined;
  const delivery = bringsDelivery(workflow) ? { [DELIVERY]: DELIVERY_SPEC } : undefined;
  return event === undefined && delivery === undefined
    ? workflow.inputs
    : { ...workflow.inputs, ...event, ...delivery };
}

/** T3. The inputs that a manual start accepts. */
export function startInputs(workflow: Workflow): Record<string, InputSpec> {
  const specs = inputSpecs(workflow);
  return needsEvent(workflow) ? { ...specs, [EVENT]: NEEDED_EVENT } : specs;
}

/** The inputs that a form asks for. */
export const inputsAsked = (workflow: Workflow): Record<string, InputSpec> =>
  needsEvent(workflow) ? startInputs(workflow) : workflow.inputs;

/** Members of a JSON object that match an input by name and type. The rest is only in `${event}`. */
export function inputsFromBody(specs: Record<string, InputSpec>, body: unknown): Record<string, unknown> {
  if (!isObject(body)) return {};
  const given: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(specs))
    if (name !== EVENT && Object.hasOwn(body, name) && isOfType(body[name], spec.type)) given[name] = body[name];
  return given;
}
