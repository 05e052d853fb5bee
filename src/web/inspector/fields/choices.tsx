// choices: fields that accept several kinds of value: standard input, `inherit`, allowed hosts, sign-in, and when to
// retry.

import { CodeField } from "../../code/code-field.tsx";
import { isMapValue } from "../../document/equal.ts";
import { useField, useGrounds, usePanel } from "../context.ts";
import { useDraft } from "../draft.ts";
import type { FieldSpec } from "../form.ts";
import { parentsOf } from "../scope.ts";
import { DraftInput, type Option, Select } from "./controls.tsx";
import { Frame } from "./frame.tsx";
import { MapField } from "./map.tsx";
import { written } from "./plain.tsx";

export function StdinField({ spec }: { spec: FieldSpec }) {
  const { graph, node, last } = usePanel();
  const field = useField(spec.path);
  const grounds = useGrounds({ own: true }, "template");
  const stdin = isMapValue(field.value) ? field.value : {};
  const parents = parentsOf(graph, node?.id ?? "");
  const source = written(stdin.source) || "none";
  const index = typeof stdin.parentIndex === "number" ? stdin.parentIndex : 0;
  const value = source === "parent-index" ? `parent ${index}` : source;
  const choose = (chosen: string) => {
    const parent = /^parent (\d+)$/.exec(chosen)?.[1];
    if (chosen === "none") field.set(undefined);
    else if (parent !== undefined) field.set({ source: "parent-index", parentIndex: Number(parent) });
    else field.set(chosen === "literal" ? { source: chosen, literal: written(stdin.literal) } : { source: chosen });
  };
  const options: Option[] = [
    ["none", "Nothing"],
    ...parents.map(({ name, from }, at): Option => [`parent ${at}`, `\${${name}}: ${from}`]),
    ["parents-all", "All parents, joined by line breaks"],
    ["literal", "A text"],
  ];
  if (!options.some(([option]) => option === value))
    options.push([value, `Parent ${index + 1}, which is not connected`]);
  const held = source === "parent-index" ? last.of(parents[index]?.node ?? "")?.text : undefined;
  return (
    <Frame label="Taken from" help={spec.help} findings={field.findings}>
      {(described) => (
        <div className="flex flex-col gap-1.5">
          <Select described={described} value={value} options={options} onChange={choose} />
          {source === "literal" && (
            <CodeField
              value={written(stdin.literal)}
              language="text"
              label="Text for standard input"
              grounds={grounds}
              lines={3}
              onChange={(text) => field.set({ source: "literal", literal: text })}
            />
          )}
          {held !== undefined && <Preview text={held} label={`What it would be, by ${last.words}`} />}
        </div>
      )}
    </Frame>
  );
}

/** The start of a value, with its size. */
export function Preview({ text, label }: { text: string; label: string }) {
  const shown = text.length > 600 ? `${text.slice(0, 600)}…` : text;
  return (
    <figure className="flex flex-col gap-0.5">
      <figcaption className="text-xs text-muted">
        {label} · {new TextEncoder().encode(text).length.toLocaleString("en")} bytes
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <pre className="max-h-32 overflow-auto rounded-md bg-sunken px-2 py-1 break-all whitespace-pre-wrap" tabIndex={0}>
        {shown === "" ? "(empty)" : shown}
      </pre>
    </figure>
  );
}

/** `false`, `true`, or a list of names. */
export function InheritField({ spec }: { spec: FieldSpec }) {
  const field = useField(spec.path);
  const names = Array.isArray(field.value) ? field.value.map(written) : [];
  const kind = field.value === true ? "all" : Array.isArray(field.value) ? "names" : "none";
  const draft = useDraft(names.join(", "), (text) => field.set(text.split(/[\s,]+/).filter((name) => name !== "")));
  return (
    <Frame label={spec.label} help={spec.help} findings={field.findings}>
      {(described) => (
        <div className="flex gap-1.5">
          <Select
            described={described}
            value={kind}
            options={[
              ["none", "Only the usual ones"],
              ["names", "These as well"],
              ["all", "All of them"],
            ]}
            onChange={(value) => field.set(value === "all" ? true : value === "names" ? ["NAME"] : undefined)}
          />
          {kind === "names" && <DraftInput label="Names to pass on" draft={draft} />}
        </div>
      )}
    </Frame>
  );
}

/** `https`, `any`, or a list of hosts. */
export function EgressField({ spec }: { spec: FieldSpec }) {
  const field = useField(spec.path);
  const hosts =
    isMapValue(field.value) && Array.isArray(field.value.allow) ? field.value.allow.map(written) : undefined;
  const kind = hosts !== undefined ? "allow" : written(field.value);
  const draft = useDraft((hosts ?? []).join(", "), (text) =>
    field.set({ allow: text.split(/[\s,]+/).filter((host) => host !== "") }),
  );
  return (
    <Frame label="Where it may connect" help={spec.help} findings={field.findings}>
      {(described) => (
        <div className="flex flex-col gap-1.5">
          <Select
            described={described}
            value={kind}
            options={[
              ["", "As the document says; usually https"],
              ["https", "https: anywhere, but never in the clear"],
              ["allow", "Only these hosts"],
              ["any", "any: also in the clear"],
            ]}
            onChange={(value) =>
              field.set(value === "" ? undefined : value === "allow" ? { allow: ["api.example.com"] } : value)
            }
          />
          {hosts !== undefined && <DraftInput label="Hosts it may connect to" draft={draft} />}
        </div>
      )}
    </Frame>
  );
}

const AUTH_TYPES: Record<string, Record<string, string>> = {
  bearer: { type: "bearer", token: "" },
  basic: { type: "basic", username: "", password: "" },
  header: { type: "header", name: "", value: "" },
  netrc: { type: "netrc" },
};

/** Nothing, one of the document's entries, or the node's own. */
export function AuthField({ spec }: { spec: FieldSpec }) {
  const { doc } = usePanel();
  const field = useField(spec.path);
  const entries = isMapValue(doc.plain?.auth) ? Object.keys(doc.plain.auth) : [];
  const own = isMapValue(field.value);
  const named = own ? "" : written(field.value);
  const choose = (chosen: string) => {
    const [kind, ...rest] = chosen.split(":");
    if (kind === "named") field.set(rest.join(":"));
    else field.set(kind === "none" ? undefined : AUTH_TYPES[rest.join(":")]);
  };
  const type = own ? written((field.value as Record<string, unknown>).type) : "";
  const chosen = own ? `own:${type}` : named === "" ? "none" : `named:${named}`;
  const options: Option[] = [
    ["none", "Not by Curlew"],
    ...entries.map((name): Option => [`named:${name}`, `${name}, from the document`]),
    ...Object.keys(AUTH_TYPES).map((name): Option => [`own:${name}`, name]),
  ];
  if (!options.some(([option]) => option === chosen))
    options.push([chosen, own ? type || "its own" : `${named}, from the document`]);
  return (
    <div className="flex flex-col gap-2">
      <Frame label="Sign in" help={spec.help} findings={own ? [] : field.findings}>
        {(described) => <Select described={described} value={chosen} options={options} onChange={choose} />}
      </Frame>
      {own && <MapField spec={{ ...spec, label: "Entries", help: "" }} noun="Entry" />}
    </div>
  );
}
