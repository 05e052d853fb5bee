// arranging: moves and tidies nodes, and walks from one to the next.

import { boundsOf, layout } from "../../workflow/drawing/layout.ts";
import { moveNodes, type Point } from "../document/index.ts";
import { say } from "../ui/toast.tsx";
import type { Editing } from "./editing.ts";
import { neighbour, type Way } from "./rules.ts";

const NUDGE_PX = 8;

export function arrangingOn(editing: Editing) {
  const { session, canvas } = editing.deps;
  return {
    nudge(way: Way, factor: number) {
      const by = NUDGE_PX * factor;
      const [dx, dy] = { left: [-by, 0], right: [by, 0], up: [0, -by], down: [0, by] }[way] as [number, number];
      const { loops, positions } = editing.model;
      const ids = new Set(editing.selected.flatMap((id) => [id, ...(loops.get(id)?.inside ?? [])]));
      const places: Record<string, Point> = {};
      for (const id of ids) {
        const at = positions.get(id);
        if (at !== undefined) places[id] = [at.x + dx, at.y + dy];
      }
      if (ids.size > 0) editing.place(moveNodes(places), "Moved");
    },
    move(places: Record<string, Point>) {
      editing.place(moveNodes(places), "Moved");
    },
    /** All positions as in a file without any. The upper left corner of the drawing stays where it was. */
    tidy() {
      const { model } = editing;
      const usual = layout(model);
      const [before, after] = [boundsOf(model, model.positions), boundsOf(model, usual)];
      const shown = [...usual].filter(([id]) => !model.startOf.has(id));
      const places = shown.map(([id, { x, y }]) => [id, [x + before.x - after.x, y + before.y - after.y]] as const);
      if (editing.run(moveNodes(Object.fromEntries(places), "Tidy"))) setTimeout(() => canvas()?.fitAll(), 80);
    },
    /** Selects the neighbour of the selected node, or an end of the selected edge. */
    walk(way: Way) {
      const [from] = editing.selected;
      const [edge] = editing.selectedLinks();
      const isBack = way === "left" || way === "up";
      const next = from === undefined ? editing.model.order[0] : neighbour(editing.model, from, way);
      const to = edge === undefined ? next : edge[isBack ? "source" : "target"];
      if (to === undefined) return;
      // The box of a loop selects its start when it gets the focus, and this may be its end.
      canvas()?.focus(to);
      session.select([to]);
      say(editing.model.byId.get(to)?.title ?? to);
    },
  };
}
