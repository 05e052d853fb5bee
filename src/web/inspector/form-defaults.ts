// form-defaults: what the document's `defaults` can say (spec 1.1): the fields of commands and models, in the sections of their own forms.
//   D1. Left out is what belongs to one node alone. Where a document says it all the same, the form names it.

import { formOf, type Section } from "./form.ts";

const OF_ONE_NODE: ReadonlySet<string> = new Set(["title", "content", "stdin", "emit", "schema", "system"]);
const OF_LISTENERS = "Listener";

let made: Section[] | undefined;

export function defaultsForm(): Section[] {
  made ??= sections();
  return made;
}

function sections(): Section[] {
  const seen = new Set<string>();
  const of = (type: "cli" | "llm", plain: string): Section[] =>
    formOf(type)
      .flatMap((tab) => tab.sections.map((section) => ({ ...section, title: section.title ?? `${plain}${tab.label}` })))
      .filter(({ title }) => title !== OF_LISTENERS)
      .map((section) => {
        const fields = section.fields.filter(
          ({ path }) => !OF_ONE_NODE.has(path[0] as string) && !seen.has(path.join(".")),
        );
        for (const { path } of fields) seen.add(path.join("."));
        return { ...section, fields, folded: true as const };
      })
      .filter(({ fields }) => fields.length > 0);
  return [...of("cli", ""), ...of("llm", "Language model: ")];
}
