// inputs: turns values from the command line, a form or the API into the typed inputs of a run, or reports problems
// (spec 1.1).
//   I1. Every input of the result satisfies its spec. Defaults are filled in; an input without value and default is
//       absent.
//   I2. An unknown input is rejected, never ignored.
//   I3. A problem repeats no value that may be secret: none of an input with a secret-like name, and only the start of
//       a token.

import { err, ok, type Result } from "../base/result.ts";
import { isObject } from "../base/tolerant.ts";
import { isSecretField, looksReal, shownText } from "./credentials.ts";
import type { InputSpec } from "./model.ts";
import { didYouMean, listed } from "./nearest.ts";

export interface InputProblem {
  /** `unknown-input`, `missing-input` or `bad-input`. */
  code: string;
  input: string;
  message: string;
}

/** Whether a pattern matches a text; `undefined` on timeout. `plainly` has no time limit. */
export type Matches = (pattern: RegExp, text: string) => boolean | undefined;
const plainly: Matches = (pattern, text) => pattern.test(text);

/**
 * Returns the inputs or all problems at once. `from: "text"`: values from a command line or a form are parsed by the
 * input's type. `"json"`: they are already typed.
 */
export function checkInputs(
  specs: Record<string, InputSpec>,
  given: Record<string, unknown>,
  from: "text" | "json",
  matches: Matches = plainly,
): Result<Record<string, unknown>, InputProblem[]> {
  const problems: InputProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(given))
    if (!Object.hasOwn(specs, name)) problems.push(unknownInput(name, Object.keys(specs)));
  for (const [name, spec] of Object.entries(specs)) {
    const raw = Object.hasOwn(given, name) ? given[name] : undefined;
    if (raw === undefined) {
      if (spec.default !== undefined) values[name] = spec.default;
      else if (spec.required === true) problems.push(missingInput(name, spec));
      continue;
    }
    const show: Show = isSecretField(name) ? () => "the value" : shown;
    const read = from === "text" && typeof raw === "string" ? fromText(raw, spec, show) : ok(raw);
    const why = read.ok ? whyUnfit(read.value, spec, matches, show) : read.error;
    if (why !== undefined) problems.push({ code: "bad-input", input: name, message: `Input "${name}": ${why}` });
    else if (read.ok) values[name] = read.value;
  }
  return problems.length === 0 ? ok(values) : err(problems);
}

/** How a message shows a value. */
type Show = (value: unknown) => string;

/** Why a typed value does not satisfy the spec, as a sentence; undefined if it does. */
export function whyUnfit(
  value: unknown,
  spec: InputSpec,
  matches: Matches = plainly,
  show: Show = shown,
): string | undefined {
  if (!isOfType(value, spec.type)) return `${show(value)} is not ${TYPES[spec.type]}.`;
  if (spec.enum !== undefined && !spec.enum.includes(value as string | number))
    return `${show(value)} is not one of ${listed(spec.enum.map(String), 20)}.${typeof value === "string" ? didYouMean(value, spec.enum.map(String)) : ""}`;
  if (typeof value === "string") return whyUnfitText(value, spec, matches, show);
  if (typeof value === "number") return whyUnfitNumber(value, spec, show);
  return undefined;
}

const TYPES: Record<InputSpec["type"], string> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  object: "a JSON object",
  array: "a JSON array",
};

function whyUnfitText(value: string, spec: InputSpec, matches: Matches, show: Show): string | undefined {
  const length = [...value].length;
  if (spec.minLength !== undefined && length < spec.minLength)
    return `${show(value)} is shorter than ${characters(spec.minLength)}.`;
  if (spec.maxLength !== undefined && length > spec.maxLength)
    return `${show(value)} is longer than ${characters(spec.maxLength)}.`;
  if (spec.pattern === undefined) return undefined;
  const pattern = compilePattern(spec.pattern);
  const found = pattern.ok ? matches(pattern.value, value) : false;
  if (found === undefined) return `the pattern ${shownPattern(spec.pattern)} takes too long on ${show(value)}.`;
  return found ? undefined : `${show(value)} does not match the pattern ${shownPattern(spec.pattern)}`;
}

function whyUnfitNumber(value: number, spec: InputSpec, show: Show): string | undefined {
  if (spec.minimum !== undefined && value < spec.minimum)
    return `${show(value)} is too small. The minimum is ${spec.minimum}.`;
  if (spec.maximum !== undefined && value > spec.maximum)
    return `${show(value)} is too large. The maximum is ${spec.maximum}.`;
  return undefined;
}

/** As in JSON Schema: Unicode, not anchored. */
export function compilePattern(pattern: string): Result<RegExp, string> {
  try {
    return ok(new RegExp(pattern, "u"));
  } catch (unicode) {
    try {
      return ok(new RegExp(pattern));
    } catch {
      return err((unicode as Error).message.replace(/^Invalid regular expression: (?:\/.*\/[a-z]*: )?/s, ""));
    }
  }
}

const IS_OF_TYPE: Record<InputSpec["type"], (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === "boolean",
  object: isObject,
  array: Array.isArray,
};

export function isOfType(value: unknown, type: InputSpec["type"]): boolean {
  return IS_OF_TYPE[type](value);
}

function fromText(text: string, spec: InputSpec, show: Show): Result<unknown, string> {
  const unfit = err(`${show(text)} is not ${TYPES[spec.type]}.`);
  switch (spec.type) {
    case "string":
      return ok(text);
    case "integer":
      return /^[+-]?\d+$/.test(text.trim()) ? ok(Number(text)) : unfit;
    case "number":
      return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text.trim()) && Number.isFinite(Number(text))
        ? ok(Number(text))
        : unfit;
    case "boolean":
      return text === "true" || text === "false" ? ok(text === "true") : unfit;
    case "object":
    case "array":
      try {
        return ok(JSON.parse(text));
      } catch {
        return unfit;
      }
  }
}

function unknownInput(name: string, known: string[]): InputProblem {
  const near = didYouMean(name, known);
  const has = known.length === 0 ? " It has no inputs." : near === "" ? ` It has ${listed(known)}.` : near;
  return { code: "unknown-input", input: name, message: `The workflow has no input "${name}".${has}` };
}

function missingInput(name: string, spec: InputSpec): InputProblem {
  const what = spec.description === undefined ? TYPES[spec.type] : `${TYPES[spec.type]}: ${spec.description}`;
  return {
    code: "missing-input",
    input: name,
    message: `Input "${name}" is required (${what}).`,
  };
}

function characters(count: number): string {
  return count === 1 ? "1 character" : `${count} characters`;
}

function shownPattern(pattern: string): string {
  return pattern.length > 200 ? `${pattern.slice(0, 199)}…` : pattern;
}

/** I3. On one line. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? `"${value}"` : (JSON.stringify(value) ?? String(value));
  const line = shownText(text)
    .replace(TOKEN_WORD, (word) => (looksReal(word) ? `${word.slice(0, 4)}…` : word))
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
const TOKEN_WORD = /[\w.+/=~-]{16,}/g;
