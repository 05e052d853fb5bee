// Where Tab stands on the canvas. What it does in a browser is a story of test/web/canvas-keys.test.ts.

import { expect, test } from "vitest";
import { parseWorkflow } from "../../workflow/parse.ts";
import { canvasModel } from "./model.ts";
import { stopsOf } from "./stops.ts";

const FLOW = `curlew: 1
nodes:
  - { id: show, type: text, data: { title: Show, content: "\${1} \${limit}" } }
  - { id: limit, type: variable, data: { title: Limit, variableName: limit, initialValue: "3" } }
  - { id: end, type: loop-end, data: { title: All } }
  - { id: page, type: cli, data: { title: Page, content: "true" } }
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 3 } }
edges:
  - pages -> page -> end -> show
`;

const { workflow } = parseWorkflow(FLOW, "a.flow.yaml");
const model = canvasModel(workflow!, workflow!);
const said = (all: ReturnType<typeof stopsOf>) => all.map(({ kind, id }) => (kind === "node" ? id : "->"));

test("each node in the order of the flow, behind it what leads on; a loop's end is its box, what leaves it comes behind its body", () => {
  expect(said(stopsOf(model))).toEqual(["limit", "->", "pages", "->", "page", "->", "->", "show"]);
});

test("from far away no edge is drawn: there the nodes alone", () => {
  expect(said(stopsOf(model, false))).toEqual(["limit", "pages", "page", "show"]);
});
