// InputsField: the typed inputs of a workflow, one card per input (spec 1.1).

import { Trash2 } from "lucide-react";
import { isMapValue } from "../../document/equal.ts";
import { renameInput } from "../../document/rename.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { useField, usePanel } from "../context.ts";
import { useDraft } from "../draft.ts";
import { type Control, type FieldSpec, labelOf } from "../form.ts";
import { AddName, DraftInput } from "./controls.tsx";
import { Found } from "./frame.tsx";
import { ChoiceField, InputField, SwitchField, written } from "./plain.tsx";

const TYPES = ["string", "integer", "number", "boolean", "object", "array"];
const RULES: Record<string, readonly string[]> = {
  string: ["pattern", "minLength", "maxLength", "enum"],
  integer: ["minimum", "maximum", "enum"],
  number: ["minimum", "maximum", "enum"],
};

export function InputsField() {
  const field = useField(["inputs"]);
  const names = isMapValue(field.value) ? Object.keys(field.value) : [];
  const add = (name: string) =>
    field.set({ ...(isMapValue(field.value) ? field.value : {}), [name]: { type: "string" } }, `Add the input ${name}`);
  return (
    <div className="flex flex-col gap-3">
      {names.length === 0 && <p className="text-sm text-muted">None: a run starts without asking anything.</p>}
      {names.map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a card keeps its identity while its name is being typed.
        <InputCard key={at} name={name} taken={names} />
      ))}
      <AddName label="Name of a new input" placeholder="name" taken={names} onAdd={add} />
    </div>
  );
}

function InputCard({ name, taken }: { name: string; taken: readonly string[] }) {
  const { onEdit } = usePanel();
  const field = useField(["inputs", name]);
  const type = isMapValue(field.value) ? written(field.value.type) : "";
  const draft = useDraft(name, (text) => {
    const next = text.trim();
    if (next !== "" && !taken.includes(next)) onEdit(renameInput(name, next));
  });
  const spec = (key: string, control: Control, help = "", options?: readonly string[]): FieldSpec => ({
    path: ["inputs", name, key],
    label: labelOf(key),
    control,
    help,
    options,
  });
  const own = field.findings.filter(({ path }) => path.length === 2);
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-3">
      <legend className="sr-only">Input {name}</legend>
      <div className="flex gap-1.5">
        <DraftInput label="Name of the input" draft={draft} />
        <IconButton
          label={`Remove ${name}`}
          icon={<Trash2 size={14} aria-hidden="true" />}
          onClick={() => field.set(undefined, `Remove the input ${name}`)}
        />
      </div>
      {own.length > 0 && <Found findings={own} text="" />}
      <div className="grid grid-cols-2 gap-3">
        <ChoiceField spec={spec("type", "choice", "", TYPES)} />
        <InputField spec={spec("default", type === "integer" || type === "number" ? "number" : "line")} />
      </div>
      <InputField spec={spec("description", "line")} />
      <SwitchField spec={spec("required", "switch", "A run without it is refused.")} />
      {RULES[type] !== undefined && (
        <details open={RULES[type].some((key) => isMapValue(field.value) && field.value[key] !== undefined)}>
          <summary className="min-h-6 cursor-pointer text-sm text-muted">Rules</summary>
          <div className="mt-2 grid grid-cols-2 gap-3">
            {RULES[type].map((key) => (
              <InputField
                key={key}
                spec={spec(
                  key,
                  key === "enum" ? "names" : key === "pattern" ? "line" : type === "string" ? "whole" : "number",
                )}
              />
            ))}
          </div>
        </details>
      )}
    </fieldset>
  );
}
