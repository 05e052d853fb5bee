// layout: positions the nodes of a graph from left to right. The canvas and `curlew graph --svg` share it. Pure.
//   L1. A node is to the right of its parents. A loop is one box around its body. Cards and boxes do not overlap.
//   L2. Nodes with a position keep it. If most nodes have one, the others go beside their parents, in the first free row.
//       Otherwise they stay where they are in a graph without positions.

import type { Graph } from "../graph.ts";

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

export const CARD = { width: 228, height: 92 } as const;
/** Between the box of a loop and its body. */
export const PAD = { side: 44, top: 40, bottom: 16 } as const;
/** Size of a loop without a body. */
const EMPTY = { width: 300, height: 130 } as const;
const GAP = { x: 72, y: 40 } as const;
const COLUMN = CARD.width + GAP.x;
const ROW = CARD.height + GAP.y;

export interface DrawnLoop {
  end: { id: string };
  /** Directly inside: nodes, and inner loops by their start. */
  body: readonly string[];
  /** Inside at any depth, with the starts and ends of inner loops. */
  inside: readonly string[];
  /** The start of the loop around it. */
  parent?: string;
  depth: number;
}

export interface DrawnEdge {
  key: string;
  source: string;
  target: string;
  handle?: string;
  /**
   * `reference`: the target names the source by its id. `wait`: it names a Variable or Accumulator, or waits for the loop
   * around one. Both are drawn dashed.
   */
  kind: "edge" | "reference" | "wait";
}

export interface Drawing {
  /** Node ids in topological order. */
  order: readonly string[];
  edges: readonly DrawnEdge[];
  /** By the id of the start. */
  loops: ReadonlyMap<string, DrawnLoop>;
  /** Loop end to loop start. */
  startOf: ReadonlyMap<string, string>;
}

/** Loops that are drawn as boxes. A node with `emit: lines` has no end, so it stays a card. */
export function drawnLoops(graph: Graph): Map<string, DrawnLoop> {
  const loops = new Map<string, DrawnLoop>();
  for (const loop of graph.loops.values()) {
    const [start, end] = [graph.nodes[loop.start], graph.nodes[loop.end]];
    if (loop.listener || start === undefined || end === undefined) continue;
    const parent = graph.loops.get(loop.parent)?.listener ? undefined : graph.nodes[loop.parent]?.id;
    const idsOf = (nodes: Graph["nodes"]): string[] => nodes.map(({ id }) => id);
    loops.set(start.id, {
      end,
      body: idsOf(graph.nodes.filter((node) => node.loop === loop.start && !graph.startOf.has(node.index))),
      inside: idsOf(graph.nodes.filter((node) => node.loops.includes(loop.start))),
      parent,
      depth: loop.inside.length - 1,
    });
  }
  return loops;
}

export interface Wire {
  source: number;
  target: number;
  handle?: string;
  kind: DrawnEdge["kind"];
}

/** Every edge of the workflow and every reference, then every other wait. By node index. */
export function wiresOf(graph: Graph): Wire[] {
  const edges = graph.nodes.flatMap(({ index, parents }): Wire[] =>
    parents.map(({ source, handle, reference }) => ({
      source,
      target: index,
      handle,
      kind: reference === true ? "reference" : "edge",
    })),
  );
  const waits = graph.nodes.flatMap(({ index, parents, waits, refers }): Wire[] =>
    waits
      .filter((wait) => !parents.some(({ source }) => source === wait))
      .map((source) => ({
        source,
        target: index,
        kind: refers.has(graph.nodes[source]!.id) ? "reference" : "wait",
      })),
  );
  return [...edges, ...waits];
}

/** `seen`: positions to keep of nodes that have none in the file. The nodes that are in neither map are new. */
export function layout(
  drawing: Drawing,
  given: ReadonlyMap<string, Point> = new Map(),
  seen: ReadonlyMap<string, Point> = new Map(),
): Map<string, Point> {
  if (seen.size > 0) return besideOthers(drawing, new Map([...seen, ...given]));
  const usual = usualPlaces({ ...drawing, order: withoutEnds(drawing, given) });
  if (given.size === 0) return usual;
  return besideOthers(drawing, given, { usual, isFew: given.size * 2 <= drawing.order.length });
}

/** The nodes without those that have a position and lead to no others, so that a new node moves nothing (L2). */
function withoutEnds({ order, edges }: Drawing, given: ReadonlyMap<string, Point>): string[] {
  const next = new Map<string, string[]>();
  for (const { source, target } of edges) next.set(source, [...(next.get(source) ?? []), target]);
  const kept = new Set<string>();
  for (const id of order.toReversed())
    if (!given.has(id) || next.get(id)?.some((target) => kept.has(target))) kept.add(id);
  return order.filter((id) => kept.has(id));
}

function usualPlaces(drawing: Drawing): Map<string, Point> {
  const owners = new Map<string, string>();
  for (const [start, { body }] of drawing.loops) for (const id of body) owners.set(id, start);
  const positions = new Map<string, Point>();
  for (const block of blocksOf(undefined, drawing, owners).values())
    for (const [id, { x, y }] of block.inner) positions.set(id, { x: block.x + x, y: block.y + y });
  return positions;
}

/** A card, or a loop with its body. `anchor`: distance from its top to its first row. */
interface Block extends Box {
  anchor: number;
  inner: ReadonlyMap<string, Point>;
}

/** The blocks of a loop's body or of the whole graph, each in the row of its first parent or in the next free one. */
function blocksOf(
  level: string | undefined,
  drawing: Drawing,
  owners: ReadonlyMap<string, string>,
): Map<string, Block> {
  const blocks = new Map<string, Block>();
  const columns = new Map<number, Box[]>();
  const parents = parentsIn(level, drawing, owners);
  const started = new Set<string>();
  let lowest = 0;
  const place = (id: string): void => {
    if (started.has(id)) return;
    started.add(id);
    const before = parents.get(id) ?? [];
    // An edge into the body of a loop makes the whole box wait, even if its start comes earlier in the order.
    for (const parent of before) place(parent);
    const placed = before.flatMap((parent) => blocks.get(parent) ?? []);
    const [first] = placed;
    const block = drawing.loops.has(id) ? loopBlock(id, drawing, owners) : cardBlock(id);
    block.x = Math.max(0, ...placed.map(({ x, width }) => x + width + GAP.x));
    block.y = (first === undefined ? lowest : first.y + first.anchor) - block.anchor;
    moveToFree(block, columns);
    lowest = Math.max(lowest, block.y + block.height + GAP.y);
    blocks.set(id, block);
  };
  for (const id of drawing.order) if (itemIn(level, id, drawing, owners) === id) place(id);
  return blocks;
}

/** Moves a block down until nothing is in its way. `columns` holds the boxes in each column, from top to bottom. */
function moveToFree(block: Block, columns: Map<number, Box[]>): void {
  const first = Math.floor(block.x / COLUMN);
  const last = Math.floor((block.x + block.width + GAP.x / 2) / COLUMN);
  const own = Array.from({ length: last - first + 1 }, (_, at) => columns.get(first + at) ?? []);
  const near = own.length === 1 ? own[0]! : own.flat().sort((a, b) => a.y - b.y);
  for (const { x, y, width, height } of near) {
    if (block.x >= x + width + GAP.x || x >= block.x + block.width + GAP.x) continue;
    if (block.y < y + height + GAP.y && y < block.y + block.height + GAP.y) block.y = y + height + GAP.y;
  }
  for (const [at, column] of own.entries()) {
    column.splice(column.findLastIndex(({ y }) => y <= block.y) + 1, 0, block);
    columns.set(first + at, column);
  }
}

/** The item that contains a node at a level: itself, or the loop around it. Undefined when it is further out. */
function itemIn(
  level: string | undefined,
  id: string,
  { startOf }: Drawing,
  owners: ReadonlyMap<string, string>,
): string | undefined {
  let item: string | undefined = startOf.get(id) ?? id;
  while (item !== undefined && owners.get(item) !== level) item = owners.get(item);
  return item;
}

function parentsIn(
  level: string | undefined,
  drawing: Drawing,
  owners: ReadonlyMap<string, string>,
): Map<string, string[]> {
  const parents = new Map<string, string[]>();
  for (const { source, target, kind } of drawing.edges) {
    const [from, to] = [itemIn(level, source, drawing, owners), itemIn(level, target, drawing, owners)];
    if (kind === "wait" || from === undefined || to === undefined || from === to) continue;
    const own = parents.get(to);
    if (own === undefined) parents.set(to, [from]);
    else own.push(from);
  }
  return parents;
}

function cardBlock(id: string): Block {
  return { x: 0, y: 0, ...CARD, anchor: 0, inner: new Map([[id, { x: 0, y: 0 }]]) };
}

function loopBlock(start: string, drawing: Drawing, owners: ReadonlyMap<string, string>): Block {
  const blocks = [...blocksOf(start, drawing, owners).values()];
  const ends: [string, Point][] = [start, drawing.loops.get(start)!.end.id].map((id) => [id, { x: 0, y: 0 }]);
  if (blocks.length === 0) return { x: 0, y: 0, ...EMPTY, anchor: PAD.top, inner: new Map(ends) };
  const body = around(blocks);
  const shift = { x: PAD.side - body.x, y: PAD.top - body.y };
  const inner = new Map(ends);
  for (const block of blocks)
    for (const [id, { x, y }] of block.inner) inner.set(id, { x: shift.x + block.x + x, y: shift.y + block.y + y });
  const first = blocks[0]!;
  return { ...padded(body), x: 0, y: 0, anchor: shift.y + first.y + first.anchor, inner };
}

/** L2. `usual`: the positions without any given one. `isFew`: only a few are given, so the usual ones apply. */
function besideOthers(
  { order, edges, loops, startOf }: Drawing,
  given: ReadonlyMap<string, Point>,
  { usual, isFew }: { usual?: ReadonlyMap<string, Point>; isFew?: boolean } = {},
): Map<string, Point> {
  const positions = new Map(given);
  const columns = new Map<number, Point[]>();
  const isCard = (id: string): boolean => !loops.has(id) && !startOf.has(id);
  const add = (id: string, point: Point): void => {
    positions.set(id, point);
    const column = Math.floor(point.x / COLUMN);
    if (isCard(id)) columns.set(column, [...(columns.get(column) ?? []), point]);
  };
  const isFree = ({ x, y }: Point): boolean => {
    const column = Math.floor(x / COLUMN);
    return ![column - 1, column, column + 1].some((at) =>
      columns
        .get(at)
        ?.some((other) => Math.abs(other.x - x) < CARD.width + 16 && Math.abs(other.y - y) < CARD.height + 16),
    );
  };
  const parents = new Map<string, string[]>();
  for (const { source, target, kind } of edges)
    if (kind === "edge") parents.set(target, [...(parents.get(target) ?? []), source]);
  for (const [id, point] of given) add(id, point);
  const bottom = Math.max(0, ...[...given.values()].map(({ y }) => y + ROW));
  for (const id of order) {
    if (positions.has(id)) continue;
    const parent = isFew ? undefined : parents.get(id)?.find((one) => positions.has(one));
    const from = positions.get(parent ?? "");
    const point = from === undefined ? { x: 0, y: bottom, ...usual?.get(id) } : { x: from.x + COLUMN, y: from.y };
    while (isCard(id) && !isFree(point)) point.y += ROW;
    add(id, point);
  }
  return positions;
}

/** The boxes of all loops, by their start. */
export function boxesOf({ loops }: Pick<Drawing, "loops">, positions: ReadonlyMap<string, Point>): Map<string, Box> {
  const boxes = new Map<string, Box>();
  const innerFirst = [...loops].sort(([, a], [, b]) => b.depth - a.depth);
  for (const [start, { body }] of innerFirst) {
    const inner = body.flatMap((id) => boxes.get(id) ?? cardBox(positions.get(id)));
    const origin = positions.get(start) ?? { x: 0, y: 0 };
    boxes.set(start, inner.length === 0 ? { ...origin, ...EMPTY } : padded(around(inner)));
  }
  return boxes;
}

/** The box around the whole graph, or around some of its nodes. */
export function boundsOf(
  drawing: Pick<Drawing, "order" | "loops" | "startOf">,
  positions: ReadonlyMap<string, Point>,
  ids: Iterable<string> = drawing.order,
): Box {
  const boxes = boxesOf(drawing, positions);
  const all = [...ids]
    .map((id) => drawing.startOf.get(id) ?? id)
    .flatMap((id) => boxes.get(id) ?? cardBox(positions.get(id)));
  return all.length === 0 ? { x: 0, y: 0, ...CARD } : around(all);
}

function cardBox(at: Point | undefined): Box[] {
  return at === undefined ? [] : [{ ...at, ...CARD }];
}

function around(boxes: readonly Box[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function padded({ x, y, width, height }: Box): Box {
  return {
    x: x - PAD.side,
    y: y - PAD.top,
    width: width + 2 * PAD.side,
    height: height + PAD.top + PAD.bottom,
  };
}
