// text: its value is the filled-in template.

import { renderField } from "../context.ts";
import { type Decide, decided } from "../decision.ts";
import { andThen } from "../values.ts";

export const decideText: Decide<"text"> = (node, context) =>
  andThen(renderField(node.data.content, context), (text) => decided(text, context));
