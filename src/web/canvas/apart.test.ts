// Nobody stands under the box of a loop that was put around what is drawn, or that grew: with places in the file and without, near, between
// and nested.

import { expect, it } from "vitest";
import { addNode, connect, openDoc, perform, removeNodes, wrapInLoop } from "../document/index.ts";
import { drawer } from "../editor/drawn.ts";
import { drawingOf } from "../editor/read.ts";
import { apart } from "./apart.ts";
import { boxesOf } from "./boxes.ts";
import { CARD, type CanvasModel, type Point } from "./model.ts";

const ROW = ["a", "b", "c", "d"];

function text(places: Readonly<Record<string, readonly [number, number]>>, edges = ROW.join(" -> ")): string {
  const nodes = ROW.map((id) => `  - { id: ${id}, type: text, data: { title: ${id}, content: x } }\n`).join("");
  const layout = Object.keys(places).length === 0 ? "" : `layout: ${JSON.stringify(places)}\n`;
  return `curlew: 1\nnodes:\n${nodes}edges:\n  - ${edges}\n${layout}`;
}

function wrapped(doc: ReturnType<typeof openDoc>, ids: readonly string[]) {
  const change = perform(doc, wrapInLoop(ids));
  if (!change.ok) throw new Error(change.error);
  return { doc: change.value.doc, loop: change.value.select![0]! };
}

/** Each card that lies under a box which it is not in. */
function covered(model: CanvasModel, positions: ReadonlyMap<string, Point>): string[] {
  return [...boxesOf(model, positions)].flatMap(([loop, box]) =>
    model.cards.flatMap(({ id }) => {
      const at = positions.get(id)!;
      const isBeside = at.x >= box.x + box.width || box.x >= at.x + CARD.width;
      const isAway = at.y >= box.y + box.height || box.y >= at.y + CARD.height;
      return isBeside || isAway || model.loops.get(loop)!.inside.includes(id) ? [] : [`${id} under ${loop}`];
    }),
  );
}

const LINE = { a: [0, 0], b: [300, 0], c: [600, 0], d: [900, 0] } as const;

for (const { what, places, ids, moves } of [
  { what: "between two that are taken", places: LINE, ids: ["a", "c"], moves: ["b"] },
  { what: "close on the right", places: { ...LINE, b: [240, 0] as const }, ids: ["a"], moves: ["b"] },
  {
    what: "close below and above",
    places: { ...LINE, b: [10, 85] as const, c: [-20, -90] as const },
    ids: ["a"],
    moves: ["b", "c"],
  },
  { what: "in a row as it is laid out", places: LINE, ids: ["b"], moves: [] },
])
  it(`who stands ${what} makes room, and nobody else moves`, () => {
    const { doc, loop } = wrapped(openDoc(text(places, "a -> c -> d\n  - b -> d"), "a.flow.yaml"), ids);
    const model = drawingOf(doc);
    const moved = apart(model, loop);
    expect([...moved.keys()].toSorted()).toEqual(moves);
    if (moves.length > 0) expect(covered(model, model.positions)).not.toEqual([]);
    expect(covered(model, new Map([...model.positions, ...moved]))).toEqual([]);
  });

it("a loop that grows around a new one has room as well", () => {
  const outer = wrapped(openDoc(text({ ...LINE, d: [600, 85] }, "a -> b -> c"), "a.flow.yaml"), ["b", "c"]);
  const room = apart(drawingOf(outer.doc), outer.loop);
  expect([...room.keys()]).toEqual(["d"]);
  const inner = wrapped(outer.doc, ["b"]);
  const model = drawingOf(inner.doc, { seen: room });
  expect(covered(model, new Map([...model.positions, ...room, ...apart(model, inner.loop)]))).toEqual([]);
});

it("in a file without places, too; taken back, all stand where they stood", () => {
  const draw = drawer();
  const doc = openDoc(text({}, "a -> d"), "a.flow.yaml");
  const first = draw(doc, false);
  const { doc: next, loop } = wrapped(doc, ["a", "c"]);
  const model = draw(next, false);
  expect(covered(model, model.positions)).toEqual([]);
  for (const id of ["a", "c", "d"]) expect(model.positions.get(id), id).toEqual(first.positions.get(id));
  expect(draw(next, false).positions).toEqual(model.positions);
  const gone = perform(next, removeNodes([loop], { heal: true }));
  expect(gone.ok && draw(gone.value.doc, false).positions.get("b")).toEqual(first.positions.get("b"));
});

it("a loop that grows by what is put into it makes room, in a file without places, too; taken back, all stand where they stood", () => {
  const draw = drawer();
  const doc = openDoc(text({}, "a -> c -> d"), "a.flow.yaml");
  const { doc: looped } = wrapped(doc, ["a"]);
  draw(doc, false);
  const before = draw(looped, false);
  const far = perform(looped, addNode({ type: "text", data: { title: "More", content: "x" }, after: { source: "a" } }));
  const joined = far.ok ? perform(far.value.doc, connect("more", "loop_end")) : far;
  if (!far.ok || !joined.ok) throw new Error("not edited");
  draw(far.value.doc, false);
  const model = draw(joined.value.doc, false);
  expect(model.loops.get("loop")?.body).toContain("more");
  expect(covered(model, model.positions)).toEqual([]);
  const back = draw(looped, false);
  for (const id of ROW) expect(back.positions.get(id), id).toEqual(before.positions.get(id));
});
