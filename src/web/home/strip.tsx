// Strip: the last runs of a workflow as bars, newest at the right (spec ui 6.2.1): the height is the time it took, the colour and the mark
// above it are its result. Each bar leads to its run.

import { Link } from "@tanstack/react-router";
import type { RunBar } from "../../api/shapes.ts";
import { classes } from "../ui/classes.ts";
import { useNow } from "../ui/now.ts";
import { LOOKS, type Look, lookOf, wordOf } from "../ui/state.ts";
import { ago, duration } from "../ui/words.ts";
import { barHeights } from "./bar-heights.ts";

/** Colour is never alone: a failed bar is notched, a cancelled one hollow, one that waits or runs is dashed or open at its top. */
const SHAPES: Record<Look, string> = {
  succeeded: "bg-succeeded",
  failed: "bg-failed [clip-path:polygon(0_0,50%_6px,100%_0,100%_100%,0_100%)]",
  cancelled: "border border-cancelled",
  running: "bg-running/30 border-2 border-b-0 border-running pulse-slowly",
  waiting: "border border-dashed border-waiting bg-waiting/25",
  queued: "border border-dotted border-queued",
  skipped: "border border-skipped",
};

export function Strip({ runs }: { runs: readonly RunBar[] }) {
  const now = useNow(1000);
  const heights = barHeights(runs.map((run) => run.durationMs ?? now - Date.parse(run.startedAt)));
  if (runs.length === 0) return <span className="text-xs text-muted">no runs yet</span>;
  return (
    <ul aria-label="Last runs, newest last" className="flex h-7 items-end gap-0.5">
      {runs.map((run, at) => {
        const look = lookOf(run.status);
        const took = run.durationMs === undefined ? "" : ` in ${duration(run.durationMs)}`;
        const label = `${wordOf(run.status)}${took}, ${ago(run.startedAt, now)}`;
        return (
          <li key={run.id} className="flex h-full w-1.5 items-end">
            <Link
              to="/runs/$id"
              params={{ id: run.id }}
              title={label}
              aria-label={label}
              data-state={look}
              tabIndex={at === runs.length - 1 ? 0 : -1}
              className={classes("w-full rounded-t-[2px] hover:opacity-75", SHAPES[look], LOOKS[look].text)}
              style={{ height: `${heights[at]}px` }}
            />
          </li>
        );
      })}
    </ul>
  );
}
