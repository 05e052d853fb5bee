// QueryView: what a query has read; its place while it is read, and what went wrong with a way to try again. What was read before stays.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { problemOf } from "../client/queries.ts";
import { Button } from "./button.tsx";
import { Problem } from "./problem.tsx";
import { Skeleton } from "./skeleton.tsx";

interface QueryViewProps<Data> {
  query: UseQueryResult<Data>;
  /** Of its place. */
  rows?: number;
  children: (data: Data) => ReactNode;
}

export function QueryView<Data>({ query, rows, children }: QueryViewProps<Data>) {
  return (
    <>
      {query.isPending && <Skeleton rows={rows} />}
      {query.error !== null && (
        <div className="mb-4">
          <Problem
            problem={problemOf(query.error)}
            action={<Button onClick={() => void query.refetch()}>Try again</Button>}
          />
        </div>
      )}
      {query.data !== undefined && children(query.data)}
    </>
  );
}
