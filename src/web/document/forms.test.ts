// Edits of a file in the short form: it stays short, and only the lines of the edit change.

import { expect, test } from "vitest";
import { findingsOf } from "../code/places.ts";
import {
  addNode,
  connect,
  copyNodes,
  disconnect,
  type Edit,
  insertPiece,
  openDoc,
  pasteNodes,
  perform,
  reconnect,
  removeNodes,
  renameNode,
  setField,
} from "./index.ts";

const BASE = `curlew: 1
nodes:
  # Where it comes from.
  - id: fetch
    run: curl https://x.example # once
    timeout: 5s
  - { id: other, text: x }
  - id: check
    after: fetch
    if: "1 = 1"
  - id: report
    after: [check:true, other]
    script: |
      echo "\${1}"
`;
const LONG = `curlew: 1
nodes:
  - id: a
    type: text
    data: { title: A, content: x }
edges: []
`;

function edited(text: string, edit: Edit): string {
  const change = perform(openDoc(text, "a.flow.yaml"), edit);
  if (!change.ok) throw new Error(change.error);
  return change.value.doc.text;
}

/** The edit replaces the only `from` by `to`, and changes nothing else. */
const check = (name: string, edit: Edit, from: string, to: string) =>
  test(name, () => {
    expect(BASE.split(from)).toHaveLength(2);
    expect(edited(BASE, edit)).toBe(BASE.replace(from, () => to));
  });

check(
  "the content is written under its short key",
  setField("fetch", ["content"], "ls"),
  "curl https://x.example",
  "ls",
);
check("another field beside it", setField("fetch", ["timeout"], "9s"), "5s", "9s");
check("a new field", setField("other", ["title"], "Other things"), "text: x }", "text: x, title: Other things }");
check(
  "a title that the id says already is left out",
  setField("fetch", ["title"], "Fetch"),
  "fetch\n    run",
  "fetch\n    run",
);
check("a script that becomes a command", setField("report", ["mode"], undefined), "script: |", "run: |");
check("an edge goes into after", connect("fetch", "other"), "{ id: other,", "{ id: other, after: fetch,");
check("after the parents that are there", connect("check", "report", "false"), "other]", "other, check:false]");
check(
  "a deleted edge leaves",
  disconnect([{ source: "other", target: "report" }]),
  "[check:true, other]",
  "check:true",
);
check(
  "and the last one takes after with it",
  disconnect([{ source: "fetch", target: "check" }]),
  "    after: fetch\n",
  "",
);
check(
  "an edge that moves its end",
  reconnect({ source: "fetch", target: "check" }, { source: "fetch", target: "other" }),
  "{ id: other, text: x }\n  - id: check\n    after: fetch\n",
  "{ id: other, after: fetch, text: x }\n  - id: check\n",
);
test("a renamed id is renamed in after", () => {
  expect(edited(BASE, renameNode("check", "is_new"))).toBe(
    BASE.replace("id: check", "id: is_new").replace("check:true", "is_new:true"),
  );
});

test("a removed node leaves after, and its parents can take its place", () => {
  expect(edited(BASE, removeNodes(["check"]))).toContain("    after: other\n");
  expect(edited(BASE, removeNodes(["check"], { heal: true }))).toContain("    after: [fetch, other]\n");
});

test("an empty list of edges stays with its comments when nodes are added", () => {
  const node = { type: "cli", id: "list", data: { title: "List", content: "ls" } };
  for (const edges of ["# The order\nedges: []\n", "edges: [] # none yet\n"])
    for (const after of [undefined, { source: "a" }])
      expect(edited(`curlew: 1\nnodes:\n  - id: a\n    run: date\n${edges}`, addNode({ ...node, after }))).toContain(
        edges,
      );
  const long = LONG.replace("edges:", "# The order\nedges:");
  expect(edited(long, addNode(node))).toContain("# The order\nedges: []\n");
});

test("a new node has the form of the file, and an empty file the short one", () => {
  const node = addNode({ type: "cli", id: "list", data: { title: "List", content: "ls" }, after: { source: "a" } });
  expect(edited(BASE.replaceAll("fetch", "a"), node)).toContain("  - id: list\n    after: a\n    run: ls\n");
  expect(edited("curlew: 1\nnodes: []\n# end\n", node)).toContain("\nnodes:\n  - id: list\n");
  expect(edited("", node)).toBe("curlew: 1\nnodes:\n  - id: list\n    after: a\n    run: ls\n");
  const long = edited(LONG, node);
  expect(long).toContain("  - id: list\n    type: cli\n    data:\n      title: List\n      content: ls\n");
  expect(long).toContain("edges: [a -> list]");
});

test("edges of a file that lists them stay in the list", () => {
  const listed =
    "curlew: 1\nnodes:\n  - { id: a, text: x }\n  - { id: b, text: x }\n  - { id: c, text: x }\nedges:\n  - a -> b\n";
  expect(edited(listed, connect("b", "c"))).toBe(listed.replace("a -> b", "a -> b -> c"));
  const mixed = listed.replace("c, text", "c, after: a, text");
  expect(edited(mixed, connect("c", "b"))).toBe(mixed.replace("- a -> b\n", "- a -> b\n  - c -> b\n"));
});

test("a copy has only the edges inside it, and lands in either form", () => {
  const text = copyNodes(openDoc(BASE, "a.flow.yaml"), ["fetch", "check"]);
  expect(text).toBe(
    'nodes:\n  # Where it comes from.\n  - id: fetch\n    run: curl https://x.example # once\n    timeout: 5s\n  - id: check\n    after: fetch\n    if: "1 = 1"\n',
  );
  expect(copyNodes(openDoc(BASE, "a.flow.yaml"), ["report"])).not.toContain("after");
  const twice = edited(BASE, pasteNodes(text));
  expect(twice.slice(0, BASE.length)).toBe(BASE);
  expect(twice.slice(BASE.length)).toContain('  - id: check_2\n    after: fetch_2\n    if: "1 = 1"\n');
  expect(twice.slice(BASE.length)).toContain("  # Where it comes from.\n  - id: fetch_2\n");
  const long = edited(LONG, insertPiece(text, "Paste", { after: { source: "a" } }));
  expect(long).toContain("      title: Fetch\n      content: curl https://x.example\n      timeout: 5s\n");
  expect(long).toContain("edges: [fetch -> check, a -> fetch]");
});

test("a finding is at the field of the form", () => {
  const text = BASE.replace("5s", "5");
  const { parsed } = openDoc(text, "a.flow.yaml");
  expect(findingsOf(text, parsed.diagnostics).at(["nodes", 0, "data", "timeout"])).toHaveLength(1);
});
