// variable: its value is its content, otherwise its parent's value, otherwise its initial value.

import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import type { Now } from "../../base/now.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { EMPTY } from "../../base/value.ts";
import type { VariableNode } from "../../workflow/model.ts";
import { firstTakenParent, type NodeContext, renderField } from "../context.ts";
import { type Decide, type Decision, decided } from "../decision.ts";
import { checkState } from "../state.ts";
import { andThen, valueText } from "../values.ts";

export const decideVariable: Decide<"variable"> = (node, context) =>
  andThen(decide(node, context), (decision) =>
    node.data.persist === true && "value" in decision ? persisted(node, decision, context) : ok(decision),
  );

function persisted(
  { data }: VariableNode,
  decision: Extract<Decision, { value: unknown }>,
  context: NodeContext,
): Now<Result<Decision, Failure>> {
  return andThen(valueText(decision.value, context.files, limits.expressionInputBytesMax), (text) => {
    const state = { [data.variableName]: text };
    const wrong = checkState(state, context);
    return wrong === undefined ? ok({ ...decision, state }) : err(wrong);
  });
}

function decide(node: VariableNode, context: NodeContext): Now<Result<Decision, Failure>> {
  const { content, initialValue } = node.data;
  // A node that only initialValue names gives no value by its edge.
  const parents = context.parents().filter(({ reference }) => reference !== true);
  if (content === undefined && parents.length > 0) return ok({ value: firstTakenParent(parents)?.value ?? EMPTY });
  return andThen(renderField(content ?? initialValue ?? "", context), (text) => decided(text, context));
}
