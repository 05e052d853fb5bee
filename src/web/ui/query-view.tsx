// QueryView: the data of a query, a placeholder while it loads, or its error with a button to retry. Loaded data stays.

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Failed } from "./problem.tsx";
import { Skeleton } from "./skeleton.tsx";

interface QueryViewProps<Data> {
  query: UseQueryResult<Data>;
  /** Rows of the placeholder. */
  rows?: number;
  children: (data: Data) => ReactNode;
}

export function QueryView<Data>({ query, rows, children }: QueryViewProps<Data>) {
  return (
    <>
      {query.isPending && <Skeleton rows={rows} />}
      {query.error !== null && (
        <div className="mb-4">
          <Failed error={query.error} action={<Button onClick={() => void query.refetch()}>Try again</Button>} />
        </div>
      )}
      {query.data !== undefined && children(query.data)}
    </>
  );
}
