// Values from an alias or a merge key are drawn, changed, and copied like any other values.

import { expect, it } from "vitest";
import { drawingOf } from "../editor/read.ts";
import { fixInNode, renameKey } from "../inspector/edits.ts";
import { copyNodes, duplicateNodes } from "./clipboard.ts";
import { removeNodes, setField } from "./edits.ts";
import { openDoc, perform } from "./open.ts";
import { nodesOf, titleOf } from "./plain.ts";
import { renameNode } from "./rename.ts";
import type { Doc, Edit } from "./types.ts";

const SHARED = `curlew: 1
name: Shared
x-call: &call { title: Call the API, content: curl -m 5 https://a.example, env: { static: { A: "1", B: "2" } } }
nodes:
  - id: first
    type: cli
    data:
      <<: *call
      timeout: 5s
  - id: second
    type: cli
    data: *call
  - id: third
    type: cli
    data: &third
      title: Third
      content: echo three
  - id: fourth
    type: cli
    data:
      <<: [*third, *call]
      title: Fourth
`;

const open = (text: string) => openDoc(text, "a.flow.yaml");

function edited(edit: Edit, doc: Doc = open(SHARED)): Doc {
  const change = perform(doc, edit);
  if (!change.ok) throw new Error(change.error);
  return change.value.doc;
}

const meant = (doc: Doc, id: string) => doc.parsed.workflow?.nodes.find((node) => node.id === id)?.data;

it("draws a node with the title and the command that it inherits", () => {
  const cards = [...drawingOf(open(SHARED)).byId.values()];
  expect(cards.map(({ title, preview }) => [title, preview])).toEqual([
    ["Call the API", "curl https://a.example"],
    ["Call the API", "curl https://a.example"],
    ["Third", "echo three"],
    ["Fourth", "echo three"],
  ]);
  expect(nodesOf(open(SHARED).plain ?? {}).map(titleOf)).toEqual(cards.map(({ title }) => title));
});

it("changes a part of what is inherited for this node alone, the other parts stay", () => {
  const doc = edited(setField("first", ["env", "static", "B"], "3"));
  expect(meant(doc, "first")).toMatchObject({ env: { static: { A: "1", B: "3" } }, timeout: "5s" });
  expect(meant(doc, "second")).toMatchObject({ env: { static: { A: "1", B: "2" } } });
  expect(edited(setField("first", ["title"], "Call the API")).text, "what it is already").toBe(SHARED);
});

it("fixes an inherited command, and renames a key of an inherited map, in this node only", () => {
  const from = "curl -m 5 https://a.example";
  const fix = { label: "Add --fail", changes: [{ from: 5, to: 5, insert: "--fail " }] };
  expect(meant(edited(fixInNode("first", ["content"], from, fix)), "first")).toMatchObject({
    content: "curl --fail -m 5 https://a.example",
  });
  const renamed = edited(renameKey("first", ["env", "static"], "A", "Z"));
  expect(meant(renamed, "first")).toMatchObject({ env: { static: { Z: "1", B: "2" } } });
});

it("copies all that a node holds, also where its anchor is not copied along", () => {
  for (const id of ["first", "second", "fourth"]) {
    const piece = open(`curlew: 1\nname: Piece\n${copyNodes(open(SHARED), [id])}`);
    expect(meant(piece, id), id).toEqual(meant(open(SHARED), id));
    const doc = edited(duplicateNodes(open(SHARED), [id]));
    expect(meant(doc, `${id}_2`), `a second ${id}`).toEqual(meant(open(SHARED), id));
    expect(doc.text.startsWith(SHARED), "and leaves the rest as it was").toBe(true);
  }
});

const KINDS = `curlew: 1
x-step: &step { type: cli, data: { title: A step, content: echo same } }
nodes:
  - { <<: *step, id: first }
  - <<: *step # Like the first.
    id: second
edges:
  - first -> second
`;

it("a node whose kind comes by a merge key is drawn, changed, renamed, copied and deleted as any other", () => {
  expect(drawingOf(open(KINDS)).cards.map(({ id, type, title }) => [id, type, title])).toEqual([
    ["first", "cli", "A step"],
    ["second", "cli", "A step"],
  ]);
  const doc = edited(setField("second", ["title"], "Another step"), open(KINDS));
  expect(meant(doc, "second")).toMatchObject({ title: "Another step", content: "echo same" });
  expect(meant(doc, "first")).toMatchObject({ title: "A step" });
  expect(doc.text).toContain("  - <<: *step # Like the first.\n    id: second\n    data:\n");
  expect(edited(setField("second", ["title"], "A step"), open(KINDS)).text, "what it is already").toBe(KINDS);
  expect(edited(renameNode("first", "begin"), open(KINDS)).text).toBe(
    KINDS.replace("id: first", "id: begin").replace("first ->", "begin ->"),
  );
  const copied = edited(duplicateNodes(open(KINDS), ["second"]), open(KINDS));
  expect(meant(copied, "second_2")).toEqual(meant(open(KINDS), "second"));
  expect(copied.text.startsWith(KINDS.slice(0, KINDS.indexOf("edges:")))).toBe(true);
  expect(edited(removeNodes(["first"]), open(KINDS)).parsed.workflow?.nodes.map(({ id }) => id)).toEqual(["second"]);
});
