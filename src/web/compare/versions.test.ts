// Two versions of a file: which nodes, edges, and members differ, with their lines, and one drawing of both.

import { expect, test } from "vitest";
import { changedLines } from "../ui/diff-lines.tsx";
import { compareVersions, countsOf } from "./versions.ts";

const THEN = `curlew: 1
name: t
inputs:
  city: { type: string, default: Oslo }
nodes:
  - { id: get, type: cli, data: { title: Get it, content: "true" } }
  # Only the new ones.
  - id: pick
    type: cli
    data:
      title: Pick
      content: jq .items
  - { id: send, run: "false" }
edges: [get -> pick, pick -> send]
`;

const compared = (now: string, then = THEN) => compareVersions(then, now, "t.flow.yaml");
const said = (now: string, then = THEN) =>
  compared(now, then).entries.flatMap(({ key, kind }) => (key === "text" ? [] : [`${kind} ${key}`]));
const marks = (now: string, then = THEN) =>
  Object.fromEntries([...compared(now, then).drawn!.overlay.nodes].map(([id, { change }]) => [id, change]));

test("equal texts have no entries, and comments, spelling and positions only change the text", () => {
  expect(compared(THEN).entries).toEqual([]);
  expect(compared(THEN.replaceAll("\n", "\r\n")).entries).toEqual([]);
  const rewritten = THEN.replace("# Only", "# Just")
    .replace('{ id: send, run: "false" }', "{ id: send, type: cli, data: { content: 'false' } }")
    .concat("layout: { get: [0, 40] }\n");
  const { entries } = compared(rewritten);
  expect(entries.map(({ key }) => key)).toEqual(["text"]);
  expect(countsOf(entries)).toBe("");
});

test("a changed node has its lines, without the indentation of the list", () => {
  const { entries, drawn } = compared(THEN.replace("jq .items", "jq .items[0]"));
  expect(entries[0]).toMatchObject({ key: "node:pick", kind: "changed", title: "Pick" });
  expect(countsOf(entries)).toBe("1 node");
  expect(entries[0]?.lines?.after).toBe("id: pick\ntype: cli\ndata:\n  title: Pick\n  content: jq .items[0]\n");
  expect(drawn?.overlay.nodes.get("get")).toMatchObject({ change: "same" });
  expect(drawn?.overlay.nodes.get("pick")).toMatchObject({ change: "changed", word: "changed" });
});

test("added and removed nodes are on one canvas, with the edges of both", () => {
  const now = THEN.replace(/ {2}- \{ id: send.*\n/, '  - { id: keep, run: "true" }\n').replace(
    "pick -> send",
    "pick -> keep",
  );
  expect(said(now)).toEqual([
    ...["removed node:send", "added node:keep"],
    ...["added edge:pick->keep", "removed edge:pick->send"],
  ]);
  const { model, overlay } = compared(now).drawn!;
  expect(model.cards.map(({ id }) => id).toSorted()).toEqual(["get", "keep", "pick", "send"]);
  expect(model.edges.map(({ key }) => key)).toEqual(["get->pick", "pick->keep", "pick->send"]);
  expect(overlay.edges.get("pick->send")).toMatchObject({ change: "removed" });
  const places = [...model.positions.values()].map(({ x, y }) => `${x} ${y}`);
  expect(new Set(places).size).toBe(4);
});

test("a node with another id is renamed, and its edges stay", () => {
  const now = THEN.replaceAll("pick", "choose").replace("title: Pick", "title: Choose");
  expect(said(now)).toEqual(["renamed node:choose"]);
  expect(compared(now).entries[0]).toMatchObject({ title: "Choose", note: "Its id was pick." });
  // With another command, it is another node.
  expect(said(now.replace("jq .items", "cat")).slice(0, 2)).toEqual(["removed node:pick", "added node:choose"]);
});

test("inputs, defaults and other members of the document are listed by name", () => {
  expect(said(THEN.replace("Oslo", "Bergen"))).toEqual(["changed member:inputs"]);
  expect(compared(THEN.replace("Oslo", "Bergen")).entries[0]?.lines).toEqual({
    before: "inputs:\n  city: { type: string, default: Oslo }\n",
    after: "inputs:\n  city: { type: string, default: Bergen }\n",
  });
  const shared = compared(THEN.replace("nodes:", "defaults: { timeout: 9s }\nnodes:"));
  expect(shared.entries.map(({ key }) => key).slice(-2)).toEqual(["member:defaults", "text"]);
  expect(shared.entries[0]?.note).toMatch(/^Its own lines are the same/);
});

test("the order of the edges into a node is a change of that node, and the order of others does not count", () => {
  const joined = THEN.replace("pick -> send]", "pick -> send, get -> send]");
  const swapped = THEN.replace("get -> pick, pick -> send]", "get -> pick, get -> send, pick -> send]");
  expect(said(swapped, joined)).toEqual(["changed node:send"]);
  expect(compared(swapped, joined).entries[0]?.note).toMatch(/order of its incoming edges/);
  expect(said(THEN.replace("get -> pick, pick -> send", "pick -> send, get -> pick"))).toEqual([]);
});

test("a loop that was taken out has no box around the nodes that stay, and a changed end marks its box", () => {
  const looped = (times: number) => `curlew: 1
name: t
nodes:
  - { id: a, run: "true" }
  - { id: each, type: loop-start, data: { title: Each, iterations: ${times} } }
  - { id: b, run: "true" }
  - { id: until, type: loop-end, data: { title: Until } }
  - { id: c, run: "true" }
edges: [a -> each, each -> b, b -> until, until -> c]
`;
  const flat =
    'curlew: 1\nname: t\nnodes:\n  - { id: a, run: "true" }\n  - { id: b, run: "true" }\n  - { id: c, run: "true" }\nedges: [a -> b, b -> c]\n';
  const { model } = compared(flat, looped(2)).drawn!;
  expect([model.loops.size, model.cards.map(({ id }) => id).toSorted()]).toEqual([0, ["a", "b", "c", "each", "until"]]);
  const empty = "curlew: 1\nname: t\nnodes:\n  - { id: a, run: 'true' }\n";
  expect([...compared(empty, looped(2)).drawn!.model.loops.keys()]).toEqual(["each"]);
  expect(marks(flat, looped(2))).toMatchObject({ each: "removed", until: "removed", b: "same" });
  expect(marks(looped(2).replace("title: Until", "title: Done"), looped(2))).toMatchObject({
    each: "changed",
    until: "changed",
  });
});

test("a cycle that only both versions together have is drawn", () => {
  const turned = THEN.replace("get -> pick, pick -> send", "send -> pick, pick -> get");
  expect(compared(turned).drawn?.model.edges).toHaveLength(4);
});

test("a version that can't be parsed has its findings and the lines of the file", () => {
  const { unread, drawn, entries } = compared("curlew: 1\nnodes: {}\n");
  expect(drawn).toBeUndefined();
  expect(unread).toEqual({ older: undefined, newer: expect.any(String) });
  expect(entries.map(({ key }) => key)).toEqual(["text"]);
  const both = { older: expect.any(String), newer: expect.any(String) };
  expect(compared("nodes: [", "nodes: [ {").unread).toEqual(both);
});

test("a JSON file has its lines by member and node", () => {
  const json = (content: string) =>
    JSON.stringify(
      { curlew: 1, name: "t", nodes: [{ id: "a", type: "text", data: { title: "A", content } }] },
      null,
      2,
    );
  const { entries } = compareVersions(json("one"), json("two"), "t.flow.json");
  expect(entries.map(({ key }) => key)).toEqual(["node:a", "text"]);
  expect(entries[0]?.lines?.after).toContain('  "content": "two"');
});

test("lines that differ have their signs, and those far from a change are left out", () => {
  const before = "a\nb\nc\nd\ne\nf\n";
  expect(changedLines(before, before.replace("f", "g"))).toEqual(["⋯", " c", " d", " e", "-f", "+g"]);
  expect(changedLines("", "one\n")).toEqual(["+one"]);
  expect(changedLines("one", "two")).toEqual(["-one", "+two"]);
});
