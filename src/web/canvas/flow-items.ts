// flow-items: the model as React Flow's nodes and edges.
//   F1. Unchanged nodes, edges, and lists keep their objects. React Flow then skips them.

import { type Box, CARD, type Point } from "../../workflow/drawing/layout.ts";
import { count } from "../ui/words.ts";
import type { Badge, CardFlowNode } from "./card.tsx";
import { HINT_ID } from "./edge-hint.tsx";
import type { LinkFlowEdge } from "./link.tsx";
import type { LoopFlowNode } from "./loop-box.tsx";
import type { CanvasModel } from "./model.ts";
import type { CanvasOverlay, NodeOverlay } from "./overlay.ts";
import { boxHandles, cardHandles, portsOf } from "./ports.ts";
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
  onFill: (start: string, screen: Point) => void;
}

export interface EdgeItems extends Pick<Items, "model" | "positions" | "overlay"> {
  /** Heights of the edges that pass above or below nodes. An edge whose node is being dragged is a plain curve. */
  levels: ReadonlyMap<string, number>;
  selected: ReadonlySet<string>;
}

/** React Flow renders the texts of the canvas's `ariaLabelConfig` under these ids. */
const NODE_ATTRIBUTES = { "aria-describedby": "react-flow__node-desc-1" };
/** In the editor, the selected node gets the focus when the focused element disappears, such as a card with a new id. */
const FIRST_ATTRIBUTES = { ...NODE_ATTRIBUTES, "data-focus-first": "" };
const EDGE_ATTRIBUTES = { "aria-describedby": `${HINT_ID} react-flow__edge-desc-1`, tabIndex: -1 };

/** Keeps items from one rendering to the next (F1). */
class Kept<Item> {
  #items = new Map<string, { item: Item; from: readonly unknown[] }>();
  #list: Item[] = [];

  /** `from` lists everything that `make` reads. */
  list(wanted: readonly { id: string; from: readonly unknown[]; make: () => Item }[]): Item[] {
    const before = this.#items;
    this.#items = new Map();
    const list = wanted.map(({ id, from, make }) => {
      const old = before.get(id);
      const kept = old?.from.every((part, at) => part === from[at]) ? old : { item: make(), from };
      this.#items.set(id, kept);
      return kept.item;
    });
    if (list.length !== this.#list.length || list.some((item, at) => item !== this.#list[at])) this.#list = list;
    return this.#list;
  }
}

export class FlowItems {
  #nodes = new Kept<FlowNode>();
  #edges = new Kept<LinkFlowEdge>();

  nodes(items: Items): FlowNode[] {
    const { model } = items;
    return this.#nodes.list(
      model.order.flatMap((id) => {
        if (model.startOf.has(id)) return [];
        return model.loops.has(id) ? loopNode(items, id) : cardNode(items, id);
      }),
    );
  }

  edges({ model, positions, overlay, levels, selected }: EdgeItems): LinkFlowEdge[] {
    const isDragged = (id: string): boolean => {
      const [from, to] = [model.positions.get(id), positions.get(id)];
      return from?.x !== to?.x || from?.y !== to?.y;
    };
    return this.#edges.list(
      model.edges.map((edge) => {
        const { key, source, target, kind, label } = edge;
        const laid = overlay?.edges.get(key);
        const isFed = kind !== "edge" || model.byId.get(target)?.isFed === true;
        const level = isDragged(source) || isDragged(target) ? undefined : levels.get(key);
        const isSelected = selected.has(key);
        const ariaLabel = [edgeLabel(model, edge), laid?.change].filter(Boolean).join(", ");
        const ends = portsOf(model, edge);
        const make = (): LinkFlowEdge => ({
          id: key,
          type: "link",
          ...ends,
          selected: isSelected,
          selectable: kind !== "wait",
          reconnectable: kind === "edge",
          data: { edge, overlay: laid, level, isFed },
          ariaLabel,
          domAttributes: EDGE_ATTRIBUTES,
        });
        return { id: key, from: [laid, level, isSelected, ariaLabel, label, isFed, ...Object.values(ends)], make };
      }),
    );
  }
}

function cardNode({ model, positions, selected, overlay, badges, editing }: Items, id: string) {
  const card = model.byId.get(id);
  const at = positions.get(id);
  if (card === undefined || at === undefined) return [];
  const [isSelected, laid, badge] = [selected.has(id), overlay?.nodes.get(id), badges?.get(id)];
  const make = (): FlowNode => ({
    id,
    type: "card",
    position: at,
    ...CARD,
    measured: CARD,
    handles: cardHandles(card),
    selected: isSelected,
    data: { card, editing, overlay: laid, badge },
    ariaLabel: spokenLabel(card, stateWords(laid, badge)),
    domAttributes: editing && isSelected ? FIRST_ATTRIBUTES : NODE_ATTRIBUTES,
    zIndex: 2,
  });
  return [{ id, from: [card, at.x, at.y, isSelected, laid, badge, editing], make }];
}

function stateWords(laid: NodeOverlay | undefined, badge: Badge | undefined): string[] {
  const words: string[] = [];
  if (laid !== undefined && (laid.status !== "ready" || laid.change !== undefined)) words.push(laid.word);
  if (laid?.edited) words.push("edited after the run");
  if (laid?.attempts !== undefined && laid.attempts.length > 1) words.push(`attempt ${laid.attempts.length}`);
  if (badge !== undefined && badge.errors > 0) words.push(count(badge.errors, "error"));
  return words;
}

function loopNode({ model, boxes, selected, overlay, badges, editing, onChoose, onFill }: Items, id: string) {
  const loop = model.loops.get(id);
  const box = boxes.get(id);
  if (loop === undefined || box === undefined) return [];
  const { start, end, depth } = loop;
  const { x, y, width, height } = box;
  const laid = overlay?.nodes.get(id);
  const badge = badges?.get(id) ?? badges?.get(end.id);
  const onPass = overlay?.onPass;
  const chosen = selected.has(end.id) ? "end" : selected.has(id) ? "start" : undefined;
  const make = (): FlowNode => ({
    id,
    type: "loop",
    position: { x, y },
    width,
    height,
    measured: { width, height },
    handles: boxHandles(box),
    selected: chosen !== undefined,
    data: { loop, editing, chosen, onChoose, onFill, overlay: laid, badge, onPass },
    ariaLabel: spokenLabel(start, stateWords(laid, undefined)),
    domAttributes: editing && chosen !== undefined ? FIRST_ATTRIBUTES : NODE_ATTRIBUTES,
    zIndex: depth - 20,
    dragHandle: ".loop-head",
  });
  const isEmpty = loop.inside.length === 0;
  return [{ id, from: [start, end, isEmpty, depth, x, y, width, height, chosen, laid, badge, editing, onPass], make }];
}
