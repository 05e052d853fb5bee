// Every test file is in exactly one tier, every pattern still names a file, and a file whose tests all need a program is
// left out without it.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesOf, NEEDING, REST } from "./setup/tiers.ts";

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
  expect(
    [...REST, ...Object.values(NEEDING).flat()].filter((pattern) => globSync(pattern, { cwd: root }).length === 0),
  ).toEqual([]);
});

test("a file whose tests all need a program is left out without it", () => {
  for (const file of globSync(EVERY, { cwd: root })) {
    const text = readFileSync(join(root, file), "utf8");
    const needed = /^if \(has\("([^"]+)"\)/m.exec(text)?.[1];
    if (needed === undefined || /^(?:test|describe)\b/m.test(text)) continue;
    expect(globSync([...(NEEDING[needed] ?? [])], { cwd: root }), `${file} needs ${needed}`).toContain(file);
  }
});
