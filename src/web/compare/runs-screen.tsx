// RunsComparedScreen: two runs (spec ui 6.2.5): how each ended, and the list of what differs. The URL names the runs and
// the chosen difference (`at`).

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { visibleLine } from "../../base/visible.ts";
import type { RunView } from "../../scheduler/view.ts";
import { Screen } from "../app/screen.tsx";
import { runQuery, useWaitingFor } from "../client/queries.ts";
import { Chip } from "../ui/chip.tsx";
import { Empty } from "../ui/empty.tsx";
import { Panel } from "../ui/panel.tsx";
import { Failed } from "../ui/problem.tsx";
import { RunLink } from "../ui/run-link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { StateIcon } from "../ui/state-icon.tsx";
import { count, duration, exactTime } from "../ui/words.ts";
import { ChangeList } from "./change-list.tsx";
import { compareRuns, whyIn } from "./runs.ts";

const route = getRouteApi("/runs/compare");

export function RunsComparedScreen() {
  const { a, b } = route.useSearch();
  const choose = (
    <Link to="/runs" className="text-accent underline">
      Choose two in the history
    </Link>
  );
  return (
    <Screen title="Compare runs" wide>
      {a === undefined || b === undefined ? (
        <Empty title="Choose two runs" action={choose}>
          Select two runs with X and press C.
        </Empty>
      ) : (
        <Two {...{ a, b, choose }} />
      )}
    </Screen>
  );
}

function Two({ a, b, choose }: { a: string; b: string; choose: React.ReactNode }) {
  const one = useQuery(runQuery(a));
  const other = useQuery(runQuery(b));
  const error = one.error ?? other.error;
  if (one.data !== undefined && other.data !== undefined) return <Compared a={one.data} b={other.data} />;
  return error === null ? <Skeleton rows={8} /> : <Failed error={error} action={choose} />;
}

function Compared({ a, b }: { a: RunView; b: RunView }) {
  const entries = useMemo(() => compareRuns(a, b), [a, b]);
  const { at: chosen = entries[0]?.key ?? "" } = route.useSearch();
  const navigate = route.useNavigate();
  const links = (path: string) => (
    <>
      <RunLink id={a.id} node={path}>
        In run A
      </RunLink>
      <RunLink id={b.id} node={path}>
        In run B
      </RunLink>
    </>
  );
  return (
    <div className="flex flex-col gap-5">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2">
        <Side run={a} label="A" />
        <Side run={b} label="B" />
      </div>
      <Panel
        title={entries.length === 0 ? "No differences" : `${count(entries.length, "difference")}: − run A, + run B`}
      >
        {entries.length > 0 && (
          <ChangeList
            {...{ entries, chosen }}
            onChoose={(at) =>
              void navigate({ to: ".", search: (before) => ({ ...before, at }), replace: true, resetScroll: false })
            }
            details={links}
          />
        )}
      </Panel>
    </div>
  );
}

function Side({ run, label }: { run: RunView; label: string }) {
  const waitingFor = useWaitingFor();
  const { where, why, full } = whyIn(run);
  return (
    <Panel className="p-4">
      <div className="flex items-center gap-3">
        <Chip>{label}</Chip>
        <RunLink id={run.id} className="min-w-0 truncate font-semibold hover:text-accent">
          {visibleLine(run.workflow)}
        </RunLink>
        <StateIcon status={run.status} waitingFor={waitingFor(run)} className="ml-auto" />
      </div>
      <p className="mt-2 flex flex-wrap gap-x-4 text-sm text-muted">
        <code>{run.id}</code>
        <time dateTime={run.startedAt}>{exactTime(run.startedAt)}</time>
        <span>{run.durationMs === undefined ? "still active" : duration(run.durationMs)}</span>
      </p>
      {run.failure !== undefined && (
        <p className="mt-2 text-failed wrap-anywhere" title={full}>
          <RunLink id={run.id} node={run.failure.path} className="underline">
            {where}
          </RunLink>
          : {why}
        </p>
      )}
    </Panel>
  );
}
