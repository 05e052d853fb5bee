// Nodes that a new or larger loop would cover move below it, whether or not the file has positions.

import { expect, it } from "vitest";
import { boxesOf, CARD, type Point } from "../../workflow/drawing/layout.ts";
import { openDoc, perform, wrapInLoop } from "../document/index.ts";
import { drawer } from "../editor/drawn.ts";
import { drawingOf } from "../editor/read.ts";
import { makeRoom } from "./collision.ts";
import type { CanvasModel } from "./model.ts";

const LINE = { a: [0, 0], b: [300, 0], c: [600, 0], d: [900, 0] };

function text(layout: object, edges: string): string {
  const nodes = Object.keys(LINE).map((id) => `  - { id: ${id}, type: text, data: { title: ${id}, content: x } }\n`);
  return `curlew: 1\nnodes:\n${nodes.join("")}edges:\n${edges}\nlayout: ${JSON.stringify(layout)}\n`;
}

function wrapped(doc: ReturnType<typeof openDoc>, ids: readonly string[]) {
  const change = perform(doc, wrapInLoop(ids));
  if (!change.ok) throw new Error(change.error);
  return { doc: change.value.doc, loop: change.value.select![0]! };
}

/** Cards under a box that they do not belong to. */
function covered(model: CanvasModel, positions: ReadonlyMap<string, Point>): string[] {
  return [...boxesOf(model, positions)].flatMap(([loop, box]) =>
    model.cards.flatMap(({ id }) => {
      const at = positions.get(id)!;
      const isBeside = at.x >= box.x + box.width || box.x >= at.x + CARD.width;
      const isAway = at.y >= box.y + box.height || box.y >= at.y + CARD.height;
      return isBeside || isAway || model.loops.get(loop)!.inside.includes(id) ? [] : [id];
    }),
  );
}

it.each([
  { what: "between two that are wrapped", layout: LINE, ids: ["a", "c"], moves: ["b"] },
  { what: "too close", layout: { ...LINE, b: [10, 85], c: [-20, -90] }, ids: ["a"], moves: ["b", "c"] },
  { what: "at the usual distance", layout: LINE, ids: ["b"], moves: [] },
])("a node $what", ({ layout, ids, moves }) => {
  const { doc, loop } = wrapped(openDoc(text(layout, "  - a -> c -> d\n  - b -> d"), "a.flow.yaml"), ids);
  const model = drawingOf(doc);
  const moved = makeRoom(model, loop);
  expect([...moved.keys()].toSorted()).toEqual(moves);
  expect(covered(model, model.positions).toSorted()).toEqual(moves);
  expect(covered(model, new Map([...model.positions, ...moved]))).toEqual([]);
});

it("a loop around a new loop grows, and makes room too", () => {
  const outer = wrapped(openDoc(text({ ...LINE, d: [600, 85] }, "  - a -> b -> c"), "a.flow.yaml"), ["b", "c"]);
  const room = makeRoom(drawingOf(outer.doc), outer.loop);
  expect([...room.keys()]).toEqual(["d"]);
  const inner = wrapped(outer.doc, ["b"]);
  const model = drawingOf(inner.doc, room);
  expect(covered(model, new Map([...model.positions, ...room, ...makeRoom(model, inner.loop)]))).toEqual([]);
});

it("works without positions in the file", () => {
  const draw = drawer();
  const doc = openDoc(text({}, "  - a -> d"), "a.flow.yaml");
  const before = draw(doc, false);
  const model = draw(wrapped(doc, ["a", "c"]).doc, false);
  expect(covered(model, model.positions)).toEqual([]);
  for (const id of ["a", "c", "d"]) expect(model.positions.get(id), id).toEqual(before.positions.get(id));
});
