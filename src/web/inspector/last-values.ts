// last-values: what the nodes handed on when the workflow ran last, for hovers, completion and previews. Masked by the server already.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Page, RunItem } from "../../api/shapes.ts";
import type { NodeView, RunView } from "../../scheduler/view.ts";
import { ask } from "../client/api.ts";
import { keys, runQuery } from "../client/queries.ts";

export interface LastValues {
  run?: string;
  /** Of the last pass, where the node ran in several. */
  of(id: string): { text: string; status: NodeView["status"] } | undefined;
}

export const NO_VALUES: LastValues = { of: () => undefined };

/** `nodes` as a run is shown (scheduler/view.ts). Large values stand in outputs and are not here. */
export function valuesOf(run: Pick<RunView, "id" | "nodes">): LastValues {
  const byId = new Map<string, { text: string; status: NodeView["status"] }>();
  for (const { id, value, status } of run.nodes) if (value !== undefined) byId.set(id, { text: value, status });
  return { run: run.id, of: (id) => byId.get(id) };
}

/** Of the newest run of the stored workflow. */
export function useLastValues(path: string | undefined): LastValues {
  const newest = useQuery({
    // Below the key that every begin and end of a run makes stale.
    queryKey: [...keys.workflows, "newest run", path],
    queryFn: ({ signal }) => ask<Page<RunItem>>("/runs", { signal, query: { path, limit: 1 } }),
    enabled: path !== undefined,
    select: (page) => page.items[0]?.id,
  });
  const run = useQuery({ ...runQuery(newest.data ?? ""), enabled: newest.data !== undefined });
  return useMemo(() => (run.data === undefined ? NO_VALUES : valuesOf(run.data)), [run.data]);
}
