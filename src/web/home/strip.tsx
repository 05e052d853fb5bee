// Strip: the last runs of a workflow as bars: the height is the duration, colour and shape the result (spec ui 6.2.1).
//   B1. A folder may contain hundreds of workflows. Bars are plain links, and they are updated only while
//       one of the runs is active.

import { useNavigate } from "@tanstack/react-router";
import { type MouseEvent, memo } from "react";
import type { RunBar } from "../../api/shapes.ts";
import { useWaitingFor } from "../client/queries.ts";
import { classes } from "../ui/classes.ts";
import { useNow } from "../ui/now.ts";
import { LOOKS, type Look, styleOfState, wordOf } from "../ui/state.ts";
import { duration, exactTime } from "../ui/words.ts";

/**
 * Shapes as well as colours: failed is notched, cancelled is hollow, waiting is dashed, and running is open at the top.
 */
const SHAPES: Record<Look, string> = {
  succeeded: "bg-succeeded",
  failed: "bg-failed [clip-path:polygon(0_0,50%_6px,100%_0,100%_100%,0_100%)]",
  cancelled: "border border-cancelled",
  running: "bg-running/30 border-2 border-b-0 border-running pulse-slowly",
  waiting: "border border-dashed border-waiting bg-waiting/25",
  queued: "border border-dotted border-queued",
  skipped: "border border-skipped",
};

const seldomMs = 3_600_000;

export const Strip = memo(function Strip({ runs }: { runs: readonly RunBar[] }) {
  const now = useNow(runs.some((run) => run.durationMs === undefined) ? 1000 : seldomMs);
  const navigate = useNavigate();
  const waitingFor = useWaitingFor();
  const heights = barHeights(runs.map((run) => run.durationMs ?? now - Date.parse(run.startedAt)));
  const go = (id: string) => (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ to: "/runs/$id", params: { id } });
  };
  if (runs.length === 0) return <span className="text-xs leading-7 text-muted">no runs yet</span>;
  return (
    <ul aria-label="Last runs, newest last" className="flex h-7 items-end gap-0.5">
      {runs.map((run, at) => {
        const look = styleOfState(run.status, waitingFor(run));
        const took = run.durationMs === undefined ? "" : ` in ${duration(run.durationMs)}`;
        const label = `${wordOf(run.status, waitingFor(run))}${took}, ${exactTime(run.startedAt)}`;
        return (
          <li key={run.id} className="flex h-full w-1.5 items-end">
            <a
              href={`/runs/${run.id}`}
              onClick={go(run.id)}
              title={label}
              data-state={look}
              tabIndex={at === runs.length - 1 ? 0 : -1}
              className={classes("w-full rounded-t-[2px] hover:opacity-75", SHAPES[look], LOOKS[look].text)}
              style={{ height: `${heights[at]}px` }}
            >
              <span className="sr-only">{label}</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
});

const leastPx = 8;
const mostPx = 28;

/**
 * Heights follow the square root of the duration, so that one slow run does not flatten the others. The longest is the
 * tallest.
 */
function barHeights(ms: readonly number[]): number[] {
  const longest = Math.sqrt(Math.max(1, ...ms));
  return ms.map((one) => Math.round(leastPx + (mostPx - leastPx) * (Math.sqrt(Math.max(0, one)) / longest)));
}
