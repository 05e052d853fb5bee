// Schemas used by the others. They use zod/mini, as in src/workflow/schema.

import * as z from "zod/mini";
import { RUN_STATUSES } from "../../scheduler/statuses.ts";
import type * as diagnostic from "../../workflow/diagnostic.ts";
import { TRIGGER_NAMES } from "../../workflow/triggers/index.ts";

export const time = z.iso.datetime();
export const count = z.int().check(z.minimum(0));
export const text = z.string();
/** Text with at least one character. */
export const word = z.string().check(z.minLength(1));
/** An object of a request. A misspelt member is an error: it would be ignored otherwise. */
export const asked = z.strictObject;
export const flag = z.boolean();
export const many = z.array;
export const maybe = z.optional;
/** An object with arbitrary names. */
export const table = <V extends z.ZodMiniType>(value: V) => z.record(z.string(), value);
export const anything = z.unknown();
export const onlyTrue = z.literal(true);
/** An object that may have more members than its type says. */
export const open = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.looseObject(shape) as unknown as z.ZodMiniType<z.infer<z.ZodMiniObject<Shape, z.core.$strip>>>;
/** The schema of a type defined in another module. */
export const describes = <Type>(schema: z.ZodMiniType): z.ZodMiniType<Type> => schema as z.ZodMiniType<Type>;
export const page = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item), next: maybe(text) });

/** `run` starts stored workflows, `submit` sends new commands (documents, edits), and `approve` decides approvals. */
export const Right = z.enum(["read", "run", "submit", "approve", "admin"]);
export const TriggerKind = z.enum(TRIGGER_NAMES);
export const RunStatus = z.enum(RUN_STATUSES);
/**
 * Where and why a run failed, for lists. `title` is that of the node in the current file. `answer` is the message of the
 * server or the command.
 */
export const FailureInShort = z.object({
  node: text,
  path: text,
  title: maybe(text),
  failure: z.object({ code: text, message: text }),
  answer: maybe(text),
});

/** `ping`: the sender tested the webhook. No run was started. */
export const DeliveryStatus = z.enum(["received", "refused", "started", "duplicate", "failed", "ping"]);

const Position = z.object({ line: count, column: count });
export const Diagnostic: z.ZodMiniType<diagnostic.Diagnostic> = z.object({
  code: text,
  severity: z.enum(["error", "warning", "info"]),
  message: text,
  help: maybe(text),
  file: text,
  range: z.object({ start: Position, end: Position }),
  edge: maybe(z.object({ source: text, target: text })),
});

/** RFC 9457, `application/problem+json`. `code` is listed in docs/reference/failures.md. `hint` says what to do. */
const problem = {
  type: text,
  title: text,
  status: z.int(),
  code: text,
  detail: maybe(text),
  hint: maybe(text),
  diagnostics: maybe(many(Diagnostic)),
};
export const Problem = open(problem);
export const problemWith = <Shape extends Record<string, z.ZodMiniType>>(more: Shape) => open({ ...problem, ...more });

/** The failure of a node, or of a request to start a run. */
export const Failure = open({ code: text, message: text, hint: maybe(text) });
