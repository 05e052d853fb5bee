// EdgeHint: shows the data that passed along the hovered or focused edge (spec ui.md 6.2). The node's panel and the
// outline show the same data (connections.tsx).
//   H1. The hint stays while the pointer is on it, and Escape closes it (WCAG 1.4.13).

import type { EdgeMouseHandler } from "@xyflow/react";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { EdgeData } from "./edge-data.ts";
import type { LinkFlowEdge } from "./link.tsx";
import type { CanvasEdge, CanvasModel } from "./model.ts";

export interface HintPlace {
  edge: CanvasEdge;
  /** Relative to the canvas. */
  x: number;
  y: number;
}

/** The id that an edge's `aria-describedby` refers to. */
export const HINT_ID = "edge-hint";
const LINGER_MS = 150;
const SIZE = { width: 340, height: 84 } as const;

export function useEdgeHint(frame: RefObject<HTMLElement | null>) {
  const [at, setAt] = useState<HintPlace>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stay = useCallback(() => clearTimeout(timer.current), []);
  const leave = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAt(undefined), LINGER_MS);
  }, []);
  /** `x` and `y` are in window coordinates. */
  const show = useCallback(
    (edge: CanvasEdge, x: number, y: number) => {
      const box = frame.current?.getBoundingClientRect();
      if (box === undefined) return;
      stay();
      setAt({
        edge,
        x: Math.max(8, Math.min(x - box.left + 10, box.width - SIZE.width - 8)),
        y: Math.max(8, Math.min(y - box.top + 10, box.height - SIZE.height - 8)),
      });
    },
    [frame, stay],
  );
  // No hint while something is dragged across the edge.
  const onEnterEdge = useCallback<EdgeMouseHandler<LinkFlowEdge>>(
    ({ clientX, clientY, buttons }, { data }) => {
      if (data !== undefined && buttons === 0) show(data.edge, clientX, clientY);
    },
    [show],
  );
  useEffect(() => stay, [stay]);
  const open = at !== undefined;
  useEffect(() => {
    if (!open) return;
    const own = new AbortController();
    const options = { capture: true, signal: own.signal };
    addEventListener("keydown", ({ key }) => key === "Escape" && setAt(undefined), options);
    addEventListener("pointerdown", () => setAt(undefined), options);
    return () => own.abort();
  }, [open]);
  return { at, show, onEnterEdge, stay, leave };
}

export interface EdgeHintProps {
  model: CanvasModel;
  at: HintPlace;
  data: EdgeData;
  onEnter: () => void;
  onLeave: () => void;
}

export function EdgeHint({ model, at: { edge, x, y }, data: { says, line }, onEnter, onLeave }: EdgeHintProps) {
  const name = (id: string): string => model.byId.get(id)?.title ?? id;
  const port = edge.handle === undefined ? "" : ` (${edge.handle})`;
  return (
    <div
      id={HINT_ID}
      role="tooltip"
      className="absolute z-10 flex max-w-[340px] flex-col gap-0.5 rounded-md border border-line bg-node px-2.5 py-1.5 text-sm shadow-lg"
      style={{ left: x, top: y }}
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
    >
      <span className="truncate text-muted">
        {name(edge.source)}
        {port} → {name(edge.target)}
        {edge.kind !== "edge" && ", by its name"}
      </span>
      <span>{says}</span>
      {line !== undefined && <code className="truncate">{line}</code>}
    </div>
  );
}
