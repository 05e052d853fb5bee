// drawn: draws the same workflow after every change, so that nodes stay where the user sees them.
//   D1. Nodes without a position in the file stay where this tab drew them. A new node gets a free position, a renamed
//       one keeps its position. An id that comes back has its old position, unless another node has that now.
//   D2. While the user types the text, a change of nodes or edges starts a new layout.
//   D3. Nodes that a new or larger loop would cover move below it.
// Positions are written to the file only when the user moves something.

import type { Point } from "../../workflow/drawing/layout.ts";
import { grown, makeRoom } from "../canvas/collision.ts";
import type { CanvasModel } from "../canvas/model.ts";
import { isSame } from "../document/equal.ts";
import { type Doc, linksOf, nodesOf, renamedId } from "../document/index.ts";
import { drawingOf } from "./read.ts";

/** `typed`: the user changed the text. */
export type Draw = (doc: Doc, typed: boolean) => CanvasModel;

export function drawer(): Draw {
  const seen = new Map<string, Point>();
  let before: { ids: readonly string[]; shape: string; model: CanvasModel } | undefined;
  return (doc, typed) => {
    const now = { ids: nodesOf(doc.plain ?? {}).map(({ id }) => id), shape: shapeOf(doc) };
    if (typed && now.shape !== before?.shape) seen.clear();
    const renamed = renamedId(before?.ids ?? [], now.ids);
    const at = renamed === undefined ? undefined : seen.get(renamed.from);
    if (renamed !== undefined && at !== undefined) {
      seen.delete(renamed.from);
      if (!seen.has(renamed.to)) seen.set(renamed.to, at);
    }
    const had = new Set(before?.ids);
    for (const id of now.ids) if (!had.has(id) && isTaken(id, now.ids, seen)) seen.delete(id);
    let model = drawingOf(doc, seen);
    for (const id of model.unplaced) seen.set(id, model.positions.get(id)!);
    for (const loop of before === undefined ? [] : grown(before.model, model)) {
      for (const [id, at] of makeRoom(model, loop)) if (model.unplaced.includes(id)) seen.set(id, at);
      model = drawingOf(doc, seen);
    }
    before = { ...now, model };
    return model;
  };
}

function isTaken(id: string, ids: readonly string[], seen: ReadonlyMap<string, Point>): boolean {
  const at = seen.get(id);
  return at !== undefined && ids.some((other) => other !== id && isSame(seen.get(other), at));
}

function shapeOf({ plain = {} }: Doc): string {
  return JSON.stringify([nodesOf(plain).map(({ id, type }) => [id, type]), linksOf(plain.edges)]);
}
