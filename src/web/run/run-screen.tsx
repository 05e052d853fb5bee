// RunScreen: one run, live or past (spec ui 6.1, 6.4).
//   N1. The selection is in the URL. Without one, the failed node is shown, or the one that waits for approval.
//   N2. The screen is never blank: content stays when the server is gone, and the first load shows its progress.

import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { RunSearch } from "../app/search.ts";
import { TopBar } from "../app/top-bar.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { count } from "../ui/words.ts";
import { RunBody } from "./run-body.tsx";
import { RunContext, useRunOf, useRunPage } from "./run-store.ts";

const route = getRouteApi("/runs/$id");

export function RunScreen() {
  const { id } = route.useParams();
  const store = useRunOf(id);
  if (store === undefined) return <Skeleton className="p-6" />;
  return (
    <RunContext value={store}>
      <Loaded key={id} id={id} />
    </RunContext>
  );
}

function Loaded({ id }: { id: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const model = useRunPage((page) => page.model);
  const problem = useRunPage((page) => page.problem);
  const read = useRunPage((page) => page.read);
  const change = useMemo(
    () => (next: RunSearch) => void navigate({ to: ".", search: (before) => ({ ...before, ...next }), replace: true }),
    [navigate],
  );
  if (model !== undefined) return <RunBody search={search} change={change} />;
  return (
    <>
      <TopBar title={`Run ${id}`} />
      <div className="mx-auto max-w-5xl p-6">
        {problem !== undefined ? (
          <Problem
            problem={problem}
            action={
              <Link to="/runs" className="text-accent underline">
                Go to the runs
              </Link>
            }
          />
        ) : (
          <>
            {read > 0 && <p className="mb-3 text-muted">Reading events: {count(read, "event")} so far</p>}
            <Skeleton />
          </>
        )}
      </div>
    </>
  );
}
