// vitest: every test of the project, in two worker processes, on the Node that set-up chose.

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts", "bench/**/*.test.ts"],
    globalSetup: ["test/setup/build.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A test that is not run is a test that lies: nothing is skipped, nothing is left focused.
    allowOnly: false,
    passWithNoTests: false,
  },
});
