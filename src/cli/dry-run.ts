// dry-run: shows what would run, and runs nothing.
import type { RunRequest } from "../engine/index.ts";
import type { RunOptions } from "./commands/run.ts";
import { Exit } from "./exit.ts";
import type { Terminal } from "./terminal.ts";

export async function dryRun(request: RunRequest, options: RunOptions, terminal: Terminal): Promise<Exit> {
  void request;
  void options;
  terminal.err("not yet\n");
  return Exit.USAGE;
}
