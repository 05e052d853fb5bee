// Scrubber: after a run, dragging it shows the run as it was at an earlier moment (spec ui 6.4). During the run its
// space is reserved, so that nothing moves when the run ends.

import { History } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { duration } from "../ui/words.ts";
import { useRunPage, useRunStore } from "./run-store.ts";
import { timeScale } from "./time-scale.ts";

const STEPS = 1_000;

export function Scrubber() {
  const store = useRunStore();
  const model = useRunPage((page) => page.model);
  const moment = useRunPage((page) => page.moment);
  useRunPage((page) => page.version);
  if (model === undefined) return null;
  const { startMs, lastMs, gaps, over } = model.timeline;
  const scale = timeScale(startMs, lastMs, gaps);
  const atMs = moment?.atMs ?? lastMs;
  return (
    <div className="flex h-9 shrink-0 items-center gap-3 border-t border-line bg-panel px-3 text-sm">
      <History className="text-muted" />
      <input
        type="range"
        disabled={!over}
        aria-label="Moment of the run"
        aria-valuetext={over ? `${duration(atMs - startMs)} after the start` : "now"}
        min={0}
        max={STEPS}
        value={over ? Math.round(scale.place(atMs) * STEPS) : STEPS}
        onChange={(event) => {
          const place = Number(event.target.value);
          store.lookAt(place === STEPS ? undefined : scale.moment(place / STEPS));
        }}
        className="h-6 min-w-0 flex-1 accent-accent"
      />
      <span className="w-36 text-muted tabular-nums">
        {over ? `${duration(atMs - startMs)} of ${duration(lastMs - startMs)}` : "now"}
      </span>
      {moment !== undefined && (
        <Button size="small" onClick={() => store.lookAt(undefined)}>
          Back to the end
        </Button>
      )}
    </div>
  );
}
