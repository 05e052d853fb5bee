// useWays: the ways of a drawing's edges. While nodes are dragged the edges at them are plain curves, and all others keep their ways: a look at
// everything in each frame would cost too much.

import { useMemo, useRef } from "react";
import { boxesOf } from "./boxes.ts";
import type { CanvasModel, Point } from "./model.ts";
import { standsAlike, type Ways, waysOf } from "./ways.ts";

export function useWays(model: CanvasModel, dragged: ReadonlyMap<string, Point> | undefined): Ways {
  const known = useRef<{ model: CanvasModel; ways: Ways }>(null);
  const settled = useMemo(() => {
    const { positions } = model;
    // What is typed into a field moves nothing.
    const ways =
      known.current !== null && standsAlike(known.current.model, model)
        ? known.current.ways
        : waysOf({ model, positions, boxes: boxesOf(model, positions) });
    known.current = { model, ways };
    return ways;
  }, [model]);
  return useMemo(() => {
    if (dragged === undefined || settled.size === 0) return settled;
    const isMoved = (id: string): boolean => {
      const [from, to] = [model.positions.get(id), dragged.get(id)];
      return from?.x !== to?.x || from?.y !== to?.y;
    };
    const moved = model.edges.filter(
      ({ key, source, target }) => settled.has(key) && (isMoved(source) || isMoved(target)),
    );
    if (moved.length === 0) return settled;
    const ways = new Map(settled);
    for (const { key } of moved) ways.delete(key);
    return ways;
  }, [model, dragged, settled]);
}
