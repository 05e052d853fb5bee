// scope: the names that an expression can use, and their values (spec 1.4).
//   `inputs`: The parents' values in order, parsed if they are JSON. For a node without parents, the event of the
//   trigger.
//   `vars`: Variables, Accumulators, and workflow inputs that the expression names. An input keeps its declared type.
//   `nodes`: Nodes that the expression names by id. One that was skipped is missing.
//   `exitCode`, `status`, `headers`: Those of the first parent's command and its last HTTP exchange, if known.
//   `i`, `item` (or the loop's own names): The loop variables in scope.
//   `state`: The values kept between runs, parsed if they are JSON.
//   `run`: An object with `id`, `name`, `startedAt`, `url`, and `inputs`. `trigger` and `attempt`: as in templates.
// Only values that the expression names are read, so that an unused large value costs nothing.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import { variablesOf } from "../../workflow/expression.ts";
import {
  eventOf,
  type FailureFacts,
  factsOf,
  firstTakenParent,
  type NodeContext,
  noteCutBody,
  type ParentValue,
  valueOfName,
} from "../context.ts";
import { jsonOf, parseJsonOrText } from "../values.ts";

export type Scope = Record<string, unknown>;

/** Facts about a command and its last HTTP exchange. */
export type Facts = Pick<ParentValue, "exitCode" | "status" | "headers">;

/** `own`: facts about the command, if it is not the first parent. */
export function scopeFor(expression: string, context: NodeContext, own?: Facts): Result<Scope, Failure> {
  const words = new Set(expression.match(/[A-Za-z_][A-Za-z0-9_]*/g));
  const first = own ?? firstTakenParent(context.parents());
  // A body is text, unless the expression names a member of it (workflow/facts.ts F4).
  const ofBody = /\bfailure\.body\s*[.[]/.test(expression);
  const scope: Scope = { ...factsOf(context, ofBody), run: { ...context.run, inputs: context.inputs } };
  const failure = scope.failure as FailureFacts | undefined;
  if (failure !== undefined && ofBody) {
    noteCutBody(failure.body, context);
    scope.failure = { ...failure, body: parseJsonOrText(failure.body) };
  }
  if (typeof scope.state === "object") scope.state = parsedTexts(scope.state as Record<string, string>);
  if (first?.exitCode !== undefined) scope.exitCode = first.exitCode;
  if (first?.status !== undefined) scope.status = first.status;
  if (first?.headers !== undefined) scope.headers = first.headers;

  let unusable: Failure | undefined;
  const put = (into: Scope | unknown[], key: string | number, value: Value): void => {
    const json = jsonOf(value, context.files, limits.expressionInputBytesMax);
    if (json.ok) (into as Record<string | number, unknown>)[key] = json.value;
    else unusable ??= json.error;
  };
  if (words.has("inputs")) {
    const inputs: unknown[] = [];
    scope.inputs = inputs;
    for (const [index, parent] of context.parents().entries()) put(inputs, index, parent.value);
    const event = context.parents().length === 0 ? eventOf(context) : undefined;
    if (event !== undefined) put(inputs, 0, { text: event });
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
      if (value !== undefined) put(vars, word, value);
    }
  }
  if (words.has("nodes")) {
    const nodes: Scope = Object.create(null);
    scope.nodes = nodes;
    for (const id of variablesOf(expression).nodes) {
      const found = context.node(id);
      if (found !== undefined && "value" in found) put(nodes, id, found.value);
    }
  }
  for (const [name, value] of Object.entries(context.loop())) if (words.has(name)) put(scope, name, value);
  return unusable === undefined ? ok(scope) : err(unusable);
}

function parsedTexts(texts: Readonly<Record<string, string>>): Scope {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, parseJsonOrText(text)]));
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
