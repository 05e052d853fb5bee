// Select: a choice from a list, as the browser draws it.

import type { ComponentProps } from "react";
import { visibleLine } from "../../base/visible.ts";
import { classes } from "./classes.ts";
import { inputClass } from "./field.tsx";

export interface SelectProps extends Omit<ComponentProps<"select">, "onChange" | "value"> {
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

/** A value that is not among the options is shown as it is. */
export function Select({ value, options, onChange, className, ...rest }: SelectProps) {
  const all = options.some(([id]) => id === value) ? options : [...options, [value, value] as const];
  return (
    <select
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={classes(inputClass, "h-8", className)}
    >
      {all.map(([id, label]) => (
        <option key={id} value={id}>
          {visibleLine(label)}
        </option>
      ))}
    </select>
  );
}
