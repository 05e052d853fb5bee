// React Flow redraws every object that is new, so unchanged nodes, edges, and lists keep their identity.

import { expect, it } from "vitest";
import { boxesOf } from "../../workflow/drawing/layout.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { FlowItems } from "./flow-items.ts";
import { canvasModel } from "./model.ts";

function read(content: string) {
  const { workflow } = parseWorkflow(
    `curlew: 1
nodes:
  - { id: a, type: text, data: { title: A, content: ${content} } }
  - { id: b, type: text, data: { title: B, content: x } }
edges: [a -> b]
layout: { a: [0, 0], b: [300, 0] }
`,
    "a.flow.yaml",
  );
  return canvasModel(workflow!, workflow!);
}

it("only nodes that changed get a new object, and an unchanged list stays the same", () => {
  const items = new FlowItems();
  const model = read("one");
  const draw = (selected: string[], positions = model.positions) =>
    items.nodes({
      model,
      positions,
      boxes: boxesOf(model, positions),
      selected: new Set(selected),
      overlay: undefined,
      badges: undefined,
      editing: true,
      onChoose: () => undefined,
    });
  const first = draw([]);
  expect(draw([])).toBe(first);
  const chosen = draw(["b"]);
  expect(chosen.map((node, at) => node === first[at])).toEqual([true, false]);
  const moved = draw(["b"], new Map([...model.positions, ["a", { x: 5, y: 5 }]]));
  expect(moved.map((node, at) => node === chosen[at])).toEqual([false, true]);
});

it("edges keep their objects when a node's text changes", () => {
  const items = new FlowItems();
  const edges = (content: string) => {
    const model = read(content);
    const { positions } = model;
    return items.edges({ model, positions, overlay: undefined, levels: new Map(), selected: new Set() });
  };
  expect(edges("one")).toBe(edges("two"));
});
