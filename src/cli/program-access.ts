// program-access: the commands about permissions: approvals, secrets, signing in, the audit log, import and trust
// (spec 2.2, 4.2). See program.ts.

import {
  ARRAY,
  add,
  addList,
  collect,
  type Deps,
  ENV_FILE,
  examples,
  ONE_OBJECT,
  positive,
  RUN,
  withRunOptions,
} from "./program-parts.ts";
import type { CurlewCommand } from "./usage.ts";

const WAITING = "The waiting node, one iteration of it such as `publish[2]`, or one inside a subflow: `deploy/publish`";

export function addApprovalCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const load = () => import("./commands/approvals.ts");
  add(program, deps, "approvals", "List the waiting approvals, or show all details of a run's.", [
    "curlew approvals",
    "curlew approvals latest publish",
    "curlew approvals --json | jq -r '.[].hash'",
  ])
    .argument("[run]", RUN)
    .argument("[node]", WAITING)
    .option("--json", "Print a JSON array with all details")
    .action((run, node, options) => ends(load().then((it) => it.approvals(run, node, options, terminal))));
  const answer = (usage: string, summary: string, shown: string[]): CurlewCommand =>
    withRunOptions(
      add(program, deps, usage, summary, shown)
        .argument("<names...>", "A run and its waiting nodes, or only nodes that wait in one run each")
        .option("--hash <hash>", "Answer only if the waiting command has this hash (see `approvals --json`)")
        .option("--detach", "Only record the answer; `curlew runs resume` continues the run") as CurlewCommand,
    );
  answer("approve", "Approve a waiting node, and continue its run here.", [
    "curlew approve publish",
    "curlew approve latest build publish",
    "curlew approve latest --all",
    "curlew approve latest deploy/publish --edit",
    "curlew approve 1m7y publish --hash 9f2c11d04b7e --detach",
  ])
    .option("--all", "Approve every node of the run that waits now")
    .option("--edit", "Change the command in VISUAL or EDITOR first; the difference is recorded")
    .action((names, options) => ends(load().then((it) => it.approve(names, options, terminal))));
  answer("reject", "Reject a waiting node: it fails, and its run continues here.", [
    'curlew reject latest publish --reason "not on a Friday"',
  ])
    .option("--reason <text>", "Record a reason")
    .action((names, options) => ends(load().then((it) => it.reject(names, options, terminal))));
}

export function addSecretsCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const load = () => import("./commands/secrets.ts");
  const secrets = add(program, deps, "secrets", "Keep secrets on this machine, encrypted.", [
    "curlew secrets set GITHUB_TOKEN",
    "curlew secrets set DEPLOY_KEY < deploy.pem",
    "curlew secrets list",
    "curlew secrets rm GITHUB_TOKEN",
  ]);
  addList(secrets, deps, "List the names, never the values", ["curlew secrets", "curlew secrets list --json"])
    .option(...ARRAY)
    .action((_, options) => ends(load().then((it) => it.list(options, terminal))));
  // Extra words and unknown options may be the secret value, so the command rejects them without repeating them.
  add(secrets, deps, "set", "Save a secret. Asks for the value without showing it, or reads it from stdin.", [
    "curlew secrets set GITHUB_TOKEN",
    "curlew secrets set DEPLOY_KEY < deploy.pem",
  ])
    .argument("<name>", "The name that workflows declare under `secrets`")
    .argument("[more...]")
    .usage("[options] <name>")
    .allowUnknownOption()
    .action((name, more, options) => ends(load().then((it) => it.set(name, more, options, terminal))));
  add(secrets, deps, "rm", "Remove a secret for good.", ["curlew secrets rm GITHUB_TOKEN"])
    .argument("<name>", "The secret's name")
    .action((name, options) => ends(load().then((it) => it.rm(name, options, terminal))));
}

export function addStateCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const load = () => import("./commands/state.ts");
  const WORKFLOW = ["--workflow <file>", "The workflow file that the value belongs to"] as const;
  const state = add(program, deps, "state", "Show and change the values that workflows keep between runs.", [
    "curlew state set last_id 42                 # in a command of a run",
    "curlew state set last_id 0 --workflow fetch.flow.yaml",
    "curlew state list",
  ]);
  addList(state, deps, "List all stored values", ["curlew state", "curlew state list --workflow fetch.flow.yaml"])
    .option(...WORKFLOW)
    .option(...ARRAY)
    .action((_, options) => ends(load().then((it) => it.list(options, terminal))));
  add(state, deps, "get", "Print a stored value.", ["curlew state get last_id --workflow fetch.flow.yaml"])
    .argument("<name>", "A name of the workflow's `state`")
    .option(...WORKFLOW)
    .action((name, options) => ends(load().then((it) => it.get(name, options, terminal))));
  add(state, deps, "set", "Store a value: in a command of a run when its node has succeeded, otherwise at once.", [
    'curlew state set last_id "$id"               # in a command of a run',
    "curlew state set last_id 0 --workflow fetch.flow.yaml",
  ])
    .argument("<name>", "A name of the workflow's `state`")
    .argument("<value>", "The value; write -- before one that begins with a dash")
    .option(...WORKFLOW)
    .action((name, value, options) => ends(load().then((it) => it.set(name, value, options, terminal))));
  add(state, deps, "rm", "Remove a stored value.", ["curlew state rm last_id --workflow fetch.flow.yaml"])
    .argument("<name>", "A stored name")
    .option(...WORKFLOW)
    .action((name, options) => ends(load().then((it) => it.rm(name, options, terminal))));
}

export function addAuditCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const load = () => import("./commands/audit.ts");
  const audit = add(
    program,
    deps,
    "audit",
    "Show and verify the log of approvals, secrets and runs without approval.",
    ["curlew audit", "curlew audit -n 100 --json", "curlew audit verify"],
  );
  addList(audit, deps, "List entries, newest first", ["curlew audit -n 5", "curlew audit --json"])
    .option("-n <n>", "Show at most this many", positive, 20)
    .option(...ARRAY)
    .action((_, options) => ends(load().then((it) => it.audit({ ...options, number: options.n }, terminal))));
  add(
    audit,
    deps,
    "verify",
    "Check that no entry was changed or removed.",
    ["curlew audit verify", "curlew audit verify --json | jq .findings"],
    "\nExit codes: 0 intact, 1 changed.\n",
  )
    .option(...ONE_OBJECT)
    .action((options) => ends(load().then((it) => it.verify(options, terminal))));
}

export function addAuthCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const load = () => import("./commands/auth.ts");
  const auth = add(program, deps, "auth", "Sign in for workflows whose token needs a person.", [
    "curlew auth login shop orders.flow.yaml",
    "curlew auth list",
    "curlew auth logout shop",
  ]);
  add(auth, deps, "login", "Sign in for an auth entry: shows a URL, and waits until you have signed in there.", [
    "curlew auth login shop orders.flow.yaml",
    "curlew auth login github                  # an entry of config.yaml",
  ])
    .argument("<name>", "The name of an auth entry, or of a node with its own")
    .argument("[file]", "The workflow that has the entry (default: config.yaml)")
    .option("--input <name=value>", "Give an input that the entry uses; repeat for more", collect)
    .option(...ENV_FILE)
    .action((name, file, options) => ends(load().then((it) => it.loginAs(name, file, options, terminal))));
  addList(auth, deps, "List the saved tokens, never their values", ["curlew auth", "curlew auth list --json"])
    .option(...ARRAY)
    .action((_, options) => ends(load().then((it) => it.list(options, terminal))));
  add(auth, deps, "logout", "Remove a token from this machine.", ["curlew auth logout shop"])
    .argument("<name>", "The name of an auth entry (see `curlew auth list`)")
    .action((name, options) => ends(load().then((it) => it.logout(name, options, terminal))));
}

export function addTrustCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  add(
    program,
    deps,
    "import",
    "Import a workflow or a curl command. Runs nothing; the imported commands are blocked until approved.",
    [
      "curl -fsSL https://example.com/digest.flow.yaml | curlew import -",
      "curlew import exported.json --to nightly.flow.yaml",
      "curlew import 'curl -H \"Authorization: Bearer $TOKEN\" https://api.example.com/items'",
      "curlew import -- curl -u me:secret https://api.example.com/items",
    ],
  )
    .argument("<source...>", "A file, - for stdin, or a curl command")
    .option("--to <file>", "Write this file, in this folder or below it")
    .option(...ONE_OBJECT)
    .action((source, options) =>
      ends(import("./commands/import.ts").then((it) => it.importWorkflow(source, options, terminal))),
    );
  const load = () => import("./commands/trust.ts");
  const trust = add(program, deps, "trust", "Inspect the commands of an imported workflow, and let them run.", [
    "curlew trust digest.flow.yaml",
    "curlew trust digest.flow.yaml --all",
    "curlew trust list",
  ]);
  const file = trust
    .command("of", { isDefault: true })
    .description("Show and ask about each untrusted command (also: plain `curlew trust FILE`)")
    .argument("<file>", "A workflow file")
    .option("--all", "Trust every command that is shown")
    .option("--json", "Print one JSON object with all commands")
    .action((name, options) => ends(load().then((it) => it.trust(name, options, terminal)))) as CurlewCommand;
  const shown = ["curlew trust digest.flow.yaml", "curlew trust digest.flow.yaml --json | jq '.commands[].hosts'"];
  file.usage("<file> [options]").addHelpText("after", () => examples(terminal, shown));
  add(trust, deps, "list", "List the trusted commands, newest first.", [
    "curlew trust list",
    "curlew trust list --json",
  ])
    .option(...ARRAY)
    .action((options) => ends(load().then((it) => it.list(options, terminal))));
  add(trust, deps, "rm", "Withdraw trust, by a hash or for a whole workflow file.", [
    "curlew trust rm 9f2c11d04b7e",
    "curlew trust rm digest.flow.yaml",
  ])
    .argument("<names...>", "The start of a hash, or a workflow file")
    .action((names, options) => ends(load().then((it) => it.rm(names, options, terminal))));
}
