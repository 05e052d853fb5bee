// program: every command of `curlew`, its arguments, options and examples (spec 2.2). What a command does stands in commands/, loaded
// only when it is called.
//   G1. Every command has at least one example in its help. One spelling an option.
//   G2. A wrong command line ends with exit code 2 before anything was loaded or done.

import { CommanderError, InvalidArgumentError } from "commander";
import { Exit } from "./exit.ts";
import type { Terminal } from "./terminal.ts";
import { CurlewCommand, UsageError } from "./usage.ts";
import { version } from "./version.ts";

const HOME = [
  "--home <dir>",
  "folder of the history and configuration (default: CURLEW_HOME, else the platform's data folder)",
] as const;
const ENV_FILE = [
  "--env-file <file>",
  "add the variables of a .env file to the environment that the workflow may name",
] as const;
const SECRET = "ask for a secret's value, without showing it; repeat for more";
const WAITS = "the node that waits, one pass of it such as `publish[2]`, or one inside a subflow: `deploy/publish`";
const RUN = "a run's id, the beginning of one, or `latest`";

/** Parses the arguments and does what they ask for. Answers with the exit code. */
export async function runProgram(args: string[], terminal: Terminal): Promise<number> {
  let code: number = Exit.OK;
  const ends = (done: Promise<number>): Promise<void> =>
    done.then((exit) => {
      code = exit;
    });
  const program = buildProgram(terminal, ends);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
  } catch (reason) {
    if (reason instanceof UsageError) {
      terminal.problem(reason.problem);
      return Exit.USAGE;
    }
    // Help and version were asked for and given.
    if (reason instanceof CommanderError && reason.exitCode === 0) return Exit.OK;
    throw reason;
  }
  return code;
}

/** `ends` is told how a command ended. Without `completes`, the commands about completions are left out. */
export function buildProgram(
  terminal: Terminal,
  ends: (done: Promise<number>) => Promise<void>,
  completes = true,
): CurlewCommand {
  const program = new CurlewCommand("curlew")
    .description("Runs workflows: graphs of nodes whose every call to the outside world is a command you can see.")
    .version(version(), "--version", "print the version")
    .helpOption("-h, --help", "print help; also for each command")
    .helpCommand("help [command]", "print help for a command")
    .exitOverride()
    .configureHelp({ styleTitle: (title) => terminal.outStyle("strong", title), showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
    }) as CurlewCommand;
  program.addHelpText("after", () =>
    examples(
      terminal,
      [
        "curlew new hello",
        "curlew run hello.flow.yaml",
        "curlew run digest.flow.yaml --input repo=curl/curl | jq .",
        "curlew runs show latest",
      ],
      EXIT_CODES,
    ),
  );

  const add = (parent: CurlewCommand, usage: string, summary: string, shown: string[], more = ""): CurlewCommand => {
    const command = parent.command(usage).description(summary) as CurlewCommand;
    command.addHelpText("after", () => examples(terminal, shown, more));
    return command;
  };
  addWorkflowCommands(program, terminal, ends, add);
  addRunsCommands(program, terminal, ends, add);
  addApprovalCommands(program, terminal, ends, add);
  addSecretsCommands(program, terminal, ends, add);
  addAuditCommands(program, terminal, ends, add);
  addSchema(program, terminal, ends, add);
  if (completes) addCompletion(program, terminal, ends, add);
  return program;
}

type Ends = (done: Promise<number>) => Promise<void>;
type Add = (parent: CurlewCommand, usage: string, summary: string, shown: string[], more?: string) => CurlewCommand;

function addWorkflowCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  add(
    program,
    "run <file>",
    "Run a workflow now, in the foreground. Prints its result on stdout, progress on stderr.",
    [
      "curlew run digest.flow.yaml --input repo=curl/curl --input pages=3",
      "curlew run digest.flow.yaml --input-file inputs.json | jq .",
      "curlew run digest.flow.yaml --dry-run",
      "curlew run deploy.flow.yaml --approve publish",
    ],
    EXIT_CODES,
  )
    .option("--input <name=value>", "give an input; repeat for more", collect)
    .option("--input-file <file>", "inputs from a JSON object in a file, or - for stdin")
    .option(...ENV_FILE)
    .option("--secret <name>", SECRET, collect)
    .option("--approve <node>", "approve a node in advance; repeat for more", collect)
    .option("--yes", "approve every node in advance")
    .option("--json", "print every event as one JSON object a line on stdout, and nothing else")
    .option("--quiet", "print no progress, only the result and errors")
    .option("--dry-run", "show what would run, with each rendered command, and run nothing")
    .option("--detach", "hand the run to the running server")
    .option(...HOME)
    .action((file, options) => ends(import("./commands/run.ts").then((it) => it.run(file, options, terminal))));

  add(program, "validate <files...>", "Check workflow files. Runs nothing, touches no network.", [
    "curlew validate digest.flow.yaml",
    "curlew validate flows/*.flow.yaml --json",
  ])
    .option("--json", "print one JSON object for each file, one a line")
    .action((files, options) =>
      ends(import("./commands/validate.ts").then((it) => it.validate(files, options, terminal))),
    );

  add(program, "new [name]", "Write a first workflow file to build on.", ["curlew new", "curlew new open-issues"])
    .option("--force", "write over a file that is there")
    .action((name, options) => ends(import("./commands/new.ts").then((it) => it.newWorkflow(name, options, terminal))));

  add(program, "fmt <files...>", "Rewrite workflow files in the canonical form. Comments stay.", [
    "curlew fmt digest.flow.yaml",
    "curlew fmt --check flows/*.flow.yaml",
    "curlew fmt - < digest.flow.yaml",
  ])
    .option("--check", "only tell which files would change; exit code 1 if any would")
    .action((files, options) => ends(import("./commands/fmt.ts").then((it) => it.fmt(files, options, terminal))));

  add(program, "graph <file>", "Draw the graph of a workflow as text or SVG.", [
    "curlew graph digest.flow.yaml",
    "curlew graph digest.flow.yaml --svg > digest.svg",
    "curlew graph digest.flow.yaml --json | jq .nodes",
  ])
    .option("--svg", "print an SVG image")
    .option("--json", "print nodes, edges and layers as JSON")
    .action((file, options) => ends(import("./commands/graph.ts").then((it) => it.graph(file, options, terminal))));
}

function addRunsCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  const runs = add(program, "runs", "List runs, look into one, and control it.", [
    "curlew runs",
    "curlew runs show latest",
    "curlew runs logs latest fetch --tail 20",
    "curlew runs cancel 1m7y7kg400",
  ]);
  const load = () => import("./commands/runs.ts");

  const list = runs
    .command("list", { isDefault: true })
    .description("List runs, newest first (also: plain `curlew runs`)")
    .argument("[words...]")
    .option("--limit <n>", "how many at most", positive, 20)
    .option("--workflow <name>", "only runs of this workflow: its name or file")
    .option("--status <status>", "only runs with this status")
    .option("--json", "print a JSON array")
    .option(...HOME) as CurlewCommand;
  list
    .usage("[options]")
    .addHelpText("after", () => examples(terminal, ["curlew runs --limit 5", "curlew runs --status failed --json"]));
  // `list` is where every unknown word after `runs` arrives.
  list.action((words: string[], options) => {
    const known = runs
      .createHelp()
      .visibleCommands(runs)
      .map((command) => command.name());
    if (words.length > 0) throw new UsageError(runs.unknownCommandProblem(words[0]!, known));
    return ends(load().then((it) => it.list(options, terminal)));
  });
  add(runs, "show", "Show a run: its nodes, attempts and result.", [
    "curlew runs show latest",
    "curlew runs show 1m7y --json | jq .result",
  ])
    .argument("<run>", RUN)
    .option("--json", "print one JSON object")
    .option(...HOME)
    .action((run, options) => ends(load().then((it) => it.show(run, options, terminal))));
  add(runs, "logs", "Print what the commands of a run printed.", [
    "curlew runs logs latest",
    "curlew runs logs latest fetch",
    "curlew runs logs latest 'fetch[2]' --tail 20",
    "curlew runs logs latest -f",
  ])
    .argument("<run>", RUN)
    .argument(
      "[node]",
      "a node, or one pass of it such as `fetch[2]`; then its stdout goes to stdout, its stderr to stderr, unchanged",
    )
    .option("-f", "follow: wait for more until the run has ended")
    .option("--tail <n>", "only the last lines of each output", natural)
    .option(...HOME)
    .action((run, node, options) =>
      ends(import("./commands/logs.ts").then((it) => it.logs(run, node, options, terminal))),
    );
  add(runs, "cancel", "Cancel a run in an orderly way.", ["curlew runs cancel latest"])
    .argument("<run>", RUN)
    .option(...HOME)
    .action((run, options) => ends(load().then((it) => it.cancel(run, options, terminal))));
  add(
    runs,
    "resume",
    "Go on with a run whose program ended or that was waiting. What has succeeded is not run again.",
    ["curlew runs resume latest"],
  )
    .argument("<run>", RUN)
    .option(...ENV_FILE)
    .option("--secret <name>", SECRET, collect)
    .option("--json", "print every event as one JSON object a line on stdout, and nothing else")
    .option("--quiet", "print no progress, only the result and errors")
    .option(...HOME)
    .action((run, options) => ends(import("./commands/run.ts").then((it) => it.resume(run, options, terminal))));
  add(runs, "retry", "Run a finished run's workflow again with the same inputs.", ["curlew runs retry latest"])
    .argument("<run>", RUN)
    .option("--from <node>", "keep what stands before this node")
    .option(...ENV_FILE)
    .option("--secret <name>", SECRET, collect)
    .option("--json", "print every event as one JSON object a line on stdout, and nothing else")
    .option("--quiet", "print no progress, only the result and errors")
    .option(...HOME)
    .action((run, options) => ends(import("./commands/run.ts").then((it) => it.retry(run, options, terminal))));
  add(runs, "rm", "Remove runs and their output for good.", ["curlew runs rm 1m7y7kg400", "curlew runs rm latest"])
    .argument("<runs...>", RUN)
    .option(...HOME)
    .action((names, options) => ends(load().then((it) => it.rm(names, options, terminal))));
}

function addApprovalCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
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

function addSecretsCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
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
  // More words, and what looks like options, may be a value: the command refuses them without repeating them.
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

function addAuditCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
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

function addSchema(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  add(program, "schema", "Print the JSON Schema of a workflow file.", ["curlew schema > curlew.schema.json"]).action(
    () => ends(import("./commands/schema.ts").then((it) => it.schema(terminal))),
  );
}

function addCompletion(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  add(program, "completion <shell>", "Print completions for bash, zsh, fish or powershell.", [
    "source <(curlew completion bash)",
    "curlew completion zsh > ~/.zsh/completions/_curlew",
    "curlew completion fish > ~/.config/fish/completions/curlew.fish",
  ]).action((shell) => ends(import("./commands/completion.ts").then((it) => it.completion(shell, terminal))));
  // What the shells call on every TAB.
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .action((words: string[]) => ends(import("./commands/completion.ts").then((it) => it.complete(words, terminal))));
}

const EXIT_CODES = `
Exit codes:
  0  succeeded            3  waits for an approval; the run is kept
  1  a node failed        4  cancelled or timed out
  2  nothing ran: the     5  our own fault
     command line or      130  after Ctrl-C (once: cancels in an
     the file is wrong         orderly way; twice: kills at once)
`;

function examples(terminal: Terminal, shown: string[], more = ""): string {
  return `\n${terminal.outStyle("strong", "Examples:")}\n${shown.map((line) => `  ${line}\n`).join("")}${more}`;
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function positive(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a whole number from 1.`);
}

function natural(text: string): number {
  if (/^(0|[1-9][0-9]{0,8})$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a whole number from 0.`);
}
