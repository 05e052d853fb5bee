// AuthField: how a command signs in: not at all, with its own credential, or with an entry that nodes share. SignInField:
// the entries of the workflow.

import { useState } from "react";
import { isMapValue } from "../../document/equal.ts";
import type { FieldSpec } from "../../kinds.ts";
import { DocsLink } from "../../ui/docs-link.tsx";
import { Panel, useField, usePanel } from "../context.ts";
import { setValue } from "../edits.ts";
import { chooseForEntry, chooseForNode, OFFERED, SIGN_IN_LABELS, SIGN_INS } from "../sign-in.ts";
import { AddName, Card, type Option, Select, SelectField, written } from "./controls.tsx";
import { MapField } from "./map.tsx";

const TYPES: Option[] = Object.entries(SIGN_INS);

/** Nothing, one of the document's entries, or the node's own. */
export function AuthField({ spec }: { spec: FieldSpec }) {
  const panel = usePanel();
  const { doc, node, onEdit } = panel;
  const field = useField(spec.path);
  const entries = isMapValue(doc.plain?.auth) ? Object.keys(doc.plain.auth) : [];
  const own = isMapValue(field.value) ? field.value : undefined;
  const named = own === undefined ? written(field.value) : "";
  const value = own === undefined ? `named:${named}` : `own:${written(own.type)}`;
  const options: Option[] = [
    ["named:", "None"],
    ...entries.map((name): Option => [`named:${name}`, `${name}, from the workflow`]),
    ...TYPES.map(([type, words]): Option => [`own:${type}`, words]),
  ];
  if (!options.some(([option]) => option === value))
    options.push([value, own === undefined ? `${named}, from the workflow` : written(own.type) || "its own"]);
  const choose = (chosen: string): void => {
    const [, kind, text = ""] = /^(own|named):(.*)$/s.exec(chosen) ?? [];
    if (node === undefined) onEdit(setValue(undefined, spec.path, text));
    else onEdit(chooseForNode(node.id, kind === "own" ? { type: text } : { name: text }));
  };
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label="Sign in"
        help={spec.help}
        findings={own === undefined ? field.findings : []}
        value={value}
        options={options}
        onChange={choose}
      />
      {own !== undefined && <Credential path={spec.path} type={written(own.type)} label="Credential" />}
      {entries.includes(named) && (
        // The fields of an entry are those of the workflow.
        <Panel value={{ ...panel, node: undefined }}>
          <Shared key={named} name={named} />
        </Panel>
      )}
    </div>
  );
}

/** Folded once it is filled in, so that the next field is one press of Tab away. */
function Shared({ name }: { name: string }) {
  const { value } = useField(["auth", name]);
  const type = isMapValue(value) ? written(value.type) : "";
  const [isNew] = useState(isMapValue(value) && Object.values(value).includes(""));
  const label = `${name}, shared by the nodes that choose it`;
  const fields = (
    <section aria-label={`Sign-in ${name}`} className="flex flex-col gap-1.5">
      <Credential path={["auth", name]} type={type} label={isNew ? label : ""} />
      {type.startsWith("oauth2-") && <AboutOAuth />}
    </section>
  );
  if (isNew) return <div className="rounded-md border border-line p-3">{fields}</div>;
  return (
    <details className="rounded-md border border-line p-3">
      <summary className="min-h-6 cursor-pointer text-sm font-medium">{label}</summary>
      {fields}
    </details>
  );
}

function AboutOAuth() {
  return (
    <p className="text-xs text-muted">
      Curlew gets the token, and renews it before it expires.{" "}
      <DocsLink page="how-to/oauth" className="text-xs! underline">
        Use OAuth 2.0
      </DocsLink>
    </p>
  );
}

interface CredentialProps {
  path: FieldSpec["path"];
  type: string;
  label: string;
}

function Credential({ path, type, label }: CredentialProps) {
  const spec: FieldSpec = { path, label, control: "map", help: "" };
  return <MapField spec={spec} noun="Field" labels={SIGN_IN_LABELS} offered={OFFERED[type]} />;
}

/** The named credentials, `auth:` (spec 3.6). Values are templates, and secrets appear only as names. */
export function SignInField({ spec }: { spec: FieldSpec }) {
  const { onEdit } = usePanel();
  const { value } = useField(["auth"]);
  const names = isMapValue(value) ? Object.keys(value) : [];
  const [type, setType] = useState("bearer");
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm font-medium">Sign-ins</p>
      {names.map((name) => (
        <Entry key={name} name={name} />
      ))}
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-1.5">
        <Select label="Type of a new sign-in" value={type} options={TYPES} onChange={setType} />
        <AddName
          label="Name of a new sign-in"
          placeholder="name: github"
          taken={names}
          onAdd={(name) => onEdit(chooseForEntry(name, type))}
        />
      </div>
      <p className="text-xs text-muted">{spec.help}</p>
    </div>
  );
}

function Entry({ name }: { name: string }) {
  const { onEdit } = usePanel();
  const { value, findings } = useField(["auth", name]);
  const type = isMapValue(value) ? written(value.type) : "";
  const options = Object.hasOwn(SIGN_INS, type) ? TYPES : [...TYPES, [type, type] as const];
  return (
    <Card
      name={`Sign-in ${name}`}
      head={<span className="font-mono text-sm">{name}</span>}
      removeLabel={`Remove ${name}`}
      onRemove={() => onEdit(chooseForEntry(name, undefined))}
      findings={findings.filter(({ path }) => path.length === 2)}
    >
      <Select
        label={`Type of ${name}`}
        value={type}
        options={options}
        onChange={(next) => onEdit(chooseForEntry(name, next))}
      />
      <Credential path={["auth", name]} type={type} label="Fields" />
      {type.startsWith("oauth2-") && <AboutOAuth />}
    </Card>
  );
}
