import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseWorkflow } from "../../workflow/parse.ts";
import { sketchOf } from "../editor/read.ts";
import { expressionNames, scopeAt } from "./scope.ts";

const TEXT = `
curlew: 1
inputs: { repo: { type: string, description: owner/name }, page: { type: integer } }
secrets: [TOKEN]
on: [{ webhook: { path: x } }]
nodes:
  - { id: first, type: cli, data: { title: First call, content: "true" } }
  - { id: pages, type: loop-start, data: { title: Pages, iterations: 3, loopVariable: page } }
  - { id: rows, type: loop-start, data: { title: Rows, items: "[1]", as: row } }
  - { id: get, type: cli, data: { title: Get, content: "echo \${row}", env: { static: { API: "https://x", TOKEN: "t" } } } }
  - { id: rowsEnd, type: loop-end, data: { title: End } }
  - { id: pagesEnd, type: loop-end, data: { title: End, until: page = 2 } }
  - { id: v, type: variable, data: { title: The total, variableName: total, secret: true, initialValue: "0" } }
edges: [first -> pages -> rows -> get -> rowsEnd -> pagesEnd, first -> get]
`;

const graphOf = (text: string) => sketchOf(parseWorkflow(text, "a.flow.yaml"), parse(text));
const shown = (text: string, id: string, field = {}) =>
  scopeAt(graphOf(text), id, field).map(({ name, kind }) => `${name}:${kind}`);

describe("names in scope", () => {
  it("one input that is wrong takes the kinds of the others not away", () => {
    const text = TEXT.replace("page: { type: integer }", "page: { type: integer }, count: { type: nubmer }, again: 3");
    expect(graphOf(text).workflow.inputs).toEqual({
      repo: { type: "string", description: "owner/name" },
      page: { type: "integer" },
      count: { type: "string" },
      again: { type: "string" },
    });
  });
  it("are the engine's, in the order in which they win", () => {
    expect(shown(TEXT, "get", { own: true })).toEqual([
      "1:parent",
      "2:parent",
      "row:loop",
      "i:loop",
      "page:loop",
      "API:env",
      "TOKEN:env",
      "total:variable",
      "repo:input",
      "event:event",
      "delivery:event",
      "first:node",
      "pages:node",
      "rows:node",
      "v:node",
    ]);
  });

  it("leave env.static out where a field does not see it: there the secret is meant", () => {
    const names = scopeAt(graphOf(TEXT), "get");
    expect(names.find(({ name }) => name === "TOKEN")).toEqual({
      name: "TOKEN",
      kind: "secret",
      from: "secret",
      secret: true,
    });
    expect(names.find(({ name }) => name === "total")).toMatchObject({
      secret: true,
      node: "v",
      from: 'Variable "The total"',
    });
  });

  it("tell parents with the title that people see, in the order of the edges", () => {
    expect(scopeAt(graphOf(TEXT), "get").slice(0, 2)).toEqual([
      { name: "1", kind: "parent", from: 'value of "Rows"', node: "rows" },
      { name: "2", kind: "parent", from: 'value of "First call"', node: "first" },
    ]);
  });

  it("count the loop's own names only where they are read inside it", () => {
    expect(shown(TEXT, "pagesEnd")).toContain("page:input");
    expect(shown(TEXT, "pagesEnd", { inside: true })).toContain("page:loop");
    expect(shown(TEXT, "first")).not.toContain("row:loop");
  });

  it("survive nodes that are wrong, and documents that say almost nothing", () => {
    const broken = TEXT.replace('content: "true"', 'content: "true", timeout: 5').replace(
      "iterations: 3",
      "iterations: []",
    );
    expect(parseWorkflow(broken, "a.flow.yaml").workflow).toBeUndefined();
    expect(shown(broken, "get", { own: true })).toEqual(shown(TEXT, "get", { own: true }));
    expect(scopeAt(graphOf("curlew: 1"), "get")).toEqual([]);
    expect(scopeAt(sketchOf(parseWorkflow("[", "a.yaml"), undefined), "get")).toEqual([]);
  });

  it("of an expression: inputs by place, Variables below vars, loop variables as they are", () => {
    const names = expressionNames(graphOf(TEXT), "get", {}).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["inputs[0]", "exitCode", "row", "vars.total", "vars.repo"]));
    expect(names).not.toContain("API");
    const end = TEXT.replace("secrets:", "state: { last_id: 0 }\nonFailure: [v]\nsecrets:");
    expect(expressionNames(graphOf(end), "v").map(({ name }) => name)).toEqual(
      expect.arrayContaining(["run.inputs", "run.status", "trigger.at", "attempt", "state.last_id", "failure.body"]),
    );
  });
});
