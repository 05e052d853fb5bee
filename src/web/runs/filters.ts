// filters: converts the run filters between the URL and the API (spec ui 6.2.5). Pure.

import type { QueryValues } from "../../api/address.ts";
import { START_KINDS, type StartKind } from "../../scheduler/start-kind.ts";
import type { RunStatus } from "../../scheduler/state.ts";
import type { RunsSearch } from "../app/search.ts";
import { chartOf, type Period, periodOf } from "./periods.ts";

/** The states to filter by. `running` includes runs that are about to start or end. */
export const STATES: Record<string, { title: string; statuses: RunStatus[] }> = {
  running: { title: "Running", statuses: ["queued", "running", "cancelling"] },
  waiting: { title: "Waiting", statuses: ["waiting"] },
  failed: { title: "Failed", statuses: ["failed", "timed-out"] },
  succeeded: { title: "Succeeded", statuses: ["succeeded"] },
  cancelled: { title: "Cancelled", statuses: ["cancelled"] },
};

export const KINDS: Record<StartKind, string> = {
  manual: "manual",
  test: "test",
  retry: "retry",
  schedule: "schedule",
  webhook: "webhook",
  file: "file watch",
  run: "after a run",
  subflow: "subflow",
  api: "API",
  cli: "command line",
  mcp: "MCP",
};

/** The query of `GET /runs`. Tests are hidden unless they are wanted. */
export function queryOf(search: RunsSearch, nowMs: number): QueryValues {
  const { sinceMs, untilMs } = periodOf(search, nowMs);
  return { ...filterOf(search), ...timesOf({ sinceMs, untilMs }), sort: search.sort };
}

/** The query of `GET /runs/counts` for the same runs. */
export function countsOf(search: RunsSearch, nowMs: number): QueryValues {
  const { slices, ...period } = chartOf(periodOf(search, nowMs), nowMs);
  return { ...filterOf(search), ...timesOf(period), slices };
}

function filterOf({ workflow: path, kind, text, failed, ...search }: RunsSearch): QueryValues {
  const states = statesIn(search).flatMap((state) => STATES[state]?.statuses ?? []);
  const known = START_KINDS.find((one) => one === kind);
  const tests = known === undefined && search.tests !== "shown" ? "false" : undefined;
  return { path, status: states.length === 0 ? undefined : states, kind: known, tests, text, failed };
}

function timesOf({ sinceMs, untilMs }: Period): QueryValues {
  const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
  return { since: iso(sinceMs), until: iso(untilMs) };
}

export function statesIn(search: RunsSearch): string[] {
  return (search.status ?? "").split(",").filter((state) => state in STATES);
}

/** The URL with this state switched on or off. */
export function withState(search: RunsSearch, state: string): RunsSearch {
  const now = statesIn(search);
  const then = now.includes(state) ? now.filter((one) => one !== state) : [...now, state];
  const { status: _, ...rest } = search;
  return then.length === 0 ? rest : { ...rest, status: then.join(",") };
}

/** The URL with this filter, or without it if the value is empty. */
export function withFilter(search: RunsSearch, name: keyof RunsSearch, value: string): RunsSearch {
  const { [name]: _, ...rest } = search;
  return value === "" ? rest : { ...rest, [name]: value };
}
