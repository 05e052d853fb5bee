// decision: how a node without a process gets its value. Each such kind has a function of type `Decide`.
//   D1. A decision depends only on its input values: no clock, and no files except those of the values.
//   D2. A condition that cannot be evaluated fails its node. It never counts as true or false.

import type { Failure } from "../base/failure.ts";
import type { Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import type { Value } from "../base/value.ts";
import { textComparison } from "../workflow/expression.ts";
import type { NodeType, WorkflowNode } from "../workflow/model.ts";
import { type NodeContext, renderField } from "./context.ts";
import type { Evaluator } from "./expression/index.ts";
import { noteMisspelt } from "./expression/misspelt.ts";
import { type Facts, isTrue, scopeFor } from "./expression/scope.ts";
import { andThen, store } from "./values.ts";

/**
 * The result of a decided node: its value, the branch of an IF, or the values that an accumulator appends. `state`:
 * values for later runs of the workflow.
 */
export type Decision =
  | { value: Value; state?: Record<string, string> }
  | { value: Value; branch: boolean }
  | { added: Value[] };

/** `isFirst`: this accumulator has not collected anything yet. */
export type Decide<T extends NodeType> = (
  node: Extract<WorkflowNode, { type: T }>,
  context: NodeContext,
  around: { evaluator: Evaluator; isFirst: boolean },
) => Now<Result<Decision, Failure>>;

/** The text as the value of a node. */
export function decided(text: string, { files }: NodeContext): Result<Decision, Failure> {
  return ok({ value: store(text, files) });
}

/**
 * The value of a condition: the text comparison of 1.2 (`${1} == done`), or the truth of an expression (1.4).
 * `own`: source of `exitCode` and `status` if that is not the first parent.
 */
export function isConditionTrue(
  condition: string,
  context: NodeContext,
  evaluator: Evaluator,
  own?: Facts,
): Now<Result<boolean, Failure>> {
  const comparison = textComparison(condition);
  if (comparison === undefined) {
    return andThen(scopeFor(condition, context, own), (scope) => {
      noteMisspelt(condition, scope, context);
      return evaluator
        .evaluate({ expression: condition, scope })
        .then((answer) => (answer.ok ? ok(isTrue(answer.value)) : answer));
    });
  }
  return andThen(renderField(comparison.left, context), (left) =>
    andThen(renderField(comparison.right, context), (right) => ok((left === right) === comparison.equal)),
  );
}
