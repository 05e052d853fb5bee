// Dock: the bottom panel: output of the selected node, timeline, events, variables, problems (spec ui 6.1).

import { Suspense } from "react";
import type { NodeView } from "../../scheduler/view.ts";
import { classes } from "../ui/classes.ts";
import { lazily } from "../ui/lazily.ts";
import { RunLink } from "../ui/run-link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { EventsView } from "./events-view.tsx";
import { ProblemsView, problemsOf } from "./problems-view.tsx";
import { useShownRun } from "./run-store.ts";
import { VariablesView } from "./variables-view.tsx";

const OutputView = lazily(
  () => import("./output/output-view.tsx"),
  (it) => it.OutputView,
);
const TimelineView = lazily(
  () => import("./timeline-view.tsx"),
  (it) => it.TimelineView,
);

export interface DockProps {
  tab: string;
  onTab: (tab: string) => void;
  /** The selected node, in its iteration. */
  path: string | undefined;
  attempt: number | undefined;
  line: number | undefined;
  onLine: (line: number) => void;
  onSelect: (path: string) => void;
  className?: string;
}

export function Dock({ tab, onTab, path, attempt, line, onLine, onSelect, className }: DockProps) {
  const { model } = useShownRun();
  const node = path === undefined ? undefined : model.node(path);
  const shown = node?.attempts.find(({ number }) => number === attempt) ?? node?.attempts.at(-1);
  const problems = problemsOf(model).length;
  const waiting = <Skeleton className="p-4" />;
  return (
    <Tabs
      label="Details of the run"
      value={tab}
      onChange={onTab}
      className={classes("h-full bg-panel", className)}
      tabs={[
        {
          id: "output",
          // A fixed width whatever the title, so that the other tabs stay in place.
          label: (
            <span className="block w-28 truncate text-left sm:w-48" title={node?.title}>
              {node === undefined ? "Output" : `Output · ${node.title}`}
            </span>
          ),
          content:
            node === undefined || shown === undefined ? (
              <p className="p-4 text-muted">{noOutput(node)}</p>
            ) : shown.childRun !== undefined ? (
              <p className="p-4 text-muted">
                A subflow is <RunLink id={shown.childRun}>a separate run</RunLink>, which has the output of its nodes.
              </p>
            ) : (
              <Suspense fallback={waiting}>
                <OutputView
                  key={`${path} ${shown.number}`}
                  run={model.started.run}
                  path={node.path}
                  attempt={shown}
                  line={line}
                  onLine={onLine}
                />
              </Suspense>
            ),
        },
        {
          id: "timeline",
          label: "Timeline",
          content: (
            <Suspense fallback={waiting}>
              <TimelineView selected={path} onSelect={onSelect} />
            </Suspense>
          ),
        },
        { id: "events", label: "Events", content: <EventsView onSelect={onSelect} /> },
        { id: "variables", label: "Variables", content: <VariablesView onSelect={onSelect} /> },
        {
          id: "problems",
          label: problems === 0 ? "Problems" : `Problems ${problems}`,
          content: <ProblemsView onSelect={onSelect} />,
        },
      ]}
    />
  );
}

function noOutput(node: NodeView | undefined): string {
  if (node === undefined) return "Select a node to see its output.";
  if (node.status === "pending" || node.status === "waiting") return "Not run yet";
  return node.status === "succeeded" ? "This kind of node runs no command." : "No output: the command did not start.";
}
