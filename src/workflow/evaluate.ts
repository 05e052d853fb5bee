// evaluate: one expression over JSON, with the limits of spec 1.4. In a run this happens behind a wall (nodes/expression), in the editor in
// a Worker: both can be ended from outside. Never called where neither is.
//   V1. `$eval` is off: text is never an expression. `$now` and `$millis` are on; what they decided is recorded and not asked again.

import jsonata from "jsonata";
import { limits } from "../base/limits.ts";

export interface Given {
  /** Names and their JSON values. */
  names: Record<string, unknown>;
  /** What the expression is applied to; absent: the names themselves. */
  input?: unknown;
}

export type Evaluated =
  /** As JSON; absent: the expression gives nothing. */
  { result?: string } | { failure: { code: string; message: string; position?: number } };

export async function evaluateExpression(expression: string, given: Given): Promise<Evaluated> {
  try {
    const compiled = jsonata(expression, {
      timeout: limits.expressionTimeoutMs,
      stack: limits.expressionDepthMax,
      sequence: limits.expressionSequenceMax,
    });
    compiled.registerFunction("eval", () => {
      throw { code: "no-eval", message: "$eval is switched off here" };
    });
    const input = "input" in given ? given.input : given.names;
    const value: unknown = await compiled.evaluate(input, await bindings(given.names));
    if (typeof value === "number" && !Number.isFinite(value))
      return { failure: { code: "D1001", message: "Its result is no number that JSON can hold" } };
    if (
      typeof value === "function" ||
      (typeof value === "object" && value !== null && ("_jsonata_function" in value || "_jsonata_lambda" in value))
    ) {
      return { failure: { code: "function", message: "Its result is a function; call it with (…)" } };
    }
    const result = JSON.stringify(value);
    if (result === undefined) return {};
    if (result.length > limits.expressionResultBytesMax)
      return { failure: { code: "too-large", message: `${result.length} characters` } };
    return { result };
  } catch (thrown) {
    const { code, message, position } = thrown as { code?: unknown; message?: unknown; position?: unknown };
    return {
      failure: {
        code: codeOf(thrown, code),
        message: String(message),
        ...(typeof position === "number" ? { position } : {}),
      },
    };
  }
}

/** A RangeError is JavaScript's own stack, or a text longer than there can be. */
function codeOf(thrown: unknown, code: unknown): string {
  if (thrown instanceof RangeError) return /call stack/.test(thrown.message) ? "D1011" : "D2015";
  return typeof code === "string" ? code : "unknown";
}

/** Every name also as `$name`, which reaches it from inside a path; JSONata's own functions keep their names. */
async function bindings(names: Record<string, unknown>): Promise<Record<string, unknown>> {
  const bound: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(names)) {
    if (/^[A-Za-z_]\w*$/.test(name) && !(await isFunction(name))) bound[name] = value;
  }
  return bound;
}

const functions = new Map<string, boolean>();

async function isFunction(name: string): Promise<boolean> {
  const known = functions.get(name);
  if (known !== undefined) return known;
  const found = (await jsonata(`$${name}`).evaluate(undefined)) !== undefined;
  if (functions.size < 1_000) functions.set(name, found);
  return found;
}
