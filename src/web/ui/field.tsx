// Field: a form field with a label, a hint and an error. TextField is the usual one.

import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

export interface FieldProps {
  label: string;
  help?: ReactNode;
  error?: string | undefined;
  /** The label is for screen readers only. */
  bare?: boolean;
  children: (props: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean }) => ReactNode;
}

export const inputClass =
  "w-full scroll-my-8 rounded-md border border-edge/70 bg-bg px-2.5 text-text placeholder:text-muted focus-visible:outline-offset-0 aria-invalid:border-failed";

export function Field({ label, help, error, bare, children }: FieldProps) {
  const id = useId();
  const described = help !== undefined || error !== undefined ? `${id}-help` : undefined;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={bare ? "sr-only" : "text-sm text-muted"}>
        {label}
      </label>
      {children({ id, "aria-describedby": described, "aria-invalid": error !== undefined })}
      {described !== undefined && (
        <p id={described} className={classes("text-sm", error === undefined ? "text-muted" : "text-failed")}>
          {error ?? help}
        </p>
      )}
    </div>
  );
}

/** The browser must not complete or correct names, URLs, and codes. */
const PLAIN = { type: "text", autoComplete: "off", spellCheck: false };

type TextFieldProps = Omit<FieldProps, "children"> & Omit<ComponentProps<"input">, "children" | "size">;

export function TextField({ label, help, error, bare, className, ...rest }: TextFieldProps) {
  return (
    <Field label={label} help={help} error={error} bare={bare}>
      {(props) => <input {...PLAIN} {...rest} {...props} className={classes(inputClass, "h-8", className)} />}
    </Field>
  );
}
