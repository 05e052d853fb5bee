// program-answers: the commands about permissions: approvals, secrets and the audit log (spec 2.2). See program.ts.

import { type Add, collect, ENV_FILE, type Ends, examples, HOME, positive, RUN, SECRET } from "./program-parts.ts";
import type { Terminal } from "./terminal.ts";
import { type CurlewCommand, UsageError } from "./usage.ts";

const WAITS = "the node that waits, one pass of it such as `publish[2]`, or one inside a subflow: `deploy/publish`";

export function addApprovalCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  const load = () => import("./commands/approvals.ts");
  add(program, "approvals", "List what waits for an approval; of one run, show all that would run.", [
    "curlew approvals",
    "curlew approvals latest publish",
    "curlew approvals --json | jq -r '.[].hash'",
  ])
    .argument("[run]", RUN)
    .argument(
      "[node]",
      "a node that waits, one pass of it such as `publish[2]`, or one inside a subflow: `deploy/publish`",
    )
    .option("--json", "print a JSON array of all that is known")
    .option(...HOME)
    .action((run, node, options) => ends(load().then((it) => it.approvals(run, node, options, terminal))));
  add(program, "approve", "Approve a node that waits, and go on with its run here.", [
    "curlew approve latest publish",
    "curlew approve latest deploy/publish --edit",
    "curlew approve 1m7y publish --hash 9f2c11d04b7e --detach",
  ])
    .argument("<run>", RUN)
    .argument("<node>", WAITS)
    .option("--edit", "change the command in VISUAL or EDITOR first; the difference goes on record")
    .option("--hash <hash>", "only if what waits is what this hash names: `approvals --json` shows it")
    .option("--detach", "only record it; `curlew runs resume` goes on")
    .option("--json", "print every event as one JSON object a line on stdout, and nothing else")
    .option("--quiet", "print no progress, only the result and errors")
    .option(...ENV_FILE)
    .option("--secret <name>", SECRET, collect)
    .option(...HOME)
    .action((run, node, options) => ends(load().then((it) => it.approve(run, node, options, terminal))));
  add(program, "reject", "Reject a node that waits: it fails, and its run goes on here.", [
    'curlew reject latest publish --reason "not on a Friday"',
  ])
    .argument("<run>", RUN)
    .argument("<node>", WAITS)
    .option("--hash <hash>", "only if what waits is what this hash names")
    .option("--reason <text>", "why; goes on record")
    .option("--detach", "only record it; `curlew runs resume` goes on")
    .option("--json", "print every event as one JSON object a line on stdout, and nothing else")
    .option("--quiet", "print no progress, only the result and errors")
    .option(...ENV_FILE)
    .option("--secret <name>", SECRET, collect)
    .option(...HOME)
    .action((run, node, options) => ends(load().then((it) => it.reject(run, node, options, terminal))));
}

export function addSecretsCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  const load = () => import("./commands/secrets.ts");
  const secrets = add(program, "secrets", "Keep secrets on this machine, encrypted.", [
    "curlew secrets set GITHUB_TOKEN",
    "curlew secrets set DEPLOY_KEY < deploy.pem",
    "curlew secrets list",
    "curlew secrets rm GITHUB_TOKEN",
  ]);
  const list = secrets
    .command("list", { isDefault: true })
    .description("List the names, never the values (also: plain `curlew secrets`)")
    .argument("[words...]")
    .option("--json", "print a JSON array")
    .option(...HOME) as CurlewCommand;
  list
    .usage("[options]")
    .addHelpText("after", () => examples(terminal, ["curlew secrets", "curlew secrets list --json"]));
  list.action((words: string[], options) => {
    const known = secrets
      .createHelp()
      .visibleCommands(secrets)
      .map((command) => command.name());
    if (words.length > 0) throw new UsageError(secrets.unknownCommandProblem(words[0]!, known));
    return ends(load().then((it) => it.list(options, terminal)));
  });
  const set = add(secrets, "set", "Save a secret: asks for the value without showing it, or reads it from stdin.", [
    "curlew secrets set GITHUB_TOKEN",
    "curlew secrets set DEPLOY_KEY < deploy.pem",
  ]);
  // Extra words and unknown options may be the secret value, so the command rejects them without repeating them.
  set
    .argument("<name>", "the name that workflows declare under `secrets`")
    .argument("[more...]")
    .usage("[options] <name>")
    .allowUnknownOption()
    .option(...HOME)
    .action((name, more, options) => ends(load().then((it) => it.set(name, more, options, terminal))));
  add(secrets, "rm", "Remove a secret for good.", ["curlew secrets rm GITHUB_TOKEN"])
    .argument("<name>", "its name")
    .option(...HOME)
    .action((name, options) => ends(load().then((it) => it.rm(name, options, terminal))));
}

export function addAuditCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  const load = () => import("./commands/audit.ts");
  const audit = add(program, "audit", "Show the log of approvals, secrets and runs that asked nobody; check it.", [
    "curlew audit",
    "curlew audit -n 100 --json",
    "curlew audit verify",
  ]);
  const list = audit
    .command("list", { isDefault: true })
    .description("List entries, newest first (also: plain `curlew audit`)")
    .argument("[words...]")
    .option("-n <n>", "how many at most", positive, 20)
    .option("--json", "print a JSON array")
    .option(...HOME) as CurlewCommand;
  list.usage("[options]").addHelpText("after", () => examples(terminal, ["curlew audit -n 5", "curlew audit --json"]));
  list.action((words: string[], options) => {
    if (words.length > 0) throw new UsageError(audit.unknownCommandProblem(words[0]!, ["list", "verify"]));
    return ends(load().then((it) => it.audit({ ...options, number: options.n }, terminal)));
  });
  add(
    audit,
    "verify",
    "Check that every entry is what was written and none is missing.",
    ["curlew audit verify", "curlew audit verify --json | jq .findings"],
    "\nExit codes: 0 sound, 1 damaged.\n",
  )
    .option("--json", "print one JSON object")
    .option(...HOME)
    .action((options) => ends(load().then((it) => it.verify(options, terminal))));
}

export function addHomeCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  add(
    program,
    "doctor",
    "Check the history, the home and what commands need. Changes nothing.",
    ["curlew doctor", "curlew doctor --store", "curlew doctor --json | jq '.checks[] | select(.status != \"ok\")'"],
    "\nExit codes: 0 nothing is wrong, 1 something is.\n",
  )
    .option("--store", "check the history only, every record of it")
    .option("--json", "print one JSON object")
    .option(...HOME)
    .action((options) => ends(import("./commands/doctor.ts").then((it) => it.doctor(options, terminal))));
  add(
    program,
    "backup <folder>",
    "Copy the home to a folder, also while runs are going on. The copy is a home itself, keys and all.",
    ["curlew backup ~/backups/curlew-monday", "curlew runs --home ~/backups/curlew-monday"],
  )
    .option("--json", "print one JSON object")
    .option(...HOME)
    .action((folder, options) =>
      ends(import("./commands/backup.ts").then((it) => it.backup(folder, options, terminal))),
    );
}
