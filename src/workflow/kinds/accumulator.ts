// kinds/accumulator: collects values in a list, also over the iterations of a loop.

import * as z from "zod/mini";
import { flattenWithoutJson } from "../diagnostics/node.ts";
import { flag, oneOf, opt, text } from "../schema/fields.ts";
import { title, variableName } from "../schema/shared.ts";
import type { Kind } from "./kind.ts";
import { namedSources, showNamed } from "./variable.ts";

const data = z.object({
  title,
  variableName,
  initialValue: opt(text("Content of the collection before anything is added. A template.")),
  content: opt(text("Value to add. A template. Empty: the values of all parents.")),
  format: opt(oneOf(["lines", "json"], "lines joins the values with newlines. json gives an array. Default lines.")),
  flatten: opt(flag("Adds the elements of an array one by one. Needs format: json.")),
});

export const accumulator: Kind<typeof data> = {
  name: "Accumulator",
  sign: "+",
  data,
  effect: "collects",
  texts: { content: "template", initialValue: "template" },
  check: ({ data: { flatten, format } }, path, check) => {
    if (flatten === true && format !== "json") check.report(flattenWithoutJson(check.at([...path, "flatten"], "key")));
  },
  sources: namedSources,
  isJson: ({ format }) => format === "json",
  describe: ({ variableName }) => variableName,
  show: showNamed,
};
