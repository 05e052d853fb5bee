// EditorDock: the editor's bottom panel: output and timeline of the run whose states are shown, and the problems of the
// document.

import { Link } from "@tanstack/react-router";
import { ExternalLink, X } from "lucide-react";
import { isKept } from "../document/index.ts";
import { Dock } from "../run/dock.tsx";
import { idOf } from "../run/paths.ts";
import type { RunModel } from "../run/run-model.ts";
import { RunContext } from "../run/run-store.ts";
import { useSpokenChanges } from "../run/spoken.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { type Tab, Tabs } from "../ui/tabs.tsx";
import type { Bench } from "./bench.ts";
import { showProblem } from "./moves.ts";
import { Problems } from "./problems.tsx";
import { useRunOver } from "./run-over.tsx";

export function EditorDock({ bench }: { bench: Bench }) {
  const { found, frame, run } = bench;
  const { model } = useRunOver(bench);
  const problems: Tab = {
    id: "problems",
    label: found.list.length === 0 ? "Problems" : `Problems ${found.list.length}`,
    content: (
      <Problems
        doc={bench.state.doc}
        found={found}
        onGo={(line, column) => showProblem(bench, line, column)}
        onEdit={(edit) => bench.operations.edit(edit)}
      />
    ),
  };
  const close = (
    <IconButton
      label="Close the bottom panel"
      shortcut="Ctrl+J"
      size="small"
      icon={<X size={15} aria-hidden="true" />}
      onClick={() => frame.set({ dock: false })}
    />
  );
  if (run === undefined || model === undefined)
    return (
      <Tabs
        label="Bottom panel"
        value="problems"
        onChange={() => undefined}
        className="h-full bg-panel"
        tabs={[problems]}
        actions={close}
      />
    );
  return (
    <RunContext value={run}>
      <RunDock {...{ bench, model, problems, close }} />
    </RunContext>
  );
}

interface RunDockProps {
  bench: Bench;
  model: RunModel;
  problems: Tab;
  close: React.ReactNode;
}

function RunDock({ bench, model, problems, close }: RunDockProps) {
  const { dockTab, setDockTab, selected } = bench;
  const { chosen } = useRunOver(bench);
  const [id] = selected;
  const own = id === undefined ? undefined : model.loops.shownPath(id, chosen);
  // A selected node that the failure kept from running has nothing to show.
  const node = own === undefined ? undefined : model.node(own);
  const isIdle = model.failure !== undefined && node?.status !== "succeeded" && node?.attempts.length === 0;
  const path = own === undefined || isIdle ? model.mostWanted(chosen) : own;
  useSpokenChanges();
  return (
    <Dock
      tab={dockTab}
      onTab={setDockTab}
      path={path}
      attempt={undefined}
      line={undefined}
      onLine={() => undefined}
      onSelect={(to) => {
        bench.run?.showPath(to);
        bench.showNode(idOf(to));
      }}
      onStay={() => path !== undefined && !model.isOver && bench.run?.showPath(path)}
      problems={problems}
      onSecret={(id, members) =>
        isKept(bench.state.doc.plain ?? {}, id, members) ? undefined : () => bench.operations.keepSecret(id, members)
      }
      actions={
        <>
          <Link
            to="/runs/$id"
            params={{ id: model.started.run }}
            search={{ node: path }}
            className="inline-flex items-center gap-1.5 rounded-md px-2 text-sm whitespace-nowrap text-accent hover:underline"
          >
            Open run <ExternalLink size={13} aria-hidden="true" />
          </Link>
          {close}
        </>
      }
    />
  );
}
