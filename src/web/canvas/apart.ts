// apart: nobody stands under the box of a loop that came around what is drawn already, or that grew by what was put into it (spec ui.md 6.2).
//   A1. Who is covered goes the shortest way out, past whoever stands there, a loop with all that it repeats; nobody else moves.
//   A2. A loop around it grows with it, and has room as well.

import { boxesOf } from "./boxes.ts";
import type { CanvasModel, Point } from "./model.ts";
import { type Box, CARD } from "./sizes.ts";

const GAP = 24;

/** The loops that repeat more than before, of what was drawn or of what is new to them. */
export function grown(before: CanvasModel, after: CanvasModel): string[] {
  return [...after.loops.values()].flatMap(({ start, body }) => {
    const was = before.loops.get(start.id)?.body;
    const isGrown = was === undefined ? body.some((id) => before.byId.has(id)) : body.some((id) => !was.includes(id));
    return isGrown ? [start.id] : [];
  });
}

/** The places of those who have to move. */
export function apart(model: CanvasModel, start: string): Map<string, Point> {
  const moved = new Map<string, Point>();
  for (let loop = model.loops.get(start); loop !== undefined; loop = model.loops.get(loop.parent ?? "")) {
    const { parent } = loop;
    const own = loop.start.id;
    const places = new Map([...model.positions, ...moved]);
    const boxes = boxesOf(model, places);
    const around = boxes.get(own)!;
    const others = new Map<string, Box>();
    for (const { id, loop: within } of model.cards) {
      const place = places.get(id);
      if (within === parent && place !== undefined) others.set(id, { ...place, ...CARD });
    }
    for (const [id, box] of boxes) if (id !== own && model.loops.get(id)?.parent === parent) others.set(id, box);
    for (const [id, box] of others) {
      if (!isOn(box, around, 0)) continue;
      const rest = [around, ...[...others].flatMap(([other, its]) => (other === id ? [] : [its]))];
      const to = wayOut(box, around, rest);
      others.set(id, { ...box, ...to });
      for (const part of [id, model.loops.get(id)?.end.id, ...(model.loops.get(id)?.inside ?? [])]) {
        const place = part === undefined ? undefined : places.get(part);
        if (place !== undefined) moved.set(part!, { x: place.x + to.x - box.x, y: place.y + to.y - box.y });
      }
    }
  }
  return moved;
}

function isOn(one: Box, other: Box, gap: number): boolean {
  const isBeside = one.x >= other.x + other.width + gap || other.x >= one.x + one.width + gap;
  return !isBeside && one.y < other.y + other.height + gap && other.y < one.y + one.height + gap;
}

const BEHIND: readonly ((box: Box, other: Box) => Point)[] = [
  (box, other) => ({ x: box.x, y: other.y + other.height + GAP }),
  (box, other) => ({ x: other.x + other.width + GAP, y: box.y }),
  (box, other) => ({ x: box.x, y: other.y - box.height - GAP }),
  (box, other) => ({ x: other.x - box.width - GAP, y: box.y }),
];

/** A1. */
function wayOut(box: Box, around: Box, rest: readonly Box[]): Point {
  const far = ({ x, y }: Point): number => Math.abs(x - box.x) + Math.abs(y - box.y);
  const ends = BEHIND.map((behind) => {
    let at = behind(box, around);
    for (;;) {
      const inTheWay = rest.find((other) => isOn({ ...box, ...at }, other, GAP / 2));
      if (inTheWay === undefined) return at;
      at = behind({ ...box, ...at }, inTheWay);
    }
  });
  return ends.reduce((best, end) => (far(end) < far(best) ? end : best));
}
