// useViewport: fits the drawing into the view, brings nodes into view, and keeps the selection visible when the canvas
// gets smaller.

import { getViewportForBounds, useStore, useStoreApi, type Viewport } from "@xyflow/react";
import { useLayoutEffect, useMemo, useRef } from "react";
import { type Box, boundsOf, CARD, type Point } from "../../workflow/drawing/layout.ts";
import type { CanvasModel } from "./model.ts";

/** `smallest` applies unless the whole drawing needs a smaller zoom. `readable`: card titles can be read. */
const ZOOM = { smallest: 0.05, readable: 0.25, opened: 0.8, fitted: 1 } as const;
/** Free space around a fitted drawing: the palette is above it, the controls are below. */
const AROUND = { top: "64px", bottom: "56px", x: "6%" } as const;
const OPENED_AT = 60;

export interface Shown {
  model: CanvasModel;
  positions: ReadonlyMap<string, Point>;
  selected: ReadonlySet<string>;
  /** Width in pixels that a drawer covers at the right edge. */
  covered: number;
}

export function useViewport({ model, positions, selected, covered }: Shown) {
  const store = useStoreApi();
  const width = useStore((state) => state.width) - covered;
  const height = useStore((state) => state.height);
  const before = useRef({ width, height });
  /** The size now, which can be newer than the rendered one. */
  const room = () => ({ width: store.getState().width - covered, height: store.getState().height });

  const set = (viewport: Viewport | undefined): void => {
    if (viewport !== undefined) void store.getState().panZoom?.setViewport(viewport);
  };
  const fitting = (ids?: Iterable<string>): Viewport | undefined => {
    const { width, height } = room();
    if (width <= 0) return undefined;
    return getViewportForBounds(boundsOf(model, positions, ids), width, height, 0, ZOOM.fitted, AROUND);
  };
  const onScreen = (ids: Iterable<string>): Box => {
    const [x, y, zoom] = store.getState().transform;
    const box = boundsOf(model, positions, ids);
    return { x: box.x * zoom + x, y: box.y * zoom + y, width: box.width * zoom, height: box.height * zoom };
  };
  /** Centres the nodes if a part of them is out of view. */
  const bringIntoView = (ids: Iterable<string>): void => {
    const box = onScreen(ids);
    const { width, height } = room();
    if (box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height) return;
    const [x, y, zoom] = store.getState().transform;
    set({ x: x + centred(box.x, box.width, width), y: y + centred(box.y, box.height, height), zoom });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new size moves the drawing.
  useLayoutEffect(() => {
    const was = before.current;
    if (width <= 0 || height <= 0) return;
    before.current = { width, height };
    if (selected.size === 0 || (width >= was.width && height >= was.height)) return;
    const box = onScreen(selected);
    const wasInView = box.x + box.width > 0 && box.y + box.height > 0 && box.x < was.width && box.y < was.height;
    if (wasInView) bringIntoView(selected);
  }, [width, height]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fitting` reads these.
  const minZoom = useMemo(
    () => Math.min(ZOOM.smallest, fitting()?.zoom ?? ZOOM.smallest),
    [model, positions, width, height],
  );
  return {
    minZoom,
    bringIntoView,
    zoomBy: (factor: number) => void store.getState().panZoom?.scaleBy(factor, { duration: 100 }),
    fit: (ids?: Iterable<string>) => set(fitting(ids)),
    /** Shows everything if the titles can be read at that zoom, otherwise a readable part from the first node on. */
    open(): void {
      const all = fitting();
      const first = positions.get(model.order[0] ?? "");
      const zoom = ZOOM.opened;
      if (all === undefined || all.zoom >= ZOOM.readable || first === undefined) set(all);
      else set({ x: OPENED_AT - first.x * zoom, y: room().height / 2 - (first.y + CARD.height / 2) * zoom, zoom });
    },
  };
}

/** The distance that centres a range. A range that is too large is aligned with the start. */
function centred(from: number, size: number, room: number): number {
  return (room - Math.min(size, room)) / 2 - from;
}
