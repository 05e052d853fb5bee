// FilterBar: the filters of the runs table, kept in the URL.

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { RefObject } from "react";
import type { RunsSearch } from "../app/search.ts";
import { workflowsQuery } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Segments } from "../ui/segments.tsx";
import { Select } from "../ui/select.tsx";
import { TypedSearch } from "../ui/typed-search.tsx";
import { STATES, statesIn, TIMES, TRIGGERS, withFilter, withState } from "./filters.ts";

export interface FilterBarProps {
  search: RunsSearch;
  onChange: (search: RunsSearch) => void;
  searchRef: RefObject<HTMLInputElement | null>;
}

type Options = readonly (readonly [id: string, title: string])[];

export function FilterBar({ search, onChange, searchRef }: FilterBarProps) {
  const workflows = useQuery(workflowsQuery).data ?? [];
  const states = statesIn(search);
  const set = (name: keyof RunsSearch) => (value: string) => onChange(withFilter(search, name, value));
  const choices: [label: string, name: "workflow" | "trigger" | "since", options: Options][] = [
    ["Workflow", "workflow", workflows.map(({ path, name }) => [path, name])],
    ["Trigger", "trigger", TRIGGERS.map((kind) => [kind, kind])],
    ["Time", "since", Object.entries(TIMES)],
  ];
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
      {choices.map(([label, name, options]) => (
        <Select
          key={name}
          aria-label={label}
          value={search[name] ?? ""}
          onChange={set(name)}
          options={[["", `${label}: any`], ...options]}
          className="!w-auto max-w-44 text-sm"
        />
      ))}
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
