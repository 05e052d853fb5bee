// kinds/variable: gives a value a name.

import * as z from "zod/mini";
import { flag, opt, text } from "../schema/fields.ts";
import { title, variableName } from "../schema/shared.ts";
import type { Filling, Kind, Shown, Source, Sources } from "./kind.ts";

const data = z.object({
  title,
  variableName,
  initialValue: opt(text("The value when nothing feeds the node. A template.")),
  content: opt(text("The value. A template. Wins over the parent and initialValue.")),
  secret: opt(flag("The value is masked everywhere, and stored encrypted while the run lasts.")),
});

export const variable: Kind<typeof data> = {
  name: "Variable",
  sign: "=",
  data,
  texts: { content: "template", initialValue: "template" },
  sources: namedSources,
  describe: ({ variableName }) => variableName,
  show: showNamed,
};

interface Named {
  variableName: string;
  initialValue?: string;
  content?: string;
}

/** An Accumulator has the same sources as a Variable. */
export function namedSources({ initialValue, content }: Named, from: Sources): Source[] {
  return [...from.template(initialValue), ...(content === undefined ? from.parents : from.template(content))];
}

export function showNamed({ variableName, content, initialValue }: Named, { value, hasParents }: Filling): Shown {
  const written = content ?? (hasParents ? undefined : initialValue);
  return written === undefined ? {} : { command: `${variableName} = ${value(written)}` };
}
