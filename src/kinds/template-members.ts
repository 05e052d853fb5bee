// template-members: resolves `${1.items[0].id}`, a member of a JSON value (spec 1.3).
//   M1. A string is used as it is, null as undefined, anything else as compact JSON, numbers with their original
//       digits.
//   M2. Only own members count. Nothing inherited is ever reached.

import { type Failure, failureOf } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { memberPath, type Reference } from "../shell/template.ts";

const namesShownMax = 12;

// Node 24 has source text access, but the ES2024 types do not declare it.
const json = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
};

/** Failures: `template-not-json`, `template-missing-member`. */
export function memberOf(
  reference: Pick<Reference, "root" | "members">,
  text: string,
): Result<string | undefined, Failure> {
  let value: unknown;
  try {
    value = json.parse(text, keepDigits);
  } catch {
    return err(notJson(reference, text));
  }
  for (const [index, member] of reference.members.entries()) {
    if (!has(value, member)) return err(missing(reference, index, value));
    value = (value as Record<string | number, unknown>)[member];
  }
  if (value === null) return ok(undefined);
  return ok(typeof value === "string" ? value : JSON.stringify(value));
}

function keepDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== "number" || context.source === undefined || String(value) === context.source) return value;
  return json.rawJSON(context.source);
}

function has(value: unknown, member: string | number): boolean {
  if (typeof value !== "object" || value === null || json.isRawJSON(value)) return false;
  if (typeof member === "number") return Array.isArray(value) && member < value.length;
  return !Array.isArray(value) && Object.hasOwn(value, member);
}

const notJson = failureOf("template-not-json", (reference: Pick<Reference, "root" | "members">, text: string) => [
  `${spell(reference, reference.members.length)} names a member, but the value of ${spell(reference, 0)} is not JSON; it ${text === "" ? "is empty" : `begins with ${JSON.stringify(text.slice(0, 40))}`}.`,
  "Use the whole value, or print JSON in the node before it.",
]);
const missing = failureOf(
  "template-missing-member",
  (reference: Pick<Reference, "root" | "members">, index: number, value: unknown) => [
    `${spell(reference, index + 1)} does not exist: ${spell(reference, index)} ${describe(value)}.`,
  ],
);

function describe(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? "is an empty list" : `is a list with members [0] to [${value.length - 1}]`;
  if (value === null) return "is null";
  if (typeof value !== "object" || json.isRawJSON(value))
    return `is a ${json.isRawJSON(value) ? "number" : typeof value}, which has no members`;
  const names = Object.keys(value);
  if (names.length === 0) return "is an object without members";
  const more = names.length - namesShownMax;
  return `has the members ${names.slice(0, namesShownMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function spell({ root, members }: Pick<Reference, "root" | "members">, count: number): string {
  return `\${${root}${memberPath(members.slice(0, count))}}`;
}
