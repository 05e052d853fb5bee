// Rules of the documentation about loops and values. The first look at them is the simulated stories of test/scheduler.

import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { tryRules } from "./rules.ts";

tryRules(["loops", "values"]);

test("every file of rules is tried", () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".txt"));
  expect(files).toHaveLength(9);
});
