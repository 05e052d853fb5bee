// DocsLink: opens a page of the documentation, which the server serves at /docs, in a new tab.

import type { ReactNode } from "react";
import { classes } from "./classes.ts";

interface DocsLinkProps {
  /** Relative to /docs/, such as `how-to/triggers`. */
  page: string;
  className?: string;
  label?: string;
  children: ReactNode;
}

export function DocsLink({ page, className, label, children }: DocsLinkProps) {
  return (
    <a
      href={`/docs/${page}`}
      target="_blank"
      rel="noreferrer"
      aria-label={label}
      className={classes("text-sm text-muted hover:text-accent hover:underline", className)}
    >
      {children}
    </a>
  );
}
