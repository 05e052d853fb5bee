// While one node is dragged, the others are neither made anew nor looked at closer.

import { expect, it } from "vitest";
import { parseWorkflow } from "../../workflow/parse.ts";
import { boxesOf } from "./boxes.ts";
import { flowNodes, type KnownNode } from "./flow-items.ts";
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
  const known = new Map<string, KnownNode>();
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
