// drawn: one document drawn again and again, so that what a person sees stays where it is (spec ui.md 6.2).
//   D1. A file without places says nothing about where a node stands. In this tab it stays where it was drawn, whatever is done around it; a
//       new one gets a free place near, another id is no new node, and a copy stands by what it was copied from.
//   D2. Whoever types the text sees it laid out anew when the nodes or the edges become others: nothing was put anywhere.
//   D3. What the box of a new loop would cover makes room for it (canvas/apart.ts), and goes back when the loop is taken back.
// Deliberately absent: writing places into the file, which only moving does.

import { apart } from "../canvas/apart.ts";
import { CARD, type CanvasModel, type Point } from "../canvas/model.ts";
import { type Doc, linksOf, nodesOf } from "../document/index.ts";
import { drawingOf } from "./read.ts";

/** `typed`: the document became what it is by typing in its text. */
export type Draw = (doc: Doc, typed: boolean) => CanvasModel;

export function drawer(): Draw {
  const seen = new Map<string, Point>();
  /** D3: by the loop that it was made for. */
  const made = new Map<string, { moved: Map<string, Point>; from: Map<string, Point> }>();
  const takeBack = (loop: string): void => {
    for (const [id, at] of made.get(loop)?.moved ?? [])
      if (seen.get(id) === at) seen.set(id, made.get(loop)!.from.get(id)!);
    made.delete(loop);
  };
  let before: { ids: readonly string[]; shape: string } | undefined;
  return (doc, typed) => {
    const now = { ids: nodesOf(doc.plain ?? {}).map(({ id }) => id), shape: shapeOf(doc) };
    if (typed && now.shape !== before?.shape) seen.clear();
    const near = before === undefined || seen.size === 0 ? undefined : nearby(seen, before.ids, now.ids);
    for (const loop of made.keys()) if (!now.ids.includes(loop)) takeBack(loop);
    const model = drawingOf(doc, { seen, ...(near === undefined ? {} : { near }) });
    for (const id of model.unplaced) seen.set(id, model.positions.get(id)!);
    const room = roomIn(model, before?.ids ?? []);
    before = now;
    if (room.every(([, moved]) => moved.size === 0)) return model;
    for (const [loop, moved] of room) {
      made.set(loop, { moved, from: new Map([...moved.keys()].map((id) => [id, seen.get(id)!])) });
      for (const [id, at] of moved) seen.set(id, at);
    }
    return drawingOf(doc, { seen });
  };
}

/** D3. Who stands elsewhere for it, by the loop. */
function roomIn(model: CanvasModel, before: readonly string[]): [loop: string, moved: Map<string, Point>][] {
  const was = new Set(before);
  const unplaced = new Set(model.unplaced);
  return [...model.loops].flatMap(([start, { body }]) => {
    if (was.has(start) || !body.some((id) => was.has(id))) return [];
    return [[start, new Map([...apart(model, start)].filter(([id]) => unplaced.has(id)))]];
  });
}

function shapeOf({ plain = {} }: Doc): string {
  return JSON.stringify([nodesOf(plain).map(({ id, type }) => [id, type]), linksOf(plain.edges)]);
}

/** D1. */
function nearby(
  seen: ReadonlyMap<string, Point>,
  before: readonly string[],
  now: readonly string[],
): Map<string, Point> {
  const [was, is] = [new Set(before), new Set(now)];
  const [gone, come] = [before.filter((id) => !is.has(id)), now.filter((id) => !was.has(id))];
  const near = new Map<string, Point>();
  // A copy, or a part of something else that happens to have the name of one: that is laid out as a whole.
  const areCopies = come.every((id) => seen.has(id.replace(/_\d+$/, "")));
  for (const id of come) {
    const renamed = gone.length === 1 && come.length === 1 ? seen.get(gone[0]!) : undefined;
    const copied = areCopies ? seen.get(id.replace(/_\d+$/, "")) : undefined;
    if (renamed !== undefined) near.set(id, renamed);
    // Boxes around both have room.
    else if (copied !== undefined) near.set(id, { x: copied.x, y: copied.y + CARD.height * 2 });
  }
  return near;
}
