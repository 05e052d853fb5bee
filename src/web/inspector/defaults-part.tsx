// DefaultsPart: the document's `defaults`, which apply to every node that does not set the field itself (spec 1.1).

import { useMemo } from "react";
import { isMapValue } from "../document/equal.ts";
import { Panel, usePanel } from "./context.ts";
import { Found } from "./fields/frame.tsx";
import { formOf, type Section } from "./form.ts";
import { SectionView } from "./section-view.tsx";

export function DefaultsPart() {
  const panel = usePanel();
  const inside = useMemo(() => ({ ...panel, inDefaults: true as const }), [panel]);
  const form = defaultsForm();
  const known = new Set(form.flatMap(({ fields }) => fields.map(({ path }) => path[0])));
  const said = isMapValue(panel.doc.plain?.defaults) ? Object.keys(panel.doc.plain.defaults) : [];
  const others = said.filter((key) => !known.has(key));
  const found = panel.findings.under(["defaults"]).filter(({ path }) => !known.has(path[1] as string));
  return (
    <details open={said.length > 0} className="flex flex-col">
      <summary className="min-h-6 cursor-pointer text-xs font-semibold tracking-wide text-muted uppercase">
        Defaults of every node
      </summary>
      <div className="@container mt-3 flex flex-col gap-4">
        <p className="text-sm text-muted">
          What a node does that does not say otherwise, where its kind knows the field.
        </p>
        {found.length > 0 && <Found findings={found} text="" />}
        <Panel value={inside}>
          {form.map((section) => (
            <SectionView key={section.title} section={section} />
          ))}
        </Panel>
        {others.length > 0 && (
          <p className="text-sm text-muted">
            Also set, to be changed in the source: <code>{others.join(", ")}</code>
          </p>
        )}
      </div>
    </details>
  );
}

const OF_ONE_NODE: ReadonlySet<string> = new Set(["title", "content", "stdin", "emit", "schema", "system"]);
const OF_LISTENERS = "Listener";

let made: Section[] | undefined;

function defaultsForm(): Section[] {
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
