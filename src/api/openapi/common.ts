// common: schemas that the others are made from (spec 2.4). zod/mini, as the document's own (src/workflow/schema).

import * as z from "zod/mini";
import { RUN_STATUSES } from "../../scheduler/statuses.ts";

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

export const Right = z.enum(["read", "run", "submit", "approve", "admin"]);
export const RunStatus = z.enum(RUN_STATUSES);
/** Where a run failed and why, in a list. */
export const FailureInShort = z.object({ node: text, path: text, failure: z.object({ code: text, message: text }) });

export const DeliveryStatus = z.enum(["received", "refused", "started", "duplicate", "failed", "ping"]);

const Position = z.object({ line: count, column: count });
export const Diagnostic = z.object({
  code: text,
  severity: z.enum(["error", "warning"]),
  message: text,
  help: maybe(text),
  file: text,
  range: z.object({ start: Position, end: Position }),
});

const problem = {
  type: text,
  title: text,
  status: z.int(),
  code: text,
  detail: maybe(text),
  hint: maybe(text),
  diagnostics: maybe(many(Diagnostic)),
};
/** Some problems say more. */
export const Problem = z.looseObject(problem);
export const problemWith = <Shape extends Record<string, z.ZodMiniType>>(more: Shape) =>
  z.looseObject({ ...problem, ...more });

/** What a failed node or a refused start says. */
export const Failure = z.looseObject({ code: text, message: text, hint: maybe(text) });
