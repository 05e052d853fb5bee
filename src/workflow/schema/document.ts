// schema/document: the fields of a workflow besides its nodes: edges, inputs, triggers, the head (spec 1.1).

import * as z from "zod/mini";
import { TRIGGER_KINDS } from "../triggers/index.ts";
import { about, duration, either, filled, flag, oneOf, opt, place, seen, size, text, whole, words } from "./fields.ts";
import { authEntry, egress, runsOn } from "./shared.ts";

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
  description: opt(text("Says what the input is for.")),
  required: opt(flag("A run can't start without it. Default false.")),
  default: opt(z.unknown().register(seen, about("The value when none is given."))),
  enum: opt(
    z
      .array(either([z.string(), z.number()], "a string or a number", "An allowed value."))
      .check(z.minLength(1))
      .register(seen, about("The allowed values.")),
  ),
  pattern: opt(text("A regular expression that a string must match.")),
  minLength: opt(whole("Shortest string.", 0)),
  maxLength: opt(whole("Longest string.", 0)),
  minimum: opt(z.number().register(seen, about("Smallest number."))),
  maximum: opt(z.number().register(seen, about("Largest number."))),
});

const trigger = z.object(
  Object.fromEntries(Object.entries(TRIGGER_KINDS).map(([name, { data }]) => [name, opt(data)])),
);

/** The fields of a workflow, except nodes and edges, whose items are checked one by one. */
export const documentFields = {
  $schema: opt(text("For editors only.")),
  name: opt(filled("Name shown in lists and messages. Default: the name of the file.")),
  description: opt(text("Says what the workflow is for.")),
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
  inputs: opt(z.record(z.string(), inputSpec).register(seen, about("Values that a run asks for, with their types."))),
  secrets: opt(
    z
      .array(
        either(
          [
            z.string().check(z.minLength(1)),
            z.object({
              name: filled("The name of a secret, or of a variable of the environment."),
              mask: opt(flag("false: its value is not secret, whatever its name says. Default true.")),
            }),
          ],
          "a name, or a map with name and mask",
          "A name.",
        ),
      )
      .register(seen, about("Names of secrets. Their values are masked everywhere and never stored.")),
  ),
  auth: opt(z.record(z.string(), authEntry).register(seen, about("Named credentials that nodes can share."))),
  state: opt(
    z
      .record(z.string(), z.string())
      .register(seen, about("Values kept between runs, as ${state.NAME}: each name with its first value.")),
  ),
  defaults: opt(
    z
      .record(z.string(), z.unknown())
      .register(seen, about("Defaults for the data of all nodes whose type knows the field.")),
  ),
  concurrency: opt(
    whole(
      "Nodes of one run that may be active at a time. Default twice the cores, at least 4, and at least the largest maxConcurrency.",
      1,
      10_000,
    ),
  ),
  timeout: opt(duration("Ends the run after this long.")),
  limits: opt(z.object({ outputBytes: opt(size("Ends a command that prints more. Default 10GB.")) })),
  egress: opt(egress),
  runsOn: opt(runsOn),
  output: opt(filled("Node whose value is the result of a run.")),
  onFailure: opt(words("Ids of nodes that run after a failure or a timeout, before those of finally.")),
  finally: opt(words("Ids of nodes that always run at the end.")),
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
  "state",
  "defaults",
  "concurrency",
  "timeout",
  "limits",
  "egress",
  "runsOn",
  "nodes",
  "edges",
  "output",
  "onFailure",
  "finally",
  "layout",
] as const;

export type DocumentHead = z.infer<typeof documentHead>;
