// Edits of files in unusual spellings: they hold what was meant, and no comment outside the edited field is lost.

import { describe, expect, it } from "vitest";
import {
  addNode,
  connect,
  type Doc,
  duplicateNodes,
  type Edit,
  moveNodes,
  openDoc,
  perform,
  removeNodes,
  renameNode,
  setDocumentField,
  setField,
  wrapInLoop,
} from "./index.ts";

const TEXTS: Record<string, string> = {
  four: `# head

curlew:   1
name:  'Odd'   # its name
nodes:
    - id: a
      type: text
      data:
          title:   A # t
          content: |
              one

                two
    # about b

    # b itself
    - id: b
      type: cli
      data: {title: B,content: 'echo ''x''' , timeout: 5s}   # flow
edges: [a -> b] # way
`,
  flush: `curlew: 1
name: Flush
nodes:
- id: a
  type: cli
  data:
    title: A
    # before content
    content: >-
      curl
      -s x

    # last of a
- id: b
  type: text
  data:
    title: B
    content: "a \\
      b"
# end of nodes

edges:
- a -> b
# tail`,
  dash: `curlew: 1
nodes:
  -
    id: a
    type: text
    data:
      title: A
      content: x
  - # remark
    id: b
    type: text
    data: # of data
      title: B
      content: y
layout:
  a: [0,0] # here
  b:
    - 1
    - 2
`,
  flow: `{ curlew: 1, name: F, # the name
  nodes: [ { id: a, type: text, data: { title: A, content: x } }, # first
    { id: b, type: text, data: { title: B, content: y } } ],
  edges: [ a -> b ] }
`,
  marks: `%YAML 1.2
---
curlew: 1
nodes:
  - &a
    id: a
    type: text
    data: { title: !!str A, content: x }
  - { id: b, type: text, data: { title: B, content: "tab\\there" } }
...
`,
  keys: `"curlew": 1
? nodes
: - id: a
    type: text
    data: { title: A, content: x }
  - id: b
    type: text
    data: { title: B, content: x }
`,
};

const EDITS: Record<string, (doc: Doc) => Edit> = {
  title: () => setField("a", ["title"], "New: # title"),
  lines: () => setField("b", ["content"], "echo\n  two\n"),
  deep: () => setField("a", ["retry", "maxAttempts"], 3),
  head: () => setDocumentField(["inputs", "x"], { type: "string" }),
  add: () => addNode({ type: "text", data: { title: "C", content: "c" }, after: { source: "a" }, at: [10, 20] }),
  remove: () => removeNodes(["a"]),
  rename: () => renameNode("a", "begin"),
  move: () => moveNodes({ a: [5, 6], b: [7, 8] }),
  connect: () => connect("b", "a"),
  wrap: () => wrapInLoop(["b"]),
  copy: (doc) => duplicateNodes(doc, ["a", "b"]),
};

/** Comments of the node or the edge that is deleted. */
const DELETED = ["# t", "# way", "# before content", "# last of a", "# here", "# first"];

function edited(text: string, edit: Edit): string {
  const change = perform(openDoc(text, "a.flow.yaml"), edit);
  if (!change.ok) throw new Error(`${change.error}\n${text}`);
  return change.value.doc.text;
}

describe.each(Object.entries(TEXTS))("the file %s", (_, text) => {
  it.each(Object.entries(EDITS))("can be edited: %s", (kind, edit) => {
    const next = edited(text, edit(openDoc(text, "a.flow.yaml")));
    const comments = [...text.matchAll(/(?:^|\s)(# .*)$/gm)].map(([, comment]) => comment!);
    const lost = comments.filter((comment) => !next.includes(comment));
    expect(lost.filter((comment) => kind !== "remove" || !DELETED.includes(comment))).toEqual([]);
    const windows = text.replaceAll("\n", "\r\n");
    expect(edited(windows, edit(openDoc(windows, "a.flow.yaml")))).toBe(next.replaceAll("\n", "\r\n"));
  });
});

it("only the lines of the field change", () => {
  const text = TEXTS.four!;
  expect(edited(text, setField("a", ["title"], "B"))).toBe(text.replace("title:   A # t", "title: B # t"));
  expect(edited(text, removeNodes(["a"]))).toBe(
    text.replace(text.slice(text.indexOf("    - id: a"), text.indexOf("    # about b")), "").replace(/edges.*\n/, ""),
  );
});

it("a comment behind an empty list of nodes stays when the first node is added", () => {
  const text = "curlew: 1\nnodes: [] # what it does\n";
  const next = edited(text, addNode({ type: "text", data: { title: "C", content: "c" }, at: [10, 20] }));
  expect(next).toBe("curlew: 1\nnodes:\n  - id: c\n    text: c\n  # what it does\nlayout:\n  c: [10, 20]\n");
});
