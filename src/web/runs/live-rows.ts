// live-rows: a list of runs that stays true while they go on (spec ui 6.2.5). Pure.
//   L1. A row changes in place. It leaves or enters the list only with a new question: nobody's row moves away under the pointer.
//   L2. New runs stand in front, in the order of their start; one that is there already is never doubled.

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

/** What an event says about a row that is there; undefined: nothing, or no such row. */
export function changedBy(data: Pages, event: RunEvent): Pages | undefined {
  return change(data, event.run, (row) => {
    const ended = ENDS[event.type];
    if (ended !== undefined)
      return {
        ...row,
        status: ended,
        endedAt: event.at,
        durationMs: Date.parse(event.at) - Date.parse(row.startedAt),
        waiting: 0,
        ...(event.type === "run.failed" && { failure: event }),
      };
    if (event.type === "approval.requested") return { ...row, status: "waiting", waiting: row.waiting + 1 };
    if (event.type === "approval.granted" || event.type === "approval.rejected" || event.type === "approval.expired")
      return { ...row, status: "running", waiting: Math.max(0, row.waiting - 1) };
    return row;
  });
}

/** L2. `first` is the first page, read again. */
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

export function firstPage({ pages, pageParams }: Pages): Pages {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}

export function without(data: Pages, ids: ReadonlySet<string>): Pages {
  return {
    ...data,
    pages: data.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !ids.has(id)) })),
  };
}

function change(data: Pages, id: string, how: (row: RunItem) => RunItem): Pages | undefined {
  let changed = false;
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.map((row) => {
      if (row.id !== id) return row;
      const next = how(row);
      changed ||= next !== row;
      return next;
    }),
  }));
  return changed ? { ...data, pages } : undefined;
}
