// Skeleton: a placeholder of the final size for content that is loading, so that nothing jumps.

import { classes } from "./classes.ts";

export function Skeleton({ rows = 3, className }: { rows?: number; className?: string }) {
  return (
    <div role="status" aria-label="Loading" className={classes("flex flex-col gap-2", className)}>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike.
        <div key={at} className="pulse-slowly h-8 rounded-md bg-hover" />
      ))}
    </div>
  );
}
