// Canvas: draws a workflow for the editor and the run view, and reports what the user does. It changes nothing.
//   K1. Sizes and handles are known. Only what is in view is drawn, with less detail at small zooms.
//   K2. A focused node comes into view. Tab follows the flow (tab-order.ts). A focused node or edge is selected.
//   K3. Props of React Flow keep their identity, because React Flow redraws every node and edge for a new handler or
//       list.

import {
  Background,
  MiniMap,
  ReactFlow,
  type ReactFlowInstance,
  ReactFlowProvider,
  SelectionMode,
  useStoreApi,
} from "@xyflow/react";
import { Map as MapIcon, Maximize, Minus, Plus } from "lucide-react";
import {
  type CSSProperties,
  type MouseEvent,
  memo,
  type Ref,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { useSteady } from "../ui/use-steady.ts";
import "./canvas.css";
import { detours } from "../../workflow/drawing/edge-routing.ts";
import { type Box, boxesOf, CARD, PAD, type Point } from "../../workflow/drawing/layout.ts";
import type { Link } from "../document/links.ts";
import { type Badge, Card } from "./card.tsx";
import { DetailOf, TextPxOf, useDrawn } from "./detail.ts";
import type { EdgeData } from "./edge-data.ts";
import { EdgeHint, useEdgeHint } from "./edge-hint.tsx";
import { FlowItems, type FlowNode } from "./flow-items.ts";
import { type LinkFlowEdge, LinkLine } from "./link.tsx";
import { LoopBox } from "./loop-box.tsx";
import type { CanvasEdge, CanvasModel } from "./model.ts";
import { type CanvasOverlay, lookIn } from "./overlay.ts";
import { stopAt, useTabOrder } from "./tab-order.ts";
import { useChanges } from "./use-changes.ts";
import { useConnecting } from "./use-connecting.ts";
import { useViewport } from "./use-viewport.ts";
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
  /** The element that covers the upper edge, such as a toolbar. */
  above?: RefObject<HTMLElement | null>;
  /** Even a small workflow opens as a whole, at a zoom that has text. */
  whole?: boolean;
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
  /** Focuses a node, and brings it into view if necessary, if possible together with other nodes. */
  focus(id: string, along?: readonly string[]): void;
  /** Brings nodes into view if necessary. The focus stays. */
  show(ids: readonly string[]): void;
  /** The canvas position at a point on the screen. */
  toFlow(screen: Point): Point;
  /** The part of the canvas that nothing covers, in its own coordinates. */
  visible(): Box | undefined;
}

export const Canvas = memo(function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Inner {...props} />
    </ReactFlowProvider>
  );
});

// These constants keep their identity (K3).
const NONE: ReadonlySet<string> = new Set();
const ALWAYS = {
  nodeTypes: { card: Card, loop: LoopBox },
  edgeTypes: { link: LinkLine },
  selectionMode: SelectionMode.Partial,
  panActivationKeyCode: "Space",
  multiSelectionKeyCode: ["Meta", "Control", "Shift"],
  proOptions: { hideAttribution: true },
  deleteKeyCode: null,
  disableKeyboardA11y: true,
  zoomOnDoubleClick: false,
  elevateNodesOnSelect: false,
  onlyRenderVisibleElements: true,
  autoPanOnNodeFocus: false,
  maxZoom: 2,
  connectionRadius: 24,
};
const EDITING = {
  nodesDraggable: true,
  nodesConnectable: true,
  edgesReconnectable: true,
  selectionOnDrag: true,
  panOnDrag: [1],
  selectionKeyCode: "Shift",
  ariaLabelConfig: SAID.editing,
};
const READING = {
  nodesDraggable: false,
  nodesConnectable: false,
  edgesReconnectable: false,
  panOnDrag: [0, 1],
  selectionKeyCode: null,
  ariaLabelConfig: SAID.reading,
};
/** Dots that stay visible at each zoom. */
const DOTS = { full: { gap: 24, size: 2 }, short: { gap: 48, size: 3 } };
/** Between these numbers of nodes, the overview is open at first. With more, it would slow down panning. */
const OVERVIEW_NODES = { min: 60, max: 500 } as const;
const OVERVIEW = { pannable: true, zoomable: true, ariaLabel: "Overview", className: "rounded-lg border border-line" };
/** Keys that do not act on the selection. */
const NEUTRAL: ReadonlySet<string> = new Set(["Escape", "Tab", "Shift", "Control", "Alt", "Meta"]);

type Flow = ReactFlowInstance<FlowNode, LinkFlowEdge>;

function Inner(props: CanvasProps) {
  const { model, selected, selectedEdges = NONE, carried, editing, covered = 0, above, whole, ref } = props;
  const flow = useRef<Flow>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [chosenMap, setMinimap] = useState<boolean>();
  const count = model.order.length;
  const minimap = chosenMap ?? (count >= OVERVIEW_NODES.min && count <= OVERVIEW_NODES.max);
  const { detail, textPx } = useDrawn();
  const hint = useEdgeHint(frame);
  const { positions, handlers } = useChanges(props, selectedEdges);
  const { nodes, edges } = useItems(props, positions, selectedEdges);
  const view = useViewport({ model, positions, selected, covered, above, whole });
  const tabs = useTabOrder(model, frame, (id) => view.bringIntoView([id]));
  const connecting = useConnecting(model, editing, flow);
  useImperativeHandle(ref, () => ({
    fitAll: view.fit,
    focus(id, along = []) {
      view.bringIntoView([id, ...along.filter((one) => model.byId.has(one))]);
      view.bringIntoView([id]);
      tabs.focus({ kind: "node", id: model.startOf.get(id) ?? id });
    },
    show: view.bringIntoView,
    toFlow: (screen) => flow.current?.screenToFlowPosition(screen) ?? screen,
    visible: view.visible,
  }));
  const onFocus = useFocusing(props, view.bringIntoView, hint.show);
  return (
    <section
      ref={frame}
      aria-label={props.label}
      className="curlew-canvas relative h-full w-full"
      style={{ "--card-text": `${textPx}px` } as CSSProperties}
      onFocus={({ target }) => onFocus(target)}
      onBlur={hint.leave}
      onKeyDown={(event) => {
        // Escape clears the selection but keeps the focus. The next key acts on the focused node, so select it again.
        if (selected.size + selectedEdges.size === 0 && !NEUTRAL.has(event.key)) onFocus(event.target as Element);
        tabs.onKey(event);
      }}
      onDoubleClick={(event) => openOrAdd(event, props, flow.current)}
    >
      <DetailOf value={detail}>
        <TextPxOf value={textPx}>
          <ReactFlow<FlowNode, LinkFlowEdge>
            {...ALWAYS}
            {...(editing === undefined ? READING : EDITING)}
            {...{ nodes, edges }}
            {...handlers}
            {...connecting}
            minZoom={view.minZoom}
            onInit={(instance) => {
              flow.current = instance;
              view.open();
            }}
            onEdgeMouseEnter={hint.onEnterEdge}
            onEdgeMouseLeave={hint.leave}
          >
            {detail !== "block" && <Background {...DOTS[detail]} />}
            {minimap && <MiniMap {...OVERVIEW} style={{ right: covered }} nodeColor={colourOf} />}
          </ReactFlow>
        </TextPxOf>
      </DetailOf>
      {carried !== undefined && hint.at !== undefined && (
        <EdgeHint model={model} at={hint.at} data={carried(hint.at.edge)} onEnter={hint.stay} onLeave={hint.leave} />
      )}
      <Controls
        onFit={() => view.fit()}
        onZoom={view.zoomBy}
        minimap={minimap}
        onMinimap={() => setMinimap(!minimap)}
      />
    </section>
  );
}

/** Opens the node at the pointer, or adds one on empty canvas. */
function openOrAdd({ target, clientX: x, clientY: y }: MouseEvent, props: CanvasProps, flow: Flow | null): void {
  const id = (target as Element).closest(".react-flow__node")?.getAttribute("data-id");
  const isEmpty = (target as Element).closest(".react-flow__pane") !== null;
  if (id) props.onOpen?.(id);
  else if (isEmpty) props.editing?.onAddAt(flow?.screenToFlowPosition({ x, y }) ?? { x, y }, { x, y });
}

/** Selects what gets the focus, and brings it into view (K2). */
function useFocusing(
  { model, selected, onSelect, editing }: CanvasProps,
  bringIntoView: (ids: string[]) => void,
  showHint: (edge: CanvasEdge, x: number, y: number) => void,
) {
  return (target: Element): void => {
    const stop = target.matches(":focus-visible") ? stopAt(target) : undefined;
    if (stop?.kind === "node") {
      bringIntoView([stop.id]);
      const end = model.loops.get(stop.id)?.end.id ?? "";
      if (!selected.has(stop.id) && !selected.has(end)) onSelect([stop.id], []);
    }
    const edge = stop?.kind === "edge" ? model.edges.find(({ key }) => key === stop.id) : undefined;
    if (edge === undefined) return;
    if (editing !== undefined) onSelect([], edge.kind === "wait" ? [] : [edge.key]);
    const { x, y } = middleOf(target);
    showHint(edge, x, y);
  };
}

/** React Flow's nodes and edges for the model. */
function useItems(
  { model, selected, onSelect, overlay, badges, editing }: CanvasProps,
  positions: ReadonlyMap<string, Point>,
  selectedEdges: ReadonlySet<string>,
) {
  const store = useStoreApi();
  // React Flow need not measure sizes and handles, because they are given (K1).
  useState(() => store.setState({ updateNodeInternals: () => undefined }));
  const [items] = useState(() => new FlowItems());
  const boxes = useMemo(() => boxesOf(model, positions), [model, positions]);
  const levels = useMemo(() => detours(model, model.positions, boxesOf(model, model.positions)), [model]);
  const onChoose = useCallback((id: string) => onSelect([id], []), [onSelect]);
  const canEdit = editing !== undefined;
  const onFill = useSteady((source: string, screen: Point) => {
    const box = boxes.get(source) ?? { x: 0, y: 0 };
    editing?.onDropEmpty({ source }, { x: box.x + PAD.side, y: box.y + PAD.top + CARD.height / 2 }, screen);
  });
  const nodes = useMemo(
    () => items.nodes({ model, positions, boxes, selected, overlay, badges, editing: canEdit, onChoose, onFill }),
    [model, positions, boxes, selected, overlay, badges, canEdit, onChoose, onFill, items],
  );
  const edges = useMemo(
    () => items.edges({ model, positions, overlay, levels, selected: selectedEdges }),
    [model, positions, overlay, levels, selectedEdges, items],
  );
  return { nodes, edges };
}

/** The colour of a node in the overview. */
function colourOf({ data: { overlay } }: FlowNode): string {
  return `var(--${lookIn(overlay) ?? "edge"})`;
}

function middleOf(element: Element | null): Point {
  const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
  return { x: left + width / 2, y: top + height / 2 };
}

export interface ControlsProps {
  onFit: () => void;
  onZoom: (factor: number) => void;
  minimap: boolean;
  onMinimap: () => void;
}

function Controls({ onFit, onZoom, minimap, onMinimap }: ControlsProps) {
  return (
    <div className="absolute bottom-3 left-3 z-10 flex rounded-lg border border-line bg-panel p-0.5">
      <IconButton label="Zoom in" size="small" icon={<Plus size={15} />} onClick={() => onZoom(1.25)} />
      <IconButton label="Zoom out" size="small" icon={<Minus size={15} />} onClick={() => onZoom(0.8)} />
      <IconButton
        label="Everything in view"
        shortcut="Shift+1"
        size="small"
        icon={<Maximize size={15} />}
        onClick={onFit}
      />
      <IconButton label="Overview" size="small" pressed={minimap} icon={<MapIcon size={15} />} onClick={onMinimap} />
    </div>
  );
}
