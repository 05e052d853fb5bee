// program: every command of `curlew` with its arguments, options and examples (spec 2.2). The implementations are in
// commands/ and are loaded only when called.
//   G1. The help of every command has at least one example. Each option has one spelling.
//   G2. An invalid command line ends with exit code 2 before anything is loaded or done.

import { CommanderError } from "commander";
import { Exit } from "./exit.ts";
import { HTTP_OPTIONS } from "./http/options.ts";
import {
  addApprovalCommands,
  addAuditCommands,
  addAuthCommands,
  addSecretsCommands,
  addStateCommands,
  addTrustCommands,
} from "./program-access.ts";
import { addClusterCommands } from "./program-cluster.ts";
import {
  ARRAY,
  add,
  addHome,
  collect,
  type Deps,
  examples,
  ONE_OBJECT,
  withPreapproval,
  withRunOptions,
} from "./program-parts.ts";
import { addRunsCommands } from "./program-runs.ts";
import { addServeCommand, addTriggersCommand } from "./program-server.ts";
import type { Terminal } from "./terminal.ts";
import { CurlewCommand, UsageError } from "./usage.ts";
import { version } from "./version.ts";

/** Parses the arguments and runs the command. Returns the exit code. */
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
    // The help or the version was printed. On stderr, it is the answer to a command that lacks its subcommand.
    if (reason instanceof CommanderError) return reason.exitCode === 0 ? Exit.OK : Exit.USAGE;
    throw reason;
  }
  return code;
}

/** `ends` receives the exit code of a command. Without `completes`, the completion commands are left out. */
export function buildProgram(
  terminal: Terminal,
  ends: (done: Promise<number>) => Promise<void>,
  completes = true,
): CurlewCommand {
  const program = new CurlewCommand("curlew")
    .description("Runs workflows: graphs of nodes whose every call to the outside world is a command you can see.")
    .version(version(), "--version", "Print the version")
    .helpOption("-h, --help", "Print help; also for each command")
    .helpCommand("help [command]", "Print help for a command")
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

  const deps: Deps = { terminal, ends };
  addWorkflowCommands(program, deps);
  addServeCommand(program, deps);
  addTriggersCommand(program, deps);
  addClusterCommands(program, deps);
  addRunsCommands(program, deps);
  addApprovalCommands(program, deps);
  addSecretsCommands(program, deps);
  addStateCommands(program, deps);
  addAuditCommands(program, deps);
  addAuthCommands(program, deps);
  addTrustCommands(program, deps);
  addCacheCommands(program, deps);
  addHttpCommand(program, deps);
  addHomeCommands(program, deps);
  addReferenceCommands(program, deps);
  if (completes) addCompletion(program, deps);
  addHome(program);
  return program;
}

function addWorkflowCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const run = add(
    program,
    deps,
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
    .option("--input <name=value>", "Give an input; repeat for more", collect)
    .option("--input-file <file>", "Read inputs from a JSON object in a file, or - for stdin")
    .option("--dry-run", "Show the plan and each rendered command, and run nothing")
    .option("--from <node>", "Start at this node and reuse the results of the last run")
    .option("--detach", "Leave the run to the running server, or to a machine of the cluster") as CurlewCommand;
  withRunOptions(withPreapproval(run)).action((file, options) =>
    ends(import("./commands/run.ts").then((it) => it.run(file, options, terminal))),
  );

  add(program, deps, "validate <files...>", "Check workflow files. Runs nothing, and doesn't use the network.", [
    "curlew validate digest.flow.yaml",
    "curlew validate flows/*.flow.yaml --json",
  ])
    .option("--json", "Print all problems as one JSON array")
    .option("--strict", "Exit 1 if there are warnings")
    .action((files, options) =>
      ends(import("./commands/validate.ts").then((it) => it.validate(files, options, terminal))),
    );

  add(program, deps, "new [name]", "Write a first workflow file to build on.", [
    "curlew new",
    "curlew new open-issues",
    "curlew new my-pages --like pagination",
  ])
    .option("--like <example>", "Copy this example of the package, such as pagination, oauth, or webhook")
    .option("--force", "Overwrite an existing file")
    .action((name, options) => ends(import("./commands/new.ts").then((it) => it.newWorkflow(name, options, terminal))));

  add(program, deps, "fmt <files...>", "Rewrite workflow files in the canonical form. Comments stay.", [
    "curlew fmt digest.flow.yaml",
    "curlew fmt --short digest.flow.yaml",
    "curlew fmt --check flows/*.flow.yaml",
    "curlew fmt - < digest.flow.yaml",
  ])
    .option("--short", "Write the fields of each node beside its id, and edges as after")
    .option("--long", "Write the fields of each node in data, and edges in the list of edges")
    .option("--check", "List the files that would change; exit code 1 if any would")
    .action((files, options) => ends(import("./commands/fmt.ts").then((it) => it.fmt(files, options, terminal))));

  add(program, deps, "graph <file>", "Draw the graph of a workflow as text or SVG.", [
    "curlew graph digest.flow.yaml",
    "curlew graph digest.flow.yaml --svg > digest.svg",
    "curlew graph digest.flow.yaml --json | jq .nodes",
  ])
    .option("--svg", "Print an SVG image")
    .option("--json", "Print nodes and edges as JSON")
    .action((file, options) => ends(import("./commands/graph.ts").then((it) => it.graph(file, options, terminal))));
}

function addCacheCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const load = () => import("./commands/cache.ts");
  const cache = add(program, deps, "cache", "Show and clear the cached values of nodes with `cache`.", [
    "curlew cache list",
    "curlew cache clear",
  ]);
  add(cache, deps, "list", "List cached values, newest first.", ["curlew cache list", "curlew cache list --json"])
    .option(...ARRAY)
    .action((options) => ends(load().then((it) => it.list(options, terminal))));
  add(cache, deps, "clear", "Clear all cached values, or those of a key or a workflow.", [
    "curlew cache clear",
    "curlew cache clear --key 'issues page 3'",
    "curlew cache clear --workflow digest.flow.yaml",
  ])
    .option("--key <key>", "Clear only values of this key, as the list shows it")
    .option("--workflow <file>", "Clear only values of this workflow file")
    .action((options) => ends(load().then((it) => it.clear(options, terminal))));
}

/** For the help and completions only: main.ts hands `curlew http` to its own bundle, which reads the same table. */
function addHttpCommand(program: CurlewCommand, deps: Deps): void {
  const command = add(
    program,
    deps,
    "http <method> <url>",
    "Call an API, even where curl is missing. Prints the body.",
    [
      "curlew http GET https://api.github.com/repos/curl/curl/issues --query per_page=100 --paginate link --lines",
      "curlew http POST https://api.example.com/items --json @- --auth bearer=TOKEN < item.json",
      "curlew http GET https://api.example.com/items --retry 3 --max-time 30s",
      "echo '{\"id\": 7}' | curlew http POST https://api.example.com/graphql --graphql 'query($id: Int!) { item(id: $id) { name } }'",
    ],
    HTTP_EXIT_CODES,
  );
  for (const { name, short, value, about } of HTTP_OPTIONS)
    command.option(`${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`, about);
  command.action(() => deps.ends(import("./http/main.ts").then((it) => it.main(process.argv.slice(3)))));
}

function addHomeCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  add(
    program,
    deps,
    "doctor",
    "Check the run history, the data directory and the programs that commands need. Changes nothing.",
    ["curlew doctor", "curlew doctor --store", "curlew doctor --json | jq '.checks[] | select(.status != \"ok\")'"],
    "\nExit codes: 0 no problem found, 1 a problem found.\n",
  )
    .option("--store", "Check only the run history, every record of it")
    .option(...ONE_OBJECT)
    .action((options) => ends(import("./commands/doctor.ts").then((it) => it.doctor(options, terminal))));
  add(
    program,
    deps,
    "backup <folder>",
    "Copy the data directory with its keys to a new folder. Safe while runs are active.",
    ["curlew backup ~/backups/curlew-monday", "curlew runs --home ~/backups/curlew-monday"],
  )
    .option(...ONE_OBJECT)
    .action((folder, options) =>
      ends(import("./commands/backup.ts").then((it) => it.backup(folder, options, terminal))),
    );
}

function addReferenceCommands(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const shown = ["curlew schema > curlew.schema.json"];
  add(program, deps, "schema", "Print the JSON Schema of a workflow file.", shown).action(() =>
    ends(import("./commands/schema.ts").then((it) => it.schema(terminal))),
  );
  const load = () => import("./commands/docs.ts");
  add(program, deps, "docs [topic]", "Print a documentation page, or list the pages.", [
    "curlew docs",
    "curlew docs templates | less",
  ]).action((topic) => ends(load().then((it) => it.docs(topic, terminal))));
  add(program, deps, "explain <code>", "Explain an error, warning or failure code.", [
    "curlew explain value-url",
    "curlew explain timed-out",
  ]).action((code) => ends(load().then((it) => it.explain(code, terminal))));
}

function addCompletion(program: CurlewCommand, deps: Deps): void {
  const { ends, terminal } = deps;
  const load = () => import("./commands/completion.ts");
  add(program, deps, "completion <shell>", "Print completions for bash, zsh, fish or powershell.", [
    "source <(curlew completion bash)",
    "curlew completion zsh > ~/.zsh/completions/_curlew",
    "curlew completion fish > ~/.config/fish/completions/curlew.fish",
  ]).action((shell) => ends(load().then((it) => it.completion(shell, terminal))));
  // Shells call this on every TAB.
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .action((words: string[]) => ends(load().then((it) => it.complete(words, terminal))));
}

const EXIT_CODES = `
Exit codes:
  0  succeeded.           3  waiting for an approval.
  1  a node failed.       4  cancelled or timed out.
  2  nothing ran: the     5  a bug in Curlew.
     command line or      130  after Ctrl-C (once: cancels in an
     file is invalid.          orderly way, twice: kills at once).
`;

const HTTP_EXIT_CODES = `
Exit codes below 110 are curl's: 6 unknown host, 7 refused, 22 a status of 400 or more, 28 too slow.
35 means TLS, 47 redirects, 60 certificate. 110 to 113 are about pages and GraphQL.
2 means that the command line is invalid, and nothing was sent.
`;
