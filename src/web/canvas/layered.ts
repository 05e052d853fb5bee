// layered: places for nodes that have none, at once and without a worker (spec 1.1: missing positions are laid out automatically).
//   L1. From left to right by what a node waits for; nodes of a loop stand together; nobody stands on anybody.
//   L2. Nodes with a place keep it; new ones are put beside their parents.
// Deliberately absent: beauty of a hundred crossings; that is `tidy` (elk.ts), which a person asks for.

import type { CanvasEdge, LoopShape, Point } from "./model.ts";

const COLUMN = 300;
const ROW = 132;

export function layered(
  order: readonly string[],
  edges: readonly CanvasEdge[],
  loops: ReadonlyMap<string, LoopShape>,
  startOf: ReadonlyMap<string, string>,
  given: ReadonlyMap<string, Point>,
): Map<string, Point> {
  const parents = new Map<string, string[]>();
  for (const { source, target, kind } of edges)
    if (kind === "edge") parents.set(target, [...(parents.get(target) ?? []), source]);
  const places = new Map(given);
  if (given.size > 0) beside(order, parents, places);
  else fresh(order, parents, loops, startOf, places);
  return places;
}

/** Everything anew: the column is the longest way to it, the row follows the first parent. */
function fresh(
  order: readonly string[],
  parents: ReadonlyMap<string, readonly string[]>,
  loops: ReadonlyMap<string, LoopShape>,
  startOf: ReadonlyMap<string, string>,
  places: Map<string, Point>,
): void {
  const column = new Map<string, number>();
  const taken = new Map<number, Set<number>>();
  const rowOf = new Map<string, number>();
  let lowest = 0;
  const isOuter = (id: string): boolean => (loops.get(startOf.get(id) ?? id)?.depth ?? 1) === 0;
  for (const id of order) {
    const own = parents.get(id) ?? [];
    // The ends of a loop are no cards: what is in it stands where they are. Boxes within boxes need the room.
    const isEnd = startOf.has(id) && isOuter(id);
    const step = (parent: string): number => (isEnd || (loops.has(parent) && isOuter(parent)) ? 0 : 1);
    const before = own.flatMap((parent) => {
      const at = column.get(parent);
      return at === undefined ? [] : [at + step(parent)];
    });
    const at = Math.max(0, ...before);
    column.set(id, at);
    const start = startOf.get(id);
    let row =
      (start === undefined ? undefined : rowOf.get(start)) ??
      rowOf.get(own[0] ?? "") ??
      (own.length === 0 ? lowest : 0);
    if (!loops.has(id) && start === undefined) {
      const rows = taken.get(at) ?? new Set<number>();
      taken.set(at, rows);
      while (rows.has(row)) row++;
      rows.add(row);
    }
    rowOf.set(id, row);
    lowest = Math.max(lowest, row + 1);
    places.set(id, { x: at * COLUMN, y: row * ROW });
  }
}

/** Beside what is there: right of the first parent that has a place, below what stands in the way. */
function beside(
  order: readonly string[],
  parents: ReadonlyMap<string, readonly string[]>,
  places: Map<string, Point>,
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
    const point = parent === undefined ? { x: 0, y: bottom } : { x: parent.x + COLUMN, y: parent.y };
    while (!isFree(point.x, point.y)) point.y += ROW;
    places.set(id, point);
    add(point);
  }
}
