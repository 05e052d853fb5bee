// TextBlock: text of a fixed width that scrolls in itself, also by the keyboard.

import { visible } from "../../base/visible.ts";
import { classes } from "../ui/classes.ts";

export function TextBlock({ label, text, className }: { label: string; text: string; className?: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard (WCAG 2.1.1).
      tabIndex={0}
      className={classes("overflow-auto rounded-md border border-line bg-bg", className)}
    >
      <pre className="p-2.5 font-mono text-xs">{visible(text)}</pre>
    </section>
  );
}
