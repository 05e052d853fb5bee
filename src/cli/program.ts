// program: every command of `curlew` with its arguments, options and examples (spec 2.2). The implementations are in
// commands/ and are loaded only when called.
//   G1. The help of every command has at least one example. Each option has one spelling.
//   G2. An invalid command line ends with exit code 2 before anything is loaded or done.

import { CommanderError } from "commander";
import { Exit } from "./exit.ts";
import { addApprovalCommands, addAuditCommands, addHomeCommands, addSecretsCommands } from "./program-answers.ts";
import { addAuthCommands } from "./program-auth.ts";
import { addCacheCommands } from "./program-cache.ts";
import { addHttpCommand } from "./program-http.ts";
import {
  type Add,
  collect,
  ENV_FILE,
  type Ends,
  examples,
  HOME,
  natural,
  positive,
  RUN,
  SECRET,
} from "./program-parts.ts";
import { addServeCommand } from "./program-serve.ts";
import { addTriggersCommands } from "./program-triggers.ts";
import { addTrustCommands } from "./program-trust.ts";
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
    // The help or the version was printed.
    if (reason instanceof CommanderError && reason.exitCode === 0) return Exit.OK;
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
  addServeCommand(program, terminal, ends, add);
  addTriggersCommands(program, terminal, ends, add);
  addRunsCommands(program, terminal, ends, add);
  addApprovalCommands(program, terminal, ends, add);
  addSecretsCommands(program, terminal, ends, add);
  addAuditCommands(program, terminal, ends, add);
  addAuthCommands(program, terminal, ends, add);
  addTrustCommands(program, terminal, ends, add);
  addCacheCommands(program, terminal, ends, add);
  addHttpCommand(program, ends, add);
  addHomeCommands(program, terminal, ends, add);
  addSchema(program, terminal, ends, add);
  addDocs(program, terminal, ends, add);
  if (completes) addCompletion(program, terminal, ends, add);
  return program;
}

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
    .option("--from <node>", "from this node on only, by what the last run of the file came to before it")
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
  // Commander passes every unknown word after `runs` to `list`.
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
    ["curlew runs resume latest", "curlew runs resume --all"],
  )
    .argument("[run]", RUN)
    .option("--all", "go on with every run that has not ended and that nobody is at work on")
    .option(...ENV_FILE)
    .option("--secret <name>", SECRET, collect)
    .option("--json", "print every event as one JSON object a line on stdout, and nothing else")
    .option("--quiet", "print no progress, only the result and errors")
    .option(...HOME)
    .action((run, options) =>
      ends(import("./commands/run.ts").then((it) => it.resumeOneOrAll(run, options, terminal))),
    );
  add(runs, "retry", "Run again what did not succeed in a run that has ended; what succeeded is kept.", [
    "curlew runs retry latest",
    "curlew runs retry latest --from fetch",
    "curlew runs retry latest --from 'fetch[2]' --current",
  ])
    .argument("<run>", RUN)
    .option("--from <node>", "run everything again from this node on: fetch, 'fetch[2]', 'pages[2]' (a pass), sub/gate")
    .option(
      "--rerun <node>",
      "run this node again for its value and keep the successful nodes after it; repeat for more",
      collect,
    )
    .option("--all", "keep nothing: run everything again")
    .option("--current", "run the file as it is now, not as it was recorded")
    .option("--approve <node>", "approve a node in advance; repeat for more", collect)
    .option("--yes", "approve every node in advance")
    .option(...ENV_FILE)
    .option("--secret <name>", SECRET, collect)
    .option("--json", "print every event as one JSON object a line on stdout, and nothing else")
    .option("--quiet", "print no progress, only the result and errors")
    .option(...HOME)
    .action((run, options) => ends(import("./commands/retry.ts").then((it) => it.retry(run, options, terminal))));
  add(runs, "rm", "Remove runs and their output for good: those named, or all that ended long ago.", [
    "curlew runs rm 1m7y7kg400",
    "curlew runs rm --older-than 30d --dry-run",
    "curlew runs rm --keep 1000",
    "curlew runs rm --status failed --older-than 7d",
  ])
    .argument("[runs...]", RUN)
    .option("--older-than <time>", "those that ended longer ago than this, such as 30d")
    .option("--keep <n>", "all but the newest that have ended", natural)
    .option("--status <status>", "of those only the ones that ended like this")
    .option("--dry-run", "only tell which would be removed")
    .option("--json", "print one JSON object")
    .option(...HOME)
    .action((names, options) => ends(import("./commands/rm.ts").then((it) => it.rm(names, options, terminal))));
}

function addSchema(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  add(program, "schema", "Print the JSON Schema of a workflow file.", ["curlew schema > curlew.schema.json"]).action(
    () => ends(import("./commands/schema.ts").then((it) => it.schema(terminal))),
  );
}

function addDocs(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  const load = () => import("./commands/docs.ts");
  add(program, "docs [topic]", "Print a documentation page, or list the pages.", [
    "curlew docs",
    "curlew docs templates | less",
  ]).action((topic) => ends(load().then((it) => it.docs(topic, terminal))));
  add(program, "explain <code>", "Explain an error, warning or failure code.", [
    "curlew explain value-url",
    "curlew explain timed-out",
  ]).action((code) => ends(load().then((it) => it.explain(code, terminal))));
}

function addCompletion(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  add(program, "completion <shell>", "Print completions for bash, zsh, fish or powershell.", [
    "source <(curlew completion bash)",
    "curlew completion zsh > ~/.zsh/completions/_curlew",
    "curlew completion fish > ~/.config/fish/completions/curlew.fish",
  ]).action((shell) => ends(import("./commands/completion.ts").then((it) => it.completion(shell, terminal))));
  // Shells call this on every TAB.
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
