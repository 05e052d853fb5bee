// useRows: the filtered runs, loaded page by page while scrolling and updated from the stream.

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { RunsSearch } from "../app/search.ts";
import { keys, runsPage } from "../client/queries.ts";
import { onMessage } from "../client/stream.ts";
import { queryOf } from "./filters.ts";
import { changedBy, mergedWith, type Pages, without } from "./live-rows.ts";

const pageSize = 100;
const gatherMs = 300;

export function useRows(search: RunsSearch) {
  const client = useQueryClient();
  const key = useMemo(() => [...keys.runs, "table", search], [search]);
  const read = (cursor: string, signal?: AbortSignal) =>
    runsPage({ ...queryOf(search, Date.now()), limit: pageSize, cursor }, signal);
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: "",
    getNextPageParam: (last) => last.next,
    refetchOnMount: "always",
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` is that of the key.
  useEffect(() => {
    const set = (next: Pages | undefined) => next !== undefined && client.setQueryData(key, next);
    const now = () => client.getQueryData<Pages>(key);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = async () => {
      timer = undefined;
      const { items } = await read("").catch(() => ({ items: [] }));
      const data = now();
      if (data !== undefined) set(mergedWith(data, items));
    };
    const end = onMessage((message) => {
      const data = now();
      if (data !== undefined && message.kind === "removed") set(without(data, new Set([message.run])));
      if (data === undefined || !["run", "live", "stuck"].includes(message.kind)) return;
      if (message.kind === "run") set(changedBy(data, message.event));
      if (message.kind !== "run" || message.event.type === "run.started") timer ??= setTimeout(refresh, gatherMs);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [client, key]);
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  return {
    query,
    rows,
    remove: (ids: ReadonlySet<string>) => client.setQueryData<Pages>(key, (data) => data && without(data, ids)),
  };
}
