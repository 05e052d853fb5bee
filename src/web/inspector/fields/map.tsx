// MapField: names and their values, one row per name: variables of a command, inputs of a subflow, headers of a
// sign-in.
//   R1. Names are edited in their row. If a name is already in use, the row says so and keeps what was typed.

import { X } from "lucide-react";
import { CodeField } from "../../code/code-field.tsx";
import { isMapValue } from "../../document/equal.ts";
import type { FieldSpec } from "../../kinds.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { useField, useGrounds, usePanel } from "../context.ts";
import { useDraft } from "../draft.ts";
import { renameKey, setText } from "../edits.ts";
import { AddName, DraftInput, written } from "./controls.tsx";
import { Found, Frame } from "./frame.tsx";

export interface MapFieldProps {
  spec: FieldSpec;
  /** The noun for a row: `Variable`. */
  noun?: string;
  /** Names that can be added with one click, such as the inputs of the subflow. */
  offered?: readonly string[];
  /** Names that are fixed, and how they are shown. `""`: the row is shown elsewhere. */
  labels?: Readonly<Record<string, string>>;
}

export function MapField({ spec, noun = "Variable", offered = [], labels = {} }: MapFieldProps) {
  const { node } = usePanel();
  const field = useField(spec.path);
  const rows = isMapValue(field.value) ? Object.entries(field.value) : [];
  const names = rows.map(([name]) => name);
  const add = (name: string) => field.set({ ...Object.fromEntries(rows), [name]: "" }, `Add ${name}`);
  const missing = offered.filter((name) => !names.includes(name));
  return (
    <Frame label={spec.label} help={spec.help} findings={isMapValue(field.value) ? field.findings : []} labelled>
      {() => (
        <div className="flex flex-col gap-1.5">
          {rows.map(
            ([name, value], at) =>
              labels[name] !== "" && (
                <Row
                  // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its identity while its name is being typed.
                  key={`${node?.key} ${at}`}
                  spec={spec}
                  name={name}
                  value={value}
                  noun={noun}
                  taken={names}
                  label={labels[name]}
                />
              ),
          )}
          <AddName
            label={`Name of a new ${noun.toLowerCase()}`}
            placeholder={noun === "Variable" ? "NAME" : "name"}
            taken={names}
            onAdd={add}
          />
          {missing.length > 0 && (
            <div className="flex flex-wrap gap-1">
              {missing.map((name) => (
                <Button key={name} size="small" onClick={() => add(name)}>
                  + {name}
                </Button>
              ))}
            </div>
          )}
        </div>
      )}
    </Frame>
  );
}

interface RowProps {
  spec: FieldSpec;
  name: string;
  value: unknown;
  noun: string;
  taken: readonly string[];
  label?: string;
}

function Row({ spec, name, value, noun, taken, label }: RowProps) {
  const { node, onEdit } = usePanel();
  const path = [...spec.path, name];
  const field = useField(path);
  const grounds = useGrounds({}, "template", true);
  const draft = useDraft(name, (typed) => {
    const next = typed.trim();
    if (next !== "" && !taken.includes(next)) onEdit(renameKey(node?.id, spec.path, name, next));
  });
  const isTaken = draft.text !== name && taken.includes(draft.text);
  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-[minmax(72px,2fr)_minmax(0,3fr)_auto] items-start gap-1.5">
        {label === undefined ? (
          <DraftInput label={`${noun} name`} invalid={isTaken || field.findings.length > 0} draft={draft} />
        ) : (
          <span className="self-center text-sm text-muted">{label}</span>
        )}
        <CodeField
          value={written(value)}
          language="text"
          label={label ?? `Value of ${name}`}
          grounds={grounds}
          findings={field.findings}
          singleLine
          onChange={(next) => onEdit(setText(node?.id, path, next))}
        />
        {label === undefined && (
          <IconButton
            label={`Remove ${name}`}
            icon={<X size={14} aria-hidden="true" />}
            onClick={() => field.set(undefined, `Remove ${name}`)}
          />
        )}
      </div>
      {isTaken && <p className="text-sm text-failed">There is a {draft.text} already.</p>}
      <Found findings={field.findings} />
    </div>
  );
}
