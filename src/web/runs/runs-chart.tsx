// RunsChart: the runs of a period as bars, one per slice of time, stacked by state. A bar leads to its runs.
//   C1. The counts do not change its height, so nothing below moves when they arrive.
//   C2. Only slices with runs are links. Each link says its time and its counts.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import type { RunCounts } from "../../api/shapes.ts";
import type { RunStatus } from "../../scheduler/state.ts";
import type { RunsSearch } from "../app/search.ts";
import { ask } from "../client/api.ts";
import { keys } from "../client/queries.ts";
import { classes } from "../ui/classes.ts";
import { useNow } from "../ui/now.ts";
import { LOOKS } from "../ui/state.ts";
import { count, grouped } from "../ui/words.ts";
import { countsOf, STATES, withState } from "./filters.ts";
import { dayTime, type Period, periodWords } from "./periods.ts";

/** From bottom to top. The failed ones are on top, where they are seen. */
const STACK = ["succeeded", "cancelled", "running", "waiting", "failed"] as const;
type State = (typeof STACK)[number];

interface Slice {
  at: number;
  untilMs: number;
  states: Partial<Record<State, number>>;
  total: number;
}

export function useRunCounts(search: RunsSearch) {
  const query = countsOf(search, useNow(60_000));
  return useQuery({
    queryKey: [...keys.runs, "counts", query],
    queryFn: ({ signal }) => ask<RunCounts>("/runs/counts", { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function statesOf(runs: Record<string, number>): Partial<Record<State, number>> {
  const found: Partial<Record<State, number>> = {};
  for (const state of STACK) {
    const sum = (STATES[state]?.statuses ?? []).reduce((all, status: RunStatus) => all + (runs[status] ?? 0), 0);
    if (sum > 0) found[state] = sum;
  }
  return found;
}

function slicesOf({ since, until, stepMs, items }: RunCounts): Slice[] {
  const [sinceMs, untilMs] = [Date.parse(since), Date.parse(until)];
  const number = Math.max(1, Math.ceil((untilMs - sinceMs) / stepMs));
  const runs = new Map(items.map((item) => [Math.round((Date.parse(item.at) - sinceMs) / stepMs), item.runs]));
  return Array.from({ length: number }, (_, nth) => {
    const at = sinceMs + nth * stepMs;
    const all = runs.get(nth) ?? {};
    const total = Object.values(all).reduce((sum, some) => sum + some, 0);
    return { at, untilMs: Math.min(untilMs, at + stepMs), states: statesOf(all), total };
  });
}

/** Each state of the period with its number, as a link to these runs. */
export function RunTotals({ search }: { search: RunsSearch }) {
  const { data } = useRunCounts(search);
  if (data === undefined) return null;
  const runs: Record<string, number> = {};
  for (const item of data.items)
    for (const [status, some] of Object.entries(item.runs)) runs[status] = (runs[status] ?? 0) + some;
  const states = statesOf(runs);
  const shown = STACK.filter((state) => states[state] !== undefined);
  return (
    <p className="flex flex-wrap gap-x-1.5 text-muted" data-part="totals">
      {shown.length === 0 && "No runs"}
      {shown.map((state, nth) => (
        <Fragment key={state}>
          {nth > 0 && <span aria-hidden="true">·</span>}
          <Link
            to="/runs"
            search={withState({ ...search, status: undefined }, state)}
            className={classes("hover:underline", state !== "succeeded" && LOOKS[state].text)}
          >
            {grouped(states[state]!)} {STATES[state]!.title.toLowerCase()}
          </Link>
        </Fragment>
      ))}
    </p>
  );
}

export function RunsChart({ search, className = "h-14" }: { search: RunsSearch; className?: string }) {
  const { data } = useRunCounts(search);
  const now = useNow(60_000);
  const slices = data === undefined ? [] : slicesOf(data);
  const most = Math.max(4, ...slices.map(({ total }) => total));
  const span = data && { sinceMs: Date.parse(data.since), untilMs: Date.parse(data.until) };
  return (
    <figure aria-label="Runs over time" className="flex min-w-0 grow flex-col">
      <ul className={classes("flex items-end gap-px border-b border-line sm:gap-1", className)}>
        {slices.map((slice) => (
          <li key={slice.at} className="flex min-w-0 flex-1 self-stretch">
            {slice.total > 0 && <Bar slice={slice} most={most} search={search} />}
          </li>
        ))}
      </ul>
      <figcaption className="mt-1 flex h-4 justify-between text-xs text-muted">
        <span>{span && dayTime(new Date(span.sinceMs).toISOString(), now)}</span>
        <span>{span && (span.untilMs > now ? "now" : dayTime(new Date(span.untilMs - 1).toISOString(), now))}</span>
      </figcaption>
    </figure>
  );
}

function Bar({
  slice: { at, untilMs, states, total },
  most,
  search,
}: {
  slice: Slice;
  most: number;
  search: RunsSearch;
}) {
  const iso = (ms: number) => new Date(ms).toISOString();
  const shown = STACK.filter((state) => states[state] !== undefined);
  const period: Period = { sinceMs: at, untilMs };
  const label = `${periodWords(period)}: ${shown.map((state) => `${states[state]} ${STATES[state]!.title.toLowerCase()}`).join(", ")}`;
  return (
    <Link
      to="/runs"
      search={{ ...search, since: iso(at), until: iso(untilMs) }}
      aria-label={label}
      title={`${label} (${count(total, "run")})`}
      className="flex w-full flex-col-reverse rounded-t-[2px] hover:bg-hover"
    >
      {shown.map((state) => (
        <span
          key={state}
          data-state={state}
          className={classes(
            "mx-auto min-h-[3px] w-full max-w-8 last:rounded-t-[2px]",
            LOOKS[state].fill,
            state === "succeeded" && "opacity-60",
          )}
          style={{ height: `${(states[state]! / most) * 100}%` }}
        />
      ))}
    </Link>
  );
}
