// A value cannot mislead an approver: hide text, imitate Curlew or leave its place on the screen.

import { expect, test } from "vitest";
import { visible, visibleLine } from "../base/visible.ts";
import { width } from "./text.ts";
import { behindBars } from "./visible.ts";

const faint = (text: string) => text;

test.each([
  ["an escape sequence", "a\u001b[2Jb", "a⟨U+001B⟩[2Jb"],
  ["a title", "\u001b]0;x\u0007", "⟨U+001B⟩]0;x⟨U+0007⟩"],
  ["a carriage return that writes over", "safe\rrm -rf /", "safe⟨U+000D⟩rm -rf /"],
  ["a backspace", "rm\b\bls", "rm⟨U+0008⟩⟨U+0008⟩ls"],
  ["right to left", "a\u202egnp.exe", "a⟨U+202E⟩gnp.exe"],
  ["isolates", "\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"],
  ["what has no width", "exam\u200bple\ufeff", "exam⟨U+200B⟩ple⟨U+FEFF⟩"],
  ["a C1 control", "\u009b2J", "⟨U+009B⟩2J"],
  ["a line separator", "a\u2028b", "a⟨U+2028⟩b"],
  ["a tag character", "a\u{e0041}b", "a⟨U+E0041⟩b"],
  ["half a character", "a\ud800b", "a⟨U+D800⟩b"],
  ["a soft hyphen", "ex\u00adample", "ex⟨U+00AD⟩ample"],
  ["a filler", "\u3164=1", "⟨U+3164⟩=1"],
  ["the mark of an emoji behind a letter, which is another command", "curl\ufe0f x", "curl⟨U+FE0F⟩ x"],
  ["the mark of an emoji where it belongs", "⚠\ufe0f 1\ufe0f\u20e3", "⚠\ufe0f 1\ufe0f\u20e3"],
  ["ordinary text", "naïve 日本 👩‍🚀? no: \t x", "naïve 日本 👩⟨U+200D⟩🚀? no:      x"],
])("%s is seen", (_what, text, seen) => {
  expect(visible(text)).toBe(seen);
});

test("in single-line output a newline becomes a symbol", () => {
  expect(visibleLine("a\nb\r\n")).toBe("a⏎b⟨U+000D⟩⏎");
});

test("every line starts with a bar, even where it is broken", () => {
  const text = `short\n\n${"x".repeat(45)}日本日本\n`;
  const lines = behindBars(text, { columns: 24, faint });
  expect(lines).toEqual(["  │ short", "  │", `  │ ${"x".repeat(20)}`, `  ┊ ${"x".repeat(20)}`, "  ┊ xxxxx日本日本"]);
  for (const line of lines) expect(width(line)).toBeLessThanOrEqual(24);
});

test("a character of two columns is not cut by the edge", () => {
  expect(behindBars("日本日本日", { columns: 13, faint })).toEqual(["  │ 日本日本", "  ┊ 日"]);
});

test("too many lines are counted", () => {
  const lines = behindBars("a\nb\nc\nd\ne", { columns: 80, linesMax: 2, faint });
  expect(lines).toEqual(["  │ a", "  │ b", "  … 3 more lines"]);
});

test("a megabyte on one line is fast", () => {
  const before = performance.now();
  expect(behindBars("y".repeat(1_000_000), { columns: 80, linesMax: 200, faint })).toHaveLength(201);
  expect(performance.now() - before).toBeLessThan(1_000);
});
