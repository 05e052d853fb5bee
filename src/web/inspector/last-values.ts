// last-values: the values that hovers, completion, previews, and tests of an open workflow show. The server has already
// masked them.

import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Page, RunItem } from "../../api/shapes.ts";
import type { RunView } from "../../scheduler/view.ts";
import { ask } from "../client/api.ts";
import { keys, runQuery } from "../client/queries.ts";
import type { RunStore } from "../run/run-store.ts";
import { type LastValues, valuesOf } from "./values.ts";

/** How many of the newest runs are requested (V1 of values.ts). */
const RUNS_ASKED = 5;

/** The run that is shown, otherwise the newest that is not a test. */
export async function lastRun(path: string, shown?: string): Promise<string | undefined> {
  if (shown !== undefined) return shown;
  const { items } = await ask<Page<RunItem>>("/runs", { query: { path, tests: false, limit: 1 } });
  return items[0]?.id;
}

/** `shown`: the run on the canvas. Its values come first, and then those that its test reused. */
export function useLastValues(path: string, shown: string | undefined): LastValues {
  const newest = useQuery({
    // Under the key that the start and end of every run invalidate.
    queryKey: [...keys.workflows, "newest runs", path],
    queryFn: ({ signal }) => ask<Page<RunItem>>("/runs", { signal, query: { path, limit: RUNS_ASKED } }),
    select: (page) => page.items.map(({ id }) => id),
  });
  const reused = useQuery({ ...runQuery(shown ?? ""), enabled: shown !== undefined }).data?.only?.run;
  const asked = new Set([shown, reused, ...(newest.data ?? [])]);
  asked.delete(undefined);
  const ran = useQueries({ queries: [...asked].map((id) => runQuery(id ?? "")), combine });
  return useMemo(() => valuesOf(ran), [ran]);
}

/** Also knows the attempts of the run on the canvas, which the server is asked for only a moment later. */
export function withLive(last: LastValues, shown: RunStore | undefined): LastValues {
  const live: LastValues["attempt"] = (id) => {
    const { id: run, model } = shown?.getState() ?? {};
    for (const node of model?.fold.nodes.values() ?? []) {
      const made = node.id === id ? node.attempts.findLast(({ kept }) => kept !== true) : undefined;
      if (made !== undefined && run !== undefined) return { run, path: node.path, number: made.number };
    }
    return undefined;
  };
  return { ...last, attempt: (id) => last.attempt(id) ?? live(id) };
}

function combine(found: { data: RunView | undefined }[]): RunView[] {
  return found.flatMap(({ data }) => data ?? []);
}
