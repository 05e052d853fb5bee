// Where values come from, through whatever is made of them.

import { expect, test } from "vitest";
import { analyze } from "../graph.ts";
import { parseWorkflow } from "../parse.ts";
import { provenanceOf } from "./provenance.ts";
import type { Meaning } from "./script.ts";

const cli = (id: string, more = "") => `  - { id: ${id}, type: cli, data: { title: t, content: x${more} } }\n`;
const node = (id: string, type: string, data: string) =>
  `  - { id: ${id}, type: ${type}, data: { title: t, ${data} } }\n`;

/** What `${name}` means in the node `at`. */
function meaning(nodes: string, edges: string[], name: string, head = "", at = "at"): Meaning {
  const text = `curlew: 1\n${head}nodes:\n${nodes}edges: ${JSON.stringify(edges)}\n`;
  const { draft, diagnostics } = parseWorkflow(text, "a.flow.yaml");
  expect(diagnostics).toEqual([]);
  const { graph } = analyze(draft!.workflow);
  const found = graph.nodes[graph.indexOf.get(at)!]!;
  return provenanceOf(graph).ofReference(found, { root: name, members: [] }, true);
}

const FETCHED = { untrusted: 'the output of "fetch"' };

test.each<[string, string, string[], string, Meaning]>([
  ["a parent that is a command", cli("fetch") + cli("at"), ["fetch -> at"], "1", FETCHED],
  [
    "a model",
    node("ask", "llm", "content: x, model: a/b") + cli("at"),
    ["ask -> at"],
    "1",
    { untrusted: 'the answer of the model in "ask"', foreign: true },
  ],
  [
    "a subflow",
    node("sub", "subflow", "workflow: a.flow.yaml") + cli("at"),
    ["sub -> at"],
    "1",
    { untrusted: 'the result of the subflow "sub"' },
  ],
  ["a text of the document", node("t", "text", "content: hello") + cli("at"), ["t -> at"], "1", { text: "hello" }],
  [
    "a text around it",
    cli("fetch") + node("t", "text", 'content: "a ${1} b"') + cli("at"),
    ["fetch -> t -> at"],
    "1",
    FETCHED,
  ],
  [
    "a Variable fed by it",
    cli("fetch") + node("v", "variable", "variableName: v") + cli("at"),
    ["fetch -> v"],
    "v",
    FETCHED,
  ],
  [
    "a Variable of a Variable",
    cli("fetch") +
      node("v", "variable", "variableName: v") +
      node("w", "variable", 'variableName: w, content: "x${v}"') +
      cli("at"),
    ["fetch -> v"],
    "w",
    FETCHED,
  ],
  [
    "an accumulator",
    cli("fetch") + node("a", "accumulator", "variableName: all") + cli("at"),
    ["fetch -> a"],
    "all",
    FETCHED,
  ],
  [
    "an IF hands it on",
    cli("fetch") + node("i", "if", "content: exitCode = 0") + cli("at"),
    ["fetch -> i", "i:true -> at"],
    "1",
    FETCHED,
  ],
  [
    "the items of a loop",
    cli("fetch") + node("l", "loop-start", 'items: "${1}"') + cli("at") + node("e", "loop-end", ""),
    ["fetch -> l -> at -> e"],
    "item",
    FETCHED,
  ],
  [
    "the items of a loop by an expression",
    cli("fetch") + node("l", "loop-start", 'items: "inputs[0].list", as: row') + cli("at") + node("e", "loop-end", ""),
    ["fetch -> l -> at -> e"],
    "row",
    FETCHED,
  ],
  [
    "a loop's counter",
    cli("fetch") + node("l", "loop-start", "iterations: 3") + cli("at") + node("e", "loop-end", ""),
    ["fetch -> l -> at -> e"],
    "i",
    {},
  ],
  [
    "a loop's end",
    cli("fetch") + node("l", "loop-start", "iterations: 3") + node("e", "loop-end", "") + cli("at"),
    ["l -> fetch -> e -> at"],
    "1",
    FETCHED,
  ],
  ["a literal Variable", node("v", "variable", "variableName: v, initialValue: x") + cli("at"), [], "v", { text: "x" }],
  [
    "env.static of the node",
    cli("fetch") + cli("at", ', env: { static: { A: "${1}" } }'),
    ["fetch -> at"],
    "A",
    FETCHED,
  ],
  [
    "a secret Variable",
    node("v", "variable", "variableName: v, initialValue: x, secret: true") + cli("at"),
    [],
    "v",
    { secret: "v" },
  ],
  ["a name of nobody", cli("at"), [], "HOME", {}],
])("%s", (_, nodes, edges, name, expected) => expect(meaning(nodes, edges, name)).toEqual(expected));

test("inputs and secrets are trusted, a delivery is not", () => {
  expect(meaning(cli("at"), [], "q", "inputs: { q: { type: string } }\n")).toEqual({});
  expect(meaning(cli("at"), [], "KEY", "secrets: [KEY]\n")).toEqual({ secret: "KEY" });
  const hook = "on: [ { webhook: { path: a, verify: none } } ]\n";
  expect(meaning(cli("at"), [], "event", hook)).toEqual({ untrusted: "what a webhook brought", foreign: true });
  expect(meaning(node("s", "start", "") + cli("at"), ["s -> at"], "1", hook)).toEqual({
    untrusted: "what a webhook brought",
    foreign: true,
  });
});

test("a secret stays one, and what is untrusted stays so beside it", () => {
  const nodes = `${cli("fetch")}${node("t", "text", 'content: "${1} ${KEY}"')}${cli("at")}`;
  expect(meaning(nodes, ["fetch -> t -> at"], "1", "secrets: [KEY]\n")).toEqual({ ...FETCHED, secret: "KEY" });
});

test("the pass before, and a chain of 15,000 nodes", () => {
  const loop =
    node("l", "loop-start", "iterations: 3") +
    cli("at", ', env: { static: { C: "${cursor}" } }') +
    node("v", "variable", "variableName: cursor") +
    node("e", "loop-end", "");
  expect(meaning(loop, ["l -> at -> v -> e"], "C")).toEqual({ untrusted: 'the output of "at"' });
  const names = Array.from({ length: 15_000 }, (_, index) => `n${index}`);
  const chain = cli("fetch") + names.map((name) => node(name, "text", 'content: "${1}"')).join("") + cli("at");
  expect(meaning(chain, [["fetch", ...names, "at"].join(" -> ")], "1")).toEqual(FETCHED);
});
