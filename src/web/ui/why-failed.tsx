// WhyFailed: a failed run's node, reason and code on one line. Long parts are cut separately and shown in full on
// hover.

import type { RunItem } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import { classes } from "./classes.ts";

export interface WhyFailedProps {
  failure: NonNullable<RunItem["failure"]>;
  /** May use several lines, on a phone. */
  wraps?: boolean;
}

export function WhyFailed({ failure: { path, failure }, wraps }: WhyFailedProps) {
  const [where, why] = [visibleLine(path), visibleLine(failure.message)];
  return (
    <span
      className={classes("flex min-w-0 items-baseline gap-x-1 text-failed", wraps && "max-md:flex-col")}
      title={`${where}: ${why} (${failure.code})`}
    >
      <span className={classes("max-w-2/5 shrink-0 truncate font-mono", wraps && "max-md:max-w-full")}>{where}:</span>{" "}
      <span className={classes("min-w-0 truncate", wraps && "max-md:line-clamp-2 max-md:whitespace-normal")}>
        {why}
      </span>{" "}
      <code className="shrink-0 text-xs text-muted max-lg:hidden">{failure.code}</code>
    </span>
  );
}
