// changes: turns React Flow's drag and selection changes into selections and positions. Pure.

import type { EdgeChange, NodeChange } from "@xyflow/react";
import type { Box, Point } from "../../workflow/drawing/layout.ts";
import type { FlowNode } from "./flow-items.ts";
import type { LinkFlowEdge } from "./link.tsx";
import type { CanvasModel } from "./model.ts";

/** The selection after these changes, or `undefined` if it stays the same. For a loop, either end can be selected. */
export function selectedAfter(
  model: CanvasModel,
  selected: ReadonlySet<string>,
  changes: readonly NodeChange<FlowNode>[],
): ReadonlySet<string> | undefined {
  const selects = changes.filter((change) => change.type === "select");
  if (selects.length === 0) return undefined;
  const next = new Set(selected);
  for (const { id, selected: on } of selects) {
    const end = model.loops.get(id)?.end.id;
    if (on && !(end !== undefined && next.has(end))) next.add(id);
    if (!on) {
      next.delete(id);
      if (end !== undefined) next.delete(end);
    }
  }
  return next;
}

/** The same for edges. */
export function edgesAfter(
  selected: ReadonlySet<string>,
  changes: readonly EdgeChange<LinkFlowEdge>[],
): ReadonlySet<string> | undefined {
  const selects = changes.filter((change) => change.type === "select");
  if (selects.length === 0) return undefined;
  const next = new Set(selected);
  for (const { id, selected: on } of selects) on ? next.add(id) : next.delete(id);
  return next;
}

export interface Moved {
  positions: ReadonlyMap<string, Point>;
  /** Whether the user released the nodes. */
  dropped: boolean;
}

export function movedAfter(
  model: CanvasModel,
  positions: ReadonlyMap<string, Point>,
  boxes: ReadonlyMap<string, Box>,
  changes: readonly NodeChange<FlowNode>[],
): Moved | undefined {
  const moves = changes.flatMap((change) =>
    change.type === "position" && change.position !== undefined
      ? [{ id: change.id, to: change.position, dragging: change.dragging }]
      : [],
  );
  if (moves.length === 0) return undefined;
  const next = new Map(positions);
  const own = new Set(moves.map(({ id }) => id));
  for (const { id, to } of moves) {
    const loop = model.loops.get(id);
    const box = boxes.get(id);
    if (loop === undefined || box === undefined) {
      next.set(id, to);
      continue;
    }
    // The position of a box follows from its body, so moving the box moves the body.
    const [dx, dy] = [to.x - box.x, to.y - box.y];
    for (const inside of [loop.start.id, loop.end.id, ...loop.inside]) {
      const place = positions.get(inside);
      if (place !== undefined && (!own.has(inside) || inside === id))
        next.set(inside, { x: place.x + dx, y: place.y + dy });
    }
  }
  return { positions: next, dropped: moves.some(({ dragging }) => dragging === false) };
}

/** The positions that differ. */
export function placesChanged(
  before: ReadonlyMap<string, Point>,
  after: ReadonlyMap<string, Point>,
): Record<string, [number, number]> {
  const places: Record<string, [number, number]> = {};
  for (const [id, { x, y }] of after) {
    const place = before.get(id);
    if (place === undefined || place.x !== x || place.y !== y) places[id] = [x, y];
  }
  return places;
}
