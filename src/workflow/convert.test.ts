// Both forms say the same: every example and every good document of the corpus goes there and back.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { NodeForm } from "./convert.ts";
import { formatWorkflow } from "./format.ts";
import type { Workflow } from "./model.ts";
import { parseWorkflow } from "./parse.ts";

const FOLDERS = ["../../examples/", "../../test/corpus/validate/good/"].map((path) => new URL(path, import.meta.url));
const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.flow\.(?:ya?ml|json)$/.test(file))
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") })),
);

function converted(text: string, form: NodeForm, file = "a.flow.yaml"): string {
  const result = formatWorkflow(text, file, form);
  expect(result.ok ? [] : result.error).toEqual([]);
  return result.ok ? result.value : "";
}

/** With the edges by the node that they enter: their order among different nodes means nothing. */
function meaning(text: string, file: string) {
  const { edges, ...workflow } = parseWorkflow(text, file).workflow as Workflow;
  return { ...workflow, parents: Map.groupBy(edges, ({ target }) => target) };
}

test.each(files)(
  "$file means the same in both forms, and the short form returns from the long one",
  ({ file, text }) => {
    const short = converted(text, "short", file);
    const long = converted(text, "long", file);
    for (const other of [short, long]) expect(meaning(other, file)).toEqual(meaning(text, file));
    // Only the place of an after that the author wrote elsewhere may change, and only once.
    const back = converted(converted(short, "long", file), "short", file);
    expect(back.split("\n").sort()).toEqual(short.split("\n").sort());
    expect(converted(converted(back, "long", file), "short", file)).toBe(back);
    expect(meaning(converted(long, "short", file), file)).toEqual(meaning(text, file));
  },
);

test("most of them leave no long form behind", () => {
  const rest = files.filter(({ file, text }) => /^ +"?data"?:|^"?edges"?:/m.test(converted(text, "short", file)));
  expect(rest.map(({ file }) => file).sort()).toEqual(["merge-key.flow.yaml"]);
});

describe("comments and odd spellings", () => {
  const check = (name: string, form: NodeForm, nodes: string, expected: string) =>
    test(name, () => expect(converted(`curlew: 1\n${nodes}`, form)).toBe(`curlew: 1\n${expected}`));

  check(
    "comments move with their fields, and those of a field that goes away go to the next one",
    "short",
    "nodes:\n  - id: a\n    # what it is\n    type: cli\n    data: # the data\n      # a title\n      title: A\n      # the command\n      content: ls # list\n  - { id: b, type: text, data: { title: See it, content: x } }\nedges:\n  # first things first\n  - a -> b # always\n",
    "nodes:\n  - id: a\n    # what it is\n    # the data\n    # a title\n    # the command\n    run: ls # list\n  - id: b\n    # first things first\n    # always\n    after: a\n    title: See it\n    text: x\n",
  );
  check(
    "a comment behind data stays behind the command",
    "short",
    "nodes:\n  - id: a\n    type: cli\n    data: { title: See it, content: ls, timeout: 3s } # list\n",
    "nodes:\n  - id: a\n    title: See it\n    run: ls # list\n    timeout: 3s\n",
  );
  check(
    "an edge with other fields stays, and the other edges into its node with it",
    "short",
    "nodes:\n  - { id: a, type: start, data: { title: Begin } }\n  - { id: b, text: x }\n  - { id: c, text: x }\nedges:\n  - a -> b\n  - a -> c\n  - { source: b, target: c, id: e1 }\n",
    "nodes:\n  - { id: a, type: start, title: Begin }\n  - { id: b, after: a, text: x }\n  - { id: c, text: x }\nedges:\n  - a -> c\n  - { source: b, target: c, id: e1 }\n",
  );
  check(
    "data that is shared stays long",
    "short",
    "nodes:\n  - id: a\n    type: text\n    data: &shared { title: T, content: x }\n  - id: b\n    type: text\n    data: *shared\n",
    "nodes:\n  - id: a\n    type: text\n    data: &shared { title: T, content: x }\n  - id: b\n    type: text\n    data: *shared\n",
  );
  check(
    "numbers keep their digits",
    "long",
    "nodes:\n  - id: a\n    run: ls\n    env: { static: { A: 12345678901234567890, B: 1.10 } }\n",
    "nodes:\n  - id: a\n    type: cli\n    data:\n      title: A\n      content: ls\n      env: { static: { A: 12345678901234567890, B: 1.10 } }\n",
  );
});
