// RunBody: the layout of the run view: three parts side by side, with a drawer, or stacked on a phone (spec ui 6.1).

import { useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useActions, useNodeActions } from "../app/actions.ts";
import type { RunSearch } from "../app/search.ts";
import type { WorkflowView } from "../app/view-switch.tsx";
import type { CanvasOverlay } from "../canvas/overlay.ts";
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
  const { model, nowMs } = useShownRun();
  const isCanvas = useMedia(CANVAS);
  const [maker] = useState(() => new OverlayMaker());
  const frame = useFrame();
  const { path, chosen, choose, ...selection } = useSelection(search, change);
  const id = path === undefined ? undefined : idOf(path);
  const onView = useOnView(id);
  const select = (next: string | undefined): void => {
    selection.select(next);
    if (next !== undefined) frame.setPanel(true);
  };
  useRunKeys(frame, isCanvas, onView);
  const { graph } = model;
  const nodes = useMemo(() => graph.nodes.map(({ id, node }) => ({ id, title: node.data.title })), [graph]);
  useNodeActions(nodes, (id) => select(selection.pathOf(id)));
  useSpokenChanges();
  const parts: Parts = {
    overlay: maker.make(model, chosen, nowMs, choose),
    ...{ id, select },
    details: path !== undefined && (
      <NodePanel
        path={path}
        attempt={search.attempt}
        onAttempt={(attempt) => change({ attempt, line: undefined })}
        onStay={() => change({ node: path })}
      />
    ),
    dock: (
      <Dock
        tab={search.tab ?? "output"}
        onTab={(tab) => change({ tab })}
        path={path}
        attempt={search.attempt}
        line={search.line}
        onLine={(line) => change({ line })}
        onSelect={select}
      />
    ),
  };
  const outline = isCanvas ? { outline: frame.outline, onOutline: frame.toggleOutline } : {};
  return (
    <>
      <RunTop selected={path} onView={onView} {...outline} />
      {isCanvas ? <Wide {...parts} frame={frame} /> : <Narrow {...parts} />}
    </>
  );
}

interface Parts {
  overlay: CanvasOverlay;
  /** Id of the selected node. */
  id: string | undefined;
  select: (path: string | undefined) => void;
  details: ReactNode;
  dock: ReactNode;
}

/** On a phone, the details are below the list of nodes. */
function Narrow({ overlay, id, select, details, dock }: Parts) {
  const { model } = useShownRun();
  const below = useRef<HTMLElement>(null);
  const goTo = (next: string): void => {
    select(next);
    below.current?.scrollIntoView();
  };
  return (
    <div className="h-full overflow-y-auto">
      <RunNotice />
      <LeadLine onGo={goTo} />
      <StepList model={model} overlay={overlay} selected={id} onSelect={goTo} />
      <section ref={below} aria-label="What happened to this node" className="border-y border-line bg-panel">
        {details}
      </section>
      <div className="h-96">{dock}</div>
      <Scrubber />
    </div>
  );
}

function Wide({ overlay, id, select, details, dock, frame }: Parts & { frame: Frame }) {
  const { model } = useShownRun();
  const isWide = useMedia(WIDE);
  const panel = useSplit("run-panel", PANEL.initial, PANEL.min, PANEL.max);
  const dockSplit = useSplit("run-dock", DOCK.initial, DOCK.min, DOCK.max);
  const isOpen = frame.panel && id !== undefined;
  // The drawer covers only the canvas, never command output.
  const isDrawer = isOpen && !isWide;
  const aside = (
    <Aside drawer={isDrawer} width={isWide ? panel.size : PANEL.initial} onHide={() => frame.setPanel(false)}>
      {details}
    </Aside>
  );
  return (
    <div className="relative flex h-full">
      {frame.outline && (
        <section aria-label="Outline" className="w-64 shrink-0 overflow-y-auto border-r border-line bg-panel">
          <StepList model={model} overlay={overlay} selected={id} onSelect={select} />
        </section>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <RunNotice />
        <div className="relative min-h-0 flex-1">
          <Suspense fallback={<Skeleton className="p-6" />}>
            <RunCanvas
              {...{ model, overlay }}
              selected={id}
              onSelect={select}
              covered={isDrawer ? Math.min(PANEL.initial, innerWidth / 2) : 0}
            />
          </Suspense>
          {isDrawer && aside}
        </div>
        <Scrubber />
        {frame.dock && (
          <>
            <Splitter label="Height of the bottom panel" grows="up" {...dockSplit} min={DOCK.min} max={DOCK.max} />
            <div style={{ height: dockSplit.size }} className="max-h-1/2 min-h-0 shrink-0">
              {dock}
            </div>
          </>
        )}
      </div>
      {isOpen && isWide && (
        <>
          <Splitter label="Width of the details" grows="left" {...panel} min={PANEL.min} max={PANEL.max} />
          {aside}
        </>
      )}
    </div>
  );
}

interface AsideProps {
  /** Above the canvas, not beside it. */
  drawer: boolean;
  width: number;
  onHide: () => void;
  children: ReactNode;
}

function Aside({ drawer, width, onHide, children }: AsideProps) {
  return (
    <aside
      aria-label="What happened to this node"
      style={{ width }}
      className={
        drawer
          ? "absolute inset-y-0 right-0 z-20 max-w-[50vw] overflow-y-auto border-l border-line bg-panel shadow-2xl"
          : "relative shrink-0 overflow-y-auto bg-panel"
      }
    >
      <IconButton
        className="absolute top-1.5 right-2 z-10"
        label="Hide the details"
        shortcut="Ctrl+."
        icon={<X size={16} />}
        onClick={onHide}
      />
      {children}
    </aside>
  );
}

type Frame = ReturnType<typeof useFrame>;

/** The parts that the user can open and close. */
function useFrame() {
  const [dock, setDock] = useState(true);
  const [panel, setPanel] = useState(true);
  const [outline, setOutline] = useState(() => localStorage.getItem(OUTLINE) === "open");
  const toggleOutline = () => {
    localStorage.setItem(OUTLINE, outline ? "" : "open");
    setOutline(!outline);
  };
  return { dock, setDock, panel, setPanel, outline, toggleOutline };
}

/** The selected node, in the iteration that is shown. */
function useSelection(search: RunSearch, change: RunBodyProps["change"]) {
  const store = useRunStore();
  const { model } = useShownRun();
  const chosen = useRunPage((page) => page.chosen);
  /** A path shows its own iteration; an id alone means the iteration that is shown. */
  const pathOf = (node: string | undefined): string | undefined => {
    if (node === undefined) return undefined;
    return model.loops.shownPath(idOf(node), chosen) ?? (model.graph.indexOf.has(idOf(node)) ? idOf(node) : undefined);
  };
  return {
    ...{ chosen, pathOf, path: pathOf(search.node) ?? mostWanted(model) },
    select(next: string | undefined): void {
      if (next !== undefined) store.showPath(next);
      change({ node: next, attempt: undefined, line: undefined });
    },
    choose(loop: string, pass: number): void {
      store.choosePass(model.loops.shownPath(loop, chosen) ?? loop, pass);
    },
  };
}

/** Shows the workflow in the editor; undefined if its file is outside the served folder. */
function useOnView(node: string | undefined): ((view: WorkflowView) => void) | undefined {
  const { model } = useShownRun();
  const { path, isElsewhere } = useRunActions(model);
  const navigate = useNavigate();
  if (isElsewhere) return undefined;
  return (view) => {
    if (view !== "run" && path !== undefined)
      void navigate({ to: "/w/$path", params: { path }, search: { view, node } });
  };
}

function useRunKeys(frame: Frame, isCanvas: boolean, onView: ReturnType<typeof useOnView>): void {
  const { model } = useShownRun();
  const { again, cancel, retry, path } = useRunActions(model);
  // The state now, not at the moment being viewed.
  const isOver = useRunPage((page) => page.model?.isOver === true);
  const closed = onView === undefined;
  const panels = { inFields: true };
  useActions("Run", [
    { id: "view.design", title: "Design", keys: "1", disabled: closed, run: () => onView?.("design") },
    { id: "view.source", title: "Source", keys: "3", disabled: closed, run: () => onView?.("source") },
    { id: "view.split", title: "Design and source", keys: "4", disabled: closed, run: () => onView?.("split") },
    { id: "outline", title: "Outline", keys: "O", words: "tree nodes", disabled: !isCanvas, run: frame.toggleOutline },
    { id: "run.dock", title: "Bottom panel", keys: "Ctrl+J", ...panels, run: () => frame.setDock(!frame.dock) },
    { id: "run.panel", title: "Details", keys: "Ctrl+.", ...panels, run: () => frame.setPanel(!frame.panel) },
    { id: "run.cancel", title: "Cancel the run", keys: ".", disabled: isOver, run: () => cancel.mutate() },
    {
      id: "run.again",
      title: "Run this workflow again",
      keys: "R",
      words: "start execute run it",
      disabled: !isOver || path === undefined,
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
