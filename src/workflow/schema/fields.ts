// schema/fields: the kinds of fields in a workflow: a string, a switch, a duration, one of a set of words.
// Written with zod/mini: the same schemas as zod with a fifth of the start-up time (3 ms instead of 15 ms here).

import * as z from "zod/mini";
import { parseDuration, parseSize } from "../../base/duration.ts";
import { limits } from "../../base/limits.ts";

/** A message with the code of its finding: `code NUL message`. */
export const CODED = "\u0000";
const coded = (code: string, message: string) => `${code}${CODED}${message}`;

export const opt = z.exactOptional;
/** The description of a field, stored beside its schema. As a zod check it would cost a second schema each. */
export const seen = z.globalRegistry;
export const about = (description: string) => ({ description });
export const text = (description: string) => z.string().register(seen, about(description));
export const filled = (description: string) => z.string().check(z.minLength(1)).register(seen, about(description));
export const flag = (description: string) => z.boolean().register(seen, about(description));
export const whole = (description: string, least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.int().check(z.gte(least), z.lte(most)).register(seen, about(description));
export const number = (description: string, least: number) =>
  z.number().check(z.gte(least)).register(seen, about(description));
export const place = z.number().check(z.gte(-limits.layoutMax), z.lte(limits.layoutMax));
export const oneOf = <const T extends readonly string[]>(words: T, description: string) =>
  z.enum(words).register(seen, about(description));
/** Whether it takes any text, and so a number, true, or false as text. A duration or size needs its unit. */
export const isFreeText = (schema: z.core.$ZodType): boolean => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "string" && !(def.checks ?? []).some((check) => check._zod.def.check === "custom");
};
const textOr = (code: string, why: (value: string) => string | undefined, description: string) =>
  z
    .string({
      error: (issue) => (typeof issue.input === "number" ? coded(code, why(String(issue.input)) ?? "") : undefined),
    })
    .check(
      z.refine((value) => why(value) === undefined, { error: (issue) => coded(code, why(String(issue.input)) ?? "") }),
    )
    .register(seen, about(description));
export const duration = (description: string) =>
  textOr(
    "bad-duration",
    (value) => errorOf(parseDuration(value)),
    `${description} A duration: 250ms, 30s, 5m, 2h, 1d or PT30S.`,
  );
export const size = (description: string) =>
  textOr("bad-size", (value) => errorOf(parseSize(value)), `${description} A size: 512B, 64KiB, 10MB.`);
const errorOf = (result: { ok: true } | { ok: false; error: string }) => (result.ok ? undefined : result.error);
export const either = <const T extends readonly [z.ZodMiniType, ...z.ZodMiniType[]]>(
  kinds: T,
  said: string,
  description: string,
) => {
  const schema = z.union(kinds, { error: said });
  seen.add(schema, about(description));
  return schema;
};
export const words = (description: string) =>
  z.array(z.string().check(z.minLength(1))).register(seen, about(description));
