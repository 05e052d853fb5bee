// runner-program: in tests the engine's runner is the one that was built (vitest.config.ts puts this in the place of src/process/runner's).

import { join } from "node:path";

export function runnerProgram(): string {
  return join(import.meta.dirname, "../../dist/runner.cjs");
}
