// program-serve: `curlew serve` in the help and completions.

import { InvalidArgumentError } from "commander";
import { type Add, type Ends, HOME } from "./program-parts.ts";
import type { Terminal } from "./terminal.ts";
import type { CurlewCommand } from "./usage.ts";

export function addServeCommand(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  add(program, "serve [dir]", "Serve the editor, the API and the triggers of the workflow files in a folder.", [
    "curlew serve",
    "curlew serve flows --open",
    "curlew serve --demo --open",
    "curlew serve flows --host 0.0.0.0 --auth token --tls-cert cert.pem --tls-key key.pem",
  ])
    .option("--port <n>", "the editor's port (default: 4780, or the next free one)", port)
    .option("--host <address>", "listen on this address instead of on this machine alone; takes --auth token and TLS")
    .option("--hooks-port <n>", "the port of webhooks (default: 4880, or the next free one)", port)
    .option("--open", "open the editor in the browser")
    .option("--demo", "serve workflows to play with, and start the sample API that they call")
    .option("--auth <way>", "`token`: others may reach the server, and log in by a link or the token", oneOf("token"))
    .option("--tls-cert <file>", "certificate, PEM")
    .option("--tls-key <file>", "its key, PEM")
    .option("--public-url <url>", "the https address of a reverse proxy in front")
    .option(
      "--log-level <level>",
      "of server.log in the home: error, warn, info (default), debug",
      oneOf("error", "warn", "info", "debug"),
    )
    .option(...HOME)
    .action((dir, options) => ends(import("./commands/serve.ts").then((it) => it.serve(dir, options, terminal))));
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a port: a whole number up to 65535.`);
}

function oneOf(...known: string[]): (text: string) => string {
  return (text) => {
    if (known.includes(text)) return text;
    throw new InvalidArgumentError(`"${text}" is none of: ${known.join(", ")}.`);
  };
}
