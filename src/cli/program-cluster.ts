// program-cluster: the commands about the machines of a cluster (spec 6.2). See program.ts.

import { InvalidArgumentError } from "commander";
import { ARRAY, add, addList, DATABASE, type Deps, duration, KEY, LEASE, lease } from "./program-parts.ts";
import type { CurlewCommand } from "./usage.ts";

export function addClusterCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  add(program, deps, "worker", "Drive runs of a cluster on this machine, without a server.", [
    "curlew worker --key-file curlew.key",
    "curlew worker --key-file curlew.key --name gpu-1 --labels gpu,eu --slots 8",
  ])
    .option(...DATABASE)
    .option(...KEY)
    .option("--name <name>", "Set the name of this machine (default: the host's name)", name)
    .option("--labels <labels>", "Add labels to those of config.yaml, with commas between them", labels)
    .option("--slots <n>", "Drive this many runs at a time", slots, 4)
    .option(...LEASE)
    .option("--restart-lease <time>", "Keep its runs for this long after it ends (default: 60s)", lease, 60_000)
    .option(
      "--patience <time>",
      "How long to wait for a machine whose commands may be alive (default: 10m)",
      duration,
      600_000,
    )
    .action((options) => ends(import("./commands/worker.ts").then((it) => it.worker(options, terminal))));
  addMachines(program, deps);
  const db = add(program, deps, "db", "Prepare, check, and fill the database of a cluster.", [
    "curlew db init --key-file curlew.key",
  ]);
  add(db, deps, "init", "Make the tables and the key of a cluster, or bring the tables to this version.", [
    "curlew db init --db postgres://curlew@db.internal/curlew --key-file curlew.key",
  ])
    .option(...DATABASE)
    .option("--key-file <file>", "Write the key to this new file instead of printing it")
    .action((options) => ends(import("./commands/db.ts").then((it) => it.init(options, terminal))));
  const load = () => import("./commands/db-history.ts");
  add(db, deps, "check", "Check every record of a cluster, and its audit log.", [
    "curlew db check --key-file curlew.key",
  ])
    .option(...DATABASE)
    .option(...KEY)
    .action((options) => ends(load().then((it) => it.check(options, terminal))));
  const shown = [
    "curlew db move --to postgres://curlew@db.internal/curlew --key-file curlew.key",
    "curlew db move --from postgres://curlew@db.internal/curlew --key-file curlew.key",
  ];
  add(db, deps, "move", "Move the history of this data directory into a cluster, or back.", shown)
    .option("--to <url>", "Move it into this database, which must not have a history")
    .option("--from <url>", "Bring it back from this database")
    .option(...KEY)
    .action((options) => ends(load().then((it) => it.move(options, terminal))));
}

function addMachines(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const load = () => import("./commands/machines.ts");
  const listed = ["curlew machines", "curlew machines --json"];
  const machines = add(program, deps, "machines", "List the machines of a cluster, and take them out.", [
    ...listed,
    "curlew machines drain gpu-1 --wait",
  ]);
  addList(machines, deps, "List the machines", listed)
    .option(...ARRAY)
    .option(...DATABASE)
    .action((_, options) => ends(load().then((it) => it.list(options, terminal))));
  const one = (verb: string, summary: string, shown: string[]): CurlewCommand =>
    add(machines, deps, `${verb} <name>`, summary, shown)
      .option(...DATABASE)
      .option(...KEY) as CurlewCommand;
  one("drain", "Let a machine take no new runs.", ["curlew machines drain gpu-1", "curlew machines drain gpu-1 --wait"])
    .option("--wait", "Wait until its runs have ended")
    .action((which, options) => ends(load().then((it) => it.drain(which, options, terminal))));
  one("resume", "Let a machine take runs again.", ["curlew machines resume gpu-1"]).action((which, options) =>
    ends(load().then((it) => it.resume(which, options, terminal))),
  );
  one("forget", "Give up a machine that won't come back. Its runs continue elsewhere.", [
    "curlew machines forget gpu-1",
  ]).action((which, options) => ends(load().then((it) => it.forget(which, options, terminal))));
}

function name(text: string): string {
  if (/^[\w][\w.-]{0,62}$/.test(text)) return text;
  throw new InvalidArgumentError("A name has letters, digits, dots, hyphens, and underscores, at most 63.");
}

function labels(text: string): string[] {
  return text.split(",").map((label) => {
    if (/^[\w][\w.:-]{0,62}$/.test(label)) return label;
    throw new InvalidArgumentError(`"${label}" is not a label.`);
  });
}

function slots(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a number from 1 to 999.`);
}
