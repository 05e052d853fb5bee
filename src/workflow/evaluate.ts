// evaluate: evaluates one expression over JSON, with the limits of spec 1.4. Runs call it in a separate process
// (kinds/expression), the editor in a Worker, because an expression may have to be killed from outside.
//   V1. `$eval` is off: text is never an expression. `$now` and `$millis` are on; their effect is recorded and not
//       evaluated again.
//   V2. In a selection, a name of 1.4 that the output has no member for is Curlew's.

import jsonata from "jsonata";
import { limits } from "../base/limits.ts";
import { asJsonata } from "./expression.ts";
import { type Ast, usedNamesIn } from "./expression-names.ts";

export interface ExpressionInput {
  /** Names and their JSON values. */
  names: Record<string, unknown>;
  /** The expression's input; absent: the names themselves. */
  input?: unknown;
}

export type Evaluated =
  /** JSON text; absent when the expression returns nothing. */
  { result?: string } | { failure: { code: string; message: string; position?: number } };

export async function evaluateExpression(expression: string, given: ExpressionInput): Promise<Evaluated> {
  try {
    const compiled = jsonata(asJsonata(expression), {
      timeout: limits.expressionTimeoutMs,
      stack: limits.expressionDepthMax,
      sequence: limits.expressionSequenceMax,
    });
    compiled.registerFunction("eval", () => {
      throw { code: "no-eval", message: "$eval is switched off here" };
    });
    const input = "input" in given ? given.input : given.names;
    if ("input" in given) namesBesides(input, compiled.ast() as Ast, expression, given.names);
    const value: unknown = await compiled.evaluate(input, await bindings(given.names));
    if (typeof value === "number" && !Number.isFinite(value))
      return { failure: { code: "D1001", message: "Its result is not a number that JSON can contain" } };
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
    const at = typeof position === "number" ? position : undefined;
    return { failure: { code: codeOf(thrown, code), message: String(message), position: at } };
  }
}

/** V2. */
function namesBesides(output: unknown, ast: Ast, expression: string, names: Record<string, unknown>): void {
  const among = Array.isArray(output) ? output : [output];
  for (const { name, node, inItem } of usedNamesIn(ast, expression)) {
    if (inItem) continue;
    const isMember = among.some((each) => typeof each === "object" && each !== null && Object.hasOwn(each, name));
    if (BESIDES.has(name) && Object.hasOwn(names, name) && !isMember) node.type = "variable";
  }
}

const BESIDES = new Set(["inputs", "vars", "exitCode", "status", "headers"]);

/** A RangeError is a JavaScript stack overflow or a string that is too long. */
function codeOf(thrown: unknown, code: unknown): string {
  if (thrown instanceof RangeError) return /call stack/.test(thrown.message) ? "D1011" : "D2015";
  return typeof code === "string" ? code : "unknown";
}

/** Binds every name as `$name` too, which works inside a path. JSONata's functions keep their names. */
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
