// accumulator: adds its content, or the values of its parents, to its list.

import { ok } from "../../base/result.ts";
import type { Value } from "../../base/value.ts";
import type { AccumulatorNode } from "../../workflow/model.ts";
import { renderField } from "../context.ts";
import type { Decide } from "../decision.ts";
import { parseJsonOrText, store } from "../values.ts";

export const decideAccumulator: Decide<"accumulator"> = (node, context, { isFirst }) => {
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
