// main: the entry of the `curlew` command. Decides only how the process ends.
//   M1. The exit code is one of exit.ts. A fault of ours is said in two lines with code 5; a stack only with CURLEW_DEBUG=1.
//   M2. `--version` loads no other module than this and the version's (spec 5.4: near the runtime's own start).

import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { version } from "./version.ts";

await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (args.length === 1 && args[0] === "--version") {
    process.stdout.write(`${version()}\n`);
    return;
  }
  // Beside the bundle, so that nothing is left outside of the package; from source there is nothing worth keeping.
  if (import.meta.filename.endsWith(".js")) enableCompileCache(join(import.meta.dirname, ".cache"));
  const { cli } = await import("./cli.ts");
  await cli(args);
}
