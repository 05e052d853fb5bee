// Panel: a plain surface with an optional heading and actions at its right.

import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

export interface PanelProps {
  title?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Panel({ title, actions, className, children }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={classes("rounded-lg border border-line bg-panel", className)}
    >
      {(title !== undefined || actions !== undefined) && (
        <header className="flex min-h-10 items-center justify-between gap-3 border-b border-line px-4">
          <h2 id={id} className="text-sm font-semibold text-muted">
            {title}
          </h2>
          <div className="flex items-center gap-2">{actions}</div>
        </header>
      )}
      {children}
    </section>
  );
}
