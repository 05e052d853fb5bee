// Segments: a row of joined switches, of which one or several are on.

import { classes } from "./classes.ts";

export interface SegmentsProps<Id extends string> {
  label: string;
  options: readonly (readonly [id: Id, name: string])[];
  isOn: (id: Id) => boolean;
  onPress: (id: Id) => void;
  className?: string;
}

export function Segments<Id extends string>({ label, options, isOn, onPress, className }: SegmentsProps<Id>) {
  return (
    <div
      role="group"
      aria-label={label}
      className={classes("flex max-w-full flex-wrap rounded-lg border border-line p-0.5", className)}
    >
      {options.map(([id, name]) => (
        <button
          key={id}
          type="button"
          aria-pressed={isOn(id)}
          onClick={() => onPress(id)}
          className={classes(
            "h-7 rounded-md px-2.5 whitespace-nowrap transition-colors duration-120 focus-visible:-outline-offset-2",
            isOn(id) ? "bg-selected font-semibold text-accent" : "text-muted hover:text-text",
          )}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
