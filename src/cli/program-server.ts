// program-server: the commands about the server, its triggers and the inbox of webhooks (spec 2.2, 2.5). See
// program.ts.

import { InvalidArgumentError } from "commander";
import { ARRAY, add, addList, type Deps, HOME, ONE_OBJECT, positive } from "./program-parts.ts";
import type { CurlewCommand } from "./usage.ts";

const TRIGGER = "A trigger's id, the start of one, or the path of a webhook";
const DELIVERY = "A delivery's id, the start of one, or `latest`";

export function addServeCommand(program: CurlewCommand, deps: Deps): void {
  add(program, deps, "serve [dir]", "Serve the editor, the API and the triggers of the workflow files in a folder.", [
    "curlew serve",
    "curlew serve flows --open",
    "curlew serve --demo --open",
    "curlew serve flows --host 0.0.0.0 --auth token --tls-cert cert.pem --tls-key key.pem",
  ])
    .option("--port <n>", "Set the editor's port (default: 4780, or the next free one)", port)
    .option("--host <address>", "Listen on this address instead of on this machine alone; needs --auth token and TLS")
    .option("--hooks-port <n>", "Set the port of webhooks (default: 4880, or the next free one)", port)
    .option("--open", "Open the editor in the browser")
    .option("--demo", "Serve example workflows, and start the sample API that they call")
    .option("--auth <way>", "`token`: let others reach the server and log in by a link or the token", oneOf("token"))
    .option("--tls-cert <file>", "Use this certificate (PEM)")
    .option("--tls-key <file>", "Use this private key (PEM)")
    .option("--public-url <url>", "Set the https URL of a reverse proxy in front")
    .option(
      "--log-level <level>",
      "Set the level of server.log: error, warn, info (default), debug",
      oneOf("error", "warn", "info", "debug"),
    )
    .option(...HOME)
    .action((dir, options) =>
      deps.ends(import("./commands/serve.ts").then((it) => it.serve(dir, options, deps.terminal))),
    );
}

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a port: a whole number up to 65535.`);
}

function oneOf(...known: string[]): (text: string) => string {
  return (text) => {
    if (known.includes(text)) return text;
    throw new InvalidArgumentError(`"${text}" must be one of: ${known.join(", ")}.`);
  };
}

export function addTriggersCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const load = () => import("./commands/triggers.ts");
  const triggers = add(program, deps, "triggers", "List and control the triggers of the running server.", [
    "curlew triggers",
    "curlew triggers pause github",
    "curlew triggers deliveries",
    "curlew triggers replay latest",
  ]);
  const shown = ["curlew triggers", "curlew triggers --json | jq .hooks"];
  addList(triggers, deps, "List schedules, webhooks and file watches", shown)
    .option("--json", "Print one JSON object: schedules, hooks, files")
    .option(...HOME)
    .action((_, options) => ends(load().then((it) => it.list(options, terminal))));
  add(triggers, deps, "pause", "Pause a trigger until it is resumed, even after a restart.", [
    "curlew triggers pause github",
    "curlew triggers pause schedule-1f3a",
  ])
    .argument("<trigger>", TRIGGER)
    .option(...HOME)
    .action((name, options) => ends(load().then((it) => it.pause(name, true, options, terminal))));
  add(triggers, deps, "resume", "Resume a paused trigger from now.", ["curlew triggers resume github"])
    .argument("<trigger>", TRIGGER)
    .option(...HOME)
    .action((name, options) => ends(load().then((it) => it.pause(name, false, options, terminal))));
  addDeliveryCommands(triggers, deps);
}

function addDeliveryCommands(triggers: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const load = () => import("./commands/deliveries.ts");
  add(triggers, deps, "deliveries", "List webhook deliveries, newest first.", [
    "curlew triggers deliveries",
    "curlew triggers deliveries --hook github --limit 5",
    "curlew triggers deliveries --json | jq '.[].status'",
  ])
    .option("--hook <path>", "Show only deliveries of this webhook")
    .option("--limit <n>", "Show at most this many", positive, 20)
    .option(...ARRAY)
    .option(...HOME)
    .action((options) => ends(load().then((it) => it.deliveries(options, terminal))));
  add(triggers, deps, "show", "Show a delivery with its result, headers and body.", [
    "curlew triggers show latest",
    "curlew triggers show latest --json | jq -r .body",
  ])
    .argument("<delivery>", DELIVERY)
    .option(...ONE_OBJECT)
    .option(...HOME)
    .action((id, options) => ends(load().then((it) => it.show(id, options, terminal))));
  add(triggers, deps, "replay", "Start a run from a stored delivery. Prints the run's id.", [
    "curlew triggers replay latest",
    "curlew triggers replay 1m7y7kg400 --workflow other.flow.yaml",
  ])
    .argument("<delivery>", DELIVERY)
    .option("--workflow <file>", "Start this workflow instead of the original one")
    .option(...ONE_OBJECT)
    .option("--quiet", "Print only the id")
    .option(...HOME)
    .action((id, options) => ends(load().then((it) => it.replay(id, options, terminal))));
}
