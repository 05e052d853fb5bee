// completion: shell completions. Shells call `curlew complete -- WORDS` on every TAB. Commands and options come from
// program.ts.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { shortRunId } from "../../base/ids.ts";
import { openStore } from "../../store/index.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { Exit } from "../exit.ts";
import { homeOf, refuse } from "../open.ts";
import { buildProgram } from "../program.ts";
import type { Terminal } from "../terminal.ts";

const SHELLS = ["bash", "zsh", "fish", "powershell"];
const RUNS_OFFERED = 20;
const FOLDERS_READ = 200;

export async function completion(shell: string, terminal: Terminal): Promise<Exit> {
  if (!SHELLS.includes(shell))
    return refuse(
      terminal,
      "unknown-shell",
      `There are no completions for "${shell}".${didYouMean(shell, SHELLS)}`,
      `Known shells: ${SHELLS.join(", ")}.`,
    );
  (await described(terminal)).setup("curlew", "curlew", shell);
  return Exit.OK;
}

export async function complete(words: string[], terminal: Terminal): Promise<Exit> {
  (await described(terminal)).parse(words);
  return Exit.OK;
}

/** Only completions need this package, so it is loaded here alone. */
async function described(terminal: Terminal) {
  const { default: tab } = await import("@bomb.sh/tab/commander");
  const root = tab(buildProgram(terminal, async () => {}, false) as never, { completionCommandName: "completion" });
  for (const [name, command] of root.commands)
    for (const [argument, it] of command.arguments) {
      const offered = offersFor(name, argument, terminal);
      if (offered === undefined) continue;
      it.handler = (offer) => {
        for (const [value, about] of offered()) offer(value, about);
      };
    }
  return root;
}

/** Values with a description each; none for arguments that take any value. */
function offersFor(command: string, argument: string, terminal: Terminal): (() => [string, string][]) | undefined {
  if (argument === "file" || argument === "files") return () => workflowFiles(terminal).map((file) => [file, ""]);
  if ((argument === "run" || argument === "runs") && command !== "run") return () => recentRuns(terminal);
  return argument === "shell" ? () => SHELLS.map((shell) => [shell, ""]) : undefined;
}

/** Workflow files in this folder and one level below. */
function workflowFiles(terminal: Terminal): string[] {
  try {
    const here = readdirSync(terminal.cwd, { withFileTypes: true });
    const below = here
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
      .slice(0, FOLDERS_READ)
      .flatMap((folder) => readdirSync(`${terminal.cwd}/${folder.name}`).map((name) => `${folder.name}/${name}`));
    return [...here.filter((entry) => entry.isFile()).map((entry) => entry.name), ...below].filter((name) =>
      /\.flow\.(ya?ml|json|ts)$/.test(name),
    );
  } catch {
    return [];
  }
}

/** Pressing TAB must not create a data directory, so this only reads one. */
function recentRuns(terminal: Terminal): [string, string][] {
  const latest: [string, string] = ["latest", "the newest run"];
  const home = homeOf({}, terminal);
  if (!existsSync(join(home, "curlew.db"))) return [latest];
  const store = openStore(home);
  if (!store.ok) return [latest];
  const page = store.value.journal.listRuns({ limit: RUNS_OFFERED });
  store.value.close();
  return page.ok
    ? [latest, ...page.value.runs.map((row): [string, string] => [shortRunId(row.id), `${row.status}, ${row.name}`])]
    : [latest];
}
