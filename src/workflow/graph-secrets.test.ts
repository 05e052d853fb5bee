// graph-secrets.test: the nodes and inputs that a secret Variable makes secret, one graph each.

import { expect, test } from "vitest";
import { analyze } from "./graph.ts";
import { secretSources } from "./graph-secrets.ts";
import { parseWorkflow } from "./parse.ts";

/** `nodes`: one flow map per line, without title. Returns ids and inputs. */
function secrets(nodes: string, edges: string, more: { result?: boolean; inputs?: string } = {}): string[] {
  const list = nodes
    .trim()
    .split("\n")
    .map((line) => {
      const [, id, type, data] = /^\s*(\S+) (\S+) ?(.*)$/.exec(line)!;
      return `  - { id: ${id}, type: ${type}, data: { title: t${data === "" ? "" : `, ${data}`} } }`;
    });
  const text = `curlew: 1\nname: t\ninputs: { ${more.inputs ?? ""} }\nnodes:\n${list.join("\n")}\nedges: [${edges}]\n`;
  const { workflow, diagnostics } = parseWorkflow(text, "t.flow.yaml");
  if (workflow === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const { graph, problems } = analyze(workflow);
  expect(problems).toEqual([]);
  const found = secretSources(graph, more.result);
  return [
    ...[...found.nodes].map((index) => graph.nodes[index]!.id),
    ...[...found.inputs].map((name) => `input ${name}`),
  ].sort();
}

const V = "v variable variableName: v, secret: true";

test("without a secret Variable nothing is secret", () => {
  expect(secrets("a cli content: x\nv variable variableName: v", "a -> v")).toEqual([]);
});

test("a Variable takes its parents' value, and commands make their own", () => {
  expect(
    secrets(
      `before cli content: x\na cli content: x\nb cli content: x\n${V}\nafter cli content: x`,
      "before -> a -> v -> after, b -> v",
    ),
  ).toEqual(["a", "b", "v"]);
});

test("with content it takes only the values that the content names", () => {
  expect(
    secrets(
      `a cli content: x\nb cli content: x\nn variable variableName: name\n${V}, content: "\${2.token} \${name}"`,
      "a -> v, b -> v",
    ),
  ).toEqual(["b", "n", "v"]);
});

test("nodes in between are secret too: IF, Text, Accumulator, Variable, subflow", () => {
  expect(
    secrets(
      `a cli content: x\nother cli content: x\ni if content: "true"\nt text content: "\${1}!"\ng accumulator variableName: g\nw variable variableName: w\ns subflow workflow: s.flow.yaml\n${V}`,
      "a -> i, other -> i, 'i:true -> t', t -> g -> w -> v, s -> g",
    ),
  ).toEqual(["a", "g", "i", "s", "t", "v", "w"]);
});

test("a named input is secret, and after a start node all of them", () => {
  const inputs = "key: { type: string }, other: { type: string }";
  expect(secrets(`${V}, initialValue: "\${key}"`, "", { inputs })).toEqual(["input key", "v"]);
  expect(secrets(`s start\n${V}`, "s -> v", { inputs })).toEqual(["input key", "input other", "s", "v"]);
});

test("a loop's items are secret as a parent, by name and in an expression; a counter is not", () => {
  const loop = (v: string) => `a cli content: x\nl loop-start items: "inputs[0]", as: key\n${v}\ne loop-end`;
  expect(secrets(loop(V), "a -> l -> v -> e")).toEqual(["a", "l", "v"]);
  expect(secrets(loop(`${V}, content: "\${key}"`), "a -> l -> v -> e")).toEqual(["a", "l", "v"]);
  expect(secrets(loop(`${V}, content: "\${i}"`), "a -> l -> v -> e")).toEqual(["v"]);
  expect(
    secrets(
      `a cli content: x\nl loop-start iterations: 2\nb cli content: x\ne loop-end\n${V}`,
      "a -> l -> b -> e -> v",
    ),
  ).toEqual(["b", "e", "v"]);
});

test("a failure's value is not secret", () => {
  expect(secrets(`a cli content: x\n${V}`, "'a:error -> v'")).toEqual(["v"]);
});

test("the result of a subflow that a secret Variable takes", () => {
  const nodes = "a cli content: x\nt text content: '${1}'";
  expect(secrets(nodes, "a -> t", { result: true })).toEqual(["a", "t"]);
  expect(secrets(nodes, "a -> t")).toEqual([]);
});
