// accumulator: adds its content, or the values of its parents, to its list.

import { ok } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import type { AccumulatorNode } from "../../workflow/model.ts";
import { renderField } from "../context.ts";
import type { Decide } from "../decision.ts";
import { andThen, parseJsonOrText, store } from "../values.ts";

export const decideAccumulator: Decide<"accumulator"> = (node, context, { isFirst }) => {
  const { content, initialValue } = node.data;
  const start =
    isFirst && initialValue !== undefined && initialValue !== "" ? renderField(initialValue, context) : undefined;
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
