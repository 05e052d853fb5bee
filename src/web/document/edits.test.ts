// Edits of a document, shown as the text before and after. All other bytes stay the same.

import { describe, expect, it } from "vitest";
import { limits } from "../../base/limits.ts";
import {
  addNode,
  applyEdits,
  connect,
  copyNodes,
  disconnect,
  duplicateNodes,
  type Edit,
  isTooLarge,
  moveNodes,
  nameInsteadOfEdge,
  openDoc,
  pasteNodes,
  perform,
  removeNodes,
  removeReference,
  renameNode,
  renameVariable,
  setDocumentField,
  setField,
  wrapInLoop,
} from "./index.ts";

const FILE = "a.flow.yaml";

const BASE = `# About it.
curlew: 1
name: Three  # a remark
nodes:
  - id: a
    type: text
    data: { title: 'A', content: "one" }

  # Why b is here.
  - id: b # its id
    type: cli
    data:
      title: B
      content: >-
        curl --silent
        "http://x/\${1}"
      timeout: 5s
  - id: c
    type: text
    data: { title: C, content: "\${1}" }
edges:
  - a -> b -> c # the way
layout: { a: [0, 0], b: [300, 0], c: [600, 0] }
`;

function edited(text: string, edit: Edit, file = FILE): string {
  const doc = openDoc(text, file);
  const change = perform(doc, edit);
  if (!change.ok) throw new Error(change.error);
  expect(applyEdits(text, change.value.edits)).toBe(change.value.doc.text);
  expect(applyEdits(change.value.doc.text, change.value.inverse)).toBe(text);
  return change.value.doc.text;
}

/** Checks that the edit replaces the only `from` by `to` and changes nothing else. */
function check(edit: Edit, ...pairs: [from: string, to: string][]): void {
  let wanted = BASE;
  for (const [from, to] of pairs) {
    expect(wanted.split(from)).toHaveLength(2);
    wanted = wanted.replace(from, () => to);
  }
  expect(edited(BASE, edit)).toBe(wanted);
}

describe("fields", () => {
  it("keeps the quotes of a text", () => {
    check(setField("a", ["title"], "It's"), ["'A'", "'It''s'"]);
    check(setField("a", ["content"], 'say "hi"'), ['"one"', '"say \\"hi\\""']);
  });
  it("writes a folded command that changes on one line", () => {
    check(setField("b", ["content"], 'curl --silent --fail "http://x/${1}"'), [
      '        curl --silent\n        "http',
      '        curl --silent --fail "http',
    ]);
  });
  it("writes several lines as a block, even in place of a map on one line", () => {
    check(setField("a", ["content"], "one\ntwo"), [
      "data: { title: 'A', content: \"one\" }",
      "data:\n      title: 'A'\n      content: |-\n        one\n        two",
    ]);
  });
  it("sets, changes and removes what lies deeper", () => {
    check(setField("b", ["retry", "maxAttempts"], 4), [
      "timeout: 5s\n",
      "timeout: 5s\n      retry: { maxAttempts: 4 }\n",
    ]);
    check(setField("b", ["timeout"], undefined), ["      timeout: 5s\n", ""]);
    const once = edited(BASE, setField("b", ["retry", "maxAttempts"], 4));
    expect(edited(once, setField("b", ["retry", "maxAttempts"], undefined))).toBe(BASE);
  });
  it("puts a field of the document where it belongs", () => {
    check(setDocumentField(["inputs", "repo"], { type: "string" }), [
      "# a remark\n",
      "# a remark\ninputs:\n  repo: { type: string }\n",
    ]);
  });
  it("keeps Windows line ends", () => {
    const text = BASE.replaceAll("\n", "\r\n");
    const wanted = BASE.replace("timeout: 5s\n", "timeout: 5s\n      cwd: /tmp\n").replaceAll("\n", "\r\n");
    expect(edited(text, setField("b", ["cwd"], "/tmp"))).toBe(wanted);
  });
  it("edits JSON files", () => {
    const json = JSON.stringify({ curlew: 1, nodes: [{ id: "a", type: "start", data: { title: "A" } }] }, null, 2);
    expect(JSON.parse(edited(json, setField("a", ["title"], "B"), "a.flow.json")).nodes[0].data.title).toBe("B");
  });
  it("refuses a file that cannot be read", () => {
    expect(perform(openDoc("a: [", FILE), setField("a", ["title"], "B"))).toMatchObject({ ok: false });
  });
});

describe("nodes and edges", () => {
  it("adds a node behind the one that it is connected to, and makes its chain longer", () => {
    check(
      addNode({ type: "text", data: { title: "Next one", content: "x" }, after: { source: "c" }, at: [900.4, 0] }),
      [
        '"${1}" }\n',
        '"${1}" }\n  - id: next_one\n    type: text\n    data:\n      title: Next one\n      content: x\n',
      ],
      ["a -> b -> c #", "a -> b -> c -> next_one #"],
      ["c: [600, 0] }", "c: [600, 0], next_one: [900, 0] }"],
    );
  });
  it("removes a node with its comment, its edges and its place", () => {
    check(
      removeNodes(["b"]),
      [BASE.slice(BASE.indexOf("  # Why b"), BASE.indexOf("  - id: c")), ""],
      ["edges:\n  - a -> b -> c # the way\n", ""],
      [" b: [300, 0],", ""],
    );
  });
  it("heals: parents are connected to children", () => {
    check(
      removeNodes(["b"], { heal: true }),
      [BASE.slice(BASE.indexOf("  # Why b"), BASE.indexOf("  - id: c")), ""],
      ["a -> b -> c #", "a -> c #"],
      [" b: [300, 0],", ""],
    );
  });
  it("renames an id everywhere", () => {
    check(renameNode("b", "fetch"), ["id: b #", "id: fetch #"], ["a -> b ->", "a -> fetch ->"], [" b: [", " fetch: ["]);
  });
  it("renames the references to a node with its id, and nothing of the same name", () => {
    const text = `curlew: 1
name: References
inputs: { c: { type: string } }
nodes:
  - { id: a, type: text, data: { title: "\${a}", content: a } }
  - id: b
    type: cli
    data: { title: B, content: 'jq \${a.n} "\${a|default("a")}" $\${a} \${c}', stdin: a }
  - id: c
    type: cli
    data: { title: C, content: "\${a}", stdin: { source: node, node: a }, env: { static: { a: "\${a}" } } }
  - { id: d, type: if, data: { title: D, content: nodes.a.n > nodes.ab.n } }
  - { id: e, type: text, data: { title: E, content: "\${c}" } }
edges: [d:true -> e]
`;
    expect(edited(text, renameNode("a", "posts"))).toBe(
      text
        .replace("id: a,", "id: posts,")
        .replace('jq ${a.n} "${a|', 'jq ${posts.n} "${posts|')
        .replace("stdin: a", "stdin: posts")
        .replace("node: a }", "node: posts }")
        .replace('a: "${a}"', 'a: "${posts}"')
        .replace("nodes.a.n", "nodes.posts.n"),
    );
    expect(edited(text, renameNode("c", "count"))).toBe(text.replace("id: c\n", "id: count\n"));
  });
  it("names a value instead of the edge that bypasses a branch", () => {
    const text = `curlew: 1
name: Bypassed
nodes:
  - id: fetch
    run: echo 3
  - id: check
    if: inputs[0] > 2
    after: fetch
  - id: send
    run: echo \${1} \${2.n|json} \${3}
    stdin: { source: parent-index, parentIndex: 2 }
    after: [check:true, fetch, other]
  - id: other
    run: echo 4
`;
    expect(edited(text, nameInsteadOfEdge("fetch", "send"))).toBe(
      text
        .replace("${1} ${2.n|json} ${3}", "${1} ${fetch.n|json} ${2}")
        .replace("parentIndex: 2", "parentIndex: 1")
        .replace("[check:true, fetch, other]", "[check:true, other]"),
    );
    const change = perform(openDoc(text, FILE), nameInsteadOfEdge("fetch", "check"));
    expect(change).toEqual({ ok: false, error: '"check" uses inputs in an expression. Change it there.' });
  });
  it("removes the value of a node from another node, except from expressions", () => {
    const text = `curlew: 1
nodes:
  - { id: fetch, run: echo 1 }
  - id: send
    # keep me
    run: echo \${fetch.n|json} \${fetched} $\${fetch}
    stdin: fetch
    env: { static: { N: "\${fetch}" } }
  - { id: check, if: nodes.fetch.n = 1 }
`;
    expect(edited(text, removeReference("fetch", "send"))).toBe(
      text.replace("${fetch.n|json} ", " ").replace("    stdin: fetch\n", "").replace('"${fetch}"', '""'),
    );
    const change = perform(openDoc(text, FILE), removeReference("fetch", "check"));
    expect(change).toEqual({ ok: false, error: '"check" uses it in an expression. Change it there.' });
  });
  it("splits a chain only where it must", () => {
    expect(edited(BASE, disconnect([{ source: "a", target: "b" }]))).toContain("  - b -> c # the way\n");
    const long = BASE.replace("a -> b -> c", "a -> b -> c -> d");
    expect(edited(long, disconnect([{ source: "b", target: "c" }]))).toContain("  - a -> b # the way\n  - c -> d\n");
  });
  it("connects with handles, as a separate item", () => {
    check(connect("a", "c", "error"), ["# the way\n", "# the way\n  - a:error -> c\n"]);
  });
  it("writes places one a line when they are many", () => {
    const places = Object.fromEntries(
      ["a", "b", "c"].map((id, at) => [id, [at * 100_000, 12_345] as [number, number]]),
    );
    expect(edited(BASE, moveNodes(places))).toContain(
      "layout: { a: [0, 12345], b: [100000, 12345], c: [200000, 12345] }",
    );
    const six = { ...places, d: [1, 1], e: [2, 2], f: [3, 3], g: [4, 4], h: [5, 5], i: [6, 6] } as typeof places;
    expect(edited(BASE, moveNodes(six))).toContain("layout:\n  a: [0, 12345]\n  b: [100000, 12345]\n");
  });
  it("wraps a loop of which an end is selected with all that it repeats", () => {
    const once = edited(BASE, wrapInLoop(["c"]));
    const twice = edited(once, wrapInLoop(["loop"]));
    expect(twice).toMatch(/- loop -> c -> loop_end -> loop_end_2\n {2}- loop_2 -> loop\n/);
    expect(edited(once, wrapInLoop(["loop_end"]))).toBe(twice);
    expect(edited(once, wrapInLoop(["loop", "c", "loop_end"]))).toBe(twice);
  });
  it("wraps a selection in a loop", () => {
    const text = edited(BASE, wrapInLoop(["c"]));
    expect(text).toContain("  - id: loop\n    type: loop-start\n");
    // c uses its parents by number, so it keeps the parent that it had.
    expect(text).toContain("edges:\n  - a -> b -> c # the way\n  - loop -> c -> loop_end\n");
    expect(edited(text, removeNodes(["loop"], { heal: true }))).toContain("edges:\n  - a -> b -> c # the way\n");
  });
});

describe("names of values", () => {
  const text = `curlew: 1
nodes:
  - id: v
    type: variable
    data: { title: V, variableName: page, initialValue: "1" }
  - id: own
    type: cli
    data: { title: Own, content: "echo \${page} $\${page}", env: { static: { page: "\${page}" } } }
  - id: use
    type: cli
    data: { title: Use, content: "echo \${page.size|json} $\${page}" }
  - id: if
    type: if
    data: { title: If, content: vars.page > 3 }
`;
  it("follow in templates and expressions, not where a name is the node's own", () => {
    const wanted = text
      .replace("variableName: page", "variableName: site")
      .replace('page: "${page}"', 'page: "${site}"')
      .replace("${page.size", "${site.size")
      .replace("vars.page", "vars.site");
    expect(edited(text, renameVariable("v", "site"))).toBe(wanted);
  });
});

describe("the clipboard", () => {
  it("holds YAML with the author's own lines, and pastes with fresh ids", () => {
    const copied = copyNodes(openDoc(BASE, FILE), ["a", "b"]);
    expect(copied).toContain("nodes:\n  - id: a\n    type: text\n    data: { title: 'A', content: \"one\" }\n");
    expect(copied).toContain("        curl --silent\n");
    expect(copied).toContain("edges:\n  - a -> b\n");
    expect(copied, "with the comments above").toContain("  # Why b is here.\n  - id: b # its id\n");
    const pasted = edited(BASE, pasteNodes(copied));
    expect(pasted).toContain("  - id: b_2 # its id\n");
    expect(pasted).toContain("# the way\n  - a_2 -> b_2\n");
    expect(pasted).toContain("b_2: [340, 40]");
    // Not on top of an earlier paste, where the user would see only one node.
    expect(edited(pasted, pasteNodes(copied))).toContain("b_3: [380, 80]");
    const nowhere = copied.replace(/b: \[.*\]/, "b: [.inf, .nan]");
    expect(edited(edited(BASE, pasteNodes(nowhere)), pasteNodes(nowhere))).toContain("id: b_3");
  });
  it("takes the comment above the first node along, also as a list that begins with it", () => {
    const text = BASE.replace("  - id: a\n", "  # It begins here.\n  # In two lines.\n  - id: a\n");
    const head = "  # It begins here.\n  # In two lines.\n";
    for (const own of [text, text.replace(/\n/g, "\r\n"), text.replace("name:", "x-a: &a 1\nname:")])
      expect(copyNodes(openDoc(own, FILE), ["a"])).toContain(`nodes:\n${head}  - id: a\n`);
    const list = "# It begins here.\n- id: z\n  type: text\n  data: { title: Z, content: z }\n";
    expect(edited(BASE, pasteNodes(list))).toContain("  # It begins here.\n  - id: z\n    type: text\n");
  });
  it("takes one node without a list, such as a recipe", () => {
    const recipe = "run: curl --json @- https://api.example.com\nstdin: b # the body\n";
    expect(edited(BASE, pasteNodes(recipe))).toMatch(
      /- id: node\n {4}type: cli\n[\s\S]*content: curl --json @- https:\/\/api.example.com\n {6}stdin: b\n/,
    );
    expect(edited(BASE, pasteNodes("script: |\n  #!/bin/sh\n  ls\nid: list\n"))).toMatch(
      /- id: list\n {4}type: cli\n[\s\S]*#!\/bin\/sh\n[\s\S]*mode: script\n/,
    );
    const own = "curlew: 1\nnodes:\n  - id: a\n    run: ls\n";
    expect(edited(own, pasteNodes(recipe))).toContain("    stdin: b # the body\n");
  });
  it("holds no more than a workflow may: more is not even read", () => {
    const many = (count: number) =>
      `nodes:\n${'  - { id: a, type: text, data: { title: id, content: "id" } }\n'.repeat(count)}`;
    expect(isTooLarge(many(limits.nodesMax))).toBe(false);
    expect(isTooLarge(many(limits.nodesMax + 1))).toBe(true);
    expect(
      isTooLarge(JSON.stringify({ nodes: Array.from({ length: limits.nodesMax + 1 }, () => ({ id: "a" })) })),
    ).toBe(true);
    expect(
      isTooLarge(`nodes:\n  - id: a\n    type: text\n    data: { content: ${"x".repeat(limits.documentBytesMax)} }\n`),
    ).toBe(true);
  });
  it("duplicates a variable under another name", () => {
    const text = "curlew: 1\nnodes:\n  - id: v\n    type: variable\n    data: { title: V, variableName: x }\n";
    const twice = edited(text, duplicateNodes(openDoc(text, FILE), ["v"]));
    expect(twice).toContain("variableName: x_2");
  });
});
