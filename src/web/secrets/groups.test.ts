// Secrets are grouped by what needs to be done.

import { expect, test } from "vitest";
import { givenValue, groupsOf, nameProblem, sourceWord } from "./groups.ts";

const item = (name: string, source: string | undefined, ...usedBy: string[]) => ({
  ...{ name, stored: source === "store", usedBy },
  ...(source === undefined ? {} : { source }),
});

test("missing secrets come first, unused ones last, and no group is empty", () => {
  const groups = groupsOf([
    item("A", "store"),
    item("B", undefined, "w"),
    item("C", "environment", "w"),
    item("D", undefined),
  ]);
  expect(groups.map(({ id, items }) => [id, items.map(({ name }) => name)])).toEqual([
    ["missing", ["B", "D"]],
    ["used", ["C"]],
    ["unused", ["A"]],
  ]);
  expect(groupsOf([item("C", "environment", "w")]).map(({ id }) => id)).toEqual(["used"]);
});

test("a pasted value loses only the newline at its end", () => {
  expect(["a\n", "a\r\n", "a\n\n", " a ", "a\nb\n"].map(givenValue)).toEqual(["a", "a", "a\n", " a ", "a\nb"]);
});

test("names follow the rules of the server", () => {
  expect(["", "A", "_a1"].map(nameProblem)).toEqual([undefined, undefined, undefined]);
  for (const name of ["1A", "a-b", "a b", "ä", "x".repeat(65)]) expect(nameProblem(name), name).toBeDefined();
  expect(sourceWord("keychain")).toBe("desktop keyring");
});
