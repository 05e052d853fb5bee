// Schedules: each schedule in words, with its next times in the chosen time zone (spec ui 6.2.7).

import { useState } from "react";
import type { ScheduleItem } from "../../api/shapes.ts";
import { InParts } from "../ui/in-parts.tsx";
import { useNow } from "../ui/now.ts";
import { Panel } from "../ui/panel.tsx";
import { Select } from "../ui/select.tsx";
import { cronWords } from "./cron-words.ts";
import { LastStart, TriggerRow } from "./trigger-row.tsx";
import { offsetIn, timeIn } from "./zone-time.ts";

const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function Schedules({ items }: { items: readonly ScheduleItem[] }) {
  const [zone, setZone] = useState("own");
  const zones = [...new Set([here, "UTC", ...items.map(({ timezone }) => timezone)])];
  const options = zones.map((name) => [name, name === here ? `${name} (here)` : name] as const);
  return (
    <Panel
      title="Schedules"
      actions={
        <div className="flex shrink-0 items-center gap-2 text-sm whitespace-nowrap text-muted">
          <span className="max-sm:sr-only">Times in</span>
          <Select
            aria-label="Times in"
            value={zone}
            onChange={setZone}
            options={[["own", "each schedule’s zone"], ...options]}
            className="max-w-44"
          />
        </div>
      }
    >
      <InParts label="Schedules" items={items}>
        {(item) => <Schedule key={item.id} item={item} zone={zone === "own" ? item.timezone : zone} />}
      </InParts>
    </Panel>
  );
}

const CATCH_UP = {
  latest: "after downtime: the latest missed time",
  all: "after downtime: every missed time",
  none: "missed times are skipped",
};
const OVERLAP = {
  skip: "Skipped while the previous run is active",
  queue: "Waits for the previous run",
  cancel: "Cancels the previous run",
  allow: "Runs beside the previous run",
};

function Schedule({ item, zone }: { item: ScheduleItem; zone: string }) {
  const now = useNow(10_000);
  const isArmed = !item.paused && item.problem === undefined;
  return (
    <TriggerRow
      item={item}
      title={cronWords(item.cron) ?? item.cron}
      called={`schedule ${item.cron}`}
      facts={
        <>
          <span className="font-mono text-xs">{item.cron}</span>
          <span>{item.timezone}</span>
          <LastStart last={item.last} />
        </>
      }
    >
      <p className="mt-1 text-sm text-muted">
        {OVERLAP[item.overlap]} · {CATCH_UP[item.catchUp]}
      </p>
      {isArmed && (
        <ol aria-label={`Next times in ${zone}`} className="mt-2.5 flex flex-wrap gap-1.5">
          {item.next.map((at, nth) => (
            <li
              key={at}
              className={`rounded-md border px-2 py-0.5 font-mono text-xs ${nth === 0 ? "border-accent text-text" : "border-line text-muted"}`}
            >
              {timeIn(at, zone, now)}
              {offsetIn(at, zone) !== offsetIn(item.next[nth - 1], zone) && (
                <span className="text-muted"> {offsetIn(at, zone)}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </TriggerRow>
  );
}
