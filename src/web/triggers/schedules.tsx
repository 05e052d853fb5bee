// Schedules: each schedule in words, with its next times in the chosen time zone (spec ui 6.2.7).

import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { ScheduleTrigger } from "../../workflow/triggers/index.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { InParts } from "../ui/in-parts.tsx";
import { Panel } from "../ui/panel.tsx";
import { Select } from "../ui/select.tsx";
import { cronWords } from "./cron-words.ts";
import { removeSchedule } from "./edit-schedule.tsx";
import type { Listed } from "./queries.ts";
import { MISSED, OVERLAP, Times } from "./schedule-form.tsx";
import { LastStart, TriggerRow } from "./trigger-row.tsx";

const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

type Item = Listed<ScheduleTrigger>;

export function Schedules({ items, onEdit }: { items: readonly Item[]; onEdit: (item: Item) => void }) {
  const [zone, setZone] = useState("own");
  const zones = [...new Set([here, "UTC", ...items.map(zoneOf)])];
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
        {(item) => (
          <Schedule key={item.id} item={item} zone={zone === "own" ? zoneOf(item) : zone} onEdit={() => onEdit(item)} />
        )}
      </InParts>
    </Panel>
  );
}

/** The server names the machine's zone if the document names none. */
function zoneOf({ fields }: Item): string {
  return fields.timezone ?? here;
}

function Schedule({ item, zone, onEdit }: { item: Item; zone: string; onEdit: () => void }) {
  const { next = [] } = item;
  const { cron, overlap, catchUp } = item.fields;
  const isArmed = !item.paused && item.problem === undefined;
  return (
    <TriggerRow
      item={item}
      title={cronWords(cron) ?? cron}
      called={`schedule ${cron}`}
      actions={
        <>
          <IconButton label={`Edit schedule ${cron}`} icon={<Pencil size={16} />} onClick={onEdit} />
          <IconButton
            label={`Remove schedule ${cron}`}
            icon={<Trash2 size={16} />}
            onClick={() => removeSchedule(item)}
          />
        </>
      }
      facts={
        <>
          <span className="font-mono text-xs">{cron}</span>
          <span>{zoneOf(item)}</span>
          <LastStart last={item.last} />
        </>
      }
    >
      <p className="mt-1 mb-2.5 text-sm text-muted">
        While the previous run is active: {OVERLAP[overlap].toLowerCase()} · Missed times:{" "}
        {MISSED[catchUp].toLowerCase()}
      </p>
      {isArmed && <Times times={next} zone={zone} />}
    </TriggerRow>
  );
}
