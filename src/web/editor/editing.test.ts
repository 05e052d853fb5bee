// An edit writes only the positions that it changes into `layout:`. A new node gets a free place.

import { expect, it } from "vitest";
import { boundsOf, CARD } from "../../workflow/drawing/layout.ts";
import { addNode, type Edit, linksOf, moveNodes } from "../document/index.ts";
import { arrangingOn } from "./arranging.ts";
import { type Draw, drawer } from "./drawn.ts";
import { type Beside, Editing } from "./editing.ts";
import { drawingOf } from "./read.ts";
import { freePlace } from "./rules.ts";
import { Session } from "./session.ts";

const FLOW = `curlew: 1
nodes:
  - { id: orders, run: echo 1 }
  - { id: each, type: loop-start, items: "\${1}", after: orders }
  - { id: tell, run: echo 2, after: each }
  - { id: told, type: loop-end, after: tell }
  - { id: report, text: done, after: told }
  - { id: aside, text: "", after: orders }
  - { id: below, text: "", after: orders }
`;

function opened(text = FLOW) {
  const session = new Session("a.flow.yaml", { text, etag: '"1"' }, () => 0);
  const draw: Draw = drawer();
  const doc = () => session.store.getState().doc;
  const model = () => draw(doc(), false);
  const before = model();
  const editing = new Editing({ session, model, canvas: () => null });
  /** The positions in the file, and the nodes that the file alone draws elsewhere than before. */
  const placed = (edit: Edit) => {
    editing.place(edit);
    const after = drawingOf(doc());
    const moved = before.order.filter(
      (id) => String(Object.values(before.positions.get(id)!)) !== String(Object.values(after.positions.get(id)!)),
    );
    return { written: Object.keys((doc().plain?.layout ?? {}) as object), moved };
  };
  return { session, editing, model, before, placed };
}

const text = { type: "text", data: { title: "New", content: "" } };

it("only the new node gets a position, and the others stay", () => {
  expect(opened().placed(addNode({ ...text, at: [900, 700] }))).toEqual({ written: ["new"], moved: [] });
  const after = { source: "orders" };
  expect(opened().placed(addNode({ ...text, after, at: [300, 500] }))).toEqual({ written: ["new"], moved: [] });
  const inLoop = addNode({ ...text, after: { source: "tell" }, before: { target: "told" }, at: [400, 300] });
  expect(opened().placed(inLoop)).toMatchObject({ moved: [] });
});

it("a moved node moves no other: those that would move get a position as well", () => {
  expect(opened().placed(moveNodes({ orders: [-50, 80] }))).toEqual({ written: ["orders"], moved: ["orders"] });
  expect(opened().placed(moveNodes({ aside: [300, 700] }))).toEqual({ written: ["below", "aside"], moved: ["aside"] });
});

it("a node without a position goes beside its parent where most have one", () => {
  const { before } = opened(
    `${FLOW}layout: { orders: [0, 0], tell: [400, 900], aside: [300, 500], report: [900, 900], each: [0, 0], told: [0, 0] }\n`,
  );
  expect(before.positions.get("below")).toEqual({ x: 300, y: 0 });
});

it("tidying draws a file with positions as one without, with the upper left corner where it was", () => {
  const places = "{ orders: [100, 100], tell: [900, 900], aside: [300, 500], report: [900, 900], below: [500, 100] }";
  const { session, editing, model } = opened(`${FLOW}layout: ${places}\n`);
  arrangingOn(editing).tidy();
  const [{ before }, after] = [opened(), model()];
  const [from, to] = [before.positions.get("orders")!, after.positions.get("orders")!];
  for (const id of ["orders", "each", "tell", "report", "aside", "below"]) {
    const { x, y } = before.positions.get(id)!;
    expect(after.positions.get(id), id).toEqual({ x: x + to.x - from.x, y: y + to.y - from.y });
  }
  expect(boundsOf(after, after.positions)).toMatchObject({ x: 100, y: 100 });
  session.undo();
  expect(session.store.getState().doc.text).toContain(places);
});

it("a new node goes to a free place in view, not below the toolbar", () => {
  const { before } = opened();
  const view = { x: 0, y: 100, width: 1000, height: 600 };
  expect(freePlace(before, { x: 700, y: 20 }, view)).toEqual({ x: 700, y: 100 });
  const { x, y } = freePlace(before, { x: 0, y: 0 }, { ...view, y: 0 });
  expect([x, y >= CARD.height]).toEqual([0, true]);
  expect(freePlace(before, undefined, { ...view, y: 2000 })).toEqual({ x: (1000 - CARD.width) / 2, y: 2254 });
});

const NEW = { type: "text", data: { title: "New", content: "" } };

/** The edges after a node was added. */
function linked(where: Beside, choose?: string): Record<string, unknown> {
  const session = new Session("a.flow.yaml", { text: FLOW, etag: '"1"' }, () => 0);
  const doc = () => session.store.getState().doc;
  const draw: Draw = drawer();
  const editing = new Editing({ session, model: () => draw(doc(), false), canvas: () => null });
  if (choose !== undefined) session.select([], [choose]);
  session.edit(editing.adding(where, (place) => addNode({ ...NEW, ...place })).edit);
  return Object.fromEntries(
    linksOf(doc().plain?.edges).flatMap(({ source, target }) =>
      /^(?:new|told|report)$/.test(target) ? [[`${source}->${target}`, true]] : [],
    ),
  );
}

it("a node is put on an edge: the selected one, or the one that it is dropped on", () => {
  const between = { "told->new": true, "new->report": true, "tell->told": true };
  expect(linked({ on: { source: "told", target: "report" }, at: { x: 0, y: 0 } })).toEqual(between);
  expect(linked({}, "told->report")).toEqual(between);
});

it("a node after one in a loop leads to the loop's end", () => {
  expect(linked({ after: { source: "tell" } })).toEqual({ "tell->new": true, "new->told": true, "told->report": true });
  const beside = { "each->new": true, "new->told": true, "tell->told": true, "told->report": true };
  expect(linked({ after: { source: "each" } })).toEqual(beside);
  const after = { "tell->told": true, "told->report": true, "told->new": true };
  expect(linked({ after: { source: "told" } })).toEqual(after);
});
