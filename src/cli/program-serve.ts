// program-serve: `curlew serve` in the help and the completions.

import { InvalidArgumentError } from "commander";
import { type Add, type Ends, HOME } from "./program-parts.ts";
import type { Terminal } from "./terminal.ts";
import type { CurlewCommand } from "./usage.ts";

export function addServeCommand(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  add(program, "serve [dir]", "Serve the editor, the API and triggers over the workflow files of a folder.", [
    "curlew serve",
    "curlew serve flows --port 8080 --open",
    "curlew serve --demo",
  ])
    .option("--port <n>", "the editor's port (default: 4780, or the next free one)", port)
    .option("--host <address>", "listen there instead of on this machine alone")
    .option("--hooks-port <n>", "the port for webhooks (default: 4880, or the next free one)", port)
    .option("--demo", "serve workflows to play with, and start the sample API that they call")
    .option("--open", "open the editor in the browser")
    .option(...HOME)
    .action((dir, options) => ends(import("./commands/serve.ts").then((it) => it.serve(dir, options, terminal))));
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a port: a whole number up to 65535.`);
}
