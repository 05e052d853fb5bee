// plain: fields without a code editor: a line of text, a duration, a number, a choice, a switch, a list of names.
//   P1. Invalid input is kept as typed: text that is not a number stays as it is, with a finding.
//   P2. An empty field removes the key. Its placeholder shows the value that then applies.

import { useId } from "react";
import { visibleLine } from "../../../base/visible.ts";
import { classes } from "../../ui/classes.ts";
import { inputClass } from "../../ui/field.tsx";
import { type FieldState, useField } from "../context.ts";
import { useDraft } from "../draft.ts";
import type { FieldSpec } from "../form.ts";
import { type Option, Select } from "./controls.tsx";
import { Found, Frame } from "./frame.tsx";

/** A value as the text of a one-line field. */
export function written(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function usually({ usual }: FieldSpec, { inherited }: FieldState): string | undefined {
  if (inherited !== undefined) return `${written(inherited)} (defaults of the document)`;
  return usual;
}

/** The description without the part that the placeholder shows. */
function shortHelp(help: string): string {
  return help
    .replace(/ A duration: .*$/, "")
    .replace(/ A size: .*$/, "")
    .replace(/ Default [^.]*\.$/, "");
}

const PARSE: Partial<Record<FieldSpec["control"], (text: string) => unknown>> = {
  whole: (text) => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text),
  number: (text) => (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text.trim()) ? Number(text) : text),
  names: (text) => listOf(text),
  codes: (text) => listOf(text)?.map((word) => (/^\d{1,9}$/.test(word) ? Number(word) : word)),
};

function listOf(text: string): string[] | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  return words.length === 0 ? undefined : words;
}

function listText(value: unknown): string {
  return Array.isArray(value) ? value.map(written).join(", ") : written(value);
}

const HINTS: Partial<Record<FieldSpec["control"], string>> = { duration: "30s, 5m, 2h", names: "a, b" };

export function InputField({ spec }: { spec: FieldSpec }) {
  const field = useField(spec.path);
  const { control } = spec;
  const isList = control === "names" || control === "codes";
  const text = isList ? listText(field.value) : written(field.value);
  const parse = PARSE[control] ?? ((typed: string) => typed);
  const draft = useDraft(text, (typed) => field.set(typed.trim() === "" ? undefined : parse(typed)));
  return (
    <Frame
      label={spec.label}
      help={spec.path.at(-1) === "title" ? undefined : shortHelp(spec.help)}
      findings={field.findings}
      text={text}
      onFix={(fix) => field.set(fix.set?.[0]?.value)}
    >
      {(described) => (
        <input
          {...described}
          type="text"
          inputMode={control === "whole" || control === "number" ? "decimal" : "text"}
          autoComplete="off"
          spellCheck={control === "line" && spec.path.at(-1) === "title"}
          className={classes(inputClass, "h-8", control !== "line" && "font-mono text-sm")}
          value={draft.text}
          placeholder={usually(spec, field) ?? HINTS[control]}
          onChange={(event) => draft.type(event.target.value)}
          onBlur={draft.tell}
          onKeyDown={(event) => event.key === "Enter" && draft.tell()}
        />
      )}
    </Frame>
  );
}

export function ChoiceField({ spec }: { spec: FieldSpec }) {
  const field = useField(spec.path);
  const { options = [] } = spec;
  const value = written(field.value);
  const choices: Option[] = [["", usualChoice(spec, field)], ...options.map((option): Option => [option, option])];
  if (value !== "" && !options.includes(value)) choices.push([value, visibleLine(value)]);
  return (
    <Frame label={spec.label} help={shortHelp(spec.help)} findings={field.findings}>
      {(described) => (
        <Select
          described={described}
          value={value}
          options={choices}
          onChange={(chosen) => field.set(chosen || undefined)}
        />
      )}
    </Frame>
  );
}

function usualChoice(spec: FieldSpec, field: FieldState): string {
  const usual = usually(spec, field);
  return usual === undefined ? "Not set" : field.inherited === undefined ? `Default: ${usual}` : usual;
}

export function SwitchField({ spec }: { spec: FieldSpec }) {
  const field = useField(spec.path);
  const usual = field.inherited === undefined ? spec.usual === "true" : field.inherited === true;
  const on = typeof field.value === "boolean" ? field.value : usual;
  return (
    <CheckRow
      label={spec.label}
      help={shortHelp(spec.help)}
      findings={field.findings}
      checked={on}
      onChange={(checked) => field.set(checked === usual ? undefined : checked)}
    />
  );
}

interface CheckRowProps {
  label: string;
  help: string;
  findings: FieldState["findings"];
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function CheckRow({ label, help, findings, checked, onChange }: CheckRowProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start gap-2">
        <input
          id={id}
          type="checkbox"
          aria-describedby={`${id}-help${findings.length > 0 ? ` ${id}-found` : ""}`}
          className="mt-0.5 size-6 shrink-0 scale-75 accent-accent"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
        />
        <div className="min-w-0">
          <label htmlFor={id} className="flex min-h-6 items-center text-sm font-medium">
            {label}
          </label>
          <p id={`${id}-help`} className="text-xs text-muted">
            {help}
          </p>
        </div>
      </div>
      {findings.length > 0 && <Found id={`${id}-found`} findings={findings} text="" />}
    </div>
  );
}
