// useInView: what is selected stays in sight when the canvas gets smaller: the panel opens beside it or over it, the dock below it, the window
// is made narrower (spec ui.md 6.1).
//   V1. The drawing moves no farther than it must, and not at all where nothing was covered, or where the selection was out of sight before.
//   V2. Whoever saw all of it sees all of it when another view takes a part of the canvas, or gives it back.

import { type ReactFlowState, useStore, useStoreApi } from "@xyflow/react";
import { useLayoutEffect, useRef } from "react";
import { boundsOf } from "./boxes.ts";
import type { CanvasModel, Point } from "./model.ts";
import type { Box } from "./sizes.ts";

const MARGIN = 16;
const ofWidth = ({ width }: ReactFlowState): number => width;
const ofHeight = ({ height }: ReactFlowState): number => height;

export interface Shown {
  model: CanvasModel;
  positions: ReadonlyMap<string, Point>;
  selected: ReadonlySet<string>;
  /** How much of it something at its right edge lies over. */
  covered: number;
  /** How the canvas is shared with others: a view of its own, half of one. */
  share: string;
}

/** Answers with what brings one node into the middle, when it is not in sight. `showAll`: shows all of it, where it can be read then. */
export function useInView(
  { model, positions, selected, covered, share }: Shown,
  showAll: () => void,
): (id: string) => void {
  const store = useStoreApi();
  const width = useStore(ofWidth) - covered;
  const height = useStore(ofHeight);
  const before = useRef({ width, height, share });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the size that moves the drawing, not what is selected or drawn.
  useLayoutEffect(() => {
    const was = before.current;
    if (width <= 0 || height <= 0) return;
    before.current = { width, height, share };
    if (share !== was.share && isWhollyIn(placeOf(model.order), was)) {
      showAll();
      return;
    }
    if (selected.size === 0) return;
    if (width >= was.width && height >= was.height) return;
    const box = placeOf(selected);
    const { transform, panZoom } = store.getState();
    const [x, y, zoom] = transform;
    if (!isIn(box, was)) return;
    const dx = inside(box.x, box.width, width);
    const dy = inside(box.y, box.height, height);
    if (dx !== 0 || dy !== 0) void panZoom?.setViewport({ x: x + dx, y: y + dy, zoom });
  }, [width, height]);
  return (id) => {
    const { transform, panZoom, height, ...frame } = store.getState();
    const [x, y, zoom] = transform;
    const width = frame.width - covered;
    const box = placeOf([id]);
    if (box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height) return;
    const middle = (from: number, size: number, room: number) => (room - Math.min(size, room)) / 2 - from;
    void panZoom?.setViewport({
      x: x + middle(box.x, box.width, width),
      y: y + middle(box.y, box.height, height),
      zoom,
    });
  };

  /** On the screen. */
  function placeOf(ids: Iterable<string>): Box {
    const [x, y, zoom] = store.getState().transform;
    const shown = new Set([...ids].map((id) => model.startOf.get(id) ?? id));
    const box = boundsOf(model, positions, shown);
    return { x: box.x * zoom + x, y: box.y * zoom + y, width: box.width * zoom, height: box.height * zoom };
  }
}

function isWhollyIn({ x, y, width, height }: Box, frame: { width: number; height: number }): boolean {
  return x >= 0 && y >= 0 && x + width <= frame.width && y + height <= frame.height;
}

function isIn({ x, y, width, height }: Box, frame: { width: number; height: number }): boolean {
  return x + width > 0 && y + height > 0 && x < frame.width && y < frame.height;
}

/** How far it has to go; what has no room begins at the edge. */
function inside(from: number, size: number, room: number): number {
  if (from >= 0 && from + size <= room) return 0;
  return from < 0 || size + 2 * MARGIN > room ? MARGIN - from : room - MARGIN - from - size;
}
