// expression-scope: the names that stand in an expression, and what their values are (spec 1.4).
//   inputs    the parents' values in order, parsed as JSON where they are JSON; of a node without parents, what a trigger brought
//   vars      Variables, Accumulators and workflow inputs that the expression names; an input keeps its declared type
//   exitCode, status, headers   of the first parent's command and its last HTTP exchange, when known
//   i, item (or the loop's own names)   the loop variables in scope
//   run       { id, name, startedAt, inputs }
// Only what the expression names is read, so that a large value nobody asks for costs nothing.

import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { ok, type Result } from "../base/result.ts";
import type { Value } from "../base/value.ts";
import { eventOf, firstLive, type NodeContext, type ParentValue, valueOfName } from "./context.ts";
import { andThen, jsonOf, type Now, parseJsonOrText } from "./values.ts";

export type Scope = Record<string, unknown>;

/** What is known of a command and its last HTTP exchange. */
export type Facts = Pick<ParentValue, "exitCode" | "status" | "headers">;

/** `own`: the command that is spoken of, when it is not the first parent. */
export function scopeFor(expression: string, context: NodeContext, own?: Facts): Now<Result<Scope, Failure>> {
  const words = new Set(expression.match(/[A-Za-z_][A-Za-z0-9_]*/g));
  const first = own ?? firstLive(context.parents());
  const scope: Scope = { run: { ...context.run, inputs: context.inputs } };
  if (first?.exitCode !== undefined) scope.exitCode = first.exitCode;
  if (first?.status !== undefined) scope.status = first.status;
  if (first?.headers !== undefined) scope.headers = first.headers;

  const wanted: { into: Scope | unknown[]; key: string | number; value: Value }[] = [];
  if (words.has("inputs")) {
    const inputs: unknown[] = [];
    scope.inputs = inputs;
    for (const [index, parent] of context.parents().entries())
      wanted.push({ into: inputs, key: index, value: parent.value });
    const event = context.parents().length === 0 ? eventOf(context) : undefined;
    if (event !== undefined) wanted.push({ into: inputs, key: 0, value: { text: event } });
  }
  if (words.has("vars")) {
    const vars: Scope = {};
    scope.vars = vars;
    for (const word of words) {
      if (isInput(word, context)) {
        if (Object.hasOwn(context.inputs, word)) vars[word] = typed(context.inputs[word]);
        continue;
      }
      const value = valueOfName(word, context);
      if (value !== undefined) wanted.push({ into: vars, key: word, value });
    }
  }
  for (const [name, value] of Object.entries(context.loop()))
    if (words.has(name)) wanted.push({ into: scope, key: name, value });
  return fill(scope, wanted, 0, context);
}

/** JSONata's boolean of a value: empty text, 0, null, empty arrays and objects, and nothing are false. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function isInput(name: string, context: NodeContext): boolean {
  return context.variable(name) === undefined && Object.hasOwn(context.workflow.inputs, name);
}

/** An input keeps its type: the text "5" stays a text. Only an object or array that came as text is opened. */
function typed(input: unknown): unknown {
  if (typeof input !== "string") return input;
  const json = parseJsonOrText(input);
  return typeof json === "object" && json !== null ? json : input;
}

function fill(
  scope: Scope,
  wanted: { into: Scope | unknown[]; key: string | number; value: Value }[],
  from: number,
  context: NodeContext,
): Now<Result<Scope, Failure>> {
  for (let index = from; index < wanted.length; index++) {
    const want = wanted[index];
    if (want === undefined) break;
    const json = jsonOf(want.value, context.files, limits.expressionInputBytesMax);
    if (json instanceof Promise)
      return andThen(json, (value) => {
        (want.into as Record<string | number, unknown>)[want.key] = value;
        return fill(scope, wanted, index + 1, context);
      });
    if (!json.ok) return json;
    (want.into as Record<string | number, unknown>)[want.key] = json.value;
  }
  return ok(scope);
}
