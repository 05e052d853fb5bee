// common: schemas that the others are made from. zod/mini, as in src/workflow/schema.

import * as z from "zod/mini";
import { RUN_STATUSES } from "../../scheduler/statuses.ts";
import type * as diagnostic from "../../workflow/diagnostic.ts";

export const time = z.iso.datetime();
export const count = z.int().check(z.minimum(0));
export const text = z.string();
export const flag = z.boolean();
export const many = z.array;
export const maybe = z.optional;
/** Of names. */
export const table = <V extends z.ZodMiniType>(value: V) => z.record(z.string(), value);
export const anything = z.unknown();
export const onlyTrue = z.literal(true);
/** An object that may have more members than its type says. */
export const open = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.looseObject(shape) as unknown as z.ZodMiniType<z.infer<z.ZodMiniObject<Shape, z.core.$strip>>>;
/** The description of a type that another room owns. */
export const describes = <Type>(schema: z.ZodMiniType): z.ZodMiniType<Type> => schema as z.ZodMiniType<Type>;
export const page = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item), next: maybe(text) });

/** `run` starts stored workflows, `submit` brings new commands (documents, edits), `approve` answers approvals. */
export const Right = z.enum(["read", "run", "submit", "approve", "admin"]);
export const RunStatus = z.enum(RUN_STATUSES);
/** Where a run failed and why, in a list. */
export const FailureInShort = z.object({ node: text, path: text, failure: z.object({ code: text, message: text }) });

/** `ping`: the sender tried whether the hook is there. No run comes of it. */
export const DeliveryStatus = z.enum(["received", "refused", "started", "duplicate", "failed", "ping"]);

const Position = z.object({ line: count, column: count });
export const Diagnostic: z.ZodMiniType<diagnostic.Diagnostic> = z.object({
  code: text,
  severity: z.enum(["error", "warning"]),
  message: text,
  help: maybe(text),
  file: text,
  range: z.object({ start: Position, end: Position }),
});

/** RFC 9457, `application/problem+json`. `code` is one of docs/reference/failures.md; `hint` says what helps. */
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

/** What a failed node or a refused start says. */
export const Failure = open({ code: text, message: text, hint: maybe(text) });
