// live-rows: keeps a list of runs up to date while they are active (spec ui 6.2.5). Pure.
//   L1. A row changes in place. Rows enter or leave only with a new query, so no row moves away from under the pointer.
//   L2. New runs go first, in order of their start, and never appear twice.

import type { RunItem } from "../../api/shapes.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { RunStatus } from "../../scheduler/state.ts";

export interface Pages {
  pages: { items: RunItem[]; next?: string }[];
  pageParams: string[];
}

const ENDS: Partial<Record<RunEvent["type"], RunStatus>> = {
  "run.succeeded": "succeeded",
  "run.failed": "failed",
  "run.cancelled": "cancelled",
  "run.timed-out": "timed-out",
};

/** The list after an event; undefined if it changes no row. */
export function changedBy(data: Pages, event: RunEvent): Pages | undefined {
  let changed = false;
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.map((row) => {
      const next = row.id === event.run ? after(row, event) : row;
      changed ||= next !== row;
      return next;
    }),
  }));
  return changed ? { ...data, pages } : undefined;
}

function after(row: RunItem, event: RunEvent): RunItem {
  const status = ENDS[event.type];
  if (status !== undefined) {
    const durationMs = Date.parse(event.at) - Date.parse(row.startedAt);
    const failure = event.type === "run.failed" ? event : row.failure;
    return { ...row, status, endedAt: event.at, durationMs, waiting: 0, failure };
  }
  if (event.type === "approval.requested") return { ...row, status: "waiting", waiting: row.waiting + 1 };
  if (event.type === "approval.granted" || event.type === "approval.rejected" || event.type === "approval.expired")
    return { ...row, status: "running", waiting: Math.max(0, row.waiting - 1) };
  return row;
}

/** L2. `first`: the first page, fetched again. */
export function mergedWith(data: Pages, first: RunItem[]): Pages {
  const known = new Set(data.pages.flatMap(({ items }) => items.map(({ id }) => id)));
  const fresh = new Map(first.map((row) => [row.id, row]));
  const added = first.filter(({ id }) => !known.has(id));
  const pages = data.pages.map((page, at) => ({
    ...page,
    items: [...(at === 0 ? added : []), ...page.items.map((row) => fresh.get(row.id) ?? row)],
  }));
  return { ...data, pages };
}

export function without(data: Pages, ids: ReadonlySet<string>): Pages {
  return {
    ...data,
    pages: data.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !ids.has(id)) })),
  };
}
