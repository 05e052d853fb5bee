// plain: fields without a code editor: a line of text, a duration, a number, a choice, a switch, a list of names.
//   P1. Invalid input is kept as typed: text that is not a number stays as it is, with a finding.
//   P2. An empty field removes the key. Its placeholder shows the value that then applies.

import { type ReactNode, useId } from "react";
import { visibleLine } from "../../../base/visible.ts";
import type { Control, FieldSpec } from "../../kinds.ts";
import { classes } from "../../ui/classes.ts";
import { inputClass } from "../../ui/field.tsx";
import { type FieldState, useField, usePanel } from "../context.ts";
import { useDraft } from "../draft.ts";
import { type Option, SelectField, wordsIn, written } from "./controls.tsx";
import { Found, Frame } from "./frame.tsx";

/** A title without a value is the id as words. */
function usually({ usual, path }: FieldSpec, { inherited }: FieldState): string | undefined {
  if (inherited === undefined) return usual;
  return path.at(-1) === "title" ? written(inherited) : `${written(inherited)} (defaults of the document)`;
}

const PARSE: Partial<Record<FieldSpec["control"], (text: string) => unknown>> = {
  whole: (text) => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text),
  number: (text) => (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text.trim()) ? Number(text) : text),
  names: (text) => listOf(text),
  codes: (text) => listOf(text)?.map((word) => (/^\d{1,9}$/.test(word) ? Number(word) : word)),
};

function listOf(text: string): string[] | undefined {
  const words = wordsIn(text);
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
  // The id follows the title, and should not follow every pause.
  const isTitle = spec.path.at(-1) === "title";
  const draft = useDraft(text, (typed) => field.set(typed.trim() === "" ? undefined : parse(typed)), isTitle);
  return (
    <Frame label={spec.label} help={isTitle ? undefined : spec.help} findings={field.findings}>
      {(described) => (
        <input
          {...described}
          type="text"
          inputMode={control === "whole" || control === "number" ? "decimal" : "text"}
          autoComplete="off"
          spellCheck={isTitle}
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
    <SelectField
      label={spec.label}
      help={spec.help}
      findings={field.findings}
      value={value}
      options={choices}
      onChange={field.set}
    />
  );
}

function usualChoice(spec: FieldSpec, field: FieldState): string {
  const usual = usually(spec, field);
  if (usual === undefined) return "Not set";
  return field.inherited !== undefined ? usual : `Default: ${usual}`;
}

export function SwitchField({ spec }: { spec: FieldSpec }) {
  const field = useField(spec.path);
  const usual = field.inherited === undefined ? spec.usual === "true" : field.inherited === true;
  const on = typeof field.value === "boolean" ? field.value : usual;
  return (
    <CheckRow
      label={spec.label}
      help={spec.help}
      findings={field.findings}
      checked={on}
      onChange={(checked) => field.set(checked === usual ? undefined : checked)}
    />
  );
}

/** Controls narrow enough for two per row. */
const NARROW: ReadonlySet<Control> = new Set(["duration", "whole", "number", "choice"]);

interface FieldGridProps {
  fields: readonly FieldSpec[];
  /** Absent: all fields are plain. */
  view?: (props: { spec: FieldSpec }) => ReactNode;
}

export function FieldGrid({ fields, view: View = PlainField }: FieldGridProps) {
  const { node } = usePanel();
  return (
    <div className="grid grid-cols-1 items-start gap-x-3 gap-y-3.5 @[340px]:grid-cols-2">
      {fields.map((spec) => (
        <div key={`${node?.key} ${spec.path.join(".")}`} className={NARROW.has(spec.control) ? "" : "col-span-full"}>
          <View spec={spec} />
        </div>
      ))}
    </div>
  );
}

function PlainField({ spec }: { spec: FieldSpec }) {
  if (spec.control === "switch") return <SwitchField spec={spec} />;
  return spec.control === "choice" ? <ChoiceField spec={spec} /> : <InputField spec={spec} />;
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
      <Found id={`${id}-found`} findings={findings} />
    </div>
  );
}
