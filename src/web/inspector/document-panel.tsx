// DocumentPanel: the document's own fields, shown while nothing is selected: name, inputs, secrets, triggers, limits,
// result.

import type { ReactNode } from "react";
import { visibleLine } from "../../base/visible.ts";
import { isMapValue } from "../document/equal.ts";
import { nodesOf, titleOf } from "../document/plain.ts";
import { useField, usePanel } from "./context.ts";
import { DefaultsPart } from "./defaults-part.tsx";
import { EgressField } from "./fields/choices.tsx";
import { TemplateField } from "./fields/code.tsx";
import { type Option, Select } from "./fields/controls.tsx";
import { Found, Frame } from "./fields/frame.tsx";
import { InputsField } from "./fields/inputs.tsx";
import { InputField, written } from "./fields/plain.tsx";
import { SignInField } from "./fields/sign-in.tsx";
import { TriggersField } from "./fields/triggers.tsx";
import { documentField } from "./form.ts";

const NAME = documentField("name");
const DESCRIPTION = documentField("description", "text");
const SECRETS = documentField("secrets");
const CONCURRENCY = { ...documentField("concurrency"), usual: "2 × the cores" };
const TIMEOUT = documentField("timeout");
const OUTPUT_BYTES = { ...documentField("limits.outputBytes"), label: "Most output of a command", usual: "10GB" };
const EGRESS = documentField("egress", "egress");
const FINALLY = documentField("finally");

/** Fields that the panel or the canvas shows elsewhere. */
const SHOWN = new Set([
  ...["name", "description", "inputs", "on", "secrets", "auth", "concurrency", "timeout", "limits", "egress"],
  ...["defaults", "output", "finally", "edges"],
]);

export function DocumentPanel() {
  const { doc, findings } = usePanel();
  if (doc.plain === undefined)
    return (
      <div className="flex flex-col gap-3 p-4">
        <p>The file cannot be read. Mend it in the source; its nodes come back then.</p>
        <Found findings={findings.all} text="" />
      </div>
    );
  const own = findings.all.filter(({ path: [head, ...rest] }) =>
    head === "nodes" ? rest.length === 0 : !SHOWN.has(String(head)),
  );
  return (
    <div className="flex flex-col gap-6 p-4">
      <Imported />
      {own.length > 0 && <Found findings={own} text="" />}
      <Part>
        <InputField spec={NAME} />
        <TemplateField spec={{ ...DESCRIPTION, control: "text" }} />
      </Part>
      <Part title="Inputs">
        <InputsField />
      </Part>
      <Part title="Triggers">
        <TriggersField />
      </Part>
      <Part title="Secrets and signing in">
        <InputField spec={SECRETS} />
        <SignInField />
      </Part>
      <Part title="Limits">
        <div className="grid grid-cols-2 gap-3">
          <InputField spec={CONCURRENCY} />
          <InputField spec={TIMEOUT} />
        </div>
        <InputField spec={OUTPUT_BYTES} />
        <EgressField spec={EGRESS} />
      </Part>
      <DefaultsPart />
      <Part title="Result and end">
        <OutputField />
        <InputField spec={{ ...FINALLY, label: "Always at the end" }} />
      </Part>
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

function Part({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      {title !== undefined && <h3 className="text-xs font-semibold tracking-wide text-muted uppercase">{title}</h3>}
      {children}
    </section>
  );
}

/** The node whose value is the result. */
function OutputField() {
  const { doc } = usePanel();
  const field = useField(["output"]);
  const value = written(field.value);
  const options: Option[] = [["", "The last node's value"]];
  for (const node of nodesOf(doc.plain ?? {})) options.push([node.id, titleOf(node)]);
  if (!options.some(([id]) => id === value)) options.push([value, `${visibleLine(value)} (is not there)`]);
  return (
    <Frame label="Result of a run" help={documentField("output").help} findings={field.findings}>
      {(described) => <Select described={described} value={value} options={options} onChange={field.set} />}
    </Frame>
  );
}
