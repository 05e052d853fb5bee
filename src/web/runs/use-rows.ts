// useRows: the filtered runs, loaded page by page while scrolling. The stream makes them stale (client/live.ts).

import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RunsSearch } from "../app/search.ts";
import { keys, runsPage } from "../client/queries.ts";
import { queryOf } from "./filters.ts";

const pageSize = 100;

export function useRows(search: RunsSearch) {
  const query = useInfiniteQuery({
    queryKey: [...keys.runs, "table", search],
    queryFn: ({ pageParam, signal }) =>
      runsPage({ ...queryOf(search, Date.now()), limit: pageSize, cursor: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: (last) => last.next,
    refetchOnMount: "always",
  });
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  return { query, rows };
}
