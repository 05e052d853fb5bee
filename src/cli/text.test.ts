import { expect, test } from "vitest";
import { bytes, count, harmless, oneLine } from "../base/text.ts";
import { duration } from "../base/time-text.ts";
import { columnsOf, cut, padEnd, width } from "./text.ts";

test.each([
  ["plain", "plain"],
  ["\u001b[31mred\u001b[0m", "red"],
  ["\u001b]0;title\u0007text", "text"],
  ["a\u001b[2J\u001b[1;1Hb", "ab"],
  ["half a sequence \u001b[", "half a sequence ["],
  ["bell\u0007 back\u0008 nul\u0000 del\u007f c1\u009b", "bell back nul del c1"],
  ["evil\u202etxt.exe", "eviltxt.exe"],
  ["lines\r\nand\ttabs\n", "lines\nand\ttabs\n"],
])("%j is harmless as %j", (text, expected) => expect(harmless(text)).toBe(expected));

test("many lines become one", () => expect(oneLine("  a\n  b\tc\n")).toBe("a ⏎ b c"));

test.each([
  ["abc", 3],
  ["äöü", 3],
  ["e\u0301", 1],
  ["日本", 4],
  ["👩‍👩‍👧", 2],
  ["✓", 1],
  ["", 0],
])("%j takes %i columns", (text, columns) => expect(width(text)).toBe(columns));

test.each([
  ["abcdef", 6, "abcdef"],
  ["abcdef", 5, "abcd…"],
  ["abcdef", 1, "…"],
  ["abcdef", 0, ""],
  ["日本語", 6, "日本語"],
  ["日本語", 5, "日本…"],
  ["日本語", 4, "日…"],
  ["a👩‍👩‍👧b", 3, "a…"],
])("%j in %i columns is %j", (text, columns, expected) => {
  expect(cut(text, columns)).toBe(expected);
  expect(width(cut(text, columns))).toBeLessThanOrEqual(columns);
});

test("padding counts columns", () => expect(padEnd("日", 4)).toBe("日  "));

test.each([
  [0, "0.0s"],
  [340, "0.3s"],
  [59_940, "59.9s"],
  [59_960, "1m 00s"],
  [65_000, "1m 05s"],
  [3_599_600, "1h 00m"],
  [7_380_000, "2h 03m"],
  [86_400_000 * 3 + 3_600_000 * 4, "3d 04h"],
  [-5, "0.0s"],
])("%i ms is %s", (ms, expected) => expect(duration(ms)).toBe(expected));

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1536, "1.5 KiB"],
  [10 * 1024 * 1024, "10 MiB"],
])("%i bytes are %s", (n, expected) => expect(bytes(n)).toBe(expected));

test("counting", () => expect([count(1, "node"), count(1_000, "pass", "passes")]).toEqual(["1 node", "1,000 passes"]));

test("a terminal that reports 0 columns or no number gets the default width", () => {
  expect([columnsOf({ columns: 0 }, 80), columnsOf({}, 80), columnsOf({ columns: 40 }, 80)]).toEqual([80, 80, 40]);
});
