// InputField: the form field of one workflow input: a choice, boolean, number, JSON or string. All values are text
// here.

import type { KeyboardEvent } from "react";
import { visibleLine } from "../../base/visible.ts";
import type { InputSpec } from "../../workflow/model.ts";
import { classes } from "../ui/classes.ts";
import { Field, inputClass } from "../ui/field.tsx";

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

/** The text of a value in the form. */
export function inputText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function InputField({ name, spec, text, error, onChange }: InputFieldProps) {
  const choices = spec.enum?.map(String) ?? (spec.type === "boolean" ? ["true", "false"] : undefined);
  const json = spec.type === "object" || spec.type === "array";
  const needed = spec.required === true && spec.default === undefined;
  const usual = inputText(spec.default);
  return (
    <Field label={`${name}${needed ? " (required)" : ""}`} help={spec.description} error={error}>
      {(props) =>
        choices !== undefined ? (
          <select
            {...props}
            value={text}
            onChange={(event) => onChange(event.target.value)}
            className={classes(inputClass, "h-8")}
          >
            {(!needed || text === "") && (
              <option value="">{usual === "" ? "–" : `${visibleLine(usual)} (default)`}</option>
            )}
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {visibleLine(choice)}
              </option>
            ))}
          </select>
        ) : json ? (
          <textarea
            {...props}
            rows={4}
            spellCheck={false}
            value={text}
            placeholder={usual !== "" ? usual : spec.type === "array" ? "[]" : "{}"}
            onChange={(event) => onChange(event.target.value)}
            className={classes(inputClass, "resize-y py-2 font-mono text-sm")}
          />
        ) : spec.type === "string" ? (
          <textarea
            {...props}
            rows={Math.min(rowsMax, text.split("\n").length)}
            autoComplete="off"
            spellCheck={false}
            value={text}
            placeholder={usual}
            onChange={(event) => onChange(event.target.value)}
            // As in a single-line field, focusing selects the text, so that typing replaces it.
            onFocus={(event) => event.currentTarget.select()}
            onKeyDown={sendOnEnter}
            className={classes(inputClass, "block resize-none py-1.25")}
          />
        ) : (
          <input
            {...props}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            spellCheck={false}
            value={text}
            placeholder={usual}
            onChange={(event) => onChange(event.target.value)}
            className={classes(inputClass, "h-8 font-mono")}
          />
        )
      }
    </Field>
  );
}
