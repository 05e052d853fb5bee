// Connections that the editor rejects and why, keyboard navigation, titles of pasted calls, and values of choices.

import { describe, expect, it } from "vitest";
import { openDoc } from "../document/index.ts";
import { commandsIn } from "./curl.ts";
import { dataFor, KINDS, matching } from "./kinds.ts";
import { drawingOf } from "./read.ts";
import { neighbour, whyNot, withLoops } from "./rules.ts";
import { mergedText } from "./session.ts";

const model = drawingOf(
  openDoc(
    `curlew: 1
nodes:
  - { id: start, type: start, data: { title: Start } }
  - { id: loop, type: loop-start, data: { title: Loop, iterations: 2 } }
  - { id: body, type: cli, data: { title: Body, content: x } }
  - { id: end, type: loop-end, data: { title: End } }
  - { id: check, type: if, data: { title: Check, content: "true" } }
  - { id: last, type: text, data: { title: Last, content: x } }
edges:
  - start -> loop -> body -> end -> check
  - check:true -> last
layout: { start: [0, 0], loop: [300, 0], body: [300, 0], end: [300, 0], check: [600, 0], last: [900, 40] }
`,
    "a.flow.yaml",
  ),
);

describe("connections", () => {
  it.each([
    ["last", "start", undefined, "nothing can lead"],
    ["last", "last", undefined, "follow itself"],
    ["last", "check", undefined, "circle"],
    ["check", "last", undefined, "port true or false"],
    ["check", "last", "true", "already"],
    ["last", "check", "true", "only an if"],
    ["last", "check", "error", "only nodes that run something"],
    ["body", "last", undefined, "only the loop's end leads out"],
    ["body", "loop", undefined, "repeats automatically"],
    ["end", "body", undefined, "leads out of the loop"],
    ["body", "gone", undefined, "no longer exists"],
  ])("from %s to %s by %s: %s", (source, target, handle, reason) => {
    const link = { source, target, ...(handle === undefined ? {} : { handle }) };
    expect(whyNot(model, link)?.toLowerCase()).toContain(reason);
  });

  it("lets through what makes sense", () => {
    expect(whyNot(model, { source: "check", target: "last", handle: "false" })).toBeUndefined();
    expect(whyNot(model, { source: "start", target: "body" })).toBeUndefined();
    expect(whyNot(model, { source: "body", target: "end", handle: "error" })).toBeUndefined();
  });
});

describe("the keyboard", () => {
  it("walks to the nearest node that way", () => {
    expect(neighbour(model, "check", "right")).toBe("last");
    expect(neighbour(model, "last", "left")).toBe("check");
    expect(neighbour(model, "last", "right")).toBeUndefined();
  });

  it("walks into a loop, to its end, and on", () => {
    const way = ["start"];
    for (let at = 0; at < 4; at += 1) way.push(neighbour(model, way.at(-1)!, "right") ?? "");
    expect(way).toEqual(["start", "loop", "body", "end", "check"]);
    expect(neighbour(model, "check", "left")).toBe("end");
  });
});

describe("what is added", () => {
  it("is found by beginnings of words, and has its own name", () => {
    expect(matching(KINDS, "curl")[0]?.id).toBe("http");
    expect(matching(KINDS, "loo")[0]?.id).toBe("loop");
    const variable = KINDS.find(({ id }) => id === "variable")!;
    expect(dataFor(variable, false, new Set(["value", "value_2"])).variableName).toBe("value_3");
  });
});

describe("a choice between changes", () => {
  it("is made for each place, and keeps everything else of both", () => {
    const base = "a\nb\nc\nd\ne\n";
    const mine = "a1\nb\nc1\nd\ne\n";
    const theirs = { text: "a2\nb\nc2\nd\ne2\n", etag: '"2"' };
    const conflicts = [
      { line: 0, ours: "a1\n", theirs: "a2\n" },
      { line: 2, ours: "c1\n", theirs: "c2\n" },
    ];
    expect(mergedText(base, mine, { theirs, conflicts }, ["ours", "theirs"])).toBe("a1\nb\nc2\nd\ne2\n");
  });
});

describe("a pasted text", () => {
  it("is several curl commands where it holds nothing else, as long as quotes and backslashes make each of them", () => {
    const posted = 'curl -X POST https://a.test/b \\\n  -d \'{\n  "a": "it\\u0027s"\n}\'';
    expect(commandsIn(`# first\n$ curl https://a.test\n\n${posted}\ncurl "https://a.test/\\"\ncurl"\n`)).toEqual([
      "$ curl https://a.test",
      posted,
      'curl "https://a.test/\\"\ncurl"',
    ]);
    expect(commandsIn("curl https://a.test -d $'it\\'s\ncurl'\ncurl b.test")).toHaveLength(2);
  });
  it("is one script where something else stands between them, or a quote is left open", () => {
    for (const text of ["curl a.test > x\njq . x\ncurl b.test", "curl 'a.test\ncurl b.test", "curl a.test"])
      expect(commandsIn(text)).toEqual([text]);
  });
});

describe("what is taken", () => {
  it("is a loop with all that it repeats, by whichever end, and inner loops with it", () => {
    const nodes = [
      "out loop-start",
      "a text",
      "in loop-start",
      "b text",
      "in_end loop-end",
      "out_end loop-end",
      "x text",
    ]
      .map((one) => one.split(" "))
      .map(
        ([id, type]) =>
          `  - { id: ${id}, type: ${type}, data: { title: ${id}, ${type === "text" ? "content: x" : type === "loop-start" ? "iterations: 2" : ""} } }`,
      )
      .join("\n");
    const nested = `curlew: 1\nnodes:\n${nodes}\nedges: [out -> a -> in -> b -> in_end -> out_end -> x]\n`;
    const drawing = drawingOf(openDoc(nested, "n.flow.yaml"));
    expect(withLoops(drawing, ["x", "out_end"]).sort()).toEqual(["a", "b", "in", "in_end", "out", "out_end", "x"]);
    expect(withLoops(drawing, ["in"])).toEqual(["in", "b", "in_end"]);
    expect(withLoops(drawing, ["a"])).toEqual(["a"]);
  });
});
