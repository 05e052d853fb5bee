// choices: fields whose value can have several forms: standard input, `inherit`, allowed hosts, when to retry, how
// often a loop runs, and the result of a run.

import { shortRunId } from "../../../base/ids.ts";
import { visibleLine } from "../../../base/visible.ts";
import { CodeField } from "../../code/code-field.tsx";
import { isMapValue } from "../../document/equal.ts";
import { nodesOf, titleOf } from "../../document/plain.ts";
import type { FieldSpec } from "../../kinds.ts";
import { useField, useGrounds, usePanel } from "../context.ts";
import { setFields } from "../edits.ts";
import { fieldOf } from "../form.ts";
import { parentsOf, scopeAt } from "../scope.ts";
import { TemplateField } from "./code.tsx";
import { ConditionField } from "./condition.tsx";
import { type Option, SelectField, WordsInput, written } from "./controls.tsx";
import { Found } from "./frame.tsx";
import { InputField } from "./plain.tsx";

export function StdinField({ spec }: { spec: FieldSpec }) {
  const { graph, node, last } = usePanel();
  const field = useField(spec.path);
  const grounds = useGrounds({ own: true }, "template");
  const stdin = isMapValue(field.value) ? field.value : { node: field.value };
  const parents = parentsOf(graph, node?.id ?? "");
  const others = scopeAt(graph, node?.id ?? "").filter(({ kind }) => kind === "node");
  const fed = written(stdin.node);
  const text = written("text" in stdin ? stdin.text : stdin.literal);
  const source = "text" in stdin ? "literal" : fed === "" ? written(stdin.source) || "none" : "node";
  const index = typeof stdin.parentIndex === "number" ? stdin.parentIndex : 0;
  const value = source === "parent-index" ? `parent ${index}` : source === "node" ? `node ${fed}` : source;
  const choose = (chosen: string) => {
    const [, parent] = /^parent (\d+)$/.exec(chosen) ?? [];
    const [, id] = /^node (.+)$/.exec(chosen) ?? [];
    if (chosen === "none") field.set(undefined);
    else if (id !== undefined) field.set(id);
    else if (parent !== undefined) field.set({ source: "parent-index", parentIndex: Number(parent) });
    else field.set(chosen === "literal" ? { text } : { source: chosen });
  };
  const options: Option[] = [
    ["none", "Nothing"],
    ...parents.map(({ name, from }, at): Option => [`parent ${at}`, `\${${name}}: ${from}`]),
    ...others.map(({ name, from }): Option => [`node ${name}`, `\${${name}}: ${from}`]),
    ["parents-all", "The values of all parents, joined by newlines"],
    ["literal", "Text"],
  ];
  if (!options.some(([option]) => option === value))
    options.push([
      value,
      source === "node" ? `The node ${fed}, which does not exist` : `Parent ${index + 1}, which is not connected`,
    ]);
  const from = source === "node" ? fed : source === "parent-index" ? (parents[index]?.node ?? "") : undefined;
  const held = from === undefined ? undefined : last.of(from);
  return (
    <SelectField
      label="Taken from"
      help={spec.help}
      findings={field.findings}
      value={value}
      options={options}
      onChange={choose}
    >
      {source === "literal" && (
        <CodeField
          value={text}
          language="text"
          label="Text for standard input"
          grounds={grounds}
          lines={3}
          onChange={(now) => field.set("literal" in stdin ? { source: "literal", literal: now } : { text: now })}
        />
      )}
      {held !== undefined && <Preview text={held.text} label={`Value in run ${shortRunId(held.run)}`} />}
    </SelectField>
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
      <pre className="max-h-32 overflow-auto rounded-md bg-sunken px-2 py-1 break-all whitespace-pre-wrap" tabIndex={0}>
        {shown === "" ? "(empty)" : shown}
      </pre>
    </figure>
  );
}

/** `false`, `true`, or a list of names. */
export function InheritField({ spec }: { spec: FieldSpec }) {
  const field = useField(spec.path);
  const names = Array.isArray(field.value) ? (field.value as unknown[]) : undefined;
  return (
    <SelectField
      label={spec.label}
      help={spec.help}
      findings={field.findings}
      value={field.value === true ? "all" : names === undefined ? "none" : "names"}
      options={[
        ["none", "None but the usual ones"],
        ["names", "Only these"],
        ["all", "All"],
      ]}
      onChange={(value) => field.set(value === "all" ? true : value === "names" ? ["NAME"] : undefined)}
    >
      {names !== undefined && (
        <WordsInput label="Names to pass on" words={names} onChange={(next) => field.set(next)} />
      )}
    </SelectField>
  );
}

/** `https`, `any`, or a list of hosts. */
export function EgressField({ spec }: { spec: FieldSpec }) {
  const { node } = usePanel();
  const field = useField(spec.path);
  const hosts =
    isMapValue(field.value) && Array.isArray(field.value.allow) ? (field.value.allow as unknown[]) : undefined;
  return (
    <SelectField
      label="Where it may connect"
      help={spec.help}
      findings={field.findings}
      value={hosts === undefined ? written(field.value) : "allow"}
      options={[
        ["", node === undefined ? "Default: https" : "As set for the workflow (default: https)"],
        ["https", "https: any host, only encrypted"],
        ["allow", "Only these hosts"],
        ["any", "any: any host, even unencrypted"],
      ]}
      onChange={(value) => field.set(value === "allow" ? { allow: ["api.example.com"] } : value)}
    >
      {hosts !== undefined && (
        <WordsInput label="Hosts it may connect to" words={hosts} onChange={(allow) => field.set({ allow })} />
      )}
    </SelectField>
  );
}

/** Temporary failures, codes and statuses, or an expression. */
export function RetryOnField({ spec }: { spec: FieldSpec }) {
  const field = useField(spec.path);
  const { value } = field;
  const kind = value === undefined ? "usual" : typeof value === "string" ? "expression" : "codes";
  const first = { usual: undefined, codes: [429, 503], expression: "exitCode = 7 or status = 429" };
  const codes = (isMapValue(value) ? [value.exitCodes, value.statuses] : [value]).flat();
  return (
    <SelectField
      label={spec.label}
      help={spec.help}
      findings={kind === "expression" ? [] : field.findings}
      value={kind}
      options={[
        ["usual", "Temporary failures"],
        ["codes", "These exit codes and HTTP statuses"],
        ["expression", "An expression"],
      ]}
      onChange={(chosen) => field.set(first[chosen as keyof typeof first])}
    >
      {kind === "codes" && (
        <WordsInput
          label="Exit codes (to 255) and HTTP statuses (400 to 599)"
          words={codes.filter((code) => code !== undefined)}
          onChange={(words) => field.set(codesOf(words))}
        />
      )}
      {kind === "expression" && (
        <TemplateField spec={{ ...spec, control: "expression", label: "Retry when", help: "" }} />
      )}
    </SelectField>
  );
}

function codesOf(words: readonly string[]): unknown {
  return words.length === 0 ? undefined : words.map((word) => (/^\d{1,3}$/.test(word) ? Number(word) : word));
}

/** How often a loop runs: a fixed number of times, once per item, or while a condition holds (spec 1.2). */
export function LoopField() {
  const { node, onEdit, findings } = usePanel();
  if (node === undefined) return null;
  const { data } = node;
  const kinds = (["iterations", "items", "while"] as const).filter((kind) => data[kind] !== undefined);
  const kind = kinds[0] ?? "iterations";
  const choose = (next: string) => {
    const first = { iterations: 3, items: "inputs[0]", while: "i <= 3" }[next];
    const none = { iterations: undefined, items: undefined, as: undefined, while: undefined };
    const as = next === "items" ? data.as : undefined;
    onEdit(setFields(node.id, { ...none, as, [next]: data[next] ?? first }, "Change what the loop counts"));
  };
  const about = findings.at(["nodes", node.index]).concat(findings.at(["nodes", node.index, "data"]));
  const isTemplate = written(data.items).includes("${");
  return (
    <div className="flex flex-col gap-4">
      <SelectField
        label="It runs"
        value={kind}
        options={[
          ["iterations", "a number of times"],
          ["items", "once for each item of a list"],
          ["while", "as long as a condition holds"],
        ]}
        onChange={choose}
      />
      {kinds.length > 1 && <Found findings={about} />}
      {kind === "iterations" && (
        <div className="grid grid-cols-2 gap-3">
          <TemplateField spec={fieldOf("loop-start", "iterations", "template")} />
          <TemplateField spec={fieldOf("loop-start", "start", "template")} />
        </div>
      )}
      {kind === "items" && (
        <>
          <TemplateField spec={fieldOf("loop-start", "items", isTemplate ? "template" : "expression")} />
          <InputField spec={fieldOf("loop-start", "as")} />
        </>
      )}
      {kind === "while" && <ConditionField spec={{ ...fieldOf("loop-start", "while"), inside: true }} />}
      <InputField spec={fieldOf("loop-start", "loopVariable")} />
    </div>
  );
}

/** The node whose value is the result. */
export function ResultField({ spec }: { spec: FieldSpec }) {
  const { doc } = usePanel();
  const field = useField(spec.path);
  const value = written(field.value);
  const options: Option[] = [["", "The last node's value"]];
  for (const node of nodesOf(doc.plain ?? {})) options.push([node.id, titleOf(node)]);
  if (!options.some(([id]) => id === value)) options.push([value, `${visibleLine(value)} (does not exist)`]);
  return (
    <SelectField
      label={spec.label}
      help={spec.help}
      findings={field.findings}
      value={value}
      options={options}
      onChange={field.set}
    />
  );
}
