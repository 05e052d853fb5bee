// filters: converts the run filters between the URL and the API (spec ui 6.2.5). Pure.
//   F1. Filters in the URL are short and relative (`since=24h`), so that a link to "failed in the last day" stays true.

import type { QueryValues } from "../../api/address.ts";
import type { RunStatus } from "../../scheduler/state.ts";
import type { RunsSearch } from "../app/search.ts";

/** The states to filter by. `running` includes runs that are about to start or end. */
export const STATES: Record<string, { title: string; statuses: RunStatus[] }> = {
  running: { title: "Running", statuses: ["queued", "running", "cancelling"] },
  waiting: { title: "Waiting", statuses: ["waiting"] },
  failed: { title: "Failed", statuses: ["failed", "timed-out"] },
  succeeded: { title: "Succeeded", statuses: ["succeeded"] },
  cancelled: { title: "Cancelled", statuses: ["cancelled"] },
};

export const TRIGGERS = ["cli", "api", "schedule", "webhook", "file", "subflow", "mcp"];

export const TIMES: Record<string, string> = {
  "1h": "last hour",
  "24h": "last 24 hours",
  "7d": "last 7 days",
  "30d": "last 30 days",
};
const UNITS_MS: Record<string, number> = { h: 3_600_000, d: 86_400_000 };

/** The query of `GET /runs`. Times are whole minutes, so that the cache key stays the same for a while. */
export function queryOf(search: RunsSearch, nowMs: number): QueryValues {
  const { workflow: path, trigger, text, failed } = search;
  const states = statesIn(search).flatMap((state) => STATES[state]?.statuses ?? []);
  const status = states.length === 0 ? undefined : states;
  const [since, until] = [timeOf(search.since, nowMs), timeOf(search.until, nowMs)];
  return { path, status, trigger, text, failed, since, until };
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

/** F1. */
function timeOf(text: string | undefined, nowMs: number): string | undefined {
  const [, count, unit] = /^(\d+)([hd])$/.exec(text ?? "") ?? [];
  const ms = count === undefined ? Date.parse(text ?? "") : nowMs - Number(count) * UNITS_MS[unit!]!;
  return Number.isNaN(ms) ? undefined : new Date(Math.floor(ms / 60_000) * 60_000).toISOString();
}
