// entries: the parts of a document that are lists or maps of objects: inputs, triggers, and sign-ins. Each entry is a
// card with the fields of its schema.

import { useState } from "react";
import { kindsIn, TRIGGER_KINDS } from "../../../workflow/triggers/index.ts";
import { isMapValue } from "../../document/equal.ts";
import { getIn } from "../../document/plain.ts";
import { renameInput } from "../../document/rename.ts";
import type { FieldSpec } from "../../kinds.ts";
import { cronWords } from "../../triggers/cron-words.ts";
import { NextTimes, ScheduleForm } from "../../triggers/schedule-form.tsx";
import { Button } from "../../ui/button.tsx";
import { useField, usePanel } from "../context.ts";
import { useDraft } from "../draft.ts";
import { fieldsIn, labelOf } from "../form.ts";
import { AddName, Card, DraftInput, written } from "./controls.tsx";
import { FieldGrid } from "./plain.tsx";

/** The entries of a map of the document, and how to add and remove one. */
function useEntries(key: string, noun: string) {
  const field = useField([key]);
  const entries = isMapValue(field.value) ? field.value : {};
  return {
    names: Object.keys(entries),
    add: (name: string, value: unknown) => field.set({ ...entries, [name]: value }, `Add the ${noun} ${name}`),
    remove: (name: string) => {
      const { [name]: _gone, ...rest } = entries;
      field.set(Object.keys(rest).length === 0 ? undefined : rest, `Remove the ${noun} ${name}`);
    },
  };
}

export function InputsField() {
  const { names, add, remove } = useEntries("inputs", "input");
  return (
    <div className="flex flex-col gap-3">
      {names.length === 0 && <p className="text-sm text-muted">None: a run starts without asking for values.</p>}
      {names.map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a card keeps its identity while its name is being typed.
        <InputCard key={at} name={name} taken={names} onRemove={() => remove(name)} />
      ))}
      <AddName
        label="Name of a new input"
        placeholder="name"
        taken={names}
        onAdd={(name) => add(name, { type: "string" })}
      />
    </div>
  );
}

/** The rules that each type of input can have. */
const RULES: Record<string, readonly string[]> = {
  string: ["pattern", "minLength", "maxLength", "enum"],
  integer: ["minimum", "maximum", "enum"],
  number: ["minimum", "maximum", "enum"],
};

function InputCard({ name, taken, onRemove }: { name: string; taken: readonly string[]; onRemove: () => void }) {
  const { onEdit } = usePanel();
  const field = useField(["inputs", name]);
  const type = isMapValue(field.value) ? written(field.value.type) : "";
  const draft = useDraft(name, (text) => {
    const next = text.trim();
    if (next !== "" && !taken.includes(next)) onEdit(renameInput(name, next));
  });
  const specs = fieldsIn(["inputs", name]);
  const named = (keys: readonly string[]): FieldSpec[] =>
    specs.filter(({ path }) => keys.includes(String(path.at(-1)))).map((spec) => ({ ...spec, help: "" }));
  const isNumber = type === "integer" || type === "number";
  const main = named(["type", "description", "default"]).map((spec) =>
    isNumber && spec.path.at(-1) === "default" ? { ...spec, control: "number" as const } : spec,
  );
  const required = specs.filter(({ path }) => path.at(-1) === "required");
  return (
    <Card
      name={`Input ${name}`}
      head={<DraftInput label="Name of the input" draft={draft} />}
      removeLabel={`Remove ${name}`}
      onRemove={onRemove}
      findings={field.findings.filter(({ path }) => path.length === 2)}
    >
      <FieldGrid fields={[...main, ...required]} />
      {RULES[type] !== undefined && (
        <details open={RULES[type].some((key) => getIn(field.value, [key]) !== undefined)}>
          <summary className="mb-2 min-h-6 cursor-pointer text-sm text-muted">Rules</summary>
          <FieldGrid fields={named(RULES[type])} />
        </details>
      )}
    </Card>
  );
}

export function TriggersField() {
  const field = useField(["on"]);
  const list = Array.isArray(field.value) ? (field.value as unknown[]) : [];
  const [asks, setAsks] = useState(false);
  const add = (kind: string, data: unknown) => field.set([...list, { [kind]: data }], `Add a ${kind}`);
  const remove = (at: number) => {
    const left = list.filter((_, index) => index !== at);
    field.set(left.length === 0 ? undefined : left, "Remove a trigger");
  };
  return (
    <div className="flex flex-col gap-3">
      {list.length === 0 && (
        <p className="text-sm text-muted">None: you start it in the web UI, on the command line, or through the API.</p>
      )}
      {list.map((trigger, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a trigger is identified by its index in the list.
        <TriggerCard key={at} at={at} trigger={trigger} onRemove={() => remove(at)} />
      ))}
      <div className="flex flex-wrap gap-1.5">
        {Object.entries(TRIGGER_KINDS).map(([kind, { example }]) => (
          <Button key={kind} size="small" onClick={() => (kind === "schedule" ? setAsks(true) : add(kind, example))}>
            + {labelOf(kind)}
            {kind === "schedule" ? "…" : ""}
          </Button>
        ))}
      </div>
      {asks && (
        <ScheduleForm
          title="Add a schedule"
          submit="Add"
          onSave={(schedule) => {
            setAsks(false);
            add("schedule", JSON.parse(JSON.stringify(schedule)));
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </div>
  );
}

function TriggerCard({ at, trigger, onRemove }: { at: number; trigger: unknown; onRemove: () => void }) {
  const { findings } = useField(["on", at]);
  const kinds = kindsIn(trigger);
  const { cron, timezone } = (getIn(trigger, ["schedule"]) ?? {}) as { cron?: unknown; timezone?: unknown };
  const words = typeof cron === "string" ? cronWords(cron) : undefined;
  return (
    <Card
      name={`Trigger ${at + 1}`}
      head={<span className="font-medium">{kinds.map(labelOf).join(", ") || "Unknown trigger"}</span>}
      removeLabel="Remove this trigger"
      onRemove={onRemove}
      findings={findings}
    >
      {kinds.map((kind) => (
        <FieldGrid key={kind} fields={fieldsIn(["on", at, kind])} />
      ))}
      {words !== undefined && (
        <>
          <p className="text-sm">{words}</p>
          <NextTimes cron={String(cron)} timezone={typeof timezone === "string" ? timezone : undefined} />
        </>
      )}
    </Card>
  );
}
