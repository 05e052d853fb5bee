// InputField: the form field of one workflow input: a choice, boolean, number, JSON or string. All values are text
// here.

import type { KeyboardEvent } from "react";
import type { InputSpec } from "../../workflow/model.ts";
import { classes } from "../ui/classes.ts";
import { Field, inputClass } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";

export interface InputFieldProps {
  name: string;
  spec: InputSpec;
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

const rowsMax = 8;

/** A string may have several lines. Enter submits the form, and Shift+Enter adds a line. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing)
    return;
  const { form } = event.currentTarget;
  if (form === null) return;
  event.preventDefault();
  form.requestSubmit();
}

export function inputText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function InputField({ name, spec, text, error, onChange }: InputFieldProps) {
  const needed = spec.required === true && spec.default === undefined;
  return (
    <Field label={`${name}${needed ? " (required)" : ""}`} help={spec.description} error={error}>
      {(props) => <Control {...{ spec, needed, text, onChange, props }} />}
    </Field>
  );
}

interface ControlProps {
  spec: InputSpec;
  needed: boolean;
  text: string;
  onChange: (text: string) => void;
  props: object;
}

function Control({ spec, needed, text, onChange, props }: ControlProps) {
  const choices = spec.enum?.map(String) ?? (spec.type === "boolean" ? ["true", "false"] : undefined);
  const usual = inputText(spec.default);
  if (choices !== undefined) {
    const none = !needed || text === "" ? [["", usual === "" ? "–" : `${usual} (default)`] as const] : [];
    const options = [...none, ...choices.map((choice) => [choice, choice] as const)];
    return <Select {...props} value={text} onChange={onChange} options={options} />;
  }
  const typed = {
    ...props,
    ...{ value: text, autoComplete: "off", spellCheck: false },
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  if (spec.type === "object" || spec.type === "array") {
    const placeholder = usual || (spec.type === "array" ? "[]" : "{}");
    const look = classes(inputClass, "resize-y py-2 font-mono text-sm");
    return <textarea {...typed} rows={4} placeholder={placeholder} className={look} />;
  }
  if (spec.type !== "string")
    return (
      <input {...typed} inputMode="decimal" placeholder={usual} className={classes(inputClass, "h-8 font-mono")} />
    );
  return (
    <textarea
      {...typed}
      rows={Math.min(rowsMax, text.split("\n").length)}
      placeholder={usual}
      // As in a single-line field, focusing selects the text, so that typing replaces it.
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={sendOnEnter}
      className={classes(inputClass, "block resize-none py-1.25")}
    />
  );
}
