// DocumentPanel: the document's own fields, shown while nothing is selected: name, inputs, secrets, triggers, limits,
// the defaults of its nodes (spec 1.1), and the result.

import { useMemo } from "react";
import { isMapValue } from "../document/equal.ts";
import { Panel, usePanel } from "./context.ts";
import { written } from "./fields/controls.tsx";
import { Found } from "./fields/frame.tsx";
import { defaultsForm, documentForm } from "./form.ts";
import { SectionView } from "./section-view.tsx";

/** Fields whose findings are shown elsewhere: in their own part of the panel, or on the canvas. */
const SHOWN = new Set(documentForm().flatMap(({ fields }) => fields.map(({ path }) => path[0])));
for (const key of ["defaults", "edges"]) SHOWN.add(key);

export function DocumentPanel() {
  const { doc, findings } = usePanel();
  if (doc.plain === undefined)
    return (
      <div className="flex flex-col gap-3 p-4">
        <p>The file can't be read. Fix it in the source to see its nodes again.</p>
        <Found findings={findings.all} />
      </div>
    );
  const own = findings.all.filter(({ path: [head, ...rest] }) =>
    head === "nodes" ? rest.length === 0 : !SHOWN.has(String(head)),
  );
  const sections = documentForm();
  return (
    <div className="@container flex flex-col gap-6 p-4">
      <Imported />
      <Found findings={own} />
      {sections.slice(0, -1).map((section, at) => (
        <SectionView key={section.title ?? at} section={section} />
      ))}
      <Defaults />
      {sections.slice(-1).map((section) => (
        <SectionView key={section.title} section={section} />
      ))}
    </div>
  );
}

/** Where the document came from. It does not run until someone has seen it. */
function Imported() {
  const { doc } = usePanel();
  const imported = isMapValue(doc.plain?.imported) ? doc.plain.imported : undefined;
  if (imported === undefined) return null;
  const at = Number.isNaN(Date.parse(written(imported.at))) ? undefined : written(imported.at);
  return (
    <p className="text-muted">
      Imported from <code className="break-all">{written(imported.from)}</code>
      {at === undefined ? "" : `, ${new Date(at).toLocaleString()}`}
    </p>
  );
}

/** The document's `defaults`, which apply to every node that does not set the field itself. */
function Defaults() {
  const panel = usePanel();
  const inside = useMemo(() => ({ ...panel, inDefaults: true as const }), [panel]);
  const form = defaultsForm();
  const known = new Set(form.flatMap(({ fields }) => fields.map(({ path }) => path[0])));
  const present = isMapValue(panel.doc.plain?.defaults) ? Object.keys(panel.doc.plain.defaults) : [];
  const others = present.filter((key) => !known.has(key));
  const found = panel.findings.under(["defaults"]).filter(({ path }) => !known.has(path[1] as string));
  return (
    <details open={present.length > 0} className="flex flex-col">
      <summary className="min-h-6 cursor-pointer text-xs font-semibold tracking-wide text-muted uppercase">
        Defaults of every node
      </summary>
      <div className="@container mt-3 flex flex-col gap-4">
        <p className="text-sm text-muted">They apply to every node that has the field and does not set it.</p>
        <Found findings={found} />
        <Panel value={inside}>
          {form.map((section) => (
            <SectionView key={section.title} section={section} />
          ))}
        </Panel>
        {others.length > 0 && (
          <p className="text-sm text-muted">
            Change these in the source: <code>{others.join(", ")}</code>
          </p>
        )}
      </div>
    </details>
  );
}
