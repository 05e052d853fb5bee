// Chip: a fact in a small frame. With `look`, it has the colour of that state.

import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { LOOKS, type Look } from "./state.ts";

export function Chip({ look, children }: { look?: Look; children: ReactNode }) {
  return (
    <span
      className={classes(
        "inline-flex h-5 max-w-full items-center gap-1 truncate rounded-full border px-2 text-xs font-medium",
        look === undefined ? "border-line text-muted" : classes(LOOKS[look].tint, LOOKS[look].text),
      )}
    >
      {children}
    </span>
  );
}
