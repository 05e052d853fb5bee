// stops: where Tab stands on the canvas, one after the other: each node in the order of the flow, behind it what leads on from it, also where
// that lies outside of what is drawn (spec ui.md 6.7: focus order = topological order).
//   S1. The page's own order is another one (all edges before all nodes, and only what is in view): between stops Tab is ours, inside of one
//       and out of the canvas it is the browser's.

import type { CanvasModel } from "./model.ts";

export interface Stop {
  /** Drawn as this: a loop's end has no card of its own. */
  kind: "node" | "edge";
  id: string;
}

/** `withEdges`: from far away none is drawn. */
export function stopsOf({ order, startOf, edges }: CanvasModel, withEdges = true): Stop[] {
  const leading = new Map<string, Stop[]>();
  for (const { key, source } of withEdges ? edges : [])
    leading.set(source, [...(leading.get(source) ?? []), { kind: "edge", id: key }]);
  return order.flatMap((id): Stop[] => [
    ...(startOf.has(id) ? [] : [{ kind: "node", id } as const]),
    ...(leading.get(id) ?? []),
  ]);
}

/** The card or the edge around an element of the page. */
export function stopAt(element: Element): Stop | undefined {
  const drawn = element.closest(".react-flow__node, .react-flow__edge");
  const id = drawn?.getAttribute("data-id");
  if (!drawn || !id) return undefined;
  return { kind: drawn.classList.contains("react-flow__edge") ? "edge" : "node", id };
}

export function drawnStop({ kind, id }: Stop, inside: Element | null): HTMLElement | null {
  return inside?.querySelector<HTMLElement>(`.react-flow__${kind}[data-id="${CSS.escape(id)}"]`) ?? null;
}

/** Itself, and the buttons of a loop's head. */
export function controlsOf(drawn: HTMLElement): HTMLElement[] {
  return [drawn, ...drawn.querySelectorAll<HTMLElement>("button:not(:disabled)")];
}

/** What Tab means on `target`: another stop; the browser's own way where there is nothing to do here (S1). */
export function stopAfter(stops: readonly Stop[], target: Element, back: boolean): Stop | undefined {
  const here = stopAt(target);
  if (here === undefined) return undefined;
  const at = stops.findIndex(({ kind, id }) => kind === here.kind && id === here.id);
  if (at < 0) return undefined;
  const drawn = target.closest<HTMLElement>(".react-flow__node, .react-flow__edge");
  if (target !== (drawn === null ? target : controlsOf(drawn).at(back ? 0 : -1))) return undefined;
  return stops[at + (back ? -1 : 1)];
}
