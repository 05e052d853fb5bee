// far: a drawing that is seen from so far away that nobody reads it, as few paths (spec ui.md 6.8): all cards of one state are one shape,
// all links of one look one line. Pure.
//   F1. A state is told by its own sign, not by its colour alone.
//   F2. Lines end in the middle of the ports, and go the ways of those of near (ways.ts): nothing jumps when one comes nearer.
// Deliberately absent: titles (card.tsx writes them as long as they can be read), what is grabbed and focused (React Flow's own boxes).

import type { Badge } from "./card.tsx";
import { CARD, type CanvasEdge, type CanvasModel, type Point } from "./model.ts";
import { type CanvasOverlay, type EdgeOverlay, edgeKey, type OverlayStatus } from "./overlay.ts";
import type { Box } from "./sizes.ts";
import { pathOf, portsOf, type Ways } from "./ways.ts";

export interface Far {
  model: CanvasModel;
  positions: ReadonlyMap<string, Point>;
  boxes: ReadonlyMap<string, Box>;
  ways: Ways;
  selected: ReadonlySet<string>;
  selectedEdges: ReadonlySet<string>;
  overlay: CanvasOverlay | undefined;
  badges: ReadonlyMap<string, Badge> | undefined;
}

/** What is drawn alike. `error`: the checks found something in it. */
export type FarLook = OverlayStatus | "error";

export interface FarCards {
  look: FarLook;
  dimmed: boolean;
  /** Outlines of the cards, and the signs in them. */
  cards: string;
  signs: string;
}

export interface FarLinks {
  look: OverlayStatus;
  dash: "" | "wait" | "untaken";
  selected: boolean;
  path: string;
}

export interface FarDrawing {
  cards: FarCards[];
  links: FarLinks[];
  loops: string;
  chosen: string;
}

/** `titled`: the sign stands at the left, the title beside it. */
export function farDrawing(far: Far, titled: boolean): FarDrawing {
  return { cards: cardsOf(far, titled), links: linksOf(far), ...outlinesOf(far) };
}

function cardsOf({ model, positions, overlay, badges }: Far, titled: boolean): FarCards[] {
  const groups = new Map<string, FarCards>();
  for (const { id } of model.cards) {
    const place = positions.get(id);
    if (place === undefined) continue;
    const laid = overlay?.nodes.get(id);
    const look: FarLook = laid?.status ?? ((badges?.get(id)?.errors ?? 0) > 0 ? "error" : "ready");
    const dimmed = laid?.dimmed !== undefined;
    const key = `${look} ${dimmed}`;
    const group = groups.get(key) ?? { look, dimmed, cards: "", signs: "" };
    groups.set(key, group);
    group.cards += rectangle({ ...place, ...CARD });
    group.signs += signAt(look, place.x + (titled ? SIGN : CARD.width / 2), place.y + CARD.height / 2);
  }
  return [...groups.values()];
}

function rectangle({ x, y, width, height }: Box): string {
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}

/** From a card's left to the middle of its sign. */
const SIGN = 40;

/** F1. As state-icon.tsx draws them, with fewer strokes: 48 high around a point. */
function signAt(look: FarLook, x: number, y: number): string {
  const arc = (from: number, to: number, down = 0) => `M${x + from} ${y + down}a24 24 0 0 1 ${to - from} 0`;
  switch (look) {
    case "ready":
      return "";
    case "succeeded":
      return `M${x - 24} ${y + 2}l16 18l32 -40`;
    case "failed":
      return `M${x - 20} ${y - 20}l40 40m0 -40l-40 40`;
    case "error":
      return `M${x} ${y - 24}v26m0 16v6`;
    case "running":
      return arc(-24, 24, 12);
    case "queued":
      return `${arc(-24, 24)}${arc(24, -24)}M${x} ${y - 14}v14h12`;
    case "waiting":
      return `M${x - 10} ${y - 22}v44m20 -44v44`;
    case "skipped":
      return `M${x - 24} ${y}h48m-16 -16l16 16l-16 16`;
    case "cancelled":
      return `M${x - 18} ${y - 18}h36v36h-36z`;
  }
}

function linksOf(far: Far): FarLinks[] {
  const groups = new Map<string, FarLinks>();
  for (const edge of far.model.edges) {
    const laid = far.overlay?.edges.get(
      edgeKey({ source: edge.source, sourceHandle: edge.handle, target: edge.target }),
    );
    const ends = portsOf(far, edge);
    if (ends === undefined) continue;
    const path = pathOf(ends, far.ways.get(edge.key));
    const look = laid?.state === "taken" ? (laid.status ?? "succeeded") : "ready";
    const dash = dashOf(edge, laid?.state);
    const selected = far.selectedEdges.has(edge.key);
    const key = `${look} ${dash} ${selected}`;
    const group = groups.get(key) ?? { look, dash, selected, path: "" };
    groups.set(key, group);
    group.path += path;
  }
  return [...groups.values()];
}

function dashOf({ kind }: CanvasEdge, state: EdgeOverlay | undefined): FarLinks["dash"] {
  if (kind === "wait") return "wait";
  return state === "untaken" ? "untaken" : "";
}

function outlinesOf({ model, positions, boxes, selected }: Far): Pick<FarDrawing, "loops" | "chosen"> {
  let [loops, chosen] = ["", ""];
  for (const loop of model.loops.values()) {
    const box = boxes.get(loop.start.id);
    if (box === undefined) continue;
    if (selected.has(loop.start.id) || selected.has(loop.end.id)) chosen += rectangle(box);
    else loops += rectangle(box);
  }
  for (const { id } of model.cards) {
    const place = selected.has(id) ? positions.get(id) : undefined;
    if (place !== undefined) chosen += rectangle({ ...place, ...CARD });
  }
  return { loops, chosen };
}
