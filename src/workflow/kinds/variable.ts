// kinds/variable: gives a value a name.

import * as z from "zod/mini";
import type { Check } from "../check/context.ts";
import { undeclaredState } from "../diagnostics/template.ts";
import { persistSecret } from "../diagnostics/workflow.ts";
import { flag, opt, text } from "../schema/fields.ts";
import { title, variableName } from "../schema/shared.ts";
import type { Path } from "../source-map.ts";
import type { Filling, Kind, Shown, Source, Sources } from "./kind.ts";

const data = z.object({
  title,
  variableName,
  initialValue: opt(text("Value if no node feeds it. A template.")),
  content: opt(text("Value. A template. Empty: the parent's value, otherwise the initial value.")),
  persist: opt(flag("Keeps the value for later runs, under the same name in state.")),
  secret: opt(flag("The value is masked everywhere, and stored encrypted while the run lasts.")),
});

export const variable: Kind<typeof data> = {
  name: "Variable",
  sign: "=",
  data,
  texts: { content: "template", initialValue: "template" },
  check: checkPersist,
  sources: namedSources,
  describe: ({ variableName }) => variableName,
  show: showNamed,
};

function checkPersist({ data }: { data: z.infer<typeof variable.data> }, path: Path, check: Check): void {
  if (data.persist !== true) return;
  const names = Object.keys(check.workflow.state ?? {});
  const at = check.at([...path, "persist"], "key");
  if (!names.includes(data.variableName)) check.report(undeclaredState(at, "persist", data.variableName, names));
  else if (data.secret === true) check.report(persistSecret(at, data.variableName));
}

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
