// CompareScreen: two runs side by side (spec ui 6.2.5): results, inputs, and states, times and values node by node.

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import { useMemo, useState } from "react";
import { visibleLine } from "../../base/visible.ts";
import type { RunView } from "../../scheduler/view.ts";
import { Screen } from "../app/screen.tsx";
import { runQuery, useWaitingFor } from "../client/queries.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { InParts } from "../ui/in-parts.tsx";
import { Panel } from "../ui/panel.tsx";
import { Failed } from "../ui/problem.tsx";
import { RunLink } from "../ui/run-link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { StateIcon } from "../ui/state-icon.tsx";
import { duration } from "../ui/words.ts";
import { compareRuns } from "./compare.ts";
import { ComparedNode } from "./compared-node.tsx";

export function CompareScreen() {
  const { a, b } = useSearch({ from: "/runs/compare" });
  const navigate = useNavigate();
  const actions = a !== undefined && b !== undefined && (
    <Button
      icon={<ArrowLeftRight />}
      onClick={() => void navigate({ to: "/runs/compare", search: { a: b, b: a }, replace: true })}
    >
      Swap
    </Button>
  );
  return (
    <Screen title="Compare runs" wide actions={actions}>
      {a === undefined || b === undefined ? (
        <Empty
          title="Two runs are needed"
          action={
            <Link to="/runs" className="text-accent underline">
              Choose them in the history
            </Link>
          }
        >
          Select two runs with X and press C.
        </Empty>
      ) : (
        <Two a={a} b={b} />
      )}
    </Screen>
  );
}

function Two({ a, b }: { a: string; b: string }) {
  const one = useQuery(runQuery(a));
  const other = useQuery(runQuery(b));
  const error = one.error ?? other.error;
  if (one.data !== undefined && other.data !== undefined) return <Compared a={one.data} b={other.data} />;
  if (error === null) return <Skeleton rows={8} />;
  return (
    <Failed
      error={error}
      action={
        <Link to="/runs" className="text-accent underline">
          Choose others in the history
        </Link>
      }
    />
  );
}

function Compared({ a, b }: { a: RunView; b: RunView }) {
  const [all, setAll] = useState(false);
  const { nodes, inputs } = useMemo(() => compareRuns(a, b), [a, b]);
  const different = nodes.filter(({ differs }) => differs.length > 0);
  const shown = all || different.length === 0 ? nodes : different;
  const longest = nodes.reduce((most, { tookA = 0, tookB = 0 }) => Math.max(most, tookA, tookB), 1);
  return (
    <div className="flex flex-col gap-5">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2">
        <Side run={a} label="A" />
        <Side run={b} label="B" other={a} />
      </div>
      {inputs.length > 0 && (
        <Panel title="Inputs">
          <dl>
            {inputs.map(({ name, a, b, differs }) => (
              <div
                key={name}
                className="grid gap-x-4 border-b border-line px-4 py-2 last:border-0 md:grid-cols-[160px_1fr_1fr]"
              >
                <dt className="font-mono text-sm text-muted">{name}</dt>
                <dd className="overflow-auto font-mono text-sm whitespace-pre-wrap">{a === "" ? "–" : a}</dd>
                <dd className="overflow-auto font-mono text-sm whitespace-pre-wrap">
                  {differs ? (
                    <mark className="rounded-sm bg-waiting/20 text-text">{b === "" ? "–" : b}</mark>
                  ) : (
                    "the same"
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
      <Panel
        title={different.length === 0 ? "Nodes: no difference" : `Nodes: ${different.length} of ${nodes.length} differ`}
        actions={
          different.length > 0 &&
          different.length < nodes.length && (
            <Button size="small" kind="quiet" aria-pressed={all} onClick={() => setAll(!all)}>
              {all ? "Only differences" : `All ${nodes.length}`}
            </Button>
          )
        }
      >
        <InParts key={String(all)} label="Nodes" items={shown} first={100}>
          {(pair) => <ComparedNode key={pair.path} pair={pair} longest={longest} runs={[a.id, b.id]} />}
        </InParts>
      </Panel>
    </div>
  );
}

function Side({ run, label, other }: { run: RunView; label: string; other?: RunView }) {
  const waitingFor = useWaitingFor();
  const by =
    other?.durationMs === undefined || run.durationMs === undefined ? undefined : run.durationMs - other.durationMs;
  return (
    <Panel className="p-4">
      <div className="flex items-center gap-3">
        <span className="inline-flex size-6 items-center justify-center rounded-md bg-selected text-xs font-bold">
          {label}
        </span>
        <RunLink id={run.id} className="min-w-0 truncate font-semibold hover:text-accent">
          {visibleLine(run.workflow)}
        </RunLink>
        <StateIcon status={run.status} waitingFor={waitingFor(run)} className="ml-auto" />
      </div>
      <p className="mt-2 flex flex-wrap gap-x-4 text-sm text-muted">
        <span className="font-mono text-xs leading-[18px]">{run.id}</span>
        <time dateTime={run.startedAt}>{new Date(run.startedAt).toLocaleString()}</time>
        <span>
          {run.durationMs === undefined ? "not over" : duration(run.durationMs)}
          {by !== undefined && Math.abs(by) >= 100 && ` (${by > 0 ? "+" : "−"}${duration(Math.abs(by))})`}
        </span>
      </p>
      {run.failure !== undefined && (
        <p className="mt-2 text-failed wrap-anywhere">
          <RunLink id={run.id} node={run.failure.path} className="font-mono text-sm underline">
            {visibleLine(run.failure.path)}
          </RunLink>
          : {visibleLine(run.failure.failure.message)}
        </p>
      )}
    </Panel>
  );
}
