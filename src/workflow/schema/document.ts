// schema/document: the fields of a workflow besides its nodes: edges, inputs, triggers, the head (spec 1.1).

import * as z from "zod/mini";
import { about, duration, either, filled, flag, oneOf, opt, place, seen, size, text, whole, words } from "./fields.ts";
import { authEntry, egress } from "./shared.ts";

export const edge = z.object({
  source: filled("Id of the node it leaves."),
  target: filled("Id of the node it enters."),
  sourceHandle: opt(
    either(
      [z.string(), z.boolean()],
      "text",
      "true or false on an if node, error on a cli, llm, or subflow node. Absent: the plain edge.",
    ),
  ),
  targetHandle: opt(text("Kept for editors.")),
  id: opt(text("Kept for editors.")),
});

export const inputSpec = z.object({
  type: oneOf(["string", "integer", "number", "boolean", "object", "array"], "Type of the value."),
  description: opt(text("Purpose, for readers.")),
  required: opt(flag("A run without it is rejected. Default false.")),
  default: opt(z.unknown().register(seen, about("The value when none is given."))),
  enum: opt(
    z
      .array(either([z.string(), z.number()], "a text or a number", "An allowed value."))
      .check(z.minLength(1))
      .register(seen, about("The allowed values.")),
  ),
  pattern: opt(text("A regular expression that a string must match.")),
  minLength: opt(whole("Shortest string.", 0)),
  maxLength: opt(whole("Longest string.", 0)),
  minimum: opt(z.number().register(seen, about("Smallest number."))),
  maximum: opt(z.number().register(seen, about("Largest number."))),
});

const trigger = z.object({
  schedule: opt(
    z.object({
      cron: filled("Five fields: minute, hour, day, month, weekday."),
      timezone: opt(filled("An IANA name such as Europe/Berlin.")),
      catchUp: opt(
        oneOf(["latest", "all", "none"], "Which of the times that passed while no server ran are started later."),
      ),
      overlap: opt(oneOf(["skip", "queue", "cancel", "allow"], "When the run before is not over.")),
    }),
  ),
  webhook: opt(
    z.object({
      path: filled("Last part of the hook's address."),
      secret: opt(filled("Name of the secret that signs deliveries.")),
      verify: opt(
        oneOf(["github", "stripe", "slack", "standard-webhooks", "token", "none"], "How a delivery proves its origin."),
      ),
      respond: opt(whole("HTTP status of the answer.", 200, 299)),
      origins: opt(words("Sites whose pages may send to a hook with verify: none, such as https://shop.example.com.")),
    }),
  ),
  file: opt(
    z.object({
      paths: words("Files that are watched, with * and **."),
      on: opt(z.array(oneOf(["add", "change", "remove"], "A change of a file."))),
    }),
  ),
});

/** The fields of a workflow, except nodes and edges, whose items are checked one by one. */
export const documentFields = {
  $schema: opt(text("For editors only.")),
  name: opt(filled("Title of the workflow. Default: the file's name.")),
  description: opt(text("Purpose, for readers.")),
  imported: opt(
    z
      .object({
        from: text("Source of the workflow."),
        at: opt(text("Time of the import, in UTC.")),
        sha256: opt(text("SHA-256 of the original text.")),
      })
      .register(seen, about("Set by curlew import: each command needs approval before its first start.")),
  ),
  on: opt(z.array(trigger).register(seen, about("Triggers, active while curlew serve runs."))),
  inputs: opt(z.record(z.string(), inputSpec).register(seen, about("Typed inputs of a run."))),
  secrets: opt(words("Names whose values are masked everywhere and never stored.")),
  auth: opt(z.record(z.string(), authEntry).register(seen, about("Named credentials for nodes."))),
  defaults: opt(
    z
      .record(z.string(), z.unknown())
      .register(seen, about("Defaults for the data of all nodes whose type knows the field.")),
  ),
  concurrency: opt(whole("Nodes of one run at a time. Default twice the cores, at least 4.", 1, 10_000)),
  timeout: opt(duration("Time for the whole run.")),
  limits: opt(z.object({ outputBytes: opt(size("A command that prints more is ended. Default 10GB.")) })),
  egress: opt(egress),
  output: opt(filled("Id of the node whose value is the run's result.")),
  finally: opt(words("Ids of nodes that always run, at the end.")),
  layout: opt(
    z
      .record(z.string(), z.tuple([place, place], { error: "a list of two numbers, [x, y]" }))
      .register(seen, about("Places on the canvas.")),
  ),
};
export const documentHead = z.object(documentFields);

/** All fields in canonical order, for `curlew fmt` and the message about unknown fields. */
export const DOCUMENT_ORDER = [
  "$schema",
  "curlew",
  "name",
  "description",
  "imported",
  "on",
  "inputs",
  "secrets",
  "auth",
  "defaults",
  "concurrency",
  "timeout",
  "limits",
  "egress",
  "nodes",
  "edges",
  "output",
  "finally",
  "layout",
] as const;

export type DocumentHead = z.infer<typeof documentHead>;
