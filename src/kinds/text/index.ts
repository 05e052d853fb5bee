// text: its value is the filled-in template.

import { renderText } from "../context.ts";
import { type Decide, decided } from "../decision.ts";
import { andThen } from "../values.ts";

export const decideText: Decide<"text"> = (node, context) =>
  andThen(renderText(node.data.content, context), (text) => decided(text, context));
