// scope: the names that an expression can use, and their values (spec 1.4).
//   `inputs`: The parents' values in order, parsed if they are JSON. For a node without parents, the event of the
//   trigger.
//   `vars`: Variables, Accumulators, and workflow inputs that the expression names. An input keeps its declared type.
//   `exitCode`, `status`, `headers`: Those of the first parent's command and its last HTTP exchange, if known.
//   `i`, `item` (or the loop's own names): The loop variables in scope.
//   `run`: An object with `id`, `name`, `startedAt`, and `inputs`.
// Only values that the expression names are read, so that an unused large value costs nothing.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import { eventOf, firstLive, type NodeContext, type ParentValue, valueOfName } from "../context.ts";
import { andThen, jsonOf, type Now, parseJsonOrText } from "../values.ts";

export type Scope = Record<string, unknown>;

/** Facts about a command and its last HTTP exchange. */
export type Facts = Pick<ParentValue, "exitCode" | "status" | "headers">;

/** `own`: facts about the command, if it is not the first parent. */
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

/** JSONata's boolean: empty text, 0, null, empty arrays and objects, and undefined are false. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function isInput(name: string, context: NodeContext): boolean {
  return context.variable(name) === undefined && Object.hasOwn(context.workflow.inputs, name);
}

/** An input keeps its type: the text "5" stays text. Only text that holds a JSON object or array is parsed. */
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
