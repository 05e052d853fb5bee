// Chords for key presses, and their actions depending on the focus.

import { expect, test } from "vitest";
import { type Bound, chordOf, meaningOf, type Pressed } from "./chords.ts";

const press = (key: string, more: Partial<Pressed> = {}) =>
  chordOf({ key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });

test("a chord is written as a person writes it", () => {
  expect(press("k", { ctrlKey: true })).toBe("Ctrl+K");
  expect(press("k", { metaKey: true })).toBe("Ctrl+K");
  expect(press("a")).toBe("A");
  expect(press("?", { shiftKey: true, code: "Slash" })).toBe("?");
  expect(press("!", { shiftKey: true, code: "Digit1" })).toBe("Shift+1");
  expect(press("1", { code: "Digit1" })).toBe("1");
  expect(press("z", { ctrlKey: true, shiftKey: true })).toBe("Ctrl+Shift+Z");
  expect(press("ArrowLeft", { altKey: true })).toBe("Alt+ArrowLeft");
  expect(press(" ")).toBe("Space");
  expect(press(".", { ctrlKey: true })).toBe("Ctrl+.");
  expect(press("Enter", { ctrlKey: true, shiftKey: true })).toBe("Ctrl+Shift+Enter");
  expect(press("Shift", { shiftKey: true })).toBeUndefined();
});

const bound: Bound[] = [
  { id: "palette", keys: "Ctrl+K", inFields: true },
  { id: "help", keys: "?" },
  { id: "home", keys: "G H" },
  { id: "undo", keys: "Ctrl+Z" },
  { id: "delete", keys: "Delete or Backspace" },
  { id: "shell.run", keys: "R" },
  { id: "place.run", keys: "R" },
];
const free = { field: false, before: undefined };
const typing = { field: true, before: undefined };

test("a single key means something only where nothing can be typed", () => {
  expect(meaningOf("?", bound, free)).toEqual({ action: "help" });
  expect(meaningOf("?", bound, typing)).toBeUndefined();
});

test("in a field a chord counts only where its action says so", () => {
  expect(meaningOf("Ctrl+K", bound, typing)).toEqual({ action: "palette" });
  expect(meaningOf("Ctrl+Z", bound, typing)).toBeUndefined();
  expect(meaningOf("Ctrl+Z", bound, free)).toEqual({ action: "undo" });
});

test("two keys after each other are a sequence, and the first one waits", () => {
  expect(meaningOf("G", bound, free)).toEqual({ wait: true });
  expect(meaningOf("H", bound, { field: false, before: "G" })).toEqual({ action: "home" });
  expect(meaningOf("H", bound, free)).toBeUndefined();
});

test("a sequence wins over the single key that it ends with", () => {
  const both = [...bound, { id: "runs", keys: "G R" }];
  expect(meaningOf("R", both, { field: false, before: "G" })).toEqual({ action: "runs" });
});

test("of two actions with the same keys the innermost place's is meant; each of several ways leads there", () => {
  expect(meaningOf("R", bound, free)).toEqual({ action: "place.run" });
  expect(meaningOf("Backspace", bound, free)).toEqual({ action: "delete" });
});
