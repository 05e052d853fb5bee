// FilterBar: the filters of the runs table, kept in the URL.

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { RefObject } from "react";
import { visibleLine } from "../../base/visible.ts";
import type { RunsSearch } from "../app/search.ts";
import { workflowsQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { inputClass } from "../ui/field.tsx";
import { TypedSearch } from "../ui/typed-search.tsx";
import { STATES, statesIn, TIMES, TRIGGERS, withFilter, withState } from "./filters.ts";

export interface FilterBarProps {
  search: RunsSearch;
  onChange: (search: RunsSearch) => void;
  searchRef: RefObject<HTMLInputElement | null>;
}

export function FilterBar({ search, onChange, searchRef }: FilterBarProps) {
  const workflows = useQuery(workflowsQuery).data ?? [];
  const states = statesIn(search);
  const set = (name: keyof RunsSearch) => (value: string) => onChange(withFilter(search, name, value));
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
      <fieldset className="flex max-w-full overflow-x-auto rounded-md border border-edge/60">
        <legend className="sr-only">State</legend>
        {Object.entries(STATES).map(([state, { title }]) => (
          <button
            key={state}
            type="button"
            aria-pressed={states.includes(state)}
            onClick={() => onChange(withState(search, state))}
            className={classes(
              "h-7.5 border-l border-line px-2.5 text-sm first:border-l-0 focus-visible:-outline-offset-2",
              states.includes(state) ? "bg-selected font-semibold text-text" : "text-muted hover:bg-hover",
            )}
          >
            {title}
          </button>
        ))}
      </fieldset>
      <Choice
        label="Workflow"
        value={search.workflow ?? ""}
        onChange={set("workflow")}
        options={workflows.map(({ path, name }) => [path, name])}
      />
      <Choice
        label="Trigger"
        value={search.trigger ?? ""}
        onChange={set("trigger")}
        options={TRIGGERS.map((kind) => [kind, kind])}
      />
      <Choice label="Time" value={search.since ?? ""} onChange={set("since")} options={Object.entries(TIMES)} />
      <TypedSearch
        label="Node that failed"
        placeholder="Failed node"
        value={search.failed ?? ""}
        onChange={set("failed")}
        className="font-mono text-sm"
      />
      {Object.keys(search).length > 0 && (
        <Button kind="quiet" icon={<X />} onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly (readonly [id: string, title: string])[];
}

/** Shows the value in the URL even if it is not one of the options. */
function Choice({ label, value, onChange, options }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={classes(inputClass, "h-8 !w-auto max-w-44 !border-edge/60 text-sm", value === "" && "!text-muted")}
    >
      <option value="">{label}: any</option>
      {options.map(([id, title]) => (
        <option key={id} value={id}>
          {visibleLine(title)}
        </option>
      ))}
      {value !== "" && !options.some(([id]) => id === value) && <option value={value}>{visibleLine(value)}</option>}
    </select>
  );
}
