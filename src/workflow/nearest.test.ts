import { expect, test } from "vitest";
import { listed, nearest } from "./nearest.ts";

const KNOWN = ["timeout", "idleTimeout", "title", "stdin", "retry"];
const check = (word: string, expected: string | undefined) =>
  test(`${word} → ${expected}`, () => expect(nearest(word, KNOWN)).toBe(expected));

check("timout", "timeout");
check("timeuot", "timeout");
check("Timeout", "timeout");
check("idletimeout", "idleTimeout");
check("stdni", "stdin");
check("environment", undefined);
// A word that shares too little with the known ones has no suggestion.
check("tries", undefined);
check("lists", undefined);
test("a name of one letter is close to no other", () => expect(nearest("x", ["a", "i"])).toBeUndefined());
test("but its other case is", () => expect(nearest("X", ["a", "x"])).toBe("x"));
check("", undefined);
check("x".repeat(1000), undefined);

test("words are listed as people list them", () => {
  expect(listed(["a"])).toBe("a");
  expect(listed(["a", "b", "c"])).toBe("a, b and c");
  expect(listed(["a", "b", "c", "d"], 2)).toBe("a, b and 2 more");
});
