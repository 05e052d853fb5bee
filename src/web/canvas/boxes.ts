// boxes: where the box of each loop stands, given where its body stands. Inner boxes first, so that outer ones hold them.

import type { CanvasModel, LoopShape, Point } from "./model.ts";
import { type Box, CARD, EMPTY, PAD } from "./sizes.ts";

export function boxesOf(model: CanvasModel, positions: ReadonlyMap<string, Point>): Map<string, Box> {
  const boxes = new Map<string, Box>();
  const deepest = [...model.loops.values()].sort((a, b) => b.depth - a.depth);
  for (const loop of deepest) boxes.set(loop.start.id, boxOf(loop, positions, boxes));
  return boxes;
}

function boxOf(loop: LoopShape, positions: ReadonlyMap<string, Point>, boxes: ReadonlyMap<string, Box>): Box {
  const inner = loop.body.flatMap((id): Box[] => {
    const box = boxes.get(id);
    if (box !== undefined) return [box];
    const place = positions.get(id);
    return place === undefined ? [] : [{ ...place, ...CARD }];
  });
  if (inner.length === 0) return { ...(positions.get(loop.start.id) ?? { x: 0, y: 0 }), ...EMPTY };
  const left = Math.min(...inner.map(({ x }) => x)) - PAD.side;
  const top = Math.min(...inner.map(({ y }) => y)) - PAD.top;
  const right = Math.max(...inner.map(({ x, width }) => x + width)) + PAD.side;
  const bottom = Math.max(...inner.map(({ y, height }) => y + height)) + PAD.bottom;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Around everything that is drawn, or around some of it. */
export function boundsOf(model: CanvasModel, positions: ReadonlyMap<string, Point>, ids?: ReadonlySet<string>): Box {
  const boxes = boxesOf(model, positions);
  const all = [
    ...model.cards
      .filter(({ id }) => ids === undefined || ids.has(id))
      .flatMap(({ id }) => {
        const place = positions.get(id);
        return place === undefined ? [] : [{ ...place, ...CARD }];
      }),
    ...[...boxes].filter(([id]) => ids === undefined || ids.has(id)).map(([, box]) => box),
  ];
  if (all.length === 0) return { x: 0, y: 0, width: CARD.width, height: CARD.height };
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -Infinity, -Infinity];
  for (const { x, y, width, height } of all) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
