// useInView: keeps the selection visible when the canvas gets smaller, and brings a node into view. The viewport moves
// as little as possible, and not at all if the selection was already out of view.

import { type ReactFlowState, useStore, useStoreApi } from "@xyflow/react";
import { useLayoutEffect, useRef } from "react";
import { type Box, boundsOf, type Point } from "../../workflow/drawing/layout.ts";
import type { CanvasModel } from "./model.ts";

const MARGIN = 16;
const ofWidth = ({ width }: ReactFlowState): number => width;
const ofHeight = ({ height }: ReactFlowState): number => height;

export interface Shown {
  model: CanvasModel;
  positions: ReadonlyMap<string, Point>;
  selected: ReadonlySet<string>;
  /** Width in pixels that a drawer covers at the right edge. */
  covered: number;
}

/** Returns a function that centres a node if it is out of view. */
export function useInView({ model, positions, selected, covered }: Shown): (id: string) => void {
  const store = useStoreApi();
  const width = useStore(ofWidth) - covered;
  const height = useStore(ofHeight);
  const before = useRef({ width, height });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new size moves the drawing.
  useLayoutEffect(() => {
    const was = before.current;
    if (width <= 0 || height <= 0) return;
    before.current = { width, height };
    if (selected.size === 0 || (width >= was.width && height >= was.height)) return;
    const box = onScreen(selected);
    const isInSight = box.x + box.width > 0 && box.y + box.height > 0 && box.x < was.width && box.y < was.height;
    if (isInSight) move(shift(box.x, box.width, width), shift(box.y, box.height, height));
  }, [width, height]);
  return (id) => {
    const { height, ...frame } = store.getState();
    const width = frame.width - covered;
    const box = onScreen([id]);
    if (box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height) return;
    move(centre(box.x, box.width, width), centre(box.y, box.height, height));
  };

  function onScreen(ids: Iterable<string>): Box {
    const [x, y, zoom] = store.getState().transform;
    const box = boundsOf(model, positions, ids);
    return { x: box.x * zoom + x, y: box.y * zoom + y, width: box.width * zoom, height: box.height * zoom };
  }

  function move(dx: number, dy: number): void {
    const { transform, panZoom } = store.getState();
    const [x, y, zoom] = transform;
    if (dx !== 0 || dy !== 0) void panZoom?.setViewport({ x: x + dx, y: y + dy, zoom });
  }
}

function centre(from: number, size: number, room: number): number {
  return (room - Math.min(size, room)) / 2 - from;
}

/** The smallest move that brings a range into view. A range that is too large is aligned with the start. */
function shift(from: number, size: number, room: number): number {
  if (from >= 0 && from + size <= room) return 0;
  return from < 0 || size + 2 * MARGIN > room ? MARGIN - from : room - MARGIN - from - size;
}
