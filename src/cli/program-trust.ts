// program-trust: the commands to inspect and trust imported workflows (spec 2.2, 4.2). See program.ts.

import { type Add, type Ends, examples, HOME } from "./program-parts.ts";
import type { Terminal } from "./terminal.ts";
import type { CurlewCommand } from "./usage.ts";

export function addTrustCommands(program: CurlewCommand, terminal: Terminal, ends: Ends, add: Add): void {
  add(
    program,
    "import",
    "Take over a workflow of somebody else, or a curl command. Runs nothing; what it wrote is inert until it was seen.",
    [
      "curlew import https://example.com/digest.flow.yaml",
      "curlew import exported.json --to nightly.flow.yaml",
      "curlew import 'curl -H \"Authorization: Bearer $TOKEN\" https://api.example.com/items'",
      "curlew import -- curl -u me:secret https://api.example.com/items",
    ],
  )
    .argument("<source...>", "a file, - for stdin, an https address, or a curl command")
    .option("--to <file>", "the file to write, in this folder or below it")
    .option("--json", "print one JSON object")
    .option(...HOME)
    .action((source, options) =>
      ends(import("./commands/import.ts").then((it) => it.importWorkflow(source, options, terminal))),
    );
  const load = () => import("./commands/trust.ts");
  const trust = add(program, "trust", "Look at the commands of an imported workflow, and let them run.", [
    "curlew trust digest.flow.yaml",
    "curlew trust digest.flow.yaml --all",
    "curlew trust list",
  ]);
  const of = trust
    .command("of", { isDefault: true })
    .description("Show each command that nobody here has seen, and ask about it (also: plain `curlew trust FILE`)")
    .argument("<file>", "a workflow file")
    .option("--all", "trust everything that is shown")
    .option("--json", "print one JSON object with all commands")
    .option(...HOME)
    .action((file, options) => ends(load().then((it) => it.trust(file, options, terminal)))) as CurlewCommand;
  const shown = ["curlew trust digest.flow.yaml", "curlew trust digest.flow.yaml --json | jq '.commands[].hosts'"];
  of.usage("<file> [options]").addHelpText("after", () => examples(terminal, shown));
  add(trust, "list", "List what is trusted, newest first.", ["curlew trust list", "curlew trust list --json"])
    .option("--json", "print a JSON array")
    .option(...HOME)
    .action((options) => ends(load().then((it) => it.list(options, terminal))));
  add(trust, "rm", "Take trust back: by a hash, or of a whole workflow file.", [
    "curlew trust rm 9f2c11d04b7e",
    "curlew trust rm digest.flow.yaml",
  ])
    .argument("<names...>", "the beginning of a hash, or a workflow file")
    .option(...HOME)
    .action((names, options) => ends(load().then((it) => it.rm(names, options, terminal))));
}
