// tab-order: Tab moves through the canvas in topological order: each node, then its outgoing edges, even those out of
// view.
//   T1. In the DOM, edges come first and only elements in view exist. So Tab between nodes and edges is handled here.
//       The browser handles Tab within a node and out of the canvas.

import { type KeyboardEvent, type RefObject, useMemo } from "react";
import { focusSoon } from "../ui/focus.ts";
import type { CanvasModel } from "./model.ts";

export interface Stop {
  kind: "node" | "edge";
  id: string;
}

function stopsOf({ order, startOf, edges }: CanvasModel): Stop[] {
  const leading = new Map<string, Stop[]>();
  for (const { key, source } of edges) leading.set(source, [...(leading.get(source) ?? []), { kind: "edge", id: key }]);
  return order.flatMap((id) => [
    ...(startOf.has(id) ? [] : [{ kind: "node", id } as const]),
    ...(leading.get(id) ?? []),
  ]);
}

/** The node or the edge around a DOM element. */
export function stopAt(element: Element): Stop | undefined {
  const drawn = element.closest(".react-flow__node, .react-flow__edge");
  const id = drawn?.getAttribute("data-id");
  if (!drawn || !id) return undefined;
  return { kind: drawn.classList.contains("react-flow__edge") ? "edge" : "node", id };
}

/** The drawn element itself, then the buttons in the head of a loop. */
function controlsOf(drawn: Element): HTMLElement[] {
  return [drawn as HTMLElement, ...drawn.querySelectorAll<HTMLElement>("button:not(:disabled)")];
}

export interface TabOrder {
  onKey(event: KeyboardEvent): void;
  /** Brings the stop into view first if necessary. `last` focuses the last control in it. */
  focus(stop: Stop, last?: boolean): void;
}

export function useTabOrder(
  model: CanvasModel,
  frame: RefObject<HTMLElement | null>,
  bringIntoView: (id: string) => void,
): TabOrder {
  const stops = useMemo(() => stopsOf(model), [model]);
  const find = ({ kind, id }: Stop) =>
    frame.current?.querySelector<HTMLElement>(`.react-flow__${kind}[data-id="${CSS.escape(id)}"]`) ?? null;

  const focus: TabOrder["focus"] = (stop, last = false) => {
    const drawn = find(stop);
    if (drawn !== null)
      return controlsOf(drawn)
        .at(last ? -1 : 0)
        ?.focus({ preventScroll: true });
    const edge = stop.kind === "edge" ? model.edges.find(({ key }) => key === stop.id) : undefined;
    bringIntoView(edge?.source ?? stop.id);
    focusSoon(() => find(stop));
  };

  const onKey: TabOrder["onKey"] = (event) => {
    if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target as Element;
    const drawn = target.closest(".react-flow__node, .react-flow__edge");
    const here = stopAt(target);
    if (drawn === null || here === undefined || target !== controlsOf(drawn).at(event.shiftKey ? 0 : -1)) return;
    const at = stops.findIndex(({ kind, id }) => kind === here.kind && id === here.id);
    const next = at < 0 ? undefined : stops[at + (event.shiftKey ? -1 : 1)];
    if (next === undefined) return;
    event.preventDefault();
    focus(next, event.shiftKey);
  };
  return { onKey, focus };
}
