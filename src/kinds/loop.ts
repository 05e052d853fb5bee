// loop: opens a loop, and starts and ends its iterations. The scheduler runs its iterations as scopes.

import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import type { LoopEndNode, LoopStartNode } from "../workflow/model.ts";
import { type NodeContext, renderField } from "./context.ts";
import { holds } from "./decision.ts";
import type { Evaluator } from "./expression/index.ts";
import { scopeFor } from "./expression/scope.ts";
import { andThen, type Now, parseJsonOrText } from "./values.ts";

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
    message: `The loop "${id}" reached its limit of ${most} iterations.`,
    hint: counted
      ? "It was to make more; raise maxIterations if that many are meant."
      : "Raise maxIterations if that many iterations are meant; otherwise its condition never ends it.",
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
