// drawn: one document drawn again and again, so that what a person sees stays where it is (spec ui.md 6.2).
//   D1. A file without places says nothing about where a node stands. In this tab it stays where it was drawn, whatever is done around it; a
//       new one gets a free place near, another id is no new node, and a copy stands by what it was copied from.
//   D2. Whoever types the text sees it laid out anew when the nodes or the edges become others: nothing was put anywhere.
//   D3. What the box of a loop that is new or grew would cover makes room for it (canvas/apart.ts), and goes back when that is taken back.
// Deliberately absent: writing places into the file, which only moving does.

import { apart, grown } from "../canvas/apart.ts";
import { CARD, type CanvasModel, type Point } from "../canvas/model.ts";
import { type Doc, linksOf, nodesOf } from "../document/index.ts";
import { drawingOf } from "./read.ts";

/** `typed`: the document became what it is by typing in its text. */
export type Draw = (doc: Doc, typed: boolean) => CanvasModel;

export function drawer(): Draw {
  const seen = new Map<string, Point>();
  let rooms: Room[] = [];
  let before: { ids: readonly string[]; shape: string; model: CanvasModel } | undefined;
  return (doc, typed) => {
    const now = { ids: nodesOf(doc.plain ?? {}).map(({ id }) => id), shape: shapeOf(doc) };
    if (typed && now.shape !== before?.shape) seen.clear();
    const near = before === undefined || seen.size === 0 ? undefined : nearby(seen, before.ids, now.ids);
    const draw = (): CanvasModel => drawingOf(doc, { seen, ...(near === undefined ? {} : { near }) });
    let model = draw();
    const over = rooms.filter((room) => !isStill(room, model));
    if (over.length > 0) {
      for (const { moved, from } of over)
        for (const [id, at] of moved) if (seen.get(id) === at) seen.set(id, from.get(id)!);
      rooms = rooms.filter((room) => !over.includes(room));
      model = draw();
    }
    for (const id of model.unplaced) seen.set(id, model.positions.get(id)!);
    const made = before === undefined ? [] : roomsIn(before.model, model);
    for (const { moved } of made) for (const [id, at] of moved) seen.set(id, at);
    rooms.push(...made);
    if (made.length > 0) model = drawingOf(doc, { seen });
    before = { ...now, model };
    return model;
  };
}

/** Who stands elsewhere for a loop, as long as it repeats one of these. */
interface Room {
  loop: string;
  repeats: readonly string[];
  moved: ReadonlyMap<string, Point>;
  from: ReadonlyMap<string, Point>;
}

function isStill({ loop, repeats }: Room, { loops }: CanvasModel): boolean {
  const body = loops.get(loop)?.body ?? [];
  return repeats.some((id) => body.includes(id));
}

/** D3. */
function roomsIn(before: CanvasModel, model: CanvasModel): Room[] {
  return grown(before, model).flatMap((loop): Room[] => {
    const moved = new Map([...apart(model, loop)].filter(([id]) => model.unplaced.includes(id)));
    const was = before.loops.get(loop)?.body ?? [];
    const repeats = model.loops.get(loop)!.body.filter((id) => !was.includes(id));
    const from = new Map([...moved.keys()].map((id) => [id, model.positions.get(id)!]));
    return moved.size === 0 ? [] : [{ loop, repeats, moved, from }];
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
