// AuthField: how a command signs in: not at all, with its own credential, or with an entry that nodes share. SignInField:
// the entries of the workflow.

import { useState } from "react";
import { isMapValue } from "../../document/equal.ts";
import type { FieldSpec } from "../../kinds.ts";
import { DocsLink } from "../../ui/docs-link.tsx";
import { Select } from "../../ui/select.tsx";
import { Panel, useField, usePanel } from "../context.ts";
import { chooseForEntry, chooseForNode, OAUTH, SIGN_INS } from "../sign-in.ts";
import { AddName, Card, type Option, SelectField, written } from "./controls.tsx";
import { MapField } from "./map.tsx";

const TYPES: Option[] = Object.entries(SIGN_INS);

/** The fields that each type needs, which are always there. The type itself is chosen above them. */
const LABELS = {
  type: "",
  token: "Token",
  username: "User name",
  password: "Password",
  name: "Header",
  value: "Value",
  tokenUrl: "Token URL",
  clientId: "Client ID",
  clientSecret: "Client secret",
};

/** Nothing, one of the document's entries, or the node's own. Types of `own` have no `=`. */
export function AuthField({ spec }: { spec: FieldSpec }) {
  const panel = usePanel();
  const { doc, node, onEdit } = panel;
  const { value, findings } = useField(spec.path);
  const entries = isMapValue(doc.plain?.auth) ? Object.keys(doc.plain.auth) : [];
  const own = isMapValue(value) ? written(value.type) : undefined;
  const name = own === undefined ? written(value) : "";
  const names = [...new Set([...entries, name])].filter((one) => one !== "");
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label="Sign in"
        help={spec.help}
        findings={own === undefined ? findings : []}
        value={own ?? `=${name}`}
        options={[["=", "None"], ...names.map((one): Option => [`=${one}`, `${one}, from the workflow`]), ...TYPES]}
        onChange={(next) => {
          const choice = next.startsWith("=") ? { name: next.slice(1) } : { type: next };
          onEdit(chooseForNode(node?.id ?? "", choice));
        }}
      />
      {own !== undefined && <Credential path={spec.path} label="Credential" />}
      {entries.includes(name) && (
        // The fields of an entry are those of the workflow.
        <Panel value={{ ...panel, node: undefined }}>
          <Shared key={name} name={name} />
        </Panel>
      )}
    </div>
  );
}

/** Folded once it is filled in, so that the next field is one press of Tab away. */
function Shared({ name }: { name: string }) {
  const { value } = useField(["auth", name]);
  const [isNew] = useState(isMapValue(value) && Object.values(value).includes(""));
  return (
    <details open={isNew} className="rounded-md border border-line p-3">
      <summary tabIndex={isNew ? -1 : 0} className="min-h-6 cursor-pointer text-sm font-medium">
        {name}, shared by the nodes that choose it
      </summary>
      <section aria-label={`Sign-in ${name}`}>
        <Credential path={["auth", name]} label="" />
      </section>
    </details>
  );
}

function Credential({ path, label }: { path: FieldSpec["path"]; label: string }) {
  const { value } = useField(path);
  const type = isMapValue(value) ? written(value.type) : "";
  const offered = type === OAUTH ? ["scope", "audience", "clientAuth"] : [];
  return (
    <div className="flex flex-col gap-1.5">
      <MapField spec={{ path, label, control: "map", help: "" }} noun="Field" labels={LABELS} offered={offered} />
      {type.startsWith("oauth2-") && (
        <p className="text-xs text-muted">
          Curlew gets the token, and renews it before it expires.{" "}
          <DocsLink page="how-to/oauth" className="text-xs! underline">
            Use OAuth 2.0
          </DocsLink>
        </p>
      )}
    </div>
  );
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
        <Select aria-label="Type of a new sign-in" value={type} options={TYPES} onChange={setType} />
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
  return (
    <Card
      name={`Sign-in ${name}`}
      head={<span className="font-mono text-sm">{name}</span>}
      removeLabel={`Remove ${name}`}
      onRemove={() => onEdit(chooseForEntry(name, undefined))}
      findings={findings.filter(({ path }) => path.length === 2)}
    >
      <Select
        aria-label={`Type of ${name}`}
        value={isMapValue(value) ? written(value.type) : ""}
        options={TYPES}
        onChange={(next) => onEdit(chooseForEntry(name, next))}
      />
      <Credential path={["auth", name]} label="Fields" />
    </Card>
  );
}
