// variable: its value is its content, otherwise its parent's value, otherwise its initial value.

import { ok } from "../../base/result.ts";
import { EMPTY } from "../../base/value.ts";
import { firstLive, renderField } from "../context.ts";
import { type Decide, decided } from "../decision.ts";
import { andThen } from "../values.ts";

export const decideVariable: Decide<"variable"> = (node, context) => {
  const { content, initialValue } = node.data;
  const parents = context.parents();
  if (content === undefined && parents.length > 0) return ok({ value: firstLive(parents)?.value ?? EMPTY });
  return andThen(renderField(content ?? initialValue ?? "", context), (text) => decided(text, context));
};
