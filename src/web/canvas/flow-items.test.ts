// While one node is dragged, the others are neither made anew nor looked at closer.

import { expect, it } from "vitest";
import { parseWorkflow } from "../../workflow/parse.ts";
import { boxesOf } from "./boxes.ts";
import { flowEdges, flowNodes, Known } from "./flow-items.ts";
import { canvasModel } from "./model.ts";
import type { NodeOverlay } from "./overlay.ts";

it("a node that did not change keeps its object, and is not made again to find that out", () => {
  const ids = Array.from({ length: 20 }, (_, at) => `n${at}`);
  const nodes = ids.map((id) => `  - { id: ${id}, type: text, data: { title: ${id}, content: x } }`);
  const { workflow } = parseWorkflow(`curlew: 1\nnodes:\n${nodes.join("\n")}\n`, "a.flow.yaml");
  const model = canvasModel(workflow!, workflow!);
  const read: string[] = [];
  const laid = (id: string) =>
    ({
      status: "running",
      get word() {
        read.push(id);
        return "running";
      },
    }) as NodeOverlay;
  const items = {
    ...{ model, positions: model.positions, boxes: boxesOf(model, model.positions), selected: new Set<string>() },
    overlay: { nodes: new Map(ids.map((id) => [id, laid(id)])), edges: new Map() },
    ...{ badges: undefined, editing: true, onChoose: () => undefined },
  };
  const known = new Known();
  const first = flowNodes(items, known);
  expect(new Set(read).size).toBe(20);
  read.length = 0;
  const moved = new Map(model.positions).set("n7", { x: 1, y: 2 });
  const second = flowNodes({ ...items, positions: moved }, known);
  expect(second.filter((node, at) => node !== first[at]).map(({ id }) => id)).toEqual(["n7"]);
  expect(new Set(read)).toEqual(new Set(["n7"]));
  const badge = { errors: 1, warnings: 0, message: "x" };
  const third = flowNodes({ ...items, positions: moved, badges: new Map([["n3", badge]]) }, known);
  expect(third.filter((node, at) => node !== second[at]).map(({ id }) => id)).toEqual(["n3"]);
  expect(flowNodes({ ...items, selected: new Set(["n5"]), positions: moved }, known)[5]).toMatchObject({
    selected: true,
  });
});

it("a list of the same nodes or edges is the same list, whatever was made anew around it", () => {
  const read = (content: string) => {
    const { workflow } = parseWorkflow(
      `curlew: 1\nnodes:\n  - { id: a, type: text, data: { title: A, content: ${content} } }\n  - { id: b, type: text, data: { title: B, content: x } }\nedges: [a -> b]\nlayout: { a: [0, 0], b: [300, 0] }\n`,
      "a.flow.yaml",
    );
    return canvasModel(workflow!, workflow!);
  };
  const known = new Known();
  const edges = (content: string) =>
    flowEdges({ model: read(content), overlay: undefined, ways: new Map() }, new Set(), known);
  const nodes = (content: string) => {
    const model = read(content);
    const items = {
      model,
      positions: model.positions,
      boxes: boxesOf(model, model.positions),
      selected: new Set<string>(),
    };
    return flowNodes(
      { ...items, overlay: undefined, badges: undefined, editing: true, onChoose: () => undefined },
      known,
    );
  };
  const [edge, node] = [edges("one"), nodes("one")];
  expect(edges("two")).toBe(edge);
  expect(nodes("one")).toBe(node);
  const changed = nodes("two");
  expect(changed).not.toBe(node);
  expect(changed.map((one, at) => one === node[at])).toEqual([false, true]);
});
