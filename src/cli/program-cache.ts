// program-cache: the commands about cached values (spec 3.3). See program.ts.

import { type Add, type Ends, HOME } from "./program-parts.ts";
import type { Terminal } from "./terminal.ts";
import type { CurlewCommand } from "./usage.ts";

export function addCacheCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  const load = () => import("./commands/cache.ts");
  const cache = add(program, "cache", "Show and clear the values that nodes with `cache` use again.", [
    "curlew cache list",
    "curlew cache clear",
  ]);
  add(cache, "list", "List them, newest first.", ["curlew cache list", "curlew cache list --json"])
    .option("--json", "print a JSON array")
    .option(...HOME)
    .action((options) => ends(load().then((it) => it.list(options, terminal))));
  add(cache, "clear", "Clear them: all, those of a key, or those of a workflow.", [
    "curlew cache clear",
    "curlew cache clear --key 'issues page 3'",
    "curlew cache clear --workflow digest.flow.yaml",
  ])
    .option("--key <key>", "only values of this key, as the list shows it")
    .option("--workflow <file>", "only values of this workflow file")
    .option(...HOME)
    .action((options) => ends(load().then((it) => it.clear(options, terminal))));
}
