// RunBody: the layout of the run view: three parts side by side, with a drawer, or stacked on a phone (spec ui 6.1).

import { useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { useActions, useNodeActions } from "../app/actions.ts";
import { Frame, type FrameControl, useFrame } from "../app/frame.tsx";
import type { RunSearch } from "../app/search.ts";
import type { WorkflowView } from "../app/view-switch.tsx";
import { Canvas } from "../canvas/canvas.tsx";
import { canvasModel } from "../canvas/model.ts";
import { Outline, type OutlineProps } from "../canvas/outline.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Dock } from "./dock.tsx";
import { LeadLine } from "./lead-line.tsx";
import { NodePanel } from "./node-panel.tsx";
import { carriedIn, OverlayMaker } from "./overlay.ts";
import { idOf } from "./paths.ts";
import { RunNotice } from "./run-notice.tsx";
import { useRunPage, useRunStore, useShownRun } from "./run-store.ts";
import { RunTop } from "./run-top.tsx";
import { Scrubber } from "./scrubber.tsx";
import { useSpokenChanges } from "./spoken.ts";
import { useRunActions } from "./use-actions.ts";

interface RunBodyProps {
  search: RunSearch;
  /** Undefined values are removed from the URL. */
  change: (next: RunSearch) => void;
}

export function RunBody({ search, change }: RunBodyProps) {
  const { model, nowMs } = useShownRun();
  const { graph } = model;
  const [maker] = useState(() => new OverlayMaker());
  const frame = useFrame({ inspector: true, dock: true });
  const { path, chosen, choose, ...selection } = useSelection(search, change);
  const id = path === undefined ? undefined : idOf(path);
  const select = (next: string | undefined): void => {
    selection.select(next);
    if (next !== undefined) frame.set({ inspector: true });
  };
  const nodes = useMemo(() => graph.nodes.map(({ id, node }) => ({ id, title: node.data.title })), [graph]);
  useNodeActions(nodes, (id) => select(selection.pathOf(id)));
  useSpokenChanges();
  const drawing = useMemo(() => canvasModel(graph.workflow, graph.workflow, graph), [graph]);
  const selected = useMemo(() => new Set(id === undefined ? [] : [id]), [id]);
  const onView = useOnView(id);
  useFrameKeys(frame, onView);
  const drawn = {
    ...{ model: drawing, selected, overlay: maker.make(model, chosen, nowMs, choose) },
    carried: (edge: Parameters<typeof carriedIn>[2]) => carriedIn(model, chosen, edge),
  };
  const details = path !== undefined && (
    <NodePanel
      path={path}
      attempt={search.attempt}
      onAttempt={(attempt) => change({ attempt, line: undefined, call: undefined })}
      onCall={(call) => {
        change({ tab: "request", call });
        frame.set({ dock: true });
      }}
      onStay={() => change({ node: path })}
    />
  );
  const dock = (
    <Dock
      {...search}
      path={path}
      onTab={(tab) => change({ tab })}
      onLine={(line) => change({ line })}
      onSelect={select}
      onStay={() => path !== undefined && selection.stay(path)}
    />
  );
  const outline = frame.hasCanvas
    ? { on: frame.outline, toggle: () => frame.set({ outline: !frame.outline }) }
    : undefined;
  return (
    <div className={frame.hasCanvas ? "flex h-full flex-col" : "h-full overflow-y-auto"}>
      <RunTop selected={path} {...{ onView, outline }} />
      <RunNotice />
      {frame.hasCanvas ? (
        <Wide {...{ frame, select, drawn, details, dock }} />
      ) : (
        <Narrow {...{ select, drawn, details, dock }} />
      )}
    </div>
  );
}

interface Parts {
  select: (path: string | undefined) => void;
  drawn: Omit<OutlineProps, "onSelect" | "onOpen">;
  details: ReactNode;
  dock: ReactNode;
}

function Wide({ frame, select, drawn, details, dock }: Parts & { frame: FrameControl }) {
  const { model } = useShownRun();
  const [id] = drawn.selected;
  return (
    <Frame
      frame={frame}
      outline={<Outline {...drawn} onSelect={([next]) => select(next)} onOpen={select} />}
      inspector={<Aside onHide={() => frame.set({ inspector: false })}>{details}</Aside>}
      dock={dock}
      foot={<Scrubber />}
    >
      <Canvas
        {...drawn}
        label={`Run of ${model.graph.workflow.name}`}
        covered={frame.covered}
        onSelect={(ids) => {
          const next = ids.findLast((one) => one !== id) ?? ids[0];
          if (next !== id) select(next);
        }}
        onOpen={select}
      />
      <div
        style={{ right: frame.covered }}
        className="pointer-events-none absolute top-3 left-0 z-10 flex justify-center"
      >
        <div className="pointer-events-auto max-w-[min(36rem,90%)] overflow-hidden rounded-lg bg-node shadow-lg empty:hidden">
          <LeadLine selected={id} onGo={select} />
        </div>
      </div>
    </Frame>
  );
}

/** On a phone, the details are below the list of nodes. */
function Narrow({ select, drawn, details, dock }: Parts) {
  const below = useRef<HTMLElement>(null);
  const goTo = (next: string | undefined): void => {
    select(next);
    below.current?.scrollIntoView();
  };
  return (
    <>
      <LeadLine onGo={goTo} />
      <div>
        <Outline {...drawn} onSelect={([next]) => goTo(next)} onOpen={goTo} />
      </div>
      <section ref={below} aria-label="What happened to this node" className="border-y border-line bg-panel">
        {details}
      </section>
      <div className="h-96">{dock}</div>
      <Scrubber />
    </>
  );
}

function Aside({ onHide, children }: { onHide: () => void; children: ReactNode }) {
  return (
    <aside aria-label="What happened to this node" className="relative h-full overflow-y-auto">
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
    ...{ chosen, pathOf, path: pathOf(search.node) ?? model.mostWanted(chosen) },
    select(next: string | undefined): void {
      if (next !== undefined) store.showPath(next);
      change({ node: next, attempt: undefined, line: undefined, call: undefined });
    },
    /** A running loop or run does not move on to another iteration or node. */
    stay(path: string): void {
      if (model.isOver) return;
      store.showPath(path);
      if (search.node === undefined) change({ node: path });
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
      void navigate({ to: "/w/$path", params: { path }, search: { view, node, run: model.started.run } });
  };
}

function useFrameKeys(frame: FrameControl, onView: ReturnType<typeof useOnView>): void {
  const view = (id: WorkflowView) => ({ id: `view.${id}`, disabled: onView === undefined, run: () => onView?.(id) });
  const toggle = (part: "outline" | "inspector" | "dock") => () => frame.set({ [part]: !frame[part] });
  const outline = { words: "tree nodes", disabled: !frame.hasCanvas, run: toggle("outline") };
  useActions("Run", [
    { ...view("design"), title: "Design", keys: "1" },
    { ...view("source"), title: "Source", keys: "3" },
    { ...view("split"), title: "Design and source", keys: "4" },
    { id: "outline", title: "Outline", keys: "O", ...outline },
    { id: "run.dock", title: "Bottom panel", keys: "Ctrl+J", inFields: true, run: toggle("dock") },
    { id: "run.panel", title: "Details", keys: "Ctrl+.", inFields: true, run: toggle("inspector") },
  ]);
}
