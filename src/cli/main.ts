// main: the entry of the `curlew` command. It loads only what the call needs.
//   M1. `--version` loads only this module and the version's.
//   M2. `curlew http` is a separate bundle behind the same entry, because scripts call it many times.
//   M3. The process that supervises a run's commands starts before the rest is loaded, so that both happen at the same
//       time.

import { enableCompileCache } from "node:module";
import { dirname } from "node:path";
import { compileCacheFolder } from "./compile-cache.ts";
import { version } from "./version.ts";

void main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (args.length === 1 && args[0] === "--version") {
    const { stdout } = process;
    // If the version cannot be written, the program reports it as for every other command.
    if (!(await new Promise((done) => stdout.once("error", done).write(`${version()}\n`, done)))) return;
  }
  const file = import.meta.filename;
  const cache = file.endsWith(".cjs") ? compileCacheFolder(dirname(file)) : undefined;
  if (cache !== undefined) enableCompileCache(cache);
  const isHelp = args.some((arg) => arg === "--help" || arg === "-h");
  if (args[0] === "http" && !isHelp) {
    const { main } = await import("./http/main.ts");
    return main(args.slice(1));
  }
  if (args[0] === "run" && !isHelp && !args.includes("--dry-run"))
    (await import("../process/runner/process.ts")).startRunnerEarly();
  const { cli } = await import("./cli.ts");
  await cli(args);
}
