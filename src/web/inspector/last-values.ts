// last-values: the values that hovers, completion, previews, and tests of an open workflow show: those of its newest
// runs, or of the run that the user chose. The server has already masked them.

import { useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { create } from "zustand";
import type { Page, RunItem } from "../../api/shapes.ts";
import type { RunView } from "../../scheduler/view.ts";
import { ask, Refusal } from "../client/api.ts";
import { keys, runQuery } from "../client/queries.ts";
import { type LastValues, type Ran, valuesOf } from "./values.ts";

/** How many of the newest runs are requested (V1 of values.ts). */
const RUNS_ASKED = 5;
/** How many runs the user can choose from. Others are opened from the list of runs. */
const RUNS_OFFERED = 50;

type Chosen = Readonly<Record<string, string>>;

const KEY = "curlew.editor.runs";
/** The chosen run of each workflow. It survives a reload of this tab. */
const useChosen = create<{ runs: Chosen }>(() => ({ runs: keptRuns() }));

/** Chooses a run, or the newest runs again with `undefined` (V2 of values.ts). */
export function chooseRun(path: string, run: string | undefined): void {
  const { [path]: _, ...others } = useChosen.getState().runs;
  const runs = run === undefined ? others : { ...others, [path]: run };
  useChosen.setState({ runs });
  sessionStorage.setItem(KEY, JSON.stringify(runs));
}

/** The chosen run of a workflow. */
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

/** The values for a stored workflow. */
export function useLastValues(path: string | undefined): LastValues {
  const chosen = useChosen(({ runs }) => (path === undefined ? undefined : runs[path]));
  const newest = useQuery({
    // Under the key that the start and end of every run invalidate.
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

/** `isGone`: one of the runs was removed from the run history. */
function combine(found: { data: RunView | undefined; error: Error | null }[]): { ran: Ran[]; isGone: boolean } {
  return {
    ran: found.flatMap(({ data }) => data ?? []),
    isGone: found.some(({ error }) => error instanceof Refusal && error.problem.status === 404),
  };
}

/** The workflow's newest ended runs to choose from. */
export function useRunsToChoose(path: string) {
  return useQuery({
    queryKey: [...keys.workflows, "runs to choose", path],
    queryFn: ({ signal }) => ask<Page<RunItem>>("/runs", { signal, query: { path, limit: RUNS_OFFERED } }),
    select: ({ items }) => items.filter(({ endedAt }) => endedAt !== undefined),
  });
}
