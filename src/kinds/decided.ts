// decided: the kinds whose value is computed at once, without a process (spec 1.2).

import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { err, ok, type Result } from "../base/result.ts";
import { EMPTY, type Value } from "../base/value.ts";
import type { AccumulatorNode, NodeType, VariableNode } from "../workflow/model.ts";
import { eventOf, firstTakenParent, type NodeContext, renderField, renderText } from "./context.ts";
import { type Decide, type Decision, decided, isConditionTrue } from "./decision.ts";
import { checkState } from "./state.ts";
import { andThen, parseJsonOrText, store, valueText } from "./values.ts";

/** The event that started the run, or the run's inputs. */
const decideStart: Decide<"start"> = (_node, context) =>
  decided(eventOf(context) ?? JSON.stringify(context.inputs), context);

/** The filled-in template. */
const decideText: Decide<"text"> = (node, context) =>
  andThen(renderText(node.data.content, context), (text) => decided(text, context));

/** Passes on its first parent's value, by the branch that its condition says. */
const decideIf: Decide<"if"> = (node, context, { evaluator }) => {
  const [parent] = context.parents();
  const value = parent?.value ?? EMPTY;
  const condition = node.data.content?.trim() ?? "";
  if (condition === "") return ok({ value, branch: (parent?.exitCode ?? 0) === 0 });
  return andThen(isConditionTrue(condition, context, evaluator), (branch) => ok({ value, branch }));
};

const decideVariable: Decide<"variable"> = (node, context) =>
  andThen(valueOfVariable(node, context), (decision) =>
    node.data.persist === true && "value" in decision ? persisted(node, decision, context) : ok(decision),
  );

/** Its content, otherwise its parent's value, otherwise its initial value. */
function valueOfVariable(node: VariableNode, context: NodeContext): Now<Result<Decision, Failure>> {
  const { content, initialValue } = node.data;
  // A node that only initialValue names gives no value by its edge.
  const parents = context.parents().filter(({ reference }) => reference !== true);
  if (content === undefined && parents.length > 0) return ok({ value: firstTakenParent(parents)?.value ?? EMPTY });
  return andThen(renderField(content ?? initialValue ?? "", context), (text) => decided(text, context));
}

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

/** Adds its content, or the values of its parents, to its list. */
const decideAccumulator: Decide<"accumulator"> = (node, context, { isFirst }) => {
  const { content, initialValue = "" } = node.data;
  const first = isFirst && initialValue !== "" ? renderField(initialValue, context) : undefined;
  if (first?.ok === false) return first;
  const before = first === undefined ? [] : initialParts(node, first.value);
  if (content === undefined || content === "") {
    const collected = context.parents().filter(({ live, reference }) => live && reference !== true);
    return ok({ added: [...before, ...collected.map((parent) => parent.value)] });
  }
  const text = renderField(content, context);
  return text.ok ? ok({ added: [...before, store(text.value, context.files)] }) : text;
};

/**
 * The initial value of a JSON accumulator is its initial list. For any other accumulator it is the first collected
 * value.
 */
function initialParts(node: AccumulatorNode, text: string): Value[] {
  if (node.data.format !== "json") return [{ text }];
  const json = parseJsonOrText(text);
  return Array.isArray(json) ? json.map((element) => ({ text: JSON.stringify(element) })) : [{ text }];
}

export const DECIDED: { [T in NodeType]?: Decide<T> } = {
  start: decideStart,
  text: decideText,
  variable: decideVariable,
  if: decideIf,
  accumulator: decideAccumulator,
};
