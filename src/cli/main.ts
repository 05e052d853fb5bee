// main: the entry of the `curlew` command. Decides only how the process ends.
//   M1. The exit code is one of exit.ts. A fault of ours is said in two lines with code 5; a stack only with CURLEW_DEBUG=1.
//   M2. `--version` loads no other module than this and the version's (spec 5.4: near the runtime's own start).
//   M3. What is compiled for one kind of command is kept for that kind: the first one ever called would else decide what is kept for all.
//   M5. `http` is a program of its own, behind the same entry: it starts in a command's place, many times in a script.
//   M4. What will keep the run's commands starts before anything else is loaded: it comes up meanwhile, on another core.

import { enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { loadCompiled } from "../process/compiled.ts";
import { version } from "./version.ts";

void main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (args.length === 1 && args[0] === "--version") {
    const { stdout } = process;
    // What could not be written is told as by every command.
    if (!(await new Promise((done) => stdout.once("error", done).write(`${version()}\n`, done)))) return;
  }
  const kind = kindOf(args[0]);
  const file = import.meta.filename;
  const isBundle = file.endsWith(".cjs");
  // Beside the bundle, so that nothing is left outside of the package; from source there is nothing worth keeping.
  if (isBundle) enableCompileCache(join(dirname(file), ".cache", kind));
  // M5.
  if (args[0] === "http" && !args.some((arg) => arg === "--help" || arg === "-h")) {
    if (isBundle) loadCompiled(dirname(file), { file: "http.cjs", digest: "digest of http.cjs", kind });
    const { main } = await import("./http/main.ts");
    return main(args.slice(1));
  }
  // M4.
  if (args[0] === "run" && !args.some((arg) => arg === "--dry-run" || arg === "--help" || arg === "-h"))
    (await import("../nodes/runner/process.ts")).startRunnerEarly();
  if (isBundle && kind !== "other") loadCompiled(dirname(file), { file: "app.cjs", digest: "digest of app.cjs", kind });
  const { cli } = await import("./cli.ts");
  await cli(args);
}

function kindOf(command: string | undefined): string {
  return command === "run" || command === "validate" || command === "runs" || command === "http" ? command : "other";
}
