// graph.test: what the graph rejects and computes, one graph each. Edges as in a workflow file: `a -> b`, `a:true ->
// b`.

import { expect, test } from "vitest";
import { analyze, type Graph } from "./graph.ts";
import type { CliData, Edge, Workflow, WorkflowNode } from "./model.ts";

const KINDS: Record<string, (id: string, text: string) => WorkflowNode> = {
  s: (id, text) => ({ id, type: "loop-start", data: { title: id, iterations: 2, ...(text ? { while: text } : {}) } }),
  e: (id, text) => ({ id, type: "loop-end", data: { title: id, ...(text ? { until: text } : {}) } }),
  v: (id, content) => ({
    id,
    type: "variable",
    data: { title: id, variableName: id, ...(content ? { content } : {}) },
  }),
  a: (id, content) => ({
    id,
    type: "accumulator",
    data: { title: id, variableName: id, ...(content ? { content } : {}) },
  }),
  i: (id, content) => ({ id, type: "if", data: { title: id, content } }),
};

/** The first letter of an id selects the kind; all others are commands. `texts`: the content by id. */
function draw(lines: string, texts: Record<string, string> = {}, atEnd: string[] = []): Workflow {
  const ids = new Set([...Object.keys(texts), ...atEnd]);
  const edges: Edge[] = [];
  for (const line of lines.split(";").filter((part) => part.trim() !== "")) {
    const stops = line.split("->").map((stop) => stop.trim().split(":"));
    for (const [at, [id = "", handle]] of stops.entries()) {
      ids.add(id);
      const target = stops[at + 1]?.[0];
      if (target !== undefined)
        edges.push({ source: id, target, ...(handle === undefined ? {} : { sourceHandle: handle }) });
    }
  }
  const nodes = [...ids].map((id): WorkflowNode => {
    const make = KINDS[id[0] ?? ""];
    return make?.(id, texts[id] ?? "") ?? { id, type: "cli", data: { title: id, content: texts[id] ?? "true" } };
  });
  return { curlew: 1, name: "t", inputs: {}, secrets: [], nodes, edges, finally: atEnd };
}

const found = (what: string, workflow: Workflow, look: (graph: Graph) => unknown, expected: unknown) =>
  test(what, () => {
    const { graph, problems } = analyze(workflow);
    expect(problems).toEqual([]);
    expect(look(graph)).toEqual(expected);
  });

const ids = (graph: Graph, indexes: readonly number[]) => indexes.map((index) => graph.nodes[index]?.id);
const node = (graph: Graph, id: string) => graph.nodes[graph.indexOf.get(id) ?? -1];
const loop = (graph: Graph, id: string) => graph.loops.get(graph.indexOf.get(id) ?? -1);

found(
  "parents are in file order of the edges",
  draw("c -> x; b -> x"),
  (graph) =>
    ids(
      graph,
      node(graph, "x")!.parents.map(({ source }) => source),
    ),
  ["c", "b"],
);
found(
  "the body is what lies between",
  draw("s -> b -> c -> e; d -> c"),
  (graph) => ids(graph, loop(graph, "s")!.body),
  ["b", "c"],
);
found("naming a variable waits for it", draw("v", { b: "${v}" }), (graph) => ids(graph, node(graph, "b")!.waits), [
  "v",
]);
found(
  "a name from further on in the loop is carried",
  draw("s -> b -> v -> e", { b: "${v}" }),
  (graph) => [loop(graph, "s")!.sequential, node(graph, "b")!.waits],
  [true, []],
);
found(
  "a name from before in the loop is not",
  draw("s -> v -> b -> e", { b: "${v}" }),
  (graph) => loop(graph, "s")!.sequential,
  false,
);
found(
  "a loop variable hides a variable of its name",
  draw("s -> b -> e; v", { b: "${i}", v: "" }),
  (graph) => node(graph, "b")!.waits,
  [],
);
found(
  "a last node has no edge out and is not named",
  draw("b -> c; d; v", { d: "${v}" }),
  (graph) => ids(graph, graph.last),
  ["d", "c"],
);
found(
  "a finally node is never last, nor an edge to it one that counts",
  draw("b -> z", {}, ["z"]),
  (graph) => ids(graph, graph.last),
  ["b"],
);
found(
  "a variable is last, though a finally node names it",
  draw("v", { z: "${v}" }, ["z"]),
  (graph) => ids(graph, graph.last),
  ["v"],
);

const waitsOf = (data: Partial<CliData>) => {
  const workflow = draw("", { v: "", b: "" });
  const b = workflow.nodes.find(({ id }) => id === "b");
  if (b?.type === "cli") Object.assign(b.data, data);
  const { graph } = analyze(workflow);
  return ids(graph, node(graph, "b")!.waits);
};

test.each<[string, Partial<CliData>, string[]]>([
  ["standard input", { stdin: { source: "literal", literal: "${v}" } }, ["v"]],
  ["env.static", { env: { static: { v: "${v}" } } }, ["v"]],
  ["content, unless env.static has the name", { content: "echo ${v}", env: { static: { v: "x" } } }, []],
  ["a folder, unless env.static has the name", { cwd: "${v}", env: { static: { v: "x" } } }, []],
  ["an approval's prompt", { approval: { prompt: "Delete ${v}?" } }, ["v"]],
  ["a retry's condition", { retry: { on: "vars.v = 1" } }, ["v"]],
  ["a select", { output: { format: "json", select: "vars.v" } }, ["v"]],
  ["a shell script", { mode: "script", content: "#!/usr/bin/env bash\necho ${v}" }, ["v"]],
  ["no script of another language", { mode: "script", content: "#!/usr/bin/env node\nconsole.log(`${v}`)" }, []],
  ["a command that only looks like a script", { mode: "command", content: "#!/usr/bin/env node ${v}" }, ["v"]],
])("a name is found in %s", (_, data, expected) => {
  expect(waitsOf(data)).toEqual(expected);
});

test("20,000 nodes in a row, and 6,000 loops, are read without a recursion", () => {
  const row = Array.from({ length: 20_000 }, (_, index) => `n${index}`).join(" -> ");
  expect(analyze(draw(row)).problems).toEqual([]);
  const loops = Array.from({ length: 6_000 }, (_, index) => `s${index} -> b${index} -> e${index}`).join(" -> ");
  expect(analyze(draw(loops)).graph.loops.size).toBe(6_000);
});
