// Dock: the bottom panel: output of the selected node, timeline, events, variables, problems (spec ui 6.1).

import { type ReactNode, type SyntheticEvent, useState } from "react";
import type { NodeView } from "../../scheduler/view.ts";
import type { RunSearch } from "../app/search.ts";
import { classes } from "../ui/classes.ts";
import { RunLink } from "../ui/run-link.tsx";
import { type Tab, Tabs } from "../ui/tabs.tsx";
import { EventsView } from "./events-view.tsx";
import { OutputView } from "./output/output-view.tsx";
import { SKIP_WORDS } from "./overlay.ts";
import { problemsWords } from "./problems.ts";
import { ProblemsView } from "./problems-view.tsx";
import { RequestView } from "./request-view.tsx";
import type { RunModel } from "./run-model.ts";
import { useShownRun } from "./run-store.ts";
import { TimelineView } from "./timeline-view.tsx";
import { type KeepSecret, SecretOffer } from "./value/secret-offer.tsx";
import { ValueView } from "./value/value-view.tsx";
import { VariablesView } from "./variables-view.tsx";

/** Without a tab: the value of a node that ran no command, otherwise the output. */
export interface DockProps extends Omit<RunSearch, "node"> {
  onTab: (tab: string) => void;
  /** The selected node, in its iteration. */
  path: string | undefined;
  onLine: (line: number) => void;
  onSelect: (path: string) => void;
  /** The user reads or types: the shown iteration of a running loop must stay. */
  onStay: () => void;
  /** In the editor: the problems of the document, instead of those of the run, and without the run's journal. */
  problems?: Tab;
  /** In the editor: keeps a part of a node's value secret. Returns undefined if the document does so already. */
  onSecret?: KeepSecret;
  actions?: ReactNode;
  className?: string;
}

/** Tabs that show one node in one iteration. */
const OF_NODE: ReadonlySet<string> = new Set(["output", "value", "request"]);

export function Dock(props: DockProps) {
  const { tab, onTab, path, attempt, line, onLine, call, onSelect, onStay, problems, onSecret, actions, className } =
    props;
  const { model } = useShownRun();
  const node = path === undefined ? undefined : model.node(path);
  const shown = node?.attempts.find(({ number }) => number === attempt) ?? node?.attempts.at(-1);
  const failed = node?.status === "failed" && shown !== undefined ? `${model.started.run} ${path}` : undefined;
  const without = node?.status === "succeeded" && shown === undefined ? "value" : "output";
  const [value, setValue] = useTab(tab, onTab, without, failed);
  const offered = (view: ReactNode) => (
    <div className="flex h-full flex-col">
      <SecretOffer {...{ model, node, onSecret }} />
      <div className="min-h-0 flex-1">{view}</div>
    </div>
  );
  const stay = ({ target }: SyntheticEvent) => {
    if (OF_NODE.has(value) && target instanceof Element && target.closest("[role=tabpanel]")) onStay();
  };
  return (
    <div
      role="presentation"
      className="contents"
      onPointerDownCapture={stay}
      onFocusCapture={stay}
      onWheelCapture={stay}
    >
      <Tabs
        label="Details of the run"
        value={value}
        onChange={setValue}
        actions={actions}
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
                <p className="p-4 text-muted">{noOutput(node, model)}</p>
              ) : shown.childRun !== undefined ? (
                <p className="p-4 text-muted">
                  A subflow is <RunLink id={shown.childRun}>a separate run</RunLink>, which has the output of its nodes.
                </p>
              ) : (
                offered(
                  <OutputView
                    key={`${path} ${shown.number}`}
                    run={model.started.run}
                    path={node.path}
                    attempt={shown}
                    line={line}
                    onLine={onLine}
                  />,
                )
              ),
          },
          {
            id: "value",
            label: "Value",
            content: offered(<ValueView {...{ model, node }} />),
          },
          {
            id: "request",
            label: "Request",
            content: (
              <RequestView key={`${path} ${shown?.number} ${call}`} {...{ model, node }} first={call} attempt={shown} />
            ),
          },
          {
            id: "timeline",
            label: "Timeline",
            content: <TimelineView selected={path} onSelect={onSelect} />,
          },
          ...(problems === undefined
            ? [
                { id: "events", label: "Events", content: <EventsView onSelect={onSelect} /> },
                { id: "variables", label: "Variables", content: <VariablesView onSelect={onSelect} /> },
                { id: "problems", label: problemsWords(model), content: <ProblemsView onSelect={onSelect} /> },
              ]
            : [problems]),
        ]}
      />
    </div>
  );
}

/**
 * A node that `failed` shows its output, also after Value was chosen for another node or before the failure. Choosing
 * Value again shows its input.
 */
function useTab(tab: string | undefined, onTab: (tab: string) => void, without: string, failed: string | undefined) {
  const [asked, setAsked] = useState<string>();
  const isPrinted = tab === "value" && failed !== undefined && failed !== asked;
  const choose = (next: string) => {
    setAsked(failed);
    onTab(next);
  };
  return [isPrinted ? "output" : (tab ?? without), choose] as const;
}

function noOutput(node: NodeView | undefined, { skipped }: RunModel): string {
  if (node === undefined) return "Select a node to see its output.";
  if (node.status === "pending" || node.status === "waiting") return "Not run yet";
  const why = skipped.get(node.path);
  if (why !== undefined) return `Skipped: ${SKIP_WORDS[why]}`;
  return node.status === "succeeded" ? "This kind of node runs no command." : "No output: the command did not start.";
}
