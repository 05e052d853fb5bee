// vitest: every test of the project, in two worker processes, on the Node that set-up chose.

import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { has } from "./test/setup/machine.ts";
import { filesOf, NEEDING } from "./test/setup/tiers.ts";

const EVERY = ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts", "bench/**/*.test.ts"];

// Only what hangs is to meet it: the full check's generated tests are ten times as long, and a machine may be busy with other things.
const isLong = process.env.CHECK_FULL !== undefined || process.env.CHECK_SLOWED !== undefined;
const hangsAfterMs = isLong ? 300_000 : 120_000;

const { include, exclude } = filesOf(process.env.CHECK_TIER, EVERY);
const leftOut = Object.entries(NEEDING).flatMap(([program, files]) => (has(program) ? [] : files));
const isUnit = (pattern: string): boolean => pattern.startsWith("src/");
const units = include.filter(isUnit);
const whole = include.filter((pattern) => !isUnit(pattern));

export default defineConfig({
  resolve: {
    // The runner is a separate process: from the sources each would take a second on a slow processor.
    alias: [
      { find: /^.*\/runner-program\.ts$/, replacement: join(import.meta.dirname, "test/setup/runner-program.ts") },
    ],
  },
  test: {
    exclude: [...exclude, ...leftOut],
    // Unit tests leave nothing behind, so they share their processes and the modules in them. Others get a process for each file.
    projects: [
      ...(units.length > 0
        ? [{ extends: true as const, test: { name: "units", include: units, isolate: false } }]
        : []),
      { extends: true as const, test: { name: "whole", include: whole } },
    ],
    globalSetup: ["test/setup/build.ts", "test/setup/on-postgres.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: hangsAfterMs,
    hookTimeout: hangsAfterMs,
    // Programs that tests start from the sources need not be compiled again.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/curlew-tests") },
    // Not a second, as usual: something else may have the processor.
    expect: { poll: { timeout: hangsAfterMs / 4 } },
    // A test that is not run is a test that lies: nothing is skipped, nothing is left focused.
    allowOnly: false,
    passWithNoTests: false,
  },
});
