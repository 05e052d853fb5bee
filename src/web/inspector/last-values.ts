// last-values: the newest runs of the workflow that is open, for hovers, completion, previews and tests. Masked by the server already.

import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Page, RunItem } from "../../api/shapes.ts";
import type { RunView } from "../../scheduler/view.ts";
import { ask } from "../client/api.ts";
import { keys, runQuery } from "../client/queries.ts";
import { type LastValues, type Ran, valuesOf } from "./values.ts";

/** V1 of values.ts. */
const RUNS_ASKED = 5;

/** Of the newest runs of the stored workflow. */
export function useLastValues(path: string | undefined): LastValues {
  const newest = useQuery({
    // Below the key that every begin and end of a run makes stale.
    queryKey: [...keys.workflows, "newest runs", path],
    queryFn: ({ signal }) => ask<Page<RunItem>>("/runs", { signal, query: { path, limit: RUNS_ASKED } }),
    enabled: path !== undefined,
    select: (page) => page.items.map(({ id }) => id),
  });
  const runs = useQueries({ queries: (newest.data ?? []).map((id) => runQuery(id)), combine });
  return useMemo(() => valuesOf(runs), [runs]);
}

function combine(found: { data: RunView | undefined }[]): Ran[] {
  return found.flatMap(({ data }) => data ?? []);
}
