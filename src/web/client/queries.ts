// queries: the queries of the screens and their keys (TanStack Query). The stream makes them stale (live.ts).
//   Q1. Every key starts with one entry of `keys`. After a change, invalidate by that entry.
//   Q2. Untrusted names can't hide characters or reorder the text beside them (base/visible.ts). That is done here, where
//       they arrive, because they are displayed in many places.

import { infiniteQueryOptions, QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { at } from "../../api/address.ts";
import type { ApprovalItem, Page, RunFilter, RunItem, ServerInfo, WorkflowList } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import type { RunView } from "../../scheduler/view.ts";
import type { AnyStatus } from "../ui/state.ts";
import { ask, ownProblem, Refusal } from "./api.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A rejected request would be rejected again. Only an unreachable server is worth a retry, which live.ts makes.
      retry: false,
      refetchOnWindowFocus: false,
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

export const keys = {
  server: ["server"],
  workflows: ["workflows"],
  runs: ["runs"],
  runList: (filter: RunFilter) => ["runs", "list", filter],
  run: (id: string) => ["run", id],
  approvals: ["approvals"],
  triggers: ["triggers"],
  deliveries: ["deliveries"],
  machines: ["machines"],
} as const;

export const serverQuery = queryOptions({
  queryKey: keys.server,
  queryFn: ({ signal }) => ask<ServerInfo>("/server", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const workflowListQuery = queryOptions({
  queryKey: keys.workflows,
  queryFn: async ({ signal }) => {
    const list = await ask<WorkflowList>("/workflows", { signal });
    return { ...list, items: list.items.map((item) => ({ ...item, name: visibleLine(item.name) })) };
  },
});

export const workflowsQuery = queryOptions({ ...workflowListQuery, select: ({ items }) => items });

export const approvalsQuery = queryOptions({
  queryKey: keys.approvals,
  queryFn: async ({ signal }) =>
    (await ask<Page<ApprovalItem>>("/approvals", { signal })).items.map((item) => ({
      ...{ ...item, workflow: visibleLine(item.workflow), title: visibleLine(item.title) },
    })),
});

export const runQuery = (id: string) =>
  queryOptions({ queryKey: keys.run(id), queryFn: ({ signal }) => ask<RunView>(at("runs", id), { signal }) });

/** Facts of an unfinished run that its events do not contain. */
export const standingQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.runs, "standing", id],
    queryFn: ({ signal }) =>
      ask<Pick<RunItem, "status" | "stuck" | "machine"> & Pick<RunView, "runsOn" | "nodes">>(at("runs", id), {
        signal,
      }),
    refetchInterval: 30_000,
  });

export const runsQuery = (filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: keys.runList(filter),
    queryFn: ({ signal, pageParam }) => runsPage({ ...filter, cursor: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: (last) => last.next,
  });

/** An empty cursor: the first page. */
export async function runsPage(
  { cursor, ...filter }: RunFilter & { cursor: string },
  signal?: AbortSignal,
): Promise<Page<RunItem>> {
  const query = { ...filter, cursor: cursor || undefined };
  const page = await ask<Page<RunItem>>("/runs", { query, signal });
  return { ...page, items: page.items.map((run) => ({ ...run, workflow: visibleLine(run.workflow) })) };
}

/** The problem of a failed query or mutation. */
export function problemOf(error: unknown) {
  if (error instanceof Refusal) return error.problem;
  return ownProblem("page-error", "This page stumbled", {
    detail: error instanceof Error ? error.message : String(error),
  });
}

/** The message for the user. */
export function sentence(reason: unknown): string {
  const { title, detail, hint } = problemOf(reason);
  return [detail ?? title, hint].filter((part) => part !== undefined).join(" ");
}

/**
 * Whether a waiting run in a list needs approval. A run may also wait for a retry, a rate limit or a listener's line.
 */
export function useWaitingFor(): (run: { id: string; status: AnyStatus }) => string | undefined {
  const { data: asking } = useQuery({ ...approvalsQuery, select: (items) => items.map(({ run }) => run) });
  return ({ id, status }) =>
    status !== "waiting" || asking === undefined || asking.includes(id) ? undefined : "something";
}
