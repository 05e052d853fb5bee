// collision: makes room for the box of a new or larger loop. Nodes that the box would cover move below it.

import { type Box, boxesOf, CARD, type Point } from "../../workflow/drawing/layout.ts";
import type { CanvasModel } from "./model.ts";

const GAP = 24;

/** The loops whose body is larger than before. */
export function grown(before: CanvasModel, after: CanvasModel): string[] {
  return [...after.loops.values()].flatMap(({ start, body }) => {
    const was = before.loops.get(start.id)?.body;
    const isGrown = was === undefined ? body.some((id) => before.byId.has(id)) : body.some((id) => !was.includes(id));
    return isGrown ? [start.id] : [];
  });
}

/** New positions for the nodes that a loop, or a loop around it, would cover. An inner loop moves with its body. */
export function makeRoom(model: CanvasModel, start: string): Map<string, Point> {
  const positions = new Map(model.positions);
  const moved = new Map<string, Point>();
  for (let loop = model.loops.get(start); loop !== undefined; loop = model.loops.get(loop.parent ?? "")) {
    const boxes = boxesOf(model, positions);
    const beside = new Map<string, Box>();
    for (const { id, loop: within } of model.cards)
      if (within === loop.parent && positions.has(id)) beside.set(id, { ...positions.get(id)!, ...CARD });
    for (const [id, box] of boxes) if (model.loops.get(id)?.parent === loop.parent) beside.set(id, box);
    const cover = boxes.get(loop.start.id)!;
    beside.delete(loop.start.id);
    for (const [id, box] of beside) {
      if (!overlaps(box, cover)) continue;
      const others = [...beside].flatMap(([other, its]) => (other === id ? [] : its));
      const y = freeBelow({ ...box, y: cover.y + cover.height + GAP }, others);
      beside.set(id, { ...box, y });
      for (const part of [id, model.loops.get(id)?.end.id ?? id, ...(model.loops.get(id)?.inside ?? [])]) {
        const at = positions.get(part);
        if (at !== undefined) moved.set(part, { x: at.x, y: at.y + y - box.y });
      }
    }
    for (const [id, at] of moved) positions.set(id, at);
  }
  return moved;
}

function freeBelow(box: Box, others: readonly Box[]): number {
  const hit = others.find((other) => overlaps(box, other));
  return hit === undefined ? box.y : freeBelow({ ...box, y: hit.y + hit.height + GAP }, others);
}

function overlaps(one: Box, other: Box): boolean {
  const isBeside = one.x >= other.x + other.width || other.x >= one.x + one.width;
  return !isBeside && one.y < other.y + other.height && other.y < one.y + one.height;
}
