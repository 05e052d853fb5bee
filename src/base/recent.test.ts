import { expect, test } from "vitest";
import { Recent } from "./recent.ts";

test("the entry that was set longest ago is forgotten first", () => {
  const recent = new Recent<number>(2);
  recent.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...recent]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});
