// Before any test: dist/ is built when the sources have changed, so that whole-program tests try what is written now.

import { execFileSync } from "node:child_process";
import { join } from "node:path";

export default function buildOnce(): void {
  const root = join(import.meta.dirname, "../..");
  try {
    execFileSync(process.execPath, [join(root, "scripts/build.ts"), "--if-stale"], { cwd: root, stdio: "inherit" });
  } catch {
    process.stderr.write("The build failed: tests of the whole program try an older one, or none.\n");
  }
}
