// edge-routing: computes the ends and curves of edges. The canvas and `curlew graph --svg` share it. Pure.
//   E1. An edge is a plain curve. If that would pass behind a card or box that it is not connected to, the edge runs
//       level above or below it.

import { type Box, CARD, type Drawing, type DrawnEdge, PAD, type Point } from "./layout.ts";

/** The ports of a box: distance from its top, level with its first card, and from its border to its inner ports. */
export const BOX_PORT = { y: PAD.top + CARD.height / 2, inner: 16 } as const;
/** Distance from a port to the level part of an edge, and between the level part and an obstacle. */
const BEND = 56;
const CLEAR = 14;
const SAMPLES = 16;
const HIDDEN_COST = 1e6;

export interface Ends {
  from: Point;
  to: Point;
}

/** Distance from the top of a card to the middle of a port. */
export function portTop(handle: string | undefined): number {
  if (handle === "true") return CARD.height * 0.3;
  if (handle === "false") return CARD.height * 0.7;
  return handle === "error" ? CARD.height - 13 : CARD.height / 2;
}

export function endsOf(
  { loops, startOf }: Pick<Drawing, "loops" | "startOf">,
  positions: ReadonlyMap<string, Point>,
  boxes: ReadonlyMap<string, Box>,
  { source, target, handle }: Pick<DrawnEdge, "source" | "target" | "handle">,
): Ends | undefined {
  const [closed, closes] = [startOf.get(source), startOf.get(target)];
  const out = boxes.get(closed ?? source) ?? positions.get(source);
  const into = boxes.get(closes ?? target) ?? positions.get(target);
  if (out === undefined || into === undefined) return undefined;
  const width = (box: Box | Point): number => ("width" in box ? box.width : CARD.width);
  const isBox = { out: closed !== undefined || loops.has(source), into: closes !== undefined || loops.has(target) };
  return {
    from: {
      x: out.x + (loops.has(source) ? BOX_PORT.inner : width(out)),
      y: out.y + (isBox.out ? BOX_PORT.y : portTop(handle)),
    },
    to: {
      x: into.x + (closes === undefined ? 0 : width(into) - BOX_PORT.inner),
      y: into.y + (isBox.into ? BOX_PORT.y : portTop(undefined)),
    },
  };
}

/** The path of an edge for SVG. `level`: the height from `detours`. */
export function pathOf({ from, to }: Ends, level?: number): string {
  if (level === undefined) {
    const reach = reachOf(from, to);
    return `M${from.x},${from.y} C${from.x + reach},${from.y} ${to.x - reach},${to.y} ${to.x},${to.y}`;
  }
  const half = BEND / 2;
  return [
    `M${from.x},${from.y}`,
    `C${from.x + half},${from.y} ${from.x + half},${level} ${from.x + BEND},${level}`,
    `L${to.x - BEND},${level}`,
    `C${to.x - half},${level} ${to.x - half},${to.y} ${to.x},${to.y}`,
  ].join(" ");
}

/** The middle of the path. */
export function middleOf({ from, to }: Ends, level?: number): Point {
  return { x: (from.x + to.x) / 2, y: level ?? (from.y + to.y) / 2 };
}

function reachOf(from: Point, to: Point): number {
  return to.x > from.x ? (to.x - from.x) / 2 : 8 * Math.sqrt(from.x - to.x);
}

/** Without an id: an edge that runs level. */
interface Obstacle extends Box {
  id?: string;
}

/** The heights of the edges that must avoid something, by key. Shorter edges choose first. */
export function detours(
  drawing: Drawing,
  positions: ReadonlyMap<string, Point>,
  boxes: ReadonlyMap<string, Box>,
): Map<string, number> {
  const levels = new Map<string, number>();
  const long = drawing.edges
    .flatMap((edge) => {
      const ends = endsOf(drawing, positions, boxes, edge);
      return ends !== undefined && ends.to.x - ends.from.x > CARD.width ? [{ edge, ends }] : [];
    })
    .sort((a, b) => a.ends.to.x - a.ends.from.x - (b.ends.to.x - b.ends.from.x));
  if (long.length === 0) return levels;
  const obstacles: Obstacle[] = [...boxes].map(([id, box]) => ({ ...box, id }));
  for (const [id, at] of positions)
    if (!boxes.has(id) && !drawing.startOf.has(id)) obstacles.push({ ...at, ...CARD, id });
  for (const { edge, ends } of long) {
    const { from, to } = ends;
    const passed = obstacles.filter(
      ({ id, x, width }) => x < to.x && x + width > from.x && (id === undefined || !isConnected(drawing, id, edge)),
    );
    if (!passed.some((box) => box.id !== undefined && isBehind(ends, box))) continue;
    const level = levelFor(ends, passed);
    levels.set(edge.key, level);
    obstacles.push({ x: from.x, y: level, width: to.x - from.x, height: 0 });
  }
  return levels;
}

/** The nearest free height. A height where the edge would bend behind a card is the last choice. */
function levelFor({ from, to }: Ends, passed: readonly Obstacle[]): number {
  const taken = passed.map(({ y, height }) => [y - CLEAR, y + height + CLEAR] as const).sort(([a], [b]) => a - b);
  const free: number[] = [];
  let end = -Infinity;
  for (const [top, bottom] of taken) {
    if (top >= end) free.push(end, top);
    end = Math.max(end, bottom);
  }
  free.push(end);
  const bends = [
    { left: from.x, port: from.y },
    { left: to.x - BEND, port: to.y },
  ].map(({ left, port }) => ({
    port,
    beside: passed.filter(({ id, x, width }) => id !== undefined && x < left + BEND && x + width > left),
  }));
  const cost = (level: number): number => {
    const hidden = bends.filter(({ port, beside }) =>
      beside.some(({ y, height }) => y < Math.max(level, port) && y + height > Math.min(level, port)),
    );
    return Math.abs(level - from.y) + Math.abs(level - to.y) + hidden.length * HIDDEN_COST;
  };
  // The first value is minus infinity: nothing is above the first obstacle.
  const [first, ...others] = free.slice(1).map((level) => ({ level, cost: cost(level) }));
  return others.reduce((best, one) => (one.cost <= best.cost ? one : best), first!).level;
}

/** Whether it is an end of the edge, or a loop around one of its ends. */
function isConnected({ loops, startOf }: Drawing, id: string, { source, target }: DrawnEdge): boolean {
  return [source, target].some(
    (end) => end === id || startOf.get(end) === id || loops.get(id)?.inside.includes(end) === true,
  );
}

function isBehind({ from, to }: Ends, { x, y, width, height }: Box): boolean {
  for (let step = 1; step < SAMPLES; step++) {
    const t = step / SAMPLES;
    const px = from.x + (to.x - from.x) * (1.5 * t * (1 - t) + t ** 3);
    const py = from.y + (to.y - from.y) * (3 * t * t - 2 * t ** 3);
    if (px > x && px < x + width && py > y - 2 && py < y + height + 2) return true;
  }
  return false;
}
