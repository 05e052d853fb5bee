// EventsView: the run's journal, one event per row with its id. Selecting an event shows all of it as JSON (spec ui
// 6.4).

import { useState } from "react";
import { visible } from "../../base/visible.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { classes } from "../ui/classes.ts";
import { Code } from "../ui/facts.tsx";
import { TypedSearch } from "../ui/typed-search.tsx";
import { useRows, VirtualRows } from "../ui/virtual-rows.tsx";
import { exactTime, grouped, timeOfDay } from "../ui/words.ts";
import { useShownRun } from "./run-store.ts";

const ROW_PX = 24;

export function EventsView({ onSelect }: { onSelect: (path: string) => void }) {
  const { model } = useShownRun();
  const [filter, setFilter] = useState("");
  const [open, setOpen] = useState<number | undefined>(undefined);
  const events = filter === "" ? model.events : model.events.filter((event) => matches(event, filter.toLowerCase()));
  const { scroller, list } = useRows(events.length, ROW_PX);
  const chosen = open === undefined ? undefined : model.events[open - 1];
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-10 shrink-0 items-center gap-3 border-b border-line px-2 text-sm">
        <TypedSearch
          label="Filter the events"
          placeholder="Filter by type or node"
          value={filter}
          onChange={setFilter}
        />
        <span className="text-muted tabular-nums">
          {grouped(events.length)} of {grouped(model.events.length)} events
        </span>
      </div>
      <div className="flex min-h-0 flex-1 max-sm:flex-col">
        <section
          ref={scroller}
          aria-label="Events"
          tabIndex={0}
          className="@container min-h-0 min-w-0 flex-1 overflow-auto"
        >
          <VirtualRows list={list}>
            {(index) => {
              const event = events[index]!;
              const choose = () => {
                setOpen(event.seq === open ? undefined : event.seq);
                if ("path" in event) onSelect(event.path);
              };
              return <Row event={event} isOpen={event.seq === open} onPress={choose} />;
            }}
          </VirtualRows>
        </section>
        {chosen !== undefined && (
          <div className="flex w-2/5 *:max-h-none! *:flex-1 max-sm:w-full">
            <Code label={`Event ${chosen.seq}`}>{visible(JSON.stringify(chosen, null, 2))}</Code>
          </div>
        )}
      </div>
    </div>
  );
}

function Row({ event, isOpen, onPress }: { event: RunEvent; isOpen: boolean; onPress: () => void }) {
  const path = "path" in event ? event.path : undefined;
  return (
    <button
      type="button"
      aria-pressed={isOpen}
      onClick={onPress}
      className={classes(
        "flex h-full w-full items-center gap-3 px-2 text-left font-mono text-sm hover:bg-hover",
        isOpen && "bg-selected",
      )}
    >
      <span className="w-14 shrink-0 text-right text-muted tabular-nums">{event.seq}</span>
      <span title={exactTime(event.at)} className="w-28 shrink-0 text-muted tabular-nums @max-xl:hidden">
        {timeOfDay(event.at)}
      </span>
      <span className="w-48 shrink-0">{event.type}</span>
      <span className="truncate text-muted" title={path}>
        {path}
      </span>
    </button>
  );
}

function matches(event: RunEvent, filter: string): boolean {
  return event.type.includes(filter) || ("path" in event && event.path.toLowerCase().includes(filter));
}
