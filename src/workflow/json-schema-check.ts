// json-schema-check: checks whether the `schema` of an LLM node is a usable JSON Schema (draft 2020-12 or -07).
//   J1. A schema rejected here would be rejected when the node runs. The check of the response (kinds/llm) may reject
//       more.
//   J2. A schema is data: `$ref` must refer to a place in the same schema, and nothing is fetched.
// Not checked: unknown keywords, formats, and whether any response could match.

import type { Path } from "./source-map.ts";

export interface SchemaFinding {
  /** Relative to the schema. */
  path: Path;
  message: string;
}

const TYPES = ["null", "boolean", "object", "array", "number", "integer", "string"];
const ONE = [
  "items",
  "additionalProperties",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "unevaluatedItems",
];
const MANY = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains"];
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/** The first problem at each place, in schema order. */
export function schemaFindings(schema: unknown): SchemaFinding[] {
  return inSchema(schema, [], schema);
}

function inSchema(schema: unknown, path: Path, whole: unknown): SchemaFinding[] {
  if (typeof schema === "boolean" && path.length > 0) return [];
  if (!isMap(schema)) return [{ path, message: `must be a schema: a map of keywords, not ${said(schema)}` }];
  return Object.entries(schema).flatMap(([keyword, value]) => inKeyword(keyword, value, [...path, keyword], whole));
}

function inKeyword(keyword: string, value: unknown, path: Path, whole: unknown): SchemaFinding[] {
  const wrong = (message: string) => [{ path, message }];
  if (keyword === "type") return isType(value) ? [] : wrong(`must be one of ${TYPES.join(", ")}, or a list of them`);
  if (keyword === "required")
    return isTexts(value) ? [] : wrong("must be a list of member names: required is beside properties, not in one");
  if (keyword === "enum") return Array.isArray(value) && value.length > 0 ? [] : wrong("must be a list of values");
  if (keyword === "pattern") return isPattern(value) ? [] : wrong(`is not a regular expression: ${said(value)}`);
  if (keyword === "$ref") return inReference(value, path, whole);
  if (COUNTS.includes(keyword))
    return Number.isInteger(value) && (value as number) >= 0 ? [] : wrong("must be a whole number from 0 on");
  if (NUMBERS.includes(keyword)) return typeof value === "number" ? [] : wrong("must be a number");
  if (keyword === "items" && Array.isArray(value))
    return value.flatMap((one, index) => inSchema(one, [...path, index], whole));
  if (ONE.includes(keyword)) return inSchema(value, path, whole);
  if (MANY.includes(keyword))
    return Array.isArray(value) && value.length > 0
      ? value.flatMap((one, index) => inSchema(one, [...path, index], whole))
      : wrong("must be a list of schemas");
  if (!NAMED.includes(keyword)) return [];
  return isMap(value)
    ? Object.entries(value).flatMap(([name, one]) => inSchema(one, [...path, name], whole))
    : wrong("must be a map of names to schemas");
}

/** J2. */
function inReference(value: unknown, path: Path, whole: unknown): SchemaFinding[] {
  if (typeof value !== "string" || !value.startsWith("#"))
    return [{ path, message: "must lead to a place in this schema, such as #/$defs/item; nothing is fetched" }];
  if (!value.startsWith("#/")) return [];
  const steps = value
    .slice(2)
    .split("/")
    .map((step) => decoded(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  let found: unknown = whole;
  for (const step of steps) found = memberOf(found, step);
  return found === undefined ? [{ path, message: `leads to nothing: there is no ${value} in this schema` }] : [];
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isType(value: unknown): boolean {
  const all = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every((one) => TYPES.includes(one as string));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    new RegExp(value, "u");
    return true;
  } catch {
    return false;
  }
}

function said(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? `"${value.slice(0, 60)}"` : String(value).slice(0, 60);
}
