// layered: places for nodes that have none, at once and without a worker (spec 1.1: missing positions are laid out automatically).
//   L1. From left to right by what a node waits for; nodes of a loop stand together; nobody stands on anybody.
//   L2. Nodes with a place keep it; new ones are put beside their parents, one without a parent below all others: there it is seen, also when the
//       inspector opens beside the canvas.
// Deliberately absent: beauty of a hundred crossings; that is tidy.ts, which a person asks for.

import type { CanvasEdge, LoopShape, Point } from "./model.ts";
import { type Box, CARD, EMPTY, PAD } from "./sizes.ts";

const COLUMN = 300;
const ROW = 132;
/** Between what stands side by side, and one below the other; what is nearer to the side than `side` is in the way. */
const GAP = { x: COLUMN - 228, y: ROW - 78, side: 24 } as const;

export function layered(
  drawing: Omit<Drawing, "ownerOf">,
  given: ReadonlyMap<string, Point>,
  near: ReadonlyMap<string, Point> = new Map(),
): Map<string, Point> {
  const { order, edges, loops } = drawing;
  if (given.size === 0) return fresh({ ...drawing, ownerOf: ownersIn(loops) });
  const parents = new Map<string, string[]>();
  for (const { source, target, kind } of edges)
    if (kind === "edge") parents.set(target, [...(parents.get(target) ?? []), source]);
  const places = new Map(given);
  beside(order, parents, places, near);
  return places;
}

interface Drawing {
  order: readonly string[];
  edges: readonly CanvasEdge[];
  loops: ReadonlyMap<string, LoopShape>;
  startOf: ReadonlyMap<string, string>;
  /** The innermost loop around a card, or around a loop, by its start. */
  ownerOf: ReadonlyMap<string, string>;
}

/** What stands in one level: a card, or a loop with everything inside of it. `anchor`: where its first row begins, below its top. */
interface Block extends Box {
  anchor: number;
  inner: ReadonlyMap<string, Point>;
}

function ownersIn(loops: ReadonlyMap<string, LoopShape>): Map<string, string> {
  const owners = new Map<string, string>();
  for (const [start, { body }] of loops) for (const id of body) owners.set(id, start);
  return owners;
}

function fresh(drawing: Drawing): Map<string, Point> {
  const places = new Map<string, Point>();
  for (const block of blocksOf(undefined, drawing).values())
    for (const [id, { x, y }] of block.inner) places.set(id, { x: block.x + x, y: block.y + y });
  return places;
}

/** The blocks of a loop's body, or of the whole drawing: right of what they wait for, in the row of the first of it, or below. */
function blocksOf(level: string | undefined, drawing: Drawing): Map<string, Block> {
  const blocks = new Map<string, Block>();
  const columns = new Map<number, Box[]>();
  let lowest = 0;
  const parents = parentsIn(level, drawing);
  const begun = new Set<string>();
  const place = (id: string): void => {
    if (begun.has(id)) return;
    begun.add(id);
    // A loop into whose body something leads waits for that too, though its start does not.
    for (const parent of parents.get(id) ?? []) place(parent);
    const before = (parents.get(id) ?? []).flatMap((one) => blocks.get(one) ?? []);
    const block = drawing.loops.has(id) ? loopBlock(id, drawing) : cardBlock(id);
    block.x = Math.max(0, ...before.map(({ x, width }) => x + width + GAP.x));
    block.y = (before[0] === undefined ? lowest : before[0].y + before[0].anchor) - block.anchor;
    settle(block, columns);
    lowest = Math.max(lowest, block.y + block.height + GAP.y);
    blocks.set(id, block);
  };
  for (const id of drawing.order) if (itemIn(level, id, drawing) === id) place(id);
  return blocks;
}

/** What stands for a node in a level: itself, or the loop around it; nothing when it is further out. */
function itemIn(level: string | undefined, id: string, { startOf, ownerOf }: Drawing): string | undefined {
  let item: string | undefined = startOf.get(id) ?? id;
  while (item !== undefined && ownerOf.get(item) !== level) item = ownerOf.get(item);
  return item;
}

function parentsIn(level: string | undefined, drawing: Drawing): Map<string, string[]> {
  const parents = new Map<string, string[]>();
  for (const { source, target, kind } of drawing.edges) {
    if (kind !== "edge") continue;
    const [from, to] = [itemIn(level, source, drawing), itemIn(level, target, drawing)];
    if (from === undefined || to === undefined || from === to) continue;
    const own = parents.get(to);
    if (own === undefined) parents.set(to, [from]);
    else own.push(from);
  }
  return parents;
}

function cardBlock(id: string): Block {
  return { x: 0, y: 0, ...CARD, anchor: 0, inner: new Map([[id, { x: 0, y: 0 }]]) };
}

/** As large as its box will be drawn (boxes.ts). */
function loopBlock(start: string, drawing: Drawing): Block {
  const blocks = [...blocksOf(start, drawing).values()];
  const top = Math.min(...blocks.map(({ y }) => y));
  const shift = { x: PAD.side, y: PAD.top - (blocks.length === 0 ? 0 : top) };
  const inner = new Map<string, Point>([[start, { x: 0, y: 0 }]]);
  for (const block of blocks)
    for (const [id, { x, y }] of block.inner) inner.set(id, { x: shift.x + block.x + x, y: shift.y + block.y + y });
  const end = drawing.loops.get(start)?.end.id;
  if (end !== undefined) inner.set(end, { x: 0, y: 0 });
  if (blocks.length === 0) return { x: 0, y: 0, ...EMPTY, anchor: PAD.top, inner };
  return {
    x: 0,
    y: 0,
    width: Math.max(...blocks.map(({ x, width }) => x + width)) + 2 * PAD.side,
    height: Math.max(...blocks.map(({ y, height }) => y + height)) - top + PAD.top + PAD.bottom,
    anchor: shift.y + (blocks[0]?.y ?? 0) + (blocks[0]?.anchor ?? 0),
    inner,
  };
}

/** Down to where nothing is in its way. Columns hold what reaches into them, from top to bottom. */
function settle(block: Block, columns: Map<number, Box[]>): void {
  const first = Math.floor((block.x - GAP.side) / COLUMN);
  const last = Math.floor((block.x + block.width + GAP.side) / COLUMN);
  const near: Box[] = [];
  for (let at = first; at <= last; at += 1) near.push(...(columns.get(at) ?? []));
  if (last > first) near.sort((a, b) => a.y - b.y);
  for (const other of near) {
    const isBeside = other.x + other.width + GAP.side <= block.x || block.x + block.width + GAP.side <= other.x;
    const isAbove = other.y + other.height + GAP.y <= block.y;
    if (isBeside || isAbove || block.y + block.height + GAP.y <= other.y) continue;
    block.y = other.y + other.height + GAP.y;
  }
  for (let at = first; at <= last; at += 1) {
    const column = columns.get(at) ?? [];
    columns.set(at, column);
    const behind = column.findLastIndex(({ y }) => y <= block.y);
    column.splice(behind + 1, 0, block);
  }
}

/** Beside what is there: near where it is wanted, else right of the first parent that has a place; below what stands in the way (L2). */
function beside(
  order: readonly string[],
  parents: ReadonlyMap<string, readonly string[]>,
  places: Map<string, Point>,
  near: ReadonlyMap<string, Point>,
): void {
  const cells = new Map<string, Point[]>();
  const cell = (x: number, y: number): string => `${Math.floor(x / COLUMN)} ${Math.floor(y / ROW)}`;
  const add = (point: Point): void => {
    const key = cell(point.x, point.y);
    cells.set(key, [...(cells.get(key) ?? []), point]);
  };
  const isFree = (x: number, y: number): boolean => {
    for (const dx of [-1, 0, 1])
      for (const dy of [-1, 0, 1])
        for (const other of cells.get(cell(x + dx * COLUMN, y + dy * ROW)) ?? [])
          if (Math.abs(other.x - x) < 244 && Math.abs(other.y - y) < 94) return false;
    return true;
  };
  let bottom = 0;
  for (const point of places.values()) {
    add(point);
    bottom = Math.max(bottom, point.y + ROW);
  }
  for (const id of order) {
    if (places.has(id)) continue;
    const parent = (parents.get(id) ?? []).map((one) => places.get(one)).find((one) => one !== undefined);
    const point = {
      ...(near.get(id) ?? (parent === undefined ? { x: 0, y: bottom } : { x: parent.x + COLUMN, y: parent.y })),
    };
    while (!isFree(point.x, point.y)) point.y += ROW;
    places.set(id, point);
    add(point);
  }
}
