// Workbench: the editor of one workflow: canvas and text as two views of it, outline, inspector, and problems (spec
// 2.3, ui.md 6.1, 6.2).

import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { visibleLine } from "../../base/visible.ts";
import type { Point } from "../../workflow/drawing/layout.ts";
import { useNodeActions } from "../app/actions.ts";
import type { EditorView } from "../app/search.ts";
import { useStartRun } from "../app/start-run.tsx";
import type { WorkflowView } from "../app/view-switch.tsx";
import { Canvas, type CanvasEditing, type CanvasHandle } from "../canvas/canvas.tsx";
import { edgeData } from "../canvas/edge-data.ts";
import type { CanvasEdge } from "../canvas/model.ts";
import { nodeRanges, reconnect } from "../document/index.ts";
import { useLastValues } from "../inspector/last-values.ts";
import { NOTHING_YET } from "../inspector/values.ts";
import { focusSoon } from "../ui/focus.ts";
import { lazily } from "../ui/lazily.ts";
import { toast } from "../ui/toast.tsx";
import { CANVAS, useMedia, WIDE } from "../ui/use-media.ts";
import { useSteady } from "../ui/use-steady.ts";
import { useEditorActions } from "./actions.ts";
import { CanvasMenu } from "./canvas-menu.tsx";
import { CanvasPlace } from "./canvas-place.tsx";
import { Conflict } from "./conflict-dialog.tsx";
import { EditorBar } from "./editor-bar.tsx";
import { Frame, useFrame } from "./frame.tsx";
import { Inspected } from "./inspected.tsx";
import type { Kind } from "./kinds.ts";
import { useLastRun } from "./last-run.ts";
import { Nothing, Unreadable } from "./nothing.tsx";
import { type Box, OpenBox } from "./open-box.tsx";
import { operationsOn } from "./operations.ts";
import { Outline } from "./outline.tsx";
import { NodePalette, UndoButtons } from "./palette.tsx";
import { Problems } from "./problems.tsx";
import { placeBeside, type Way, whyNot } from "./rules.ts";
import { useClipboard } from "./use-clipboard.ts";
import { type Loaded, useDocument } from "./use-document.ts";

const SourceView = lazily(
  () => import("./source-view.tsx"),
  (it) => it.SourceView,
);

export function Workbench({ loaded }: { loaded: Loaded }) {
  const { session } = loaded;
  const { state, model, found, badges, save } = useDocument(loaded);
  const { list } = found;
  const search = useSearch({ from: "/w/$path" });
  const navigate = useNavigate();
  const start = useStartRun();
  const showLastRun = useLastRun(state.path);
  const canvas = useRef<CanvasHandle>(null);
  const work = useRef<HTMLDivElement>(null);
  const drawn = useRef(model);
  // Set only after the model is drawn, so that every node in `drawn` is on the canvas.
  useLayoutEffect(() => {
    drawn.current = model;
  }, [model]);
  const [box, setBox] = useState<Box>();
  const [goTo, setGoTo] = useState<{ line: number; column: number }>();
  const frame = useFrame();
  const hasCanvas = useMedia(CANVAS);
  const isWide = useMedia(WIDE);
  const view: EditorView = search.view === "split" && !hasCanvas ? "source" : (search.view ?? "design");
  const { selected, doc } = state;

  const handle = useCallback(() => canvas.current, []);
  const operations = useMemo(
    () => operationsOn({ session, model: () => drawn.current, canvas: handle }),
    [session, handle],
  );
  const { onPaste, onDropText } = useClipboard(operations, handle);
  const onSelect = useCallback(
    (ids: readonly string[], edges: readonly string[]) => session.select(ids, edges),
    [session],
  );
  const last = useLastValues(state.path);
  const carried = useCallback(({ source }: CanvasEdge) => edgeData(last.handedOn(source), NOTHING_YET), [last]);
  const nodes = useMemo(() => [...model.byId].map(([id, { title }]) => ({ id, title })), [model]);
  useNodeActions(nodes, (id) => {
    session.select([id]);
    canvas.current?.focus(id);
  });
  const closeBox = useCallback(() => setBox(undefined), []);
  const closeInspector = useCallback(() => frame.set({ inspector: false }), [frame.set]);
  const openInspector = useCallback(() => frame.set({ inspector: true }), [frame.set]);
  const panel = useRef<HTMLDivElement>(null);
  /** Focuses the selected node, if it is drawn. A drawer closes. */
  const leaveInspector = (): void => {
    const [id] = selected;
    if (!isWide) closeInspector();
    if (id === undefined) return;
    if (canvas.current !== null) canvas.current.focus(id);
    else focusSoon(() => document.querySelector<HTMLElement>(`[role=treeitem][data-id="${CSS.escape(id)}"]`));
  };
  /** Focuses the canvas next to the text, or the choice of views if there is no canvas. */
  const leaveSource = (): void => {
    const id = [...selected][0] ?? drawn.current.order[0];
    if (canvas.current !== null && id !== undefined) canvas.current.focus(id);
    else document.querySelector<HTMLElement>("[role=group] > [aria-pressed=true]")?.focus();
  };
  const editNode = (id: string): void => {
    session.select([id]);
    openInspector();
    focusSoon(() => panel.current?.querySelector<HTMLElement>("input, textarea, select"));
  };

  // A link to a node selects and shows it.
  useEffect(() => {
    if (search.node === undefined || !drawn.current.byId.has(search.node)) return;
    session.select([search.node]);
    openInspector();
    canvas.current?.focus(search.node);
  }, [search.node, session, openInspector]);

  const editing = useMemo(
    (): CanvasEditing => ({
      onMove: operations.move,
      onConnect: operations.connect,
      whyNot: (link) => whyNot(drawn.current, link),
      onRefused: toast,
      onDropEmpty: (from, at, screen) =>
        setBox({ kind: "add", screen, where: { after: from, at: { x: at.x, y: at.y - 39 } } }),
      onReconnect: (old, link) => {
        const problem = whyNot(drawn.current, link);
        if (problem !== undefined) toast(problem);
        else operations.put(reconnect(old, link));
      },
      onAddAt: (at, screen) => setBox({ kind: "add", screen, where: { at } }),
    }),
    [operations],
  );

  /** The middle of the canvas, or a point next to the selected node. */
  const screenOf = (id?: string): { x: number; y: number } => {
    const element = id === undefined ? null : document.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
    const box = (element ?? work.current)?.getBoundingClientRect();
    if (box === undefined) return { x: 200, y: 200 };
    return element === null
      ? { x: box.left + box.width / 2 - 160, y: box.top + box.height / 4 }
      : { x: box.right + 12, y: box.top };
  };
  const onAdd = useSteady((way?: Way): void => {
    const [id] = selected;
    if (way === undefined || id === undefined) {
      setBox({ kind: "add", screen: screenOf(), where: {} });
      return;
    }
    const at = placeBeside(drawn.current, id, way);
    setBox({ kind: "add", screen: screenOf(id), where: { at, after: { source: id } } });
  });
  const show = useSteady((next: EditorView): void => {
    void navigate({ to: ".", search: (before) => ({ ...before, view: next }), replace: true });
  });
  const onView = useSteady((next: WorkflowView): void => (next === "run" ? void showLastRun() : show(next)));
  /** In a window too narrow for a canvas, the outline replaces it. */
  const onOutline = useSteady((): void => {
    if (hasCanvas) frame.set({ outline: !frame.outline });
    else show(view === "source" ? "design" : "source");
  });
  const isEmpty = doc.plain !== undefined && Object.keys(doc.plain).length === 0;
  const isBroken = !isEmpty && doc.parsed.draft === undefined;
  const nothing = useMemo(
    () => (isBroken ? <Unreadable onSource={() => show("source")} /> : <Nothing onAdd={() => onAdd()} />),
    [isBroken, show, onAdd],
  );
  const run = useSteady((): void => {
    const { workflow } = doc.parsed;
    if (workflow === undefined || list.some(({ severity }) => severity === "error")) {
      frame.set({ dock: true });
      toast("It cannot run before its problems are mended.");
    } else start({ path: state.path, name: workflow.name, inputs: workflow.inputs }, save);
  });
  const go = useSteady((line: number, column: number): void => {
    const offset =
      doc.text
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + column;
    const node = nodeRanges(doc).find(({ from, to }) => from <= offset && offset <= to + 1);
    if (node !== undefined) {
      session.select([node.id]);
      canvas.current?.focus(node.id);
    }
    if (view === "design" && node === undefined) show("source");
    setGoTo({ line, column });
  });
  const onDock = useSteady((): void => frame.set({ dock: !frame.dock }));
  const onPick = useSteady((id: string, more: boolean): void => {
    const others = [...selected].filter((one) => one !== id);
    session.select(more ? (selected.has(id) ? others : [...selected, id]) : [id]);
  });
  const onAddAfter = useCallback(
    (after: string | undefined, screen: Point) =>
      setBox({ kind: "add", screen, where: after === undefined ? {} : { after: { source: after } } }),
    [],
  );
  const onConnectFrom = useCallback((source: string, screen: Point) => setBox({ kind: "connect", screen, source }), []);
  const onDelete = useSteady((id: string): void => {
    session.select([id]);
    operations.remove(true);
  });
  const onKind = useSteady((kind: Kind): void => operations.add(kind, {}));
  const onSearch = useCallback((screen: Point) => setBox({ kind: "add", screen, where: {} }), []);
  const undoButtons = useMemo(() => <UndoButtons {...{ session, operations }} />, [session, operations]);

  useEditorActions({
    operations,
    canvas: handle,
    selected,
    onAdd,
    onConnect: () => {
      const [source] = selected;
      if (source !== undefined) setBox({ kind: "connect", screen: screenOf(source), source });
    },
    onEdit: () => {
      const [id] = selected;
      if (id !== undefined) editNode(id);
    },
    onPaste,
    onRename: () => {
      const [id] = selected;
      if (id !== undefined) setBox({ kind: "rename", id });
    },
    onSnippets: () => setBox({ kind: "snippets" }),
    onEscape: () => session.select([]),
    onView,
    onRun: run,
    onDock,
    onInspector: () => frame.set({ inspector: !frame.inspector }),
    onOutline,
    onSelectAll: () => session.select(model.order),
  });

  const errors = list.filter(({ severity }) => severity === "error").length;
  return (
    <div className="flex h-full flex-col">
      <EditorBar
        title={visibleLine((doc.parsed.draft ?? state.readable.parsed.draft)?.workflow.name ?? state.path)}
        path={state.path}
        view={view}
        errors={errors}
        warnings={list.length - errors}
        outline={hasCanvas ? frame.outline : view === "design"}
        onOutline={onOutline}
        onView={onView}
        onProblems={onDock}
        onRun={run}
      />
      <Conflict session={session} state={state} />
      <Frame
        frame={frame}
        outline={
          <Outline
            model={model}
            selected={selected}
            badges={badges}
            carried={carried}
            onSelect={onPick}
            onOpen={openInspector}
            onAdd={onAddAfter}
            onConnect={onConnectFrom}
            tools={!hasCanvas && undoButtons}
            empty={nothing}
            onDelete={onDelete}
          />
        }
        problems={<Problems diagnostics={list} onGo={go} />}
        problemCount={list.length}
        isText={view === "source"}
        inspector={
          // biome-ignore lint/a11y/noStaticElementInteractions: Escape moves one level out of the focused field.
          <div
            ref={panel}
            className="h-full"
            onKeyDown={(event) => {
              if (event.key !== "Escape" || event.defaultPrevented) return;
              event.preventDefault();
              leaveInspector();
            }}
          >
            <Inspected {...{ session, state, found, save }} onClose={closeInspector} />
          </div>
        }
      >
        <div ref={work} className="relative flex h-full min-h-0">
          {view !== "source" && (
            <CanvasPlace
              onDropText={onDropText}
              onDropKind={(kind, screen) => {
                const at = canvas.current?.toFlow(screen);
                if (at !== undefined) operations.add(kind, { at: { x: at.x - 114, y: at.y - 39 } });
              }}
            >
              <CanvasMenu
                {...{ selected, onSelect, selectedEdges: state.selectedEdges }}
                onAddAt={(screen) => editing.onAddAt(canvas.current?.toFlow(screen) ?? screen, screen)}
              >
                <Canvas
                  ref={canvas}
                  model={model}
                  label={`Canvas of ${state.path}`}
                  selected={selected}
                  selectedEdges={state.selectedEdges}
                  onSelect={onSelect}
                  onOpen={openInspector}
                  badges={badges}
                  carried={carried}
                  editing={editing}
                  covered={frame.covered}
                />
              </CanvasMenu>
              <NodePalette onAdd={onKind} onSearch={onSearch}>
                {undoButtons}
              </NodePalette>
              {model.order.length === 0 && (
                <div className="pointer-events-none absolute inset-0 flex items-center justify-center">
                  <div className="pointer-events-auto">{nothing}</div>
                </div>
              )}
            </CanvasPlace>
          )}
          {view !== "design" && (
            <div className={view === "split" ? "w-1/2 min-w-0 border-l border-line" : "min-w-0 flex-1"}>
              <Suspense fallback={<p className="p-4 text-muted">Opening the source…</p>}>
                <SourceView
                  doc={doc}
                  diagnostics={found}
                  selected={selected}
                  onType={session.type}
                  onUndo={operations.undo}
                  onRedo={operations.redo}
                  onCursor={(id) => session.select([id])}
                  onLeave={leaveSource}
                  goTo={goTo}
                />
              </Suspense>
            </div>
          )}
        </div>
      </Frame>
      {box !== undefined && <OpenBox {...{ box, model, session, operations }} onClose={closeBox} />}
    </div>
  );
}
