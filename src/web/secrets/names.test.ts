// The rules for names and values of secrets.

import { expect, test } from "vitest";
import { givenValue, nameProblem } from "./names.ts";

test("a pasted value loses only the newline at its end", () => {
  expect(["a\n", "a\r\n", "a\n\n", " a ", "a\nb\n"].map(givenValue)).toEqual(["a", "a", "a\n", " a ", "a\nb"]);
});

test("names follow the rules of the server", () => {
  expect(["", "A", "_a1"].map(nameProblem)).toEqual([undefined, undefined, undefined]);
  for (const name of ["1A", "a-b", "a b", "ä", "x".repeat(65)]) expect(nameProblem(name), name).toBeDefined();
});
