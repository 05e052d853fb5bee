// loop: opens a loop, and starts and ends its iterations. The scheduler runs its iterations as scopes.

import { type Failure, failureOf } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { err, ok, type Result } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import type { LoopEndNode, LoopStartNode } from "../workflow/model.ts";
import { type NodeContext, renderField } from "./context.ts";
import { isConditionTrue } from "./decision.ts";
import type { Evaluator } from "./expression/index.ts";
import { noteMisspelt } from "./expression/misspelt.ts";
import { scopeFor } from "./expression/scope.ts";
import { andThen, parseJsonOrText } from "./values.ts";

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
  const first = integerOf(node.data.start ?? 1, "start", context);
  if (!first.ok) return first;
  if (items !== undefined)
    return andThen(itemsOf(items, context, evaluator), (list) =>
      ok({ passes: list.length, first: first.value, items: list }),
    );
  if (iterations === undefined) return ok({ first: first.value });
  const passes = integerOf(iterations, "iterations", context);
  if (!passes.ok) return passes;
  return passes.value < 0
    ? err(notANumber("iterations", String(passes.value)))
    : ok({ passes: passes.value, first: first.value });
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
  if (node.data.while === undefined) return over ? err(loopLimit(node, most, context)) : ok(true);
  return andThen(isConditionTrue(node.data.while, context, evaluator), (go) =>
    go && over ? err(loopLimit(node, most, context)) : ok(go),
  );
}

/** The iteration's value, the path it comes from, and whether `until` ends the loop. */
export function endPass(
  node: LoopEndNode,
  context: NodeContext,
  evaluator: Evaluator,
): Now<Result<{ value: Value; from?: string; last: boolean }, Failure>> {
  const parent = context.parents().find((candidate) => candidate.live);
  const ended = { value: parent?.value ?? EMPTY, from: parent?.path };
  if (node.data.until === undefined) return ok({ ...ended, last: false });
  return andThen(isConditionTrue(node.data.until, context, evaluator), (last) => ok({ ...ended, last }));
}

function integerOf(given: number | string, field: string, context: NodeContext): Result<number, Failure> {
  if (typeof given === "number") return ok(given);
  const text = renderField(given, context);
  if (!text.ok) return text;
  const trimmed = text.value.trim();
  return /^-?[0-9]{1,15}$/.test(trimmed) ? ok(Number(trimmed)) : err(notANumber(field, context.files.mask(text.value)));
}

function itemsOf(items: string, context: NodeContext, evaluator: Evaluator): Now<Result<readonly unknown[], Failure>> {
  if (items.includes("${")) return andThen(renderField(items, context), listOf);
  return andThen(scopeFor(items, context), (scope) => {
    noteMisspelt(items, scope, context);
    return evaluator.evaluate({ expression: items, scope }).then((answer) => {
      if (!answer.ok) return answer;
      if (answer.value === undefined || answer.value === null) return ok([]);
      if (typeof answer.value === "string") return listOf(answer.value);
      return ok(Array.isArray(answer.value) ? answer.value : [answer.value]);
    });
  });
}

/** The elements of a JSON array, or the lines of the text without the empty one after the last newline. */
function listOf(text: string): Result<readonly unknown[], Failure> {
  const json = parseJsonOrText(text);
  if (Array.isArray(json)) return ok(json);
  if (typeof json === "object" && json !== null) return err(itemsAreAnObject(Object.keys(json)));
  if (text === "") return ok([]);
  return ok(text.replace(/\r?\n$/, "").split(/\r?\n/));
}

const notANumber = failureOf("loop-not-a-number", (field: string, text: string) => [
  `"${field}" of the loop must be an integer${field === "iterations" ? " of 0 or more" : ""}, but is ${JSON.stringify(text.slice(0, 80))}.`,
  "The value must consist of digits, for example ${pages}.",
]);

function loopLimit({ id, data }: LoopStartNode, most: number, { warnings }: NodeContext): Failure {
  const counted = data.items !== undefined || data.iterations !== undefined;
  const misspelt = warnings?.find(({ code }) => code === "expression-member");
  return {
    code: "loop-limit",
    message: `The loop "${id}" reached its limit of ${most} iterations.${misspelt ? ` ${misspelt.message}` : ""}`,
    hint: counted
      ? "It has more iterations. If you need them, raise maxIterations."
      : "If you need more iterations, raise maxIterations. Otherwise check the condition, which never ends the loop.",
  };
}

function itemsAreAnObject(members: string[]): Failure {
  const some = members.slice(0, 8).join(", ");
  return {
    code: "items-not-a-list",
    message: `"items" of the loop must be a JSON array or lines, but is a JSON object with the members ${some === "" ? "(none)" : some}.`,
    hint: `Name the member that contains the list, for example \${1.${members[0] ?? "items"}}.`,
  };
}
