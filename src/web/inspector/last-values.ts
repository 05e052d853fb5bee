// last-values: whose values the hovers, completion, previews and tests of an open workflow show: of its newest runs, or of the run that a person
// chose. Masked by the server already.

import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { create } from "zustand";
import type { Page, RunItem } from "../../api/shapes.ts";
import type { RunView } from "../../scheduler/view.ts";
import { ask, Refusal } from "../client/api.ts";
import { keys, runQuery } from "../client/queries.ts";
import { type LastValues, type Ran, valuesOf } from "./values.ts";

/** V1 of values.ts. */
const RUNS_ASKED = 5;
/** Runs that are offered to choose from, at a time. */
const RUNS_OFFERED = 50;

type Chosen = Readonly<Record<string, string>>;

const KEY = "curlew.editor.runs";
/** By workflow: the run that a person chose. It outlives a reload of this tab. */
const useChosen = create<{ runs: Chosen }>(() => ({ runs: keptRuns() }));

/** V2 of values.ts. Undefined: the newest again. */
export function chooseRun(path: string, run: string | undefined): void {
  const { [path]: _, ...others } = useChosen.getState().runs;
  const runs = run === undefined ? others : { ...others, [path]: run };
  useChosen.setState({ runs });
  sessionStorage.setItem(KEY, JSON.stringify(runs));
}

/** The run that was chosen for a workflow. */
export function chosenRun(path: string): string | undefined {
  return useChosen.getState().runs[path];
}

function keptRuns(): Chosen {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** Of the stored workflow. */
export function useLastValues(path: string | undefined): LastValues {
  const chosen = useChosen(({ runs }) => (path === undefined ? undefined : runs[path]));
  const newest = useQuery({
    // Below the key that every begin and end of a run makes stale.
    queryKey: [...keys.workflows, "newest runs", path],
    queryFn: ({ signal }) => ask<Page<RunItem>>("/runs", { signal, query: { path, limit: RUNS_ASKED } }),
    enabled: path !== undefined && chosen === undefined,
    select: (page) => page.items.map(({ id }) => id),
  });
  const asked = chosen === undefined ? (newest.data ?? []) : [chosen];
  const { ran, isGone } = useQueries({ queries: asked.map((id) => runQuery(id)), combine });
  useEffect(() => {
    if (isGone && path !== undefined && chosen !== undefined) chooseRun(path, undefined);
  }, [isGone, path, chosen]);
  return useMemo(() => valuesOf(ran, chosen), [ran, chosen]);
}

/** `isGone`: one has left the history. */
function combine(found: { data: RunView | undefined; error: Error | null }[]): { ran: Ran[]; isGone: boolean } {
  return {
    ran: found.flatMap(({ data }) => data ?? []),
    isGone: found.some(({ error }) => error instanceof Refusal && error.problem.status === 404),
  };
}

/** Its runs that are over, newest first: what can be chosen. */
export function useRunsToChoose(path: string) {
  return useInfiniteQuery({
    queryKey: [...keys.workflows, "runs to choose", path],
    queryFn: ({ signal, pageParam }) => {
      const query = { path, limit: RUNS_OFFERED, ...(pageParam === "" ? {} : { cursor: pageParam }) };
      return ask<Page<RunItem>>("/runs", { signal, query });
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.next,
    select: ({ pages }) => pages.flatMap(({ items }) => items.filter(({ endedAt }) => endedAt !== undefined)),
  });
}
