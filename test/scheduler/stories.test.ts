// Each story of test/corpus/events happens exactly as written, and the oracle agrees with it. CHECK_UPDATE=1 writes the
// events again.

import { expect, test } from "vitest";
import { differences } from "./compare.ts";
import { rewrite, stories } from "./stories.ts";

if (process.env.CHECK_UPDATE === "1") rewrite();

const all = stories();

test("there are at least thirty stories", () => {
  expect(all.length).toBeGreaterThanOrEqual(30);
});

for (const { name, run, told, expected } of all)
  test(`story: ${name.replaceAll("-", " ")}`, () => {
    expect(told).toBe(expected);
    expect(differences(run)).toEqual([]);
  });
