// flow-items: the model as React Flow's nodes and edges. What did not change keeps its object: nothing is drawn anew for it.

import { isSame } from "../document/equal.ts";
import type { Badge, CardData, CardFlowNode } from "./card.tsx";
import { HINT_ID } from "./edge-hint.tsx";
import type { LinkFlowEdge } from "./link.tsx";
import type { LoopData, LoopFlowNode } from "./loop-box.tsx";
import { CARD, type CanvasModel, type Point } from "./model.ts";
import { type CanvasOverlay, edgeKey } from "./overlay.ts";
import { boxHandles, cardHandles, endsOf } from "./ports.ts";
import type { Box } from "./sizes.ts";
import type { Ways } from "./ways.ts";
import { edgeLabel, spokenLabel } from "./words.ts";

export type FlowNode = CardFlowNode | LoopFlowNode;

export interface Items {
  model: CanvasModel;
  positions: ReadonlyMap<string, Point>;
  boxes: ReadonlyMap<string, Box>;
  selected: ReadonlySet<string>;
  overlay: CanvasOverlay | undefined;
  badges: ReadonlyMap<string, Badge> | undefined;
  editing: boolean;
  onChoose: (id: string) => void;
}

/** What can be done here is said behind the label. The words are in the canvas's `ariaLabelConfig`, drawn under these ids by React Flow. */
const NODE_ATTRIBUTES = { "aria-describedby": "react-flow__node-desc-1" };
/** Tab comes to an edge by stops.ts, not by its place in the page. */
const EDGE_ATTRIBUTES = { "aria-describedby": `${HINT_ID} react-flow__edge-desc-1`, tabIndex: -1 };

interface KnownNode {
  node: FlowNode;
  /** What it was made of: while that is the same it is not made again (while one is dragged, all others). */
  from: readonly unknown[];
}

/** What was made before, from one call to the next. A list of the same things is the same list: React Flow goes through all of another one. */
export class Known {
  readonly nodes = new Map<string, KnownNode>();
  readonly edges = new Map<string, LinkFlowEdge>();
  nodeList: FlowNode[] = [];
  edgeList: LinkFlowEdge[] = [];
}

export function flowNodes(items: Items, known: Known): FlowNode[] {
  known.nodeList = sameList(known.nodeList, nodesOf(items, known.nodes));
  return known.nodeList;
}

export function flowEdges(
  items: Pick<Items, "model" | "overlay"> & { ways: Ways },
  selected: ReadonlySet<string>,
  known: Known,
): LinkFlowEdge[] {
  known.edgeList = sameList(known.edgeList, edgesOf(items, selected, known.edges));
  return known.edgeList;
}

function sameList<Item>(before: Item[], now: Item[]): Item[] {
  return before.length === now.length && now.every((item, at) => item === before[at]) ? before : now;
}

function nodesOf(items: Items, known: Map<string, KnownNode>): FlowNode[] {
  const { model } = items;
  const nodes: FlowNode[] = [];
  for (const id of model.order) {
    if (model.startOf.has(id)) continue;
    const isLoop = model.loops.has(id);
    const before = known.get(id);
    const from = isLoop ? [] : partsOf(items, id);
    if (before !== undefined && !isLoop && from.every((part, at) => part === before.from[at])) {
      nodes.push(before.node);
      continue;
    }
    const made = isLoop ? loopNode(items, id) : cardNode(items, id);
    if (made === undefined) continue;
    const node = before !== undefined && isSameNode(before.node, made) ? before.node : made;
    known.set(id, { node, from });
    nodes.push(node);
  }
  if (known.size > nodes.length * 2 + 50) {
    const there = new Set(nodes.map(({ id }) => id));
    for (const id of known.keys()) if (!there.has(id)) known.delete(id);
  }
  return nodes;
}

/** All that cardNode() looks at. */
function partsOf({ model, positions, selected, overlay, badges, editing }: Items, id: string): readonly unknown[] {
  const at = positions.get(id);
  return [model.byId.get(id), at?.x, at?.y, selected.has(id), overlay?.nodes.get(id), badges?.get(id), editing];
}

function cardNode({ model, positions, selected, overlay, badges, editing }: Items, id: string): FlowNode | undefined {
  const card = model.byId.get(id);
  const position = positions.get(id);
  if (card === undefined || position === undefined) return undefined;
  const laid = overlay?.nodes.get(id);
  const badge = badges?.get(id);
  const data: CardData = {
    card,
    editing,
    ...(laid === undefined ? {} : { overlay: laid }),
    ...(badge === undefined ? {} : { badge }),
  };
  const state = [
    ...(laid === undefined || laid.status === "ready" ? [] : [laid.word]),
    ...(laid?.attempts === undefined || laid.attempts.length < 2 ? [] : [`attempt ${laid.attempts.length}`]),
    ...(badge === undefined || badge.errors === 0
      ? []
      : [`${badge.errors} ${badge.errors === 1 ? "error" : "errors"}`]),
  ];
  return {
    id,
    type: "card",
    position,
    ...CARD,
    measured: CARD,
    handles: cardHandles(card),
    selected: selected.has(id),
    data,
    ariaLabel: spokenLabel(card, state),
    domAttributes: NODE_ATTRIBUTES,
    zIndex: 2,
  };
}

function loopNode(items: Items, id: string): FlowNode | undefined {
  const { model, boxes, selected, overlay, badges, editing } = items;
  const loop = model.loops.get(id);
  const box = boxes.get(id);
  if (loop === undefined || box === undefined) return undefined;
  const laid = overlay?.nodes.get(id);
  const badge = badges?.get(id) ?? badges?.get(loop.end.id);
  const data: LoopData = {
    loop,
    editing,
    chosen: selected.has(loop.end.id) ? "end" : selected.has(id) ? "start" : undefined,
    onChoose: items.onChoose,
    ...(laid === undefined ? {} : { overlay: laid }),
    ...(badge === undefined ? {} : { badge }),
    ...(overlay?.onPass === undefined ? {} : { onPass: overlay.onPass }),
  };
  return {
    id,
    type: "loop",
    position: { x: box.x, y: box.y },
    width: box.width,
    height: box.height,
    measured: { width: box.width, height: box.height },
    handles: boxHandles(box),
    selected: data.chosen !== undefined,
    data,
    ariaLabel: spokenLabel(loop.start, laid === undefined || laid.status === "ready" ? [] : [laid.word]),
    domAttributes: NODE_ATTRIBUTES,
    zIndex: loop.depth - 20,
    dragHandle: ".loop-head",
  };
}

function isSameNode(one: FlowNode, other: FlowNode): boolean {
  if (one.type !== other.type || one.selected !== other.selected || one.ariaLabel !== other.ariaLabel) return false;
  if (one.position.x !== other.position.x || one.position.y !== other.position.y) return false;
  if (one.width !== other.width || one.height !== other.height || one.zIndex !== other.zIndex) return false;
  return isSameData(one.data, other.data);
}

function isSameData(one: CardData | LoopData, other: CardData | LoopData): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const key of keys) {
    const [a, b] = [one[key], other[key]];
    if (a === b) continue;
    if (typeof a === "function" || typeof b === "function" || !isSame(a, b)) return false;
  }
  return true;
}

function edgesOf(
  { model, overlay, ways }: Pick<Items, "model" | "overlay"> & { ways: Ways },
  selected: ReadonlySet<string>,
  known: Map<string, LinkFlowEdge>,
): LinkFlowEdge[] {
  return model.edges.map((edge) => {
    const laid = overlay?.edges.get(edgeKey({ source: edge.source, sourceHandle: edge.handle, target: edge.target }));
    const before = known.get(edge.key);
    const isSelected = selected.has(edge.key);
    const level = ways.get(edge.key);
    const ends = endsOf(model, edge);
    const ariaLabel = edgeLabel(model, edge);
    if (
      before !== undefined &&
      before.ariaLabel === ariaLabel &&
      before.data?.overlay === laid &&
      before.data?.level === level &&
      (before.selected ?? false) === isSelected &&
      before.source === ends.source &&
      before.target === ends.target &&
      before.sourceHandle === ends.sourceHandle &&
      before.targetHandle === ends.targetHandle
    )
      return before;
    const made: LinkFlowEdge = {
      id: edge.key,
      type: "link",
      ...ends,
      selected: isSelected,
      selectable: edge.kind === "edge",
      data: { edge, ...(laid === undefined ? {} : { overlay: laid }), ...(level === undefined ? {} : { level }) },
      ariaLabel,
      domAttributes: EDGE_ATTRIBUTES,
    };
    known.set(edge.key, made);
    return made;
  });
}
