// FilterBar: the filters of the runs table, kept in the URL, with the chart of the runs over time.

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { RefObject } from "react";
import { START_KINDS } from "../../scheduler/start-kind.ts";
import type { RunSort, RunsSearch } from "../app/search.ts";
import { workflowsQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { Segments } from "../ui/segments.tsx";
import { Select } from "../ui/select.tsx";
import { TypedSearch } from "../ui/typed-search.tsx";
import { KINDS, STATES, statesIn, withFilter, withState } from "./filters.ts";
import { dateOf, PERIODS, periodOf, periodWords } from "./periods.ts";
import { RunsChart, RunTotals } from "./runs-chart.tsx";

export interface FilterBarProps {
  search: RunsSearch;
  onChange: (search: RunsSearch) => void;
  searchRef: RefObject<HTMLInputElement | null>;
}

const SORTS: readonly [RunSort, string][] = [
  ["newest", "Newest first"],
  ["oldest", "Oldest first"],
  ["longest", "Longest first"],
  ["shortest", "Shortest first"],
];

const kindOptions = START_KINDS.filter((kind) => kind !== "subflow" && kind !== "mcp").map(
  (kind) => [kind, KINDS[kind]] as const,
);

export function FilterBar({ search, onChange, searchRef }: FilterBarProps) {
  const workflows = useQuery(workflowsQuery).data ?? [];
  const states = statesIn(search);
  const set = (name: keyof RunsSearch) => (value: string) => onChange(withFilter(search, name, value));
  const select = (name: "workflow" | "kind", label: string, options: readonly (readonly [string, string])[]) => (
    <Select
      aria-label={label}
      value={search[name] ?? ""}
      onChange={set(name)}
      options={[["", `${label}: any`], ...options]}
      className="!w-auto max-w-44 text-sm"
    />
  );
  return (
    <div role="search" aria-label="Filters" className="flex flex-wrap items-center gap-2">
      <TypedSearch
        label="Text in name, file or id"
        placeholder="Search"
        icon
        value={search.text ?? ""}
        onChange={set("text")}
        inputRef={searchRef}
      />
      <Segments
        label="State"
        options={Object.entries(STATES).map(([state, { title }]) => [state, title])}
        isOn={(state) => states.includes(state)}
        onPress={(state) => onChange(withState(search, state))}
      />
      {select(
        "workflow",
        "Workflow",
        workflows.map(({ path, name }) => [path, name]),
      )}
      {select("kind", "Kind", kindOptions)}
      <TypedSearch
        label="Node that failed"
        placeholder="Failed node"
        value={search.failed ?? ""}
        onChange={set("failed")}
        className="font-mono text-sm placeholder:font-sans"
      />
      <div className="min-w-0 max-w-full basis-full">
        <div className="mt-1 mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Times search={search} onChange={onChange} />
          <RunTotals search={search} />
          <span className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-2">
            {Object.keys(search).length > 0 && (
              <Button kind="quiet" size="small" icon={<X />} onClick={() => onChange({})}>
                Clear
              </Button>
            )}
            <label className="flex h-8 items-center gap-1.5 text-sm text-muted">
              <input
                type="checkbox"
                checked={search.tests === "shown" || search.kind === "test"}
                disabled={search.kind !== undefined}
                onChange={(event) => set("tests")(event.target.checked ? "shown" : "")}
                className="size-4 accent-accent"
              />
              Show tests
            </label>
            <Select
              aria-label="Order"
              value={search.sort ?? "newest"}
              onChange={(sort) => set("sort")(sort === "newest" ? "" : sort)}
              options={SORTS}
              className="!w-auto text-sm"
            />
          </span>
        </div>
        <RunsChart search={search} />
      </div>
    </div>
  );
}

/** The period: by name, as a range of days, or as the bar that was pressed. */
function Times({ search, onChange }: Pick<FilterBarProps, "search" | "onChange">) {
  const { since, until, ...others } = search;
  const isNamed = until === undefined && since !== undefined && since in PERIODS;
  const hasTime = since !== undefined || until !== undefined;
  const isRange = hasTime && !isNamed;
  const period = periodOf(search, Date.now());
  const put = (next: Pick<RunsSearch, "since" | "until">) => onChange({ ...others, ...next });
  const press = (id: string) => {
    const week = { since: dateOf(periodOf({ since: "7d" }, Date.now()).sinceMs!), until: dateOf(Date.now()) };
    if (id === "range") put(isRange ? { since, until } : week);
    else put(id === "any" ? {} : { since: id });
  };
  const isOn = (id: string) =>
    id === "range" ? isRange : !isRange && (id === "any" ? !hasTime : isNamed && since === id);
  const day = (name: "since" | "until", label: string, ms: number | undefined) => (
    <input
      type="date"
      aria-label={label}
      value={ms === undefined ? "" : dateOf(ms)}
      max={dateOf(Date.now())}
      onChange={({ target }) => put({ since, until, [name]: target.value || undefined })}
      className={`${inputClass} h-8 !w-36 text-sm`}
    />
  );
  return (
    <>
      <Segments
        label="Time"
        options={[["any", "Any time"], ...Object.entries(PERIODS), ["range", "Range"]]}
        isOn={isOn}
        onPress={press}
      />
      {isRange && (
        <span className="flex flex-wrap items-center gap-2 text-sm text-muted">
          {day("since", "From", period.sinceMs)}–
          {day("until", "Until", period.untilMs === undefined ? undefined : period.untilMs - 1)}
          {hasTime && <span>{periodWords(period)}</span>}
        </span>
      )}
    </>
  );
}
