// Canvas: draws a workflow for the editor and the run view, and reports what the user does. It changes nothing.
//   K1. Sizes and handles are known. Only what is in view is drawn, with less detail at small zooms.
//   K2. A focused node comes into view. Tab follows the flow (tab-order.ts). A focused node or edge is selected.
//   K3. Props of React Flow keep their identity, because React Flow redraws every node and edge for a new handler or
//       list.

import {
  Background,
  type EdgeChange,
  type EdgeMouseHandler,
  getViewportForBounds,
  MiniMap,
  type NodeChange,
  type NodeMouseHandler,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  SelectionMode,
  useStoreApi,
} from "@xyflow/react";
import { memo, type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import "./canvas.css";
import { detours } from "../../workflow/drawing/edge-routing.ts";
import { boundsOf, boxesOf, CARD, type Point } from "../../workflow/drawing/layout.ts";
import type { Link } from "../document/links.ts";
import { useSteady } from "../ui/use-steady.ts";
import { type Badge, Card } from "./card.tsx";
import { edgesAfter, movedAfter, placesChanged, selectedAfter } from "./changes.ts";
import { Controls } from "./controls.tsx";
import { DetailOf, useDetailOfZoom } from "./detail.ts";
import type { EdgeData } from "./edge-data.ts";
import { EdgeHint, useEdgeHint } from "./edge-hint.tsx";
import { FlowItems, type FlowNode } from "./flow-items.ts";
import { type LinkFlowEdge, LinkLine } from "./link.tsx";
import { LoopBox } from "./loop-box.tsx";
import type { CanvasEdge, CanvasModel } from "./model.ts";
import type { CanvasOverlay } from "./overlay.ts";
import { stopAt, useTabOrder } from "./tab-order.ts";
import { useConnecting } from "./use-connecting.ts";
import { useInView } from "./use-in-view.ts";
import { SAID } from "./words.ts";

export interface CanvasProps {
  model: CanvasModel;
  /** The accessible name of the canvas. */
  label: string;
  selected: ReadonlySet<string>;
  selectedEdges?: ReadonlySet<string>;
  onSelect: (ids: readonly string[], edges: readonly string[]) => void;
  /** Called on a double click or Enter. */
  onOpen?: (id: string) => void;
  overlay?: CanvasOverlay;
  badges?: ReadonlyMap<string, Badge>;
  /** The data that passed along an edge. It is shown while the pointer is on the edge. */
  carried?: (edge: CanvasEdge) => EdgeData;
  /** Absent: the canvas is read-only. */
  editing?: CanvasEditing;
  /** Width in pixels that a drawer covers at the right edge. */
  covered?: number;
  ref?: Ref<CanvasHandle>;
}

export interface CanvasEditing {
  onMove(places: Record<string, [number, number]>): void;
  onConnect(link: Link): void;
  /** The reason why the link is not possible. `undefined` means that it is. */
  whyNot(link: Link): string | undefined;
  onRefused(reason: string): void;
  /** Called when an edge is dropped on empty canvas. */
  onDropEmpty(from: { source: string; handle?: string }, at: Point, screen: Point): void;
  onReconnect(old: Link, link: Link): void;
  /** Called on a double click on empty canvas. */
  onAddAt(at: Point, screen: Point): void;
}

export interface CanvasHandle {
  /** Fits all nodes into view, or only these. */
  fitAll(ids?: Iterable<string>): void;
  /** Focuses a node, and brings it into view if necessary. */
  focus(id: string): void;
  /** The canvas position at a point on the screen, or in the middle of the view. */
  toFlow(screen?: Point): Point;
}

export const Canvas = memo(function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Inner {...props} />
    </ReactFlowProvider>
  );
});

// These constants keep their identity (K3).
const BUTTONS = { editing: [1], reading: [0, 1] };
const MORE = ["Meta", "Control", "Shift"];
const PRO = { hideAttribution: true };
const NODE_TYPES = { card: Card, loop: LoopBox };
const EDGE_TYPES = { link: LinkLine };
const NONE: ReadonlySet<string> = new Set();
const ZOOM = { min: 0.05, max: 2, readable: 0.25, opened: 0.8 } as const;
/** Free space around a fitted drawing: the palette is above it, the controls are below. */
const AROUND = { top: "64px", bottom: "56px", x: "6%" } as const;
/** Keys that do not act on the selection. */
const NEUTRAL: ReadonlySet<string> = new Set(["Escape", "Tab", "Shift", "Control", "Alt", "Meta"]);

function Inner({
  model,
  label,
  selected,
  selectedEdges = NONE,
  onSelect,
  onOpen,
  overlay,
  badges,
  carried,
  editing,
  covered = 0,
  ref,
}: CanvasProps) {
  const [dragged, setDragged] = useState<ReadonlyMap<string, Point>>();
  const [minimap, setMinimap] = useState(false);
  const flow = useRef<ReactFlowInstance<FlowNode, LinkFlowEdge>>(null);
  const frame = useRef<HTMLDivElement>(null);
  const store = useStoreApi();
  const hint = useEdgeHint(frame);
  // React Flow need not measure sizes and handles, because they are given (K1).
  useState(() => store.setState({ updateNodeInternals: () => undefined }));
  const [items] = useState(() => new FlowItems());
  // biome-ignore lint/correctness/useExhaustiveDependencies: new positions in the workflow end the drag.
  useEffect(() => setDragged(undefined), [model.positions]);

  const positions = dragged ?? model.positions;
  const boxes = useMemo(() => boxesOf(model, positions), [model, positions]);
  const levels = useMemo(() => detours(model, model.positions, boxesOf(model, model.positions)), [model]);
  const choose = useCallback((id: string) => onSelect([id], []), [onSelect]);
  const canEdit = editing !== undefined;
  const nodes = useMemo(
    () => items.nodes({ model, positions, boxes, selected, overlay, badges, editing: canEdit, onChoose: choose }),
    [model, positions, boxes, selected, overlay, badges, canEdit, choose, items],
  );
  const edges = useMemo(
    () => items.edges({ model, positions, overlay, levels, selected: selectedEdges }),
    [model, positions, overlay, levels, selectedEdges, items],
  );
  const detail = useDetailOfZoom();

  const bringIntoView = useInView({ model, positions, selected, covered });
  const tabs = useTabOrder(model, frame, bringIntoView);
  const viewportFor = useCallback(
    (ids?: Iterable<string>) => {
      const { width, height } = store.getState();
      if (width <= covered) return undefined;
      return getViewportForBounds(boundsOf(model, positions, ids), width - covered, height, ZOOM.min, 1, AROUND);
    },
    [model, positions, store, covered],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `bringIntoView` and `tabs` read the same things as `viewportFor`.
  useImperativeHandle(
    ref,
    () => ({
      fitAll(ids) {
        const viewport = viewportFor(ids);
        if (viewport !== undefined) void flow.current?.setViewport(viewport);
      },
      focus(id) {
        bringIntoView(id);
        tabs.focus({ kind: "node", id: model.startOf.get(id) ?? id });
      },
      toFlow(screen) {
        const box = frame.current?.getBoundingClientRect();
        const at = screen ?? {
          x: (box?.left ?? 0) + (box?.width ?? 0) / 2,
          y: (box?.top ?? 0) + (box?.height ?? 0) / 2,
        };
        return flow.current?.screenToFlowPosition(at) ?? { x: 0, y: 0 };
      },
    }),
    [viewportFor],
  );

  /** Selects what gets the focus, and brings it into view (K2). */
  function onFocus(target: Element): void {
    const stop = target.matches(":focus-visible") ? stopAt(target) : undefined;
    if (stop?.kind === "node") {
      bringIntoView(stop.id);
      const end = model.loops.get(stop.id)?.end.id;
      if (!selected.has(stop.id) && !(end !== undefined && selected.has(end))) onSelect([stop.id], []);
    }
    const edge = stop?.kind === "edge" ? model.edges.find(({ key }) => key === stop.id) : undefined;
    if (edge === undefined) return;
    if (editing !== undefined) onSelect([], edge.kind === "edge" ? [edge.key] : []);
    const { left, top, width, height } = target.getBoundingClientRect();
    hint.showAt(edge, left + width / 2, top + height / 2);
  }

  /** Shows everything if the titles can be read at that zoom, otherwise a readable part from the first node on. */
  function open(instance: ReactFlowInstance<FlowNode, LinkFlowEdge>): void {
    flow.current = instance;
    const viewport = viewportFor();
    const first = positions.get(model.order[0] ?? "");
    if (viewport === undefined) return;
    const zoom = ZOOM.opened;
    if (viewport.zoom >= ZOOM.readable || first === undefined) void instance.setViewport(viewport);
    else
      void instance.setViewport({
        x: 60 - first.x * zoom,
        y: store.getState().height / 2 - (first.y + CARD.height / 2) * zoom,
        zoom,
      });
  }

  const onNodesChange = useSteady((changes: NodeChange<FlowNode>[]): void => {
    const moved = editing === undefined ? undefined : movedAfter(model, positions, boxes, changes);
    if (moved !== undefined) {
      setDragged(moved.positions);
      const places = moved.dropped ? placesChanged(model.positions, moved.positions) : {};
      if (Object.keys(places).length > 0) editing?.onMove(places);
    }
    const next = selectedAfter(model, selected, changes);
    if (next !== undefined) onSelect([...next], next.size > 0 ? [] : [...selectedEdges]);
  });
  const onEdgesChange = useSteady((changes: EdgeChange<LinkFlowEdge>[]): void => {
    const next = edgesAfter(selectedEdges, changes);
    if (next !== undefined) onSelect(next.size > 0 ? [] : [...selected], [...next]);
  });
  const onNodeClick = useSteady<Parameters<NodeMouseHandler<FlowNode>>, void>(
    ({ shiftKey, ctrlKey, metaKey }, { id }) => {
      if (selected.size > 1 && !shiftKey && !ctrlKey && !metaKey) onSelect([id], []);
    },
  );
  const onEdgeMouseEnter = useCallback<EdgeMouseHandler<LinkFlowEdge>>(
    (event, { data }) => void (data !== undefined && hint.show(data.edge, event)),
    [hint.show],
  );
  const connecting = useConnecting(model, editing, flow);

  return (
    <section
      ref={frame}
      aria-label={label}
      className="curlew-canvas relative h-full w-full"
      onFocus={({ target }) => onFocus(target)}
      onBlur={hint.leave}
      onKeyDown={(event) => {
        // Escape clears the selection but keeps the focus. The next key acts on the focused node, so select it again.
        if (selected.size + selectedEdges.size === 0 && !NEUTRAL.has(event.key)) onFocus(event.target as Element);
        tabs.onKey(event);
      }}
      onDoubleClick={(event) => {
        const target = event.target as HTMLElement;
        const id = target.closest(".react-flow__node")?.getAttribute("data-id");
        const screen = { x: event.clientX, y: event.clientY };
        if (id) onOpen?.(id);
        else if (target.closest(".react-flow__pane") !== null)
          editing?.onAddAt(flow.current?.screenToFlowPosition(screen) ?? screen, screen);
      }}
    >
      <DetailOf value={detail}>
        <ReactFlow<FlowNode, LinkFlowEdge>
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onInit={open}
          onNodesChange={onNodesChange}
          onEdgesChange={onEdgesChange}
          onNodeClick={onNodeClick}
          onEdgeMouseEnter={onEdgeMouseEnter}
          onEdgeMouseLeave={hint.leave}
          {...connecting}
          nodesDraggable={editing !== undefined}
          nodesConnectable={editing !== undefined}
          edgesReconnectable={editing !== undefined}
          panOnDrag={BUTTONS[canEdit ? "editing" : "reading"]}
          selectionOnDrag={editing !== undefined}
          selectionMode={SelectionMode.Partial}
          panActivationKeyCode="Space"
          selectionKeyCode={editing === undefined ? null : "Shift"}
          multiSelectionKeyCode={MORE}
          proOptions={PRO}
          deleteKeyCode={null}
          disableKeyboardA11y
          zoomOnDoubleClick={false}
          elevateNodesOnSelect={false}
          onlyRenderVisibleElements
          autoPanOnNodeFocus={false}
          minZoom={ZOOM.min}
          maxZoom={ZOOM.max}
          connectionRadius={24}
          ariaLabelConfig={SAID[canEdit ? "editing" : "reading"]}
        >
          <Background gap={24} />
          {minimap && <MiniMap pannable zoomable ariaLabel="Overview" className="rounded-lg border border-line" />}
        </ReactFlow>
      </DetailOf>
      {carried !== undefined && hint.at !== undefined && (
        <EdgeHint model={model} at={hint.at} data={carried(hint.at.edge)} onEnter={hint.stay} onLeave={hint.leave} />
      )}
      <Controls
        onFit={() => {
          const viewport = viewportFor();
          if (viewport !== undefined) void flow.current?.setViewport(viewport);
        }}
        onZoom={(factor) => void flow.current?.zoomTo(flow.current.getZoom() * factor, { duration: 100 })}
        minimap={minimap}
        onMinimap={() => setMinimap(!minimap)}
      />
    </section>
  );
}
