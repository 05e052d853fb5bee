// controls: the plain form controls that the fields of the inspector share.

import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { inputClass } from "../../ui/field.tsx";
import type { Draft } from "../draft.ts";
import type { Described } from "./frame.tsx";

/** A value and its label. */
export type Option = readonly [value: string, words: string];

interface SelectProps {
  /** From the surrounding Frame. A control without a Frame has a `label`. */
  described?: Described;
  label?: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}

export function Select({ described, label, value, options, onChange }: SelectProps) {
  return (
    <select
      {...described}
      aria-label={label}
      className={classes(inputClass, "h-8")}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  );
}

interface DraftInputProps {
  described?: Described;
  label?: string;
  draft: Draft;
  placeholder?: string;
  invalid?: boolean;
  disabled?: boolean;
  /** Suggestions that the browser lists. */
  offered?: readonly Option[];
}

/** One line of text in a monospace font. */
export function DraftInput({ described, label, draft, placeholder, invalid, disabled, offered }: DraftInputProps) {
  const list = useId();
  return (
    <>
      <input
        {...described}
        {...(invalid === undefined ? {} : { "aria-invalid": invalid })}
        aria-label={label}
        list={offered === undefined ? undefined : list}
        className={classes(inputClass, "h-8 font-mono text-sm")}
        placeholder={placeholder}
        disabled={disabled}
        value={disabled ? "" : draft.text}
        spellCheck={false}
        onChange={(event) => draft.type(event.target.value)}
        onBlur={draft.tell}
      />
      {offered !== undefined && (
        <datalist id={list}>
          {offered.map(([option, words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}

interface AddNameProps {
  label: string;
  placeholder: string;
  taken: readonly string[];
  onAdd: (name: string) => void;
}

/** A field for a new name, with a button that adds it. */
export function AddName({ label, placeholder, taken, onAdd }: AddNameProps) {
  const [name, setName] = useState("");
  const isFree = name !== "" && !taken.includes(name);
  const add = () => {
    if (!isFree) return;
    onAdd(name);
    setName("");
  };
  return (
    <div className="flex gap-1.5">
      <input
        aria-label={label}
        placeholder={placeholder}
        className={classes(inputClass, "h-8 font-mono text-sm")}
        value={name}
        spellCheck={false}
        onChange={(event) => setName(event.target.value.trim())}
        onKeyDown={(event) => event.key === "Enter" && add()}
      />
      <Button icon={<Plus size={14} aria-hidden="true" />} disabled={!isFree} onClick={add}>
        Add
      </Button>
    </div>
  );
}
