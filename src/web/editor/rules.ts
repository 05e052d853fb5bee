// rules: which connections are possible, and where the arrow keys go (spec 2.3 "type-checked handles", ui.md 6.5).

import { type Box, boxesOf, CARD, PAD, type Point } from "../../workflow/drawing/layout.ts";
import type { CanvasEdge, CanvasModel, LoopShape } from "../canvas/model.ts";
import type { Link } from "../document/index.ts";

/** The ids, with the whole body of each loop among them, because a loop is one box on the canvas. */
export function withLoops({ loops, startOf }: CanvasModel, ids: Iterable<string>): string[] {
  const whole = new Set<string>();
  for (const id of ids) {
    const loop = loops.get(startOf.get(id) ?? id);
    for (const one of loop === undefined ? [id] : [loop.start.id, ...loop.inside, loop.end.id]) whole.add(one);
  }
  return [...whole];
}

/** The innermost loop that the node is in, or whose start it is. */
export function loopAround({ loops }: CanvasModel, id: string): LoopShape | undefined {
  const around = [...loops.values()].filter(({ start, inside }) => start.id === id || inside.includes(id));
  return around.sort((a, b) => b.depth - a.depth)[0];
}

/** The loops whose whole body is among the ids, but not the loop itself. Its start and end stay connected. */
export function emptiedLoops({ loops }: CanvasModel, ids: readonly string[]): string[] {
  return [...loops].flatMap(([id, { end, inside }]) => {
    const isWhole = inside.length > 0 && inside.every((one) => ids.includes(one));
    return isWhole && !ids.includes(id) && !ids.includes(end.id) ? [id] : [];
  });
}

/** Why two nodes cannot be connected this way, or `undefined` if they can. */
export function whyNot(model: CanvasModel, { source, target, handle }: Link): string | undefined {
  const [from, to] = [model.byId.get(source), model.byId.get(target)];
  if (from === undefined || to === undefined) return "One of the nodes no longer exists.";
  if (source === target) return "A node cannot follow itself. A loop repeats nodes.";
  if (to.type === "start") return "Nothing can lead into a start node.";
  if (handle === undefined && !from.outs.includes("")) return "An edge from an IF starts at its port true or false.";
  if ((handle === "true" || handle === "false") && from.type !== "if") return "Only an IF has a port true or false.";
  if (handle === "error" && !from.outs.includes("error")) return "Only nodes that run something have an error port.";
  const isSame = (edge: CanvasEdge) => edge.source === source && edge.target === target && edge.handle === handle;
  if (model.edges.some((edge) => edge.kind === "edge" && isSame(edge))) return "They are already connected.";
  const start = model.startOf.get(source);
  if (start !== undefined && model.loops.get(start)?.inside.includes(target))
    return "The loop's end leads out of the loop. Its start leads in.";
  const leaves = leavesLoop(model, source, target);
  if (leaves !== undefined) return leaves;
  if (leadsTo(model, target, source)) return "This edge would close a circle. To repeat the nodes, put them in a loop.";
  return undefined;
}

/** An edge out of a loop must start at the loop's end. */
function leavesLoop(model: CanvasModel, source: string, target: string): string | undefined {
  for (const { start, end, inside } of model.loops.values()) {
    if (!inside.includes(source) || inside.includes(target) || target === end.id) continue;
    if (target === start.id) return "The loop repeats automatically. Connect to its end.";
    return `"${model.byId.get(source)?.title}" is in a loop. Only the loop's end leads out of it.`;
  }
  return undefined;
}

function leadsTo(model: CanvasModel, from: string, to: string): boolean {
  const next = new Map<string, string[]>();
  for (const { source, target, kind } of model.edges)
    if (kind !== "wait") next.set(source, [...(next.get(source) ?? []), target]);
  const seen = new Set([from]);
  for (const id of seen) {
    if (id === to) return true;
    for (const one of next.get(id) ?? []) seen.add(one);
  }
  return false;
}

export type Way = "left" | "right" | "up" | "down";

/** The nearest node in a direction. Connected nodes come first. */
export function neighbour(model: CanvasModel, id: string, way: Way): string | undefined {
  const places = placesOf(model);
  const from = places.get(id);
  if (from === undefined) return undefined;
  const linked = model.edges.flatMap(({ source, target }) =>
    source === id ? [target] : target === id ? [source] : [],
  );
  return nearest(places, from, id, way, linked) ?? nearest(places, from, id, way, model.order);
}

/** The start and the end of a loop are at the borders of its box. */
function placesOf(model: CanvasModel): ReadonlyMap<string, Point> {
  const places = new Map(model.positions);
  for (const [start, { x, y, width }] of boxesOf(model, model.positions)) {
    const top = y + PAD.top;
    places.set(start, { x, y: top });
    places.set(model.loops.get(start)?.end.id ?? "", { x: x + width - CARD.width, y: top });
  }
  return places;
}

type Places = ReadonlyMap<string, Point>;

function nearest(places: Places, from: Point, id: string, way: Way, among: readonly string[]): string | undefined {
  let best: { id: string; cost: number } | undefined;
  for (const other of among) {
    const place = places.get(other);
    if (place === undefined || other === id) continue;
    const [dx, dy] = [place.x - from.x, place.y - from.y];
    const [along, across] =
      way === "left" ? [-dx, dy] : way === "right" ? [dx, dy] : way === "up" ? [-dy, dx] : [dy, dx];
    if (along <= 8) continue;
    const cost = along + Math.abs(across) * 2;
    if (best === undefined || cost < best.cost) best = { id: other, cost };
  }
  return best?.id;
}

/** Distances in pixels between new nodes. */
export const COLUMN = 300;
const ROW = 132;

/** The first free position for a new node in a direction from this one. */
export function placeBeside(model: CanvasModel, id: string, way: Way): Point {
  const places = model.startOf.has(id) ? placesOf(model) : model.positions;
  const from = places.get(id) ?? { x: 0, y: 0 };
  const [dx, dy] = { left: [-COLUMN, 0], right: [COLUMN, 0], up: [0, -ROW], down: [0, ROW] }[way] as [number, number];
  const place = { x: from.x + dx, y: from.y + dy };
  while (!isFree(model, place)) place.y += ROW;
  return place;
}

type Size = { width: number; height: number };

/**
 * A free position at or below the wanted one, otherwise in the middle of `view`, the visible part of the canvas. `size`:
 * of everything that is placed together.
 */
export function freePlace(model: CanvasModel, wanted: Point | undefined, view?: Box, size: Size = CARD): Point {
  const { x, y } = view === undefined ? (wanted ?? { x: 0, y: 0 }) : inView(view, wanted, size);
  const place = { x: Math.round(x), y: Math.round(y) };
  while (!isFree(model, place, size)) place.y += ROW;
  return place;
}

/** The wanted position, moved so that it is not outside of the view or below what covers the canvas. */
function inView(view: Box, wanted: Point | undefined, size: Size): Point {
  const within = (at: number | undefined, from: number, length: number, own: number): number =>
    at === undefined ? from + (length - own) / 2 : Math.max(from, Math.min(at, from + length - own));
  return {
    x: within(wanted?.x, view.x, view.width, size.width),
    y: within(wanted?.y, view.y, view.height, size.height),
  };
}

function isFree(model: CanvasModel, { x, y }: Point, size: Size = CARD): boolean {
  for (const { id } of model.cards) {
    const at = model.positions.get(id);
    if (at === undefined || at.x + CARD.width + 8 <= x || x + size.width + 8 <= at.x) continue;
    if (at.y + CARD.height + 8 > y && y + size.height + 8 > at.y) return false;
  }
  return true;
}
