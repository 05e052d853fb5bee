// controls: the plain form controls that the fields of the inspector share.

import { Plus, Trash2 } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { Finding } from "../../code/places.ts";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { inputClass } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { type Draft, useDraft } from "../draft.ts";
import { type Described, Found, Frame } from "./frame.tsx";

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

interface SelectFieldProps extends SelectProps {
  label: string;
  help?: string;
  findings?: readonly Finding[];
  /** Below the choice: the rest of the value. */
  children?: ReactNode;
}

/** A choice with its label, help, and findings. */
export function SelectField({ label, help, findings = [], children, ...rest }: SelectFieldProps) {
  return (
    <Frame label={label} help={help} findings={findings}>
      {(described) => (
        <div className="flex flex-col gap-1.5">
          <Select described={described} {...rest} />
          {children}
        </div>
      )}
    </Frame>
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
        aria-invalid={invalid ?? described?.["aria-invalid"]}
        aria-label={label}
        list={offered === undefined ? undefined : list}
        className={classes(inputClass, "h-8 font-mono text-sm")}
        placeholder={placeholder}
        disabled={disabled}
        value={disabled ? "" : draft.text}
        spellCheck={false}
        onChange={(event) => draft.type(event.target.value)}
        onBlur={draft.tell}
        onKeyDown={(event) => event.key === "Enter" && draft.tell()}
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

interface WordsInputProps {
  label: string;
  words: readonly unknown[];
  onChange: (words: string[]) => void;
}

/** Several words on one line. */
export function WordsInput({ label, words, onChange }: WordsInputProps) {
  const draft = useDraft(words.map(written).join(", "), (text) => onChange(wordsIn(text)));
  return <DraftInput label={label} draft={draft} />;
}

export function wordsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** A value as the text of a one-line field. */
export function written(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

interface CardProps {
  /** For screen readers: "Input pages". */
  name: string;
  /** The first line of the card. */
  head: ReactNode;
  removeLabel: string;
  onRemove: () => void;
  findings?: readonly Finding[];
  children: ReactNode;
}

/** One entry of a list or map of the document, with a button that removes it. */
export function Card({ name, head, removeLabel, onRemove, findings = [], children }: CardProps) {
  return (
    <fieldset className="@container flex flex-col gap-3 rounded-md border border-line p-3">
      <legend className="sr-only">{name}</legend>
      <div className="flex items-center justify-between gap-1.5">
        {head}
        <IconButton label={removeLabel} icon={<Trash2 size={14} aria-hidden="true" />} onClick={onRemove} />
      </div>
      <Found findings={findings} />
      {children}
    </fieldset>
  );
}

interface AddNameProps {
  label: string;
  placeholder: string;
  taken: readonly string[];
  /** Suggested names. */
  offered?: readonly string[];
  onAdd: (name: string) => void;
}

/** A field for a new name, with a button that adds it. */
export function AddName({ label, placeholder, taken, offered = [], onAdd }: AddNameProps) {
  const list = useId();
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
        list={offered.length === 0 ? undefined : list}
        spellCheck={false}
        onChange={(event) => setName(event.target.value.trim())}
        onKeyDown={(event) => event.key === "Enter" && add()}
      />
      <datalist id={list}>
        {offered.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <Button icon={<Plus size={14} aria-hidden="true" />} disabled={!isFree} onClick={add}>
        Add
      </Button>
    </div>
  );
}
