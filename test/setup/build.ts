// Before any test: builds dist/ if the sources have changed, so that tests of the whole program try the current code. A
// build that fails ends the tests, which would otherwise try an older program.

import { execFileSync } from "node:child_process";
import { join } from "node:path";

export default function buildOnce(): void {
  const root = join(import.meta.dirname, "../..");
  execFileSync(process.execPath, [join(root, "scripts/build.ts"), "--if-stale"], { cwd: root, stdio: "inherit" });
}
