// shape: checks one part of a workflow against its schema and words the problems.
//   H1. Each problem is reported once, at the value, or at the key for an unknown field.
//   H2. Unknown fields are problems, except `x-…` keys.
//   H3. Where text is expected, a number, true, or false is read as the text that the author wrote.

import type * as z from "zod/mini";
import { limits } from "../base/limits.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { At } from "./diagnostics/base.ts";
import * as found from "./diagnostics/document.ts";
import { CODED, isFreeText } from "./schema.ts";
import type { Path, SourceMap } from "./source-map.ts";

export interface Shaped<T> {
  /** Set only if there is no problem. */
  value?: T;
  diagnostics: Diagnostic[];
}

/**
 * `path` is the position of `raw` in the workflow; `name` is its name in messages: `Node "fetch"`. `called`: the key that
 * messages use for `content`.
 */
export function checkShape<T>(
  schema: z.ZodMiniType<T>,
  raw: unknown,
  path: Path,
  name: string,
  source: SourceMap,
  called = "content",
): Shaped<T> {
  const { unknown, scalars } = walked(schema, raw, path, name, source);
  const read = scalars.reduce((value, inner) => asText(value, inner, source.spelling([...path, ...inner])), raw);
  const parsed = schema.safeParse(read);
  if (parsed.success)
    return unknown.length === 0 ? { value: parsed.data, diagnostics: NONE } : { diagnostics: unknown };
  const wrong = parsed.error.issues
    .slice(0, limits.shapeFindingsMax)
    .map((issue) => issueToDiagnostic(issue, read, path, name, source, schema, called));
  return { diagnostics: [...unknown, ...wrong.filter((diagnostic) => !isMisspelt(diagnostic, unknown))] };
}

/** A misspelt field is reported as unknown, not as missing too. */
function isMisspelt(diagnostic: Diagnostic, unknown: readonly Diagnostic[]): boolean {
  const missing =
    diagnostic.code === "missing-field"
      ? / has no ("[^"]+"), which is required/.exec(diagnostic.message)?.[1]
      : undefined;
  return missing !== undefined && unknown.some(({ message }) => message.endsWith(` Did you mean ${missing}?`));
}

const NONE: Diagnostic[] = [];

type Issue = z.core.$ZodIssue;

function issueToDiagnostic(
  issue: Issue,
  raw: unknown,
  path: Path,
  name: string,
  source: SourceMap,
  schema: z.core.$ZodType,
  called: string,
): Diagnostic {
  const inner = issue.path as (string | number)[];
  const seen = valueAt(raw, inner);
  const at = source.at([...path, ...inner]);
  const shown = inner.map((part, depth) => (depth === 0 && part === "content" ? called : part));
  const field = inner.length === 0 ? name : `"${fieldName(shown)}"`;
  const coded = issue.message.split(CODED);
  if (coded.length === 2) return CODED_FINDINGS[coded[0]!]!(at, field, coded[1]!);
  if (seen === undefined && inner.length > 0) {
    const around = source.at([...path, ...inner.slice(0, -1)], "key");
    return found.missingField(around, String(shown.at(-1)), ownerOf(inner, name));
  }
  switch (issue.code) {
    case "invalid_type":
      return found.wrongType(at, field, EXPECTED[issue.expected] ?? issue.expected, seen, fieldsAt(schema, inner));
    case "invalid_value":
      return typeof seen === "string"
        ? found.notAllowed(at, field, seen, issue.values.map(String))
        : found.wrongType(at, field, issue.values.length > 6 ? "one of its words" : issue.values.join(" or "), seen);
    case "too_small":
      if (issue.origin === "string" && seen === "") return found.emptyValue(at, field);
      if (issue.origin === "array" && Number(issue.minimum) === 1) return found.emptyValue(at, field);
      if (issue.origin === "array" && inner[0] === "layout") return found.wrongType(at, field, EXPECTED.tuple!, seen);
      if (issue.origin === "array")
        return found.wrongType(
          at,
          field,
          `a list of ${issue.minimum} ${Number(issue.minimum) === 1 ? "entry or more" : "entries"}`,
          seen,
        );
      return found.outOfRange(
        at,
        field,
        issue.inclusive ? `${issue.minimum} or more` : `more than ${issue.minimum}`,
        seen,
      );
    case "too_big":
      if (issue.origin === "array" && inner[0] === "layout") return found.wrongType(at, field, EXPECTED.tuple!, seen);
      if (issue.origin === "array") return found.wrongType(at, field, `a list of ${issue.maximum} entries`, seen);
      if (Number(issue.maximum) === Number.MAX_SAFE_INTEGER)
        return found.outOfRange(at, field, "a smaller number", seen);
      return found.outOfRange(at, field, `${issue.maximum} or less`, seen);
    default:
      return found.wrongType(at, field, issue.message, seen);
  }
}

const CODED_FINDINGS: Record<string, (at: At, field: string, why: string) => Diagnostic> = {
  "bad-duration": found.badDuration,
  "bad-size": found.badSize,
};

const EXPECTED: Record<string, string> = {
  string: "a string",
  object: "an object",
  record: "an object",
  array: "a list",
  tuple: "a list of two numbers, [x, y]",
  boolean: "true or false",
  number: "a number",
  int: "an integer",
};

/** The fields of the object expected at `inner`, if it has fixed fields. */
function fieldsAt(schema: z.core.$ZodType, inner: readonly (string | number)[]): string[] | undefined {
  let { def } = (schema as z.core.$ZodTypes)._zod;
  const open = () => {
    while (def.type === "optional") def = (def.innerType as z.core.$ZodTypes)._zod.def;
  };
  for (const part of inner) {
    open();
    const next =
      def.type === "object"
        ? def.shape[part]
        : def.type === "record"
          ? def.valueType
          : def.type === "array"
            ? def.element
            : undefined;
    if (next === undefined) return undefined;
    def = (next as z.core.$ZodTypes)._zod.def;
  }
  open();
  return def.type === "object" ? Object.keys(def.shape) : undefined;
}

/** `["retry", "on"]` → `retry.on`. */
function fieldName(inner: readonly (string | number)[]): string {
  return inner
    .map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join("");
}

function ownerOf(inner: readonly (string | number)[], name: string): string {
  return inner.length <= 1
    ? name
    : `"${fieldName(inner.slice(0, -1))}" of ${name.replace(/^[TNE](?=he |ode |dge )/, (letter) => letter.toLowerCase())}`;
}

function valueAt(raw: unknown, inner: readonly (string | number)[]): unknown {
  let value = raw;
  for (const part of inner) {
    if (value === null || typeof value !== "object") return undefined;
    value = Object.hasOwn(value, part) ? (value as Record<string | number, unknown>)[part] : undefined;
  }
  return value;
}

type Inner = (string | number)[];

/** The unknown fields, and the paths of scalars where text is expected. */
function walked(schema: z.core.$ZodType, raw: unknown, path: Path, name: string, source: SourceMap) {
  let unknown: Diagnostic[] = NONE;
  const scalars: Inner[] = [];
  walk(schema, raw, [], {
    scalar: (inner) => void scalars.push(inner),
    unknown(inner, key, known) {
      const where = inner.length === 0 ? name : `"${fieldName(inner)}"`;
      if (unknown === NONE) unknown = [];
      if (unknown.length >= limits.shapeFindingsMax) return;
      unknown.push(found.unknownField(source.at([...path, ...inner, key], "key"), key, where, known));
    },
  });
  return { unknown, scalars };
}

interface Report {
  scalar(inner: Inner): void;
  unknown(inner: Inner, key: string, known: string[]): void;
}

function asText(value: unknown, [key, ...rest]: Inner, spelling: string | undefined): unknown {
  if (key === undefined) return spelling ?? String(value);
  const here = value as Record<string | number, unknown>;
  const copy: Record<string | number, unknown> = Array.isArray(here) ? ([...here] as never) : { ...here };
  copy[key] = asText(here[key], rest, spelling);
  return copy;
}

function walk(schema: z.core.$ZodType, raw: unknown, inner: Inner, report: Report): void {
  const isScalar = typeof raw === "number" || typeof raw === "boolean";
  if (raw === null || (typeof raw !== "object" && !isScalar)) return;
  const def = (schema as z.core.$ZodTypes)._zod.def;
  if (def.type === "optional") {
    walk(def.innerType, raw, inner, report);
    return;
  }
  if (isScalar) {
    if (isFreeText(schema)) report.scalar(inner);
    return;
  }
  if (Array.isArray(raw)) {
    if (def.type === "array") raw.forEach((item, index) => void walk(def.element, item, [...inner, index], report));
    return;
  }
  if (def.type === "union") {
    const object = def.options.find((option) => (option as z.core.$ZodTypes)._zod.def.type === "object");
    if (object) walk(object, raw, inner, report);
  } else if (def.type === "record") {
    for (const [key, value] of Object.entries(raw)) walk(def.valueType, value, [...inner, key], report);
  } else if (def.type === "object") {
    for (const [key, value] of Object.entries(raw)) {
      const field = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
      if (field !== undefined) walk(field, value, [...inner, key], report);
      else if (!key.startsWith("x-")) report.unknown(inner, key, Object.keys(def.shape));
    }
  }
}
