import { expect, test } from "vitest";
import { edgeData, edgeWords } from "./edge-data.ts";

test.each([
  ['[{"id":1},{"id":2}]', "19 B · list of 2 objects", '[{"id":1},{"id":2}]'],
  ["[1, 2, 3]", "9 B · list of 3 items", "[1, 2, 3]"],
  ['{"a":1,"b":2,"c":3,"d":4,"e":5}', "31 B · object with a, b, c, d, …", '{"a":1,"b":2,"c":3,"d":4,"e":5}'],
  ["{}", "2 B · object without members", "{}"],
  ["42", "2 B · number", "42"],
  ["\n  first\nsecond\n", "16 B · text, 3 lines", "first"],
  ["grüße", "7 B · text, 1 line", "grüße"],
  ["a\u202eb\u001b[31m", "10 B · text, 1 line", "a⟨U+202E⟩b⟨U+001B⟩[31m"],
])("%j is described by size, shape and first line", (text, says, line) => {
  expect(edgeData({ text }, "nothing")).toEqual({ says, line });
});

test("missing, secret, empty, and large values are marked as such, and a long line is cut", () => {
  expect(edgeData(undefined, "Nothing came this way.")).toEqual({ says: "Nothing came this way." });
  expect(edgeData({ text: "x", secret: true }, "")).toEqual({ says: "a secret value" });
  expect(edgeData({ text: "" }, "")).toEqual({ says: "empty" });
  expect(edgeData({ bytes: 2_400_000 }, "")).toEqual({ says: "2.4 MB · in the output of the node" });
  expect(edgeData({ text: "x".repeat(500) }, "").line).toBe(`${"x".repeat(120)}…`);
  expect(edgeWords({ says: "2 B · number", line: "42" })).toBe("2 B · number · 42");
});
