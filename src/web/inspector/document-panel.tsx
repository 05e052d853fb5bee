// DocumentPanel: the document's own fields, shown while nothing is selected: name, inputs, secrets, triggers, limits,
// the defaults of its nodes (spec 1.1), and the result.

import { isMapValue } from "../document/equal.ts";
import { exactTime } from "../ui/words.ts";
import { usePanel } from "./context.ts";
import { written } from "./fields/controls.tsx";
import { Found } from "./fields/frame.tsx";
import { documentForm } from "./form.ts";
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
    <div data-part="workflow" className="@container flex flex-col gap-6 p-4">
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
      {at === undefined ? "" : `, ${exactTime(at)}`}
    </p>
  );
}

/** The names of the document's `defaults`, which apply to every node that does not set the field itself. */
function Defaults() {
  const { doc, findings } = usePanel();
  const names = isMapValue(doc.plain?.defaults) ? Object.keys(doc.plain.defaults) : [];
  const found = findings.under(["defaults"]);
  if (names.length + found.length === 0) return null;
  return (
    <section aria-label="Defaults of every node" className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold text-muted">Defaults of every node</h3>
      <Found findings={found} />
      <p className="text-sm text-muted">
        Change these in the source: <code>{names.join(", ")}</code>
      </p>
    </section>
  );
}
