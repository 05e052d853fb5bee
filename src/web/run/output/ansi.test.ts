import { expect, test } from "vitest";
import { piecesOf, plainText } from "./ansi.ts";

test("a plain line is one piece", () => {
  expect(piecesOf("GET /items 200")).toEqual([{ text: "GET /items 200" }]);
  expect(piecesOf("")).toEqual([]);
});

test("colours and weights become looks: by name, of the palette, of all colours", () => {
  expect(
    piecesOf("\u001b[1;31mfailed\u001b[0m ok \u001b[92mgreen\u001b[38;5;208morange\u001b[48;2;1;2;3mtrue\u001b[m"),
  ).toEqual([
    { text: "failed", colour: "red", bold: true },
    { text: " ok " },
    { text: "green", colour: "bright-green" },
    { text: "orange", colour: "255, 135, 0" },
    { text: "true", colour: "255, 135, 0", background: "1, 2, 3" },
  ]);
});

test("characters that hide, move, or reorder text are shown as codes", () => {
  const text = piecesOf("a\u001b[2Jb\u001b]0;title\u0007c\u202Ed\u0000\u200be")
    .map((piece) => piece.text)
    .join("");
  expect(text).toBe("a⟨U+001B⟩[2Jb⟨U+001B⟩]0;title⟨U+0007⟩c⟨U+202E⟩d⟨U+0000⟩⟨U+200B⟩e");
});

test("a progress bar shows its last state, and says that it was drawn over", () => {
  expect(piecesOf("10 %\r50 %\r100 %\r")).toEqual([{ text: "↺ ", ours: true }, { text: "100 %" }]);
  expect(piecesOf("dos\r")).toEqual([{ text: "dos" }]);
});

test("the plain text has no looks, and nothing hidden", () => {
  expect(plainText("\u001b[31mred\u001b[0m\u202e!")).toBe("red⟨U+202E⟩!");
});

test("reversed text has its colours the other way round", () => {
  expect(piecesOf("\u001b[7;31mx\u001b[0m")).toEqual([{ text: "x", colour: "black", background: "red" }]);
});
