// runner-program: tests use the engine's built runner (vitest.config.ts replaces src/process/runner's with this).

import { join } from "node:path";

export function runnerProgram(): string {
  return join(import.meta.dirname, "../../dist/runner.cjs");
}
