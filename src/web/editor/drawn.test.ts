// Nodes stay where they are drawn, even in a file without positions, when others are connected, added, deleted, or half
// typed.

import { expect, it } from "vitest";
import type { CanvasModel } from "../canvas/model.ts";
import {
  addNode,
  connect,
  type Edit,
  openDoc,
  pasteNodes,
  perform,
  removeNodes,
  renameNode,
  setField,
} from "../document/index.ts";
import { type Draw, drawer } from "./drawn.ts";

const FLOW = `curlew: 1
nodes:
  - { id: orders, type: cli, data: { title: Orders, content: "curl x/orders" } }
  - { id: each, type: loop-start, data: { title: Each, items: "\${1}" } }
  - { id: tell, type: cli, data: { title: Tell, content: "curl x/tell" } }
  - { id: told, type: loop-end, data: { title: Told } }
  - { id: report, type: text, data: { title: Report, content: done } }
  - { id: aside, type: text, data: { title: Aside, content: "" } }
edges:
  - orders -> each -> tell -> told -> report
  - orders -> aside
`;

const read = (text: string) => openDoc(text, "a.flow.yaml");

function opened(text = FLOW): { draw: Draw; model: CanvasModel; after: (edit: Edit) => CanvasModel } {
  const draw = drawer();
  let doc = read(text);
  const model = draw(doc, false);
  const after = (edit: Edit): CanvasModel => {
    const change = perform(doc, edit);
    if (!change.ok) throw new Error(change.error);
    doc = change.value.doc;
    return draw(doc, false);
  };
  return { draw, model, after };
}

/** The nodes whose position differs between both drawings. */
function moved(before: CanvasModel, after: CanvasModel): string[] {
  return before.order.filter((id) => {
    const [from, to] = [before.positions.get(id), after.positions.get(id)];
    return to !== undefined && (from?.x !== to.x || from.y !== to.y);
  });
}

it("no node moves when others are connected, added, deleted and restored", () => {
  const { draw, model, after } = opened();
  expect(moved(model, after(connect("aside", "report")))).toEqual([]);
  expect(moved(model, after(addNode({ type: "text", data: { title: "New", content: "" } })))).toEqual([]);
  expect(moved(model, after(removeNodes(["orders"], { heal: true })))).toEqual([]);
  expect(moved(model, draw(read(FLOW), false))).toEqual([]);
});

it("a new node without parents stands below all others, where it is seen beside the inspector, too", () => {
  const { model, after } = opened();
  const next = after(addNode({ type: "text", data: { title: "New", content: "" } }));
  const lowest = Math.max(...[...model.positions.values()].map(({ y }) => y));
  const at = next.positions.get(next.order.find((id) => !model.byId.has(id))!)!;
  expect(at.x).toBe(0);
  expect(at.y).toBeGreaterThanOrEqual(lowest + 132);
});

it("a renamed node keeps its position", () => {
  const { model, after } = opened();
  expect(after(renameNode("aside", "note")).positions.get("note")).toEqual(model.positions.get("aside"));
});

it("a new node with the former id of another one does not cover it", () => {
  const { after } = opened();
  const aside = after(renameNode("aside", "note")).positions.get("note");
  const next = after(addNode({ id: "aside", type: "text", data: { title: "New", content: "" } }));
  expect(next.positions.get("note")).toEqual(aside);
  expect(next.positions.get("aside")).not.toEqual(aside);
});

it("a new node with the id of a deleted one does not cover one that has its position", () => {
  const { after } = opened("curlew: 1\nnodes: []\n");
  const add = (id: string) => after(addNode({ id, type: "text", data: { title: id, content: "" } }));
  const first = add("one").positions.get("one");
  after(removeNodes(["one"], {}));
  expect(add("two").positions.get("two")).toEqual(first);
  expect(add("one").positions.get("one")).not.toEqual(first);
});

it("a pasted part keeps its own order, even if one of its nodes has the name of one here", () => {
  const { model, after } = opened();
  const piece = `nodes:\n${FLOW.split("nodes:\n")[1]!.replaceAll("orders", "bills").replaceAll("tell", "say")}`;
  const next = after(pasteNodes(piece));
  const x = (id: string) => next.positions.get(id)!.x;
  const lowest = Math.max(...[...model.positions.values()].map(({ y }) => y));
  expect([x("bills"), x("each_2"), x("say"), x("report_2")]).toEqual(
    [x("bills"), x("each_2"), x("say"), x("report_2")].toSorted((a, b) => a - b),
  );
  expect(next.positions.get("each_2")!.y).toBeGreaterThan(lowest);
  expect(next.positions.get("each_2")!.y).toBe(next.positions.get("bills")!.y);
});

it("a wrong field takes no node out of its loop", () => {
  const { model, draw } = opened();
  const broken = FLOW.replace('content: "curl x/tell"', 'content: "curl x/tell", timeout: soon');
  const next = draw(read(broken), false);
  expect(next.loops.get("each")).toMatchObject({ body: ["tell"] });
  expect(next.order).toEqual(model.order);
  expect(moved(model, next)).toEqual([]);
  const noLoop = draw(read(FLOW.replace('items: "${1}"', "iterations: many")), false);
  expect(noLoop.loops.get("each")).toMatchObject({ body: ["tell"], end: { id: "told" } });
});

it("typing in the source rearranges only where nodes or edges have changed", () => {
  const { model, draw } = opened();
  const words = draw(read(FLOW.replace("title: Aside", "title: Beside")), true);
  expect(moved(model, words)).toEqual([]);
  const text = FLOW.replace("  - orders -> aside", "  - orders -> report");
  expect(draw(read(text), true).positions).toEqual(opened(text).model.positions);
});

it("a node with a place in the file is there, and after undo it is where it was", () => {
  const { model, draw } = opened();
  expect(draw(read(`${FLOW}layout:\n  orders: [7, 9]\n`), false).positions.get("orders")).toEqual({ x: 7, y: 9 });
  expect(moved(model, draw(read(FLOW), false))).toEqual([]);
});

it("the cards that an edit did not touch are the same objects", () => {
  const { model, after } = opened();
  const redrawn = (before: CanvasModel, now: CanvasModel): string[] =>
    [...now.byId].filter(([id, card]) => card !== before.byId.get(id)).map(([id]) => id);
  const told = after(setField("tell", ["content"], "curl x/tell/all"));
  expect(redrawn(model, told)).toEqual(["tell"]);
  const tied = after(connect("aside", "report"));
  expect(redrawn(told, tied).sort()).toEqual(["aside", "report"]);
  expect(redrawn(tied, after(connect("tell", "report", "error")))).toEqual(["tell", "report"]);
});

it.each([
  ["run: ls, mode: script", "cli"],
  ["run: ls, text: x", "cli"],
  ["title: Odd", ""],
])("a node with { %s } is drawn, with its edges", (written, type) => {
  const { model } = opened(
    `curlew: 1\nnodes:\n  - { id: a, run: ls }\n  - { id: odd, ${written} }\nedges: [a -> odd]\n`,
  );
  expect(model.byId.get("odd")).toMatchObject({ type, inputs: 1 });
  expect(model.positions.has("odd")).toBe(true);
});
