// Every test file is in exactly one tier, and every pattern of the second tier still names a file.

import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesOf, REST } from "./setup/tiers.ts";

const root = join(import.meta.dirname, "..");
const EVERY = ["src/**/*.test.ts", "test/**/*.test.ts"];
const list = ({ include, exclude }: { include: string[]; exclude: string[] }) =>
  globSync(include, { cwd: root, exclude }).sort();

test("the two tiers together are all test files, and share none", () => {
  const [all, fast, rest] = [undefined, "fast", "rest"].map((tier) => list(filesOf(tier, EVERY)));
  expect([...fast!, ...rest!].sort()).toEqual(all);
  expect(fast).toContain("test/web/run.test.ts");
  expect(rest).toContain("test/simulation/simulation.test.ts");
});

test("no pattern is left over", () => {
  expect(REST.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([]);
});
