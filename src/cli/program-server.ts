// program-server: the commands about the server and its triggers (spec 2.2, 2.5). See program.ts.

import { InvalidArgumentError } from "commander";
import { add, addList, type Deps, LEASE } from "./program-parts.ts";
import type { CurlewCommand } from "./usage.ts";

export function addServeCommand(program: CurlewCommand, deps: Deps): void {
  add(program, deps, "serve [dir]", "Serve the web UI, the API, and the triggers of the workflow files in a folder.", [
    "curlew serve",
    "curlew serve flows --open",
    "curlew serve --demo --open",
    "curlew serve flows --host 0.0.0.0 --auth token --tls-cert cert.pem --tls-key key.pem",
  ])
    .option("--port <n>", "Set the port of the web UI (default: 4780, or the next free one)", port)
    .option("--host <address>", "Listen on this address instead of on this machine alone; needs --auth token and TLS")
    .option("--hooks-port <n>", "Set the port of webhooks (default: 4880, or the next free one)", port)
    .option("--open", "Open the web UI in the browser")
    .option("--demo", "Serve example workflows, and start the sample API that they call")
    .option("--auth <way>", "`token`: let others reach the server and log in by a link or the token", oneOf("token"))
    .option("--tls-cert <file>", "Use this certificate (PEM)")
    .option("--tls-key <file>", "Use this private key (PEM)")
    .option("--name <name>", "Set the name of this machine in a cluster (default: the host's name)")
    .option(...LEASE)
    .option("--public-url <url>", "Set the https URL of a reverse proxy in front")
    .option(
      "--log-level <level>",
      "Set the level of server.log: error, warn, info (default), debug",
      oneOf("error", "warn", "info", "debug"),
    )
    .action((dir, options) =>
      deps.ends(import("./commands/serve.ts").then((it) => it.serve(dir, options, deps.terminal))),
    );
  const install = ["curlew service install", "curlew service install flows"];
  const service = add(program, deps, "service", "Let the system start the server: systemd or launchd.", install);
  add(
    service,
    deps,
    "install [dir]",
    "Write the service of a folder. Prints how to start and undo it.",
    install,
  ).action((dir, options) =>
    deps.ends(import("./commands/service.ts").then((it) => it.install(dir, options, deps.terminal))),
  );
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a port (0 to 65535).`);
}

function oneOf(...known: string[]): (text: string) => string {
  return (text) => {
    if (known.includes(text)) return text;
    throw new InvalidArgumentError(`"${text}" must be one of: ${known.join(", ")}.`);
  };
}

export function addTriggersCommand(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const shown = ["curlew triggers", "curlew triggers --json | jq '.items[].title'"];
  const triggers = add(program, deps, "triggers", "List the triggers of the running server.", shown);
  addList(triggers, deps, "List schedules, webhooks and file watches", shown)
    .option("--json", "Print one JSON object: schedules, hooks, files")
    .action((_, options) => ends(import("./commands/triggers.ts").then((it) => it.list(options, terminal))));
}
