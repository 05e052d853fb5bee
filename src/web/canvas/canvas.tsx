// Canvas: the drawing of a workflow, for the editor and for the run view (spec ui.md 6.2, 6.4). It changes nothing itself: what a person
// does is told to its owner, and what is drawn comes from the model.
//   K1. Sizes and handles are known, what lies outside is not drawn, far away less is drawn: 1,000 nodes stay at 50 frames a second.
//   K2. A focused node comes into view. The order of the keyboard is that of the flow (stops.ts). What has the focus is what is selected.
//   K3. What React Flow is given stays the same from one rendering to the next unless it has changed: for a new handler or list it would draw
//       every node and edge anew.
// Deliberately absent: shortcuts (the editor's and the run view's), runs.

import {
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
import type { Link } from "../document/links.ts";
import { classes } from "../ui/classes.ts";
import { useSteady } from "../ui/use-steady.ts";
import { boundsOf, boxesOf } from "./boxes.ts";
import { type Badge, Card } from "./card.tsx";
import { edgesAfter, movedAfter, placesChanged, selectedAfter } from "./changes.ts";
import { Controls } from "./controls.tsx";
import { beginning, DetailOf, useDetailOfZoom } from "./detail.ts";
import { Dots } from "./dots.tsx";
import type { EdgeData } from "./edge-data.ts";
import { EdgeHint, useEdgeHint } from "./edge-hint.tsx";
import { FarLayer } from "./far-layer.tsx";
import { type FlowNode, flowEdges, flowNodes, Known } from "./flow-items.ts";
import { type LinkFlowEdge, LinkLine } from "./link.tsx";
import { LoopBox } from "./loop-box.tsx";
import type { CanvasEdge, CanvasModel, Point } from "./model.ts";
import type { CanvasOverlay } from "./overlay.ts";
import { AROUND } from "./sizes.ts";
import { stopAt } from "./stops.ts";
import { useConnecting } from "./use-connecting.ts";
import { useInView } from "./use-in-view.ts";
import { useStops } from "./use-stops.ts";
import { useWays } from "./use-ways.ts";
import { SAID } from "./words.ts";

export interface CanvasProps {
  model: CanvasModel;
  /** Read out as the name of the drawing. */
  label: string;
  selected: ReadonlySet<string>;
  selectedEdges?: ReadonlySet<string>;
  onSelect: (ids: readonly string[], edges: readonly string[]) => void;
  /** Double click or Enter. */
  onOpen?: (id: string) => void;
  overlay?: CanvasOverlay;
  badges?: ReadonlyMap<string, Badge>;
  /** What went along an edge, told while the pointer is on it. */
  carried?: (edge: CanvasEdge) => EdgeData;
  /** Absent: nothing can be changed. */
  editing?: CanvasEditing;
  /** Pixels at its right edge that a drawer lies over. */
  covered?: number;
  /** How it shares its place with another view. */
  share?: string;
  ref?: Ref<CanvasHandle>;
}

export interface CanvasEditing {
  onMove(places: Record<string, [number, number]>): void;
  onConnect(link: Link): void;
  /** Why it cannot be; nothing when it can. */
  whyNot(link: Link): string | undefined;
  onRefused(reason: string): void;
  /** Dropped where nothing is. */
  onDropEmpty(from: { source: string; handle?: string }, at: Point, screen: Point): void;
  onReconnect(old: Link, link: Link): void;
  /** Double click where nothing is. */
  onAddAt(at: Point, screen: Point): void;
}

export interface CanvasHandle {
  /** Everything, or these. */
  fitAll(ids?: Iterable<string>): void;
  /** Brings it into view when it is not, and gives it the focus. */
  focus(id: string): void;
  /** What lies in the middle, or under a place of the screen. */
  toFlow(screen?: Point): Point;
}

/** Drawn anew only for other props. */
export const Canvas = memo(function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Inner {...props} />
    </ReactFlowProvider>
  );
});

// K3.
const BUTTONS = { editing: [1], reading: [0, 1] };
const MORE = ["Meta", "Control", "Shift"];
const PRO = { hideAttribution: true };
const NODE_TYPES = { card: Card, loop: LoopBox };
const EDGE_TYPES = { link: LinkLine };
const NONE: ReadonlySet<string> = new Set();
const ZOOM = { min: 0.05, max: 2, titles: 0.25, many: 0.55 } as const;
const MANY = 400;

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
  share = "",
  ref,
}: CanvasProps) {
  const [dragged, setDragged] = useState<ReadonlyMap<string, Point>>();
  const [minimap, setMinimap] = useState(false);
  const flow = useRef<ReactFlowInstance<FlowNode, LinkFlowEdge>>(null);
  const frame = useRef<HTMLDivElement>(null);
  const store = useStoreApi();
  const hint = useEdgeHint(frame);
  // K1. React Flow would read each node's size and ports off the page: they are known, and from far away no ports are there.
  useState(() => store.setState({ updateNodeInternals: () => undefined }));
  const [known] = useState(() => new Known());
  // biome-ignore lint/correctness/useExhaustiveDependencies: new places from the document end the drag.
  useEffect(() => setDragged(undefined), [model.positions]);

  const positions = dragged ?? model.positions;
  const boxes = useMemo(() => boxesOf(model, positions), [model, positions]);
  // Once a drag has ended: while it lasts, every frame would cost a look at all.
  const ways = useWays(model, dragged);
  const choose = useCallback((id: string) => onSelect([id], []), [onSelect]);
  const canEdit = editing !== undefined;
  const nodes = useMemo(
    () => flowNodes({ model, positions, boxes, selected, overlay, badges, editing: canEdit, onChoose: choose }, known),
    [model, positions, boxes, selected, overlay, badges, canEdit, choose, known],
  );
  const detail = useDetailOfZoom();
  const isFar = detail === "far" || detail === "block";
  const edges = useMemo(
    () => (isFar ? [] : flowEdges({ model, overlay, ways }, selectedEdges, known)),
    [model, overlay, ways, selectedEdges, isFar, known],
  );

  const bring = useInView({ model, positions, selected, covered, share }, () => flow.current && open(flow.current));
  const stops = useStops(model, !isFar, frame, bring);
  const fitAll = useCallback(
    (ids?: Iterable<string>) => {
      const { height, ...frame } = store.getState();
      const width = frame.width - covered;
      if (width <= 0) return;
      const bounds = boundsOf(model, positions, ids === undefined ? undefined : new Set(ids));
      void flow.current?.setViewport(getViewportForBounds(bounds, width, height, ZOOM.min, 1, AROUND));
    },
    [model, positions, store, covered],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `show` reads what `fitAll` is made anew for.
  useImperativeHandle(
    ref,
    () => ({
      fitAll,
      focus(id) {
        bring(id);
        stops.focus({ kind: "node", id: model.startOf.get(id) ?? id });
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
    [fitAll, covered],
  );

  /** K2. */
  function onFocus(target: Element): void {
    const stop = target.matches(":focus-visible") ? stopAt(target) : undefined;
    if (stop?.kind === "node") {
      bring(stop.id);
      const end = model.loops.get(stop.id)?.end.id;
      if (!selected.has(stop.id) && !(end !== undefined && selected.has(end))) onSelect([stop.id], []);
    }
    const edge = stop?.kind === "edge" ? model.edges.find(({ key }) => key === stop.id) : undefined;
    if (edge === undefined) return;
    if (editing !== undefined) onSelect([], edge.kind === "edge" ? [edge.key] : []);
    const { left, top, width, height } = target.getBoundingClientRect();
    hint.showAt(edge, left + width / 2, top + height / 2);
  }

  /** All of it where its titles can be read; else a part that can, where the flow begins. */
  function open(instance: ReactFlowInstance<FlowNode, LinkFlowEdge>): void {
    flow.current = instance;
    const { height, ...frame } = store.getState();
    const width = frame.width - covered;
    const bounds = boundsOf(model, positions);
    const wanted = getViewportForBounds(bounds, width, height, ZOOM.min, 1, AROUND);
    const least = model.order.length < MANY ? ZOOM.titles : ZOOM.many;
    const first = positions.get(model.order[0] ?? "");
    if (wanted.zoom >= least || first === undefined) void instance.setViewport(wanted);
    else void instance.setViewport(beginning(bounds, first, { width, height }));
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
      className={classes("curlew-canvas relative h-full w-full", isFar && "from-far")}
      onFocus={({ target }) => onFocus(target)}
      onBlur={hint.leave}
      onKeyDown={(event) => stops.onKey(event, selected.size + selectedEdges.size === 0 ? onFocus : undefined)}
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
          {isFar ? (
            <FarLayer
              {...{ model, positions, boxes, ways, selected, selectedEdges, overlay, badges }}
              titled={detail === "block"}
            />
          ) : (
            <Dots />
          )}
          {minimap && <MiniMap pannable zoomable ariaLabel="Overview" className="rounded-lg border border-line" />}
        </ReactFlow>
      </DetailOf>
      {carried !== undefined && hint.at !== undefined && (
        <EdgeHint model={model} at={hint.at} data={carried(hint.at.edge)} onEnter={hint.stay} onLeave={hint.leave} />
      )}
      <Controls
        onFit={() => fitAll()}
        onZoom={(factor) => void flow.current?.zoomTo(flow.current.getZoom() * factor, { duration: 100 })}
        minimap={minimap}
        onMinimap={() => setMinimap(!minimap)}
      />
    </section>
  );
}
