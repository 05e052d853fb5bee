// runner-program: the file that the runner's process runs: the sources in a checkout, what was built where this is built. In tests it is what
// was built, too, which begins in a third of the time (vitest.config.ts).

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

declare const CURLEW_VERSION: string | undefined;

export function runnerProgram(): string {
  const name = typeof CURLEW_VERSION === "string" ? "runner.cjs" : "main.ts";
  return join(dirname(fileURLToPath(import.meta.url)), name);
}
