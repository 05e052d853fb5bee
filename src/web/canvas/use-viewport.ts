// useViewport: fits the drawing into the view, brings nodes into view, and keeps the selection visible when the canvas
// gets smaller.
//   V1. A workflow of up to 20 nodes opens at a zoom of 0.7 or more, a larger one at a zoom that has text. If not all of
//       it fits, its first nodes are in view, or what is selected.
//       A view that the user did not change is fitted again when the size changes.
//   V2. At the smallest zoom, everything is in view.

import { useStore, useStoreApi, type Viewport } from "@xyflow/react";
import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import { type Box, boundsOf, type Point } from "../../workflow/drawing/layout.ts";
import { ZOOM_OF } from "./detail.ts";
import type { CanvasModel } from "./model.ts";

const FITTED_MAX = 1;
/** V1. */
const FEW = { nodes: 20, zoom: 0.7 } as const;
/** Free space around a fitted drawing. The controls are below it. */
const AROUND = { side: 32, top: 24, bottom: 56 } as const;

export interface Shown {
  model: CanvasModel;
  positions: ReadonlyMap<string, Point>;
  selected: ReadonlySet<string>;
  /** Width in pixels that a drawer covers at the right edge. */
  covered: number;
  /** The element that covers the upper edge. */
  above: RefObject<HTMLElement | null> | undefined;
  /** Even a small workflow opens as a whole, at a zoom that has text. */
  whole: boolean | undefined;
}

export function useViewport({ model, positions, selected, covered, above, whole }: Shown) {
  const store = useStoreApi();
  const width = useStore((state) => state.width) - covered;
  const height = useStore((state) => state.height);
  const before = useRef({ width, height });
  const top = useRef(0);
  const opened = useRef<Viewport>(undefined);
  /** The part that nothing covers now, which can be newer than the rendered one. */
  const room = (): Box => {
    const { width, height, domNode } = store.getState();
    const lower = above?.current?.getBoundingClientRect().bottom ?? 0;
    top.current = Math.max(0, lower - (domNode?.getBoundingClientRect().top ?? 0));
    return { x: 0, y: top.current, width: width - covered, height: height - top.current };
  };
  const set = (viewport: Viewport | undefined): void => {
    if (viewport !== undefined) void store.getState().panZoom?.setViewport(viewport);
  };
  const fitting = (ids?: Iterable<string>): Viewport | undefined => {
    const view = inset(room());
    const whole = boundsOf(model, positions, ids);
    return view.width <= 0 ? undefined : viewOf(whole, whole, view, zoomFor(whole, view));
  };
  const onScreen = (ids: Iterable<string>): Box => {
    const [x, y, zoom] = store.getState().transform;
    const box = scaled(boundsOf(model, positions, ids), zoom);
    return { ...box, x: box.x + x, y: box.y + y };
  };
  const bringIntoView = (ids: Iterable<string>): void => {
    const [x, y, zoom] = store.getState().transform;
    set(broughtIn(onScreen(ids), room(), { x, y, zoom }, fitting(ids)));
  };
  /** V1. */
  const open = (): void => {
    const all = fitting();
    if (all === undefined) return;
    const isFew = model.order.length <= FEW.nodes && !whole;
    const isReadable = all.zoom >= (isFew ? FEW.zoom : ZOOM_OF.short);
    const first = boundsOf(model, positions, firstOf(model));
    opened.current = isReadable ? all : viewOf(boundsOf(model, positions), first, inset(room()), ZOOM_OF.full);
    set(opened.current);
    if (selected.size > 0) bringIntoView(selected);
  };
  const isAsOpened = (): boolean => {
    const [x, y, zoom] = store.getState().transform;
    const was = opened.current;
    return was !== undefined && Math.abs(was.x - x) < 1 && Math.abs(was.y - y) < 1 && was.zoom === zoom;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new size moves the drawing.
  useLayoutEffect(() => {
    const was = before.current;
    if (width <= 0 || height <= 0) return;
    before.current = { width, height };
    if (selected.size === 0 && isAsOpened()) open();
    if (selected.size === 0 || (width >= was.width && height >= was.height)) return;
    const box = onScreen(selected);
    const wasInView = right(box) > 0 && bottom(box) > 0 && box.x < was.width && box.y < was.height;
    if (wasInView) bringIntoView(selected);
  }, [width, height]);
  /** V2. */
  const minZoom = useMemo(() => {
    const view = inset({ x: 0, y: top.current, width, height: height - top.current });
    return Math.min(ZOOM_OF.short, zoomFor(boundsOf(model, positions), view));
  }, [model, positions, width, height]);
  return {
    minZoom,
    bringIntoView,
    zoomBy: (factor: number) => void store.getState().panZoom?.scaleBy(factor, { duration: 100 }),
    fit: (ids?: Iterable<string>) => set(fitting(ids)),
    open,
    visible(): Box | undefined {
      const [x, y, zoom] = store.getState().transform;
      const view = inset(room());
      return view.width <= 0 ? undefined : scaled({ ...view, x: view.x - x, y: view.y - y }, 1 / zoom);
    },
  };
}

function firstOf({ order, edges }: CanvasModel): string[] {
  const led = new Set(edges.map(({ target }) => target));
  return order.filter((id) => !led.has(id));
}

function inset({ x, y, width, height }: Box): Box {
  const { side, top, bottom } = AROUND;
  return { x: x + side, y: y + top, width: width - 2 * side, height: height - top - bottom };
}

function zoomFor(box: Box, view: Box): number {
  const zoom = Math.min(view.width / box.width, view.height / box.height, FITTED_MAX);
  return zoom > 0 ? zoom : FITTED_MAX;
}

/** Centres the whole drawing, or as much of it around the first nodes as the view holds. */
function viewOf(whole: Box, first: Box, view: Box, zoom: number): Viewport {
  const [all, start] = [scaled(whole, zoom), scaled(first, zoom)];
  const along = (from: "x" | "y", size: "width" | "height"): number => {
    if (all[size] <= view[size]) return centred(all[from], all[size], view[from], view[size]);
    const wanted = centred(start[from], start[size], view[from], view[size]);
    const most = view[from] - all[from];
    return Math.min(most, Math.max(wanted, most + view[size] - all[size]));
  };
  return { x: along("x", "width"), y: along("y", "height"), zoom };
}

/** Moves the view as little as needed. It zooms out only as far as the text can be read. */
function broughtIn(box: Box, view: Box, { x, y, zoom }: Viewport, fitted: Viewport | undefined): Viewport | undefined {
  if (box.x >= view.x && box.y >= view.y && right(box) <= right(view) && bottom(box) <= bottom(view)) return undefined;
  const to = inset(view);
  const isLarge = box.width > to.width || box.height > to.height;
  if (isLarge && fitted !== undefined && fitted.zoom >= ZOOM_OF.short) return fitted;
  return { x: x + shift(box.x, box.width, to.x, to.width), y: y + shift(box.y, box.height, to.y, to.height), zoom };
}

/** The smallest distance that moves a range into another one. A range that is too large is aligned with the start. */
function shift(from: number, size: number, start: number, room: number): number {
  return size > room || from < start ? start - from : Math.min(0, start + room - size - from);
}

/** The distance that centres a range. A range that is too large is aligned with the start. */
function centred(from: number, size: number, start: number, room: number): number {
  return start + (room - Math.min(size, room)) / 2 - from;
}

function scaled({ x, y, width, height }: Box, by: number): Box {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

function right({ x, width }: Box): number {
  return x + width;
}

function bottom({ y, height }: Box): number {
  return y + height;
}
