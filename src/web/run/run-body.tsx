// RunBody: the layout of the run view: three parts side by side, with a drawer, or stacked on a phone (spec ui 6.1).

import { useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useActions, useNodeActions } from "../app/actions.ts";
import type { RunSearch } from "../app/search.ts";
import type { WorkflowView } from "../app/view-switch.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { lazily } from "../ui/lazily.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { Splitter, useSplit } from "../ui/splitter.tsx";
import { say } from "../ui/toast.tsx";
import { CANVAS, useMedia, WIDE } from "../ui/use-media.ts";
import { Dock } from "./dock.tsx";
import { LeadLine } from "./lead-line.tsx";
import { NodePanel } from "./node-panel.tsx";
import { OverlayMaker } from "./overlay.ts";
import { idOf } from "./paths.ts";
import type { RunModel } from "./run-model.ts";
import { RunNotice } from "./run-notice.tsx";
import { useRunPage, useRunStore, useShownRun } from "./run-store.ts";
import { RunTop } from "./run-top.tsx";
import { Scrubber } from "./scrubber.tsx";
import { StepList } from "./step-list.tsx";
import { useRunActions } from "./use-actions.ts";

const RunCanvas = lazily(
  () => import("./run-canvas.tsx"),
  (it) => it.RunCanvas,
);

/** localStorage key: whether the outline is open. */
const OUTLINE = "curlew.run.outline";
const PANEL = { initial: 400, min: 280, max: 640 };
const DOCK = { initial: 260, min: 120, max: 640 };

export interface RunBodyProps {
  search: RunSearch;
  /** Undefined values are removed from the URL. */
  change: (next: RunSearch) => void;
}

export function RunBody({ search, change }: RunBodyProps) {
  const store = useRunStore();
  const { model, nowMs } = useShownRun();
  const chosen = useRunPage((page) => page.chosen);
  const wide = useMedia(WIDE);
  const canvas = useMedia(CANVAS);
  const panel = useSplit("run-panel", PANEL.initial, PANEL.min, PANEL.max);
  const dock = useSplit("run-dock", DOCK.initial, DOCK.min, DOCK.max);
  const [dockOpen, setDockOpen] = useState(true);
  const [panelOpen, setPanelOpen] = useState(true);
  const [maker] = useState(() => new OverlayMaker());
  const { again, cancel, retry, path: file, isElsewhere: closed } = useRunActions(model);
  const [outline, setOutline] = useState(() => localStorage.getItem(OUTLINE) === "open");
  const toggleOutline = () => {
    localStorage.setItem(OUTLINE, outline ? "" : "open");
    setOutline(!outline);
  };
  const below = useRef<HTMLElement>(null);
  const overlay = maker.make(model, chosen, nowMs, (loop, pass) => choose(loop, pass));
  const path = pathOf(search.node) ?? mostWanted(model);
  const id = path === undefined ? undefined : idOf(path);
  const { graph } = model;
  const nodes = useMemo(() => graph.nodes.map(({ id, node }) => ({ id, title: node.data.title })), [graph]);
  useNodeActions(nodes, (id) => select(pathOf(id)));
  useSpokenChanges();
  const navigate = useNavigate();
  const onView = (view: WorkflowView): void => {
    if (view !== "run" && file !== undefined)
      void navigate({ to: "/w/$path", params: { path: file }, search: { view, node: id } });
  };
  // The state now, not at the moment being viewed.
  const isOver = useRunPage((page) => page.model?.isOver === true);
  useActions("Run", [
    { id: "view.design", title: "Design", keys: "1", disabled: closed, run: () => onView("design") },
    { id: "view.source", title: "Source", keys: "3", disabled: closed, run: () => onView("source") },
    { id: "view.split", title: "Design and source", keys: "4", disabled: closed, run: () => onView("split") },
    { id: "outline", title: "Outline", keys: "O", words: "tree nodes", disabled: !canvas, run: toggleOutline },
    { id: "run.dock", title: "Bottom panel", keys: "Ctrl+J", inFields: true, run: () => setDockOpen(!dockOpen) },
    { id: "run.panel", title: "Details", keys: "Ctrl+.", inFields: true, run: () => setPanelOpen(!panelOpen) },
    { id: "run.cancel", title: "Cancel the run", keys: ".", disabled: isOver, run: () => cancel.mutate() },
    {
      id: "run.again",
      title: "Run this workflow again",
      keys: "R",
      words: "start execute run it",
      disabled: !isOver || file === undefined,
      run: () => again.isPending || again.mutate(),
    },
    {
      id: "run.retry",
      title: "Retry from the failure",
      words: "run again resume",
      disabled: !isOver || model.status === "succeeded",
      run: () => retry.isPending || retry.mutate(undefined),
    },
  ]);

  /** A path shows its own iteration; an id alone means the iteration that is shown. */
  function pathOf(node: string | undefined): string | undefined {
    if (node === undefined) return undefined;
    return model.loops.shownPath(idOf(node), chosen) ?? (model.graph.indexOf.has(idOf(node)) ? idOf(node) : undefined);
  }
  function select(next: string | undefined): void {
    if (next !== undefined) store.showPath(next);
    change({ node: next, attempt: undefined, line: undefined });
    if (next !== undefined) setPanelOpen(true);
  }
  /** On a phone, the details are below the list of nodes. */
  function goTo(next: string): void {
    select(next);
    below.current?.scrollIntoView();
  }
  function choose(loop: string, pass: number): void {
    store.choosePass(model.loops.shownPath(loop, chosen) ?? loop, pass);
  }

  const details = path !== undefined && (
    <NodePanel
      path={path}
      attempt={search.attempt}
      onAttempt={(attempt) => change({ attempt, line: undefined })}
      onStay={() => change({ node: path })}
    />
  );
  const docked = (
    <Dock
      tab={search.tab ?? "output"}
      onTab={(tab) => change({ tab })}
      path={path}
      attempt={search.attempt}
      line={search.line}
      onLine={(line) => change({ line })}
      onSelect={select}
    />
  );
  const isOpen = panelOpen && path !== undefined;
  // The drawer covers only the canvas, never command output.
  const isDrawer = isOpen && !wide;
  const aside = (
    <aside
      aria-label="What happened to this node"
      style={{ width: wide ? panel.size : PANEL.initial }}
      className={
        wide
          ? "relative shrink-0 overflow-y-auto bg-panel"
          : "absolute inset-y-0 right-0 z-20 max-w-[50vw] overflow-y-auto border-l border-line bg-panel shadow-2xl"
      }
    >
      <IconButton
        className="absolute top-1.5 right-2 z-10"
        label="Hide the details"
        shortcut="Ctrl+."
        icon={<X size={16} />}
        onClick={() => setPanelOpen(false)}
      />
      {details}
    </aside>
  );
  if (!canvas)
    return (
      <>
        <RunTop selected={path} onView={closed ? undefined : onView} />
        <div className="h-full overflow-y-auto">
          <RunNotice />
          <LeadLine onGo={goTo} />
          <StepList model={model} overlay={overlay} selected={id} onSelect={goTo} />
          <section ref={below} aria-label="What happened to this node" className="border-y border-line bg-panel">
            {details}
          </section>
          <div className="h-96">{docked}</div>
          <Scrubber />
        </div>
      </>
    );
  return (
    <>
      <RunTop selected={path} onView={closed ? undefined : onView} outline={outline} onOutline={toggleOutline} />
      <div className="relative flex h-full">
        {outline && (
          <section aria-label="Outline" className="w-64 shrink-0 overflow-y-auto border-r border-line bg-panel">
            <StepList model={model} overlay={overlay} selected={id} onSelect={select} />
          </section>
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          <RunNotice />
          <div className="relative min-h-0 flex-1">
            <Suspense fallback={<Skeleton className="p-6" />}>
              <RunCanvas
                {...{ model, overlay, chosen }}
                selected={id}
                onSelect={select}
                covered={isDrawer ? Math.min(PANEL.initial, innerWidth / 2) : 0}
              />
            </Suspense>
            {isDrawer && aside}
          </div>
          <Scrubber />
          {dockOpen && (
            <>
              <Splitter label="Height of the bottom panel" grows="up" {...dock} min={DOCK.min} max={DOCK.max} />
              <div style={{ height: dock.size }} className="max-h-1/2 min-h-0 shrink-0">
                {docked}
              </div>
            </>
          )}
        </div>
        {isOpen && wide && (
          <>
            <Splitter label="Width of the details" grows="left" {...panel} min={PANEL.min} max={PANEL.max} />
            {aside}
          </>
        )}
      </div>
    </>
  );
}

/** N1 of run-screen.tsx: the node the user most likely came for. */
function mostWanted(model: RunModel): string | undefined {
  const { running, waitingRetry, waitingBudget } = model.fold.state;
  const [asking] = model.waiting();
  const [active] = [...running.keys(), ...waitingRetry.keys(), ...waitingBudget.keys()];
  return model.failure?.path ?? asking?.path ?? active ?? model.graph.nodes[model.graph.last.at(-1) ?? -1]?.id;
}

/** Screen reader announcements: totals such as "5 nodes succeeded", at most once a second (ui/toast.tsx). */
function useSpokenChanges(): void {
  const version = useRunPage((page) => page.version);
  const model = useRunPage((page) => page.model);
  const known = useRef<{ outcomes: Map<string, number>; status: string } | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model is one object that changes; its version says so.
  useEffect(() => {
    if (model === undefined) return;
    const outcomes = model.outcomes();
    const before = known.current;
    known.current = { outcomes, status: model.status };
    if (before === undefined) return;
    for (const [words, all] of outcomes) {
      const more = all - (before.outcomes.get(words) ?? 0);
      if (more > 0) say({ count: more, one: "node", words });
    }
    if (model.status !== before.status) say(`The run is ${model.status}`);
  }, [version, model]);
}
