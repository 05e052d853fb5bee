// Before any test: dist/ is built when the sources have changed, so that tests of the whole program try what is written now.
// What does not build ends the tests here: they would try an older program, or none.

import { execFileSync } from "node:child_process";
import { join } from "node:path";

export default function buildOnce(): void {
  const root = join(import.meta.dirname, "../..");
  execFileSync(process.execPath, [join(root, "scripts/build.ts"), "--if-stale"], { cwd: root, stdio: "inherit" });
}
