// decided: evaluates the nodes that run no process: start, text, variable, if, accumulator, and the conditions of a loop
// (spec 1.2).
//   D1. A decision depends only on its input values: no clock, and no files except those of the values.
//   D2. A condition that cannot be evaluated fails its node. It never counts as true or false.

import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import { textComparison } from "../workflow/expression.ts";
import type {
  AccumulatorNode,
  IfNode,
  LoopEndNode,
  LoopStartNode,
  StartNode,
  TextNode,
  VariableNode,
} from "../workflow/model.ts";
import { eventOf, firstLive, type NodeContext, renderField } from "./context.ts";
import type { Evaluator } from "./expression/index.ts";
import { type Facts, isTrue, scopeFor } from "./expression/scope.ts";
import { andThen, type Now, parseJsonOrText, store } from "./values.ts";

export type DecidedNode = StartNode | TextNode | VariableNode | IfNode | AccumulatorNode;

/** The result of a decided node: its value, the branch of an IF, or the values that an accumulator appends. */
export type Decision = { value: Value } | { value: Value; branch: boolean } | { added: Value[] };

/** `first`: this accumulator has not collected anything yet. */
export function decide(
  node: DecidedNode,
  context: NodeContext,
  evaluator: Evaluator,
  first: boolean,
): Now<Result<Decision, Failure>> {
  switch (node.type) {
    case "start":
      return settled(store(eventOf(context) ?? JSON.stringify(context.inputs), context.files));
    case "text":
      return andThen(renderField(node.data.content, context), (text) => settled(store(text, context.files)));
    case "variable":
      return decideVariable(node, context);
    case "if":
      return decideIf(node, context, evaluator);
    case "accumulator":
      return decideAccumulator(node, context, first);
  }
}

function decideVariable(node: VariableNode, context: NodeContext): Now<Result<Decision, Failure>> {
  const { content, initialValue } = node.data;
  const parents = context.parents();
  if (content === undefined && parents.length > 0) return ok({ value: firstLive(parents)?.value ?? EMPTY });
  return andThen(renderField(content ?? initialValue ?? "", context), (text) => settled(store(text, context.files)));
}

function decideIf(node: IfNode, context: NodeContext, evaluator: Evaluator): Now<Result<Decision, Failure>> {
  const handed = context.parents()[0]?.value ?? EMPTY;
  const condition = node.data.content?.trim() ?? "";
  if (condition === "") return ok({ value: handed, branch: (context.parents()[0]?.exitCode ?? 0) === 0 });
  return andThen(holds(condition, context, evaluator), (branch) => ok({ value: handed, branch }));
}

function decideAccumulator(
  node: AccumulatorNode,
  context: NodeContext,
  first: boolean,
): Now<Result<Decision, Failure>> {
  const { content, initialValue } = node.data;
  const start =
    first && initialValue !== undefined && initialValue !== "" ? renderField(initialValue, context) : undefined;
  const startValues = start === undefined ? ok([]) : andThen(start, (text) => ok(initialParts(node, text)));
  return andThen(startValues, (before: Value[]) => {
    if (content === undefined || content === "") {
      const collected = context.parents().filter((parent) => parent.live);
      return ok({ added: [...before, ...collected.map((parent) => parent.value)] });
    }
    return andThen(renderField(content, context), (text) => {
      const value = store(text, context.files);
      if (value instanceof Promise) return value.then((stored) => ok({ added: [...before, stored] }));
      return ok({ added: [...before, value] });
    });
  });
}

/**
 * The initial value of a JSON accumulator is its initial list. For any other accumulator it is the first collected
 * value.
 */
function initialParts(node: AccumulatorNode, text: string): Value[] {
  if (node.data.format !== "json") return [{ text }];
  const json = parseJsonOrText(text);
  return Array.isArray(json) ? json.map((element) => ({ text: JSON.stringify(element) })) : [{ text }];
}

/** The value of a condition: the text comparison of 1.2 (`${1} == done`), or the truth of an expression (1.4). */
/** `own`: source of `exitCode` and `status` if that is not the first parent. */
export function holds(
  condition: string,
  context: NodeContext,
  evaluator: Evaluator,
  own?: Facts,
): Now<Result<boolean, Failure>> {
  const comparison = textComparison(condition);
  if (comparison === undefined) {
    return andThen(scopeFor(condition, context, own), (scope) =>
      evaluator
        .evaluate({ expression: condition, scope })
        .then((answer) => (answer.ok ? ok(isTrue(answer.value)) : answer)),
    );
  }
  return andThen(renderField(comparison.left, context), (left) =>
    andThen(renderField(comparison.right, context), (right) => ok((left === right) === comparison.equal)),
  );
}

/** The plan of a loop: number of iterations (absent for `while` and `until`), first counter, items of a for-each. */
export interface LoopOpening {
  passes?: number;
  first: number;
  items?: readonly unknown[];
}

export function openLoop(
  node: LoopStartNode,
  context: NodeContext,
  evaluator: Evaluator,
): Now<Result<LoopOpening, Failure>> {
  const { iterations, items } = node.data;
  return andThen(integerOf(node.data.start ?? 1, "start", context), (first) => {
    if (items !== undefined)
      return andThen(itemsOf(items, context, evaluator), (list) => ok({ passes: list.length, first, items: list }));
    if (iterations === undefined) return ok({ first });
    return andThen(integerOf(iterations, "iterations", context), (passes) =>
      passes < 0 ? err(notANumber("iterations", String(passes))) : ok({ passes, first }),
    );
  });
}

/** Whether iteration `index` may start: checks the limit, then `while`. */
export function mayStartPass(
  node: LoopStartNode,
  context: NodeContext,
  evaluator: Evaluator,
  index: number,
): Now<Result<boolean, Failure>> {
  const most = node.data.maxIterations ?? limits.maxIterationsDefault;
  const over = index >= most;
  if (node.data.while === undefined) return over ? err(loopLimit(node, most)) : ok(true);
  return andThen(holds(node.data.while, context, evaluator), (go) =>
    go && over ? err(loopLimit(node, most)) : ok(go),
  );
}

/** The iteration's value, the path it comes from, and whether `until` ends the loop. */
export function endPass(
  node: LoopEndNode,
  context: NodeContext,
  evaluator: Evaluator,
): Now<Result<{ value: Value; from?: string; last: boolean }, Failure>> {
  const parent = context.parents().find((candidate) => candidate.live);
  const ended = { value: parent?.value ?? EMPTY, ...(parent?.path === undefined ? {} : { from: parent.path }) };
  if (node.data.until === undefined) return ok({ ...ended, last: false });
  return andThen(holds(node.data.until, context, evaluator), (last) => ok({ ...ended, last }));
}

function integerOf(given: number | string, field: string, context: NodeContext): Now<Result<number, Failure>> {
  if (typeof given === "number") return ok(given);
  return andThen(renderField(given, context), (text) => {
    const trimmed = text.trim();
    return /^-?[0-9]{1,15}$/.test(trimmed) ? ok(Number(trimmed)) : err(notANumber(field, context.files.mask(text)));
  });
}

function itemsOf(items: string, context: NodeContext, evaluator: Evaluator): Now<Result<readonly unknown[], Failure>> {
  if (items.includes("${")) return andThen(renderField(items, context), listOf);
  return andThen(scopeFor(items, context), (scope) =>
    evaluator.evaluate({ expression: items, scope }).then((answer) => {
      if (!answer.ok) return answer;
      if (answer.value === undefined || answer.value === null) return ok([]);
      if (typeof answer.value === "string") return listOf(answer.value);
      return ok(Array.isArray(answer.value) ? answer.value : [answer.value]);
    }),
  );
}

/** The elements of a JSON array, or the lines of the text without the empty one after the last newline. */
function listOf(text: string): Result<readonly unknown[], Failure> {
  const json = parseJsonOrText(text);
  if (Array.isArray(json)) return ok(json);
  if (typeof json === "object" && json !== null) return err(itemsAreAnObject(Object.keys(json)));
  if (text === "") return ok([]);
  return ok(text.replace(/\r?\n$/, "").split(/\r?\n/));
}

function settled(value: Now<Value>): Now<Result<Decision, Failure>> {
  return value instanceof Promise ? value.then((stored) => ok({ value: stored })) : ok({ value });
}

function notANumber(field: string, text: string): Failure {
  return {
    code: "loop-not-a-number",
    message: `"${field}" of the loop must be a whole number${field === "iterations" ? ", 0 or more" : ""}; it is ${JSON.stringify(text.slice(0, 80))}.`,
    hint: "A template here must give digits only, for example ${pages}.",
  };
}

function loopLimit({ id, data }: LoopStartNode, most: number): Failure {
  const counted = data.items !== undefined || data.iterations !== undefined;
  return {
    code: "loop-limit",
    message: `The loop "${id}" reached its limit of ${most} passes.`,
    hint: counted
      ? "It was to make more; raise maxIterations if that many are meant."
      : "Raise maxIterations if that many passes are meant; otherwise its condition never ends it.",
  };
}

function itemsAreAnObject(members: string[]): Failure {
  const some = members.slice(0, 8).join(", ");
  return {
    code: "items-not-a-list",
    message: `"items" of the loop must be a JSON array or lines; it is a JSON object with the members ${some === "" ? "(none)" : some}.`,
    hint: `Name the member that holds the list, for example \${1.${members[0] ?? "items"}}.`,
  };
}
