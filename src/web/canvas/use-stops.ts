// useStops: Tab and the focus on the canvas (stops.ts says in which order).

import { type KeyboardEvent, type RefObject, useMemo } from "react";
import { focusSoon } from "../ui/focus.ts";
import type { CanvasModel } from "./model.ts";
import { controlsOf, drawnStop, type Stop, stopAfter, stopsOf } from "./stops.ts";

export interface Stops {
  /** `take`: nothing is selected since Escape let go of it; whoever goes on from there means what has the focus. */
  onKey(event: KeyboardEvent, take?: (target: Element) => void): void;
  /** Brought into view and drawn first, where it is not. `back`: whoever comes from behind comes to its last control. */
  focus(stop: Stop, back?: boolean): void;
}

/** `bring`: a node into view. */
export function useStops(
  model: CanvasModel,
  withEdges: boolean,
  frame: RefObject<HTMLElement | null>,
  bring: (id: string) => void,
): Stops {
  const stops = useMemo(() => stopsOf(model, withEdges), [model, withEdges]);
  const focus = (stop: Stop, back = false): void => {
    const drawn = drawnStop(stop, frame.current);
    if (drawn !== null) {
      controlsOf(drawn)
        .at(back ? -1 : 0)
        ?.focus({ preventScroll: true });
      return;
    }
    const edge = stop.kind === "edge" ? model.edges.find(({ key }) => key === stop.id) : undefined;
    bring(edge?.source ?? stop.id);
    focusSoon(() => drawnStop(stop, frame.current));
  };
  const onKey: Stops["onKey"] = (event, take) => {
    if (!STAY.has(event.key)) take?.(event.target as Element);
    if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey) return;
    const next = stopAfter(stops, event.target as Element, event.shiftKey);
    if (next === undefined) return;
    event.preventDefault();
    focus(next, event.shiftKey);
  };
  return { onKey, focus };
}

const STAY: ReadonlySet<string> = new Set(["Escape", "Tab", "Shift", "Control", "Alt", "Meta"]);
