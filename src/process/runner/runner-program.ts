// runner-program: the file that the runner process runs: the source in a checkout, the bundle in a package. Tests use
// the bundle, which starts in a third of the time (vitest.config.ts).

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

declare const CURLEW_VERSION: string | undefined;

export function runnerProgram(): string {
  const name = typeof CURLEW_VERSION === "string" ? "runner.cjs" : "main.ts";
  return join(dirname(fileURLToPath(import.meta.url)), name);
}
