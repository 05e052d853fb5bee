// Overview: what happened in the last 24 hours, and what needs the user: requests for approval and failed workflows.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ApprovalItem, WorkflowItem } from "../../api/shapes.ts";
import { visibleLine } from "../../base/visible.ts";
import { approvalsQuery } from "../client/queries.ts";
import { RunsChart, RunTotals, useRunCounts } from "../runs/runs-chart.tsx";
import { Ago } from "../ui/ago.tsx";
import { RunLink } from "../ui/run-link.tsx";
import { StateIcon } from "../ui/state-icon.tsx";
import { whyFailed } from "../ui/why-failed.ts";
import { count } from "../ui/words.ts";
import { isFailing } from "./choices.ts";

const shownMost = 3;

export function Overview({ items }: { items: readonly WorkflowItem[] }) {
  return (
    <div className="mb-6 grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <LastDay />
      <NeedsYou items={items} />
    </div>
  );
}

function LastDay() {
  const day = { since: "24h" };
  const yesterday = { since: "yesterday", status: "failed" };
  const failed = useRunCounts(yesterday).data?.items.reduce(
    (sum, { runs }) => sum + Object.values(runs).reduce((all, some) => all + some, 0),
    0,
  );
  return (
    <section
      aria-label="Runs, last 24 hours"
      className="flex min-w-0 flex-col rounded-lg border border-line bg-panel px-4 pt-3 pb-2"
    >
      <div className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="font-semibold">Runs, last 24 hours</h2>
        <RunTotals search={day} />
        {failed !== undefined && failed > 0 && (
          <Link to="/runs" search={yesterday} className="ml-auto text-sm text-muted hover:underline">
            Yesterday: {failed} failed
          </Link>
        )}
      </div>
      <RunsChart search={day} className="min-h-18 grow" />
    </section>
  );
}

function NeedsYou({ items }: { items: readonly WorkflowItem[] }) {
  const asks = useQuery(approvalsQuery).data ?? [];
  const failing = items
    .filter(isFailing)
    .sort((a, b) => (a.recent.at(-1)!.startedAt < b.recent.at(-1)!.startedAt ? 1 : -1));
  const left = Math.max(1, shownMost - Math.min(asks.length, shownMost - 1));
  const moreAsks = asks.length > shownMost - 1;
  const moreFailing = failing.length > left;
  return (
    <section aria-label="Needs you" className="min-w-0 rounded-lg border border-line bg-panel px-4 py-3">
      <h2 className="mb-2 font-semibold">Needs you</h2>
      {asks.length + failing.length === 0 && <p className="text-muted">Nothing waits for you.</p>}
      <ul className="flex flex-col gap-2.5">
        {asks.slice(0, shownMost - 1).map((item) => (
          <Ask key={item.id} item={item} />
        ))}
        {failing.slice(0, left).map((item) => (
          <Failure key={item.path} item={item} />
        ))}
      </ul>
      {(moreAsks || moreFailing) && (
        <p className="mt-2 text-sm text-muted">
          {moreAsks && (
            <Link to="/inbox" className="text-accent underline">
              {count(asks.length, "request")}
            </Link>
          )}
          {moreAsks && moreFailing && " · "}
          {moreFailing && (
            <Link to="/" search={{ show: "failing" }} className="text-accent underline">
              {count(failing.length, "failing workflow")}
            </Link>
          )}
        </p>
      )}
    </section>
  );
}

function Ask({ item: { id, workflow, detail, requestedAt } }: { item: ApprovalItem }) {
  return (
    <li className="min-w-0">
      <Link to="/inbox" search={{ id }} className="group block min-w-0">
        <span className="flex items-center gap-1.5 text-sm text-waiting">
          <StateIcon status="waiting" bare="silent" /> Waiting for approval <Ago at={requestedAt} />
        </span>
        <span className="flex min-w-0 gap-1.5 group-hover:underline">
          <span className="max-w-1/2 shrink-0 truncate font-medium">{workflow}</span>
          <code className="min-w-0 truncate text-muted">{visibleLine(detail.rendered)}</code>
        </span>
      </Link>
    </li>
  );
}

function Failure({ item: { name, recent } }: { item: WorkflowItem }) {
  const { id, startedAt, status, failure } = recent.at(-1)!;
  const { where, why, full } = whyFailed(failure);
  return (
    <li className="min-w-0">
      <RunLink id={id} node={failure?.path} className="group block min-w-0">
        <span className="flex items-center gap-1.5 text-sm text-failed">
          <StateIcon status={status} /> <Ago at={startedAt} />
        </span>
        <span className="line-clamp-2 break-words group-hover:underline" title={full}>
          <span className="font-medium">{name}</span>
          {failure && <span className="text-muted"> · {`${where}: ${why}`}</span>}
        </span>
      </RunLink>
    </li>
  );
}
