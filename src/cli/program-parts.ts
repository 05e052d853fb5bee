// program-parts: options, value types and the format of examples, shared by the command definitions.

import { InvalidArgumentError } from "commander";
import { parseDuration } from "../base/duration.ts";
import { limits } from "../base/limits.ts";
import type { Terminal } from "./terminal.ts";
import { type CurlewCommand, UsageError } from "./usage.ts";

export const ENV_FILE = ["--env-file <file>", "Add the variables of a .env file to the environment"] as const;
export const ONE_OBJECT = ["--json", "Print one JSON object"] as const;
export const ARRAY = ["--json", "Print a JSON array"] as const;
export const RUN = "A run's id, the start of one, or `latest`";

export const DATABASE = ["--db <url>", "Use the cluster of this PostgreSQL database (default: CURLEW_DB)"] as const;
export const KEY = [
  "--key-file <file>",
  "Read the key of the cluster from this file (default: CURLEW_KEY_FILE)",
] as const;
export const LEASE = [
  "--lease <time>",
  "Let others take over after this time without a sign (default: 20s)",
  lease,
  20_000,
] as const;

const HOMELESS = ["validate", "new", "fmt", "graph", "schema", "docs", "explain", "completion", "complete", "http"];

const SHARED = [
  ...["run", "serve", "runs", "approvals", "approve", "reject", "state", "trust", "audit", "cache"],
  ...["secrets", "auth"],
];

/** `--home`, for every command below this one that uses the data directory; `--db` for those that work on a cluster. */
export function addHome(parent: CurlewCommand, isShared = false): void {
  const about = "Use this data directory (default: CURLEW_HOME, otherwise the platform's data folder)";
  for (const command of parent.commands as CurlewCommand[]) {
    const mayShare = isShared || (parent.parent === null && SHARED.includes(command.name()));
    if (command.commands.length > 0) addHome(command, mayShare);
    else if (!HOMELESS.includes(command.name())) command.option("--home <dir>", about);
    if (mayShare && command.commands.length === 0) command.option(...DATABASE).option(...KEY);
  }
}

export interface Deps {
  terminal: Terminal;
  /** Receives the exit code of a command. */
  ends(done: Promise<number>): Promise<void>;
}

/** A command with its help. Each has at least one example. */
export function add(
  parent: CurlewCommand,
  { terminal }: Deps,
  usage: string,
  summary: string,
  shown: string[],
  more = "",
): CurlewCommand {
  const command = parent.command(usage).description(summary) as CurlewCommand;
  command.addHelpText("after", () => examples(terminal, shown, more));
  return command;
}

/** The command that runs when `parent` is called without another one. Commander passes every unknown word to it. */
export function addList(parent: CurlewCommand, { terminal }: Deps, summary: string, shown: string[]): CurlewCommand {
  const list = parent
    .command("list", { isDefault: true })
    .description(`${summary} (also: plain \`curlew ${parent.name()}\`)`)
    .argument("[words...]") as CurlewCommand;
  list.usage("[options]").addHelpText("after", () => examples(terminal, shown));
  list.hook("preAction", () => {
    const [word] = list.args;
    if (word === undefined) return;
    const known = parent.createHelp().visibleCommands(parent);
    throw new UsageError(
      parent.unknownCommandProblem(
        word,
        known.map((command) => command.name()),
      ),
    );
  });
  return list;
}

/** The options of every command that starts or continues a run in the foreground. */
export function withRunOptions(command: CurlewCommand): CurlewCommand {
  return command
    .option(...ENV_FILE)
    .option("--secret <name>", "Ask for a secret's value without showing it; repeat for more", collect)
    .option("--json", "Print every event as one JSON object per line on stdout, and nothing more")
    .option("-q, --quiet", "Print no progress and no warnings, only the result and errors") as CurlewCommand;
}

/** Approvals given before the run starts. */
export function withPreapproval(command: CurlewCommand): CurlewCommand {
  return command
    .option("--approve <node>", "Approve a node in advance; repeat for more", collect)
    .option("--yes", "Approve all nodes without asking") as CurlewCommand;
}

export function examples(terminal: Terminal, shown: string[], more = ""): string {
  return `\n${terminal.outStyle("strong", "Examples:")}\n${shown.map((line) => `  ${line}\n`).join("")}${more}`;
}

export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

export function positive(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not an integer from 1.`);
}

export function natural(text: string): number {
  if (/^(0|[1-9][0-9]{0,8})$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not an integer from 0.`);
}

export function duration(text: string): number {
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.value;
  throw new InvalidArgumentError(`"${text}" is not a duration, such as 20s.`);
}

/** How long a machine of a cluster may be silent. */
export function lease(text: string): number {
  const ms = duration(text);
  if (ms >= limits.leaseMsMin && ms <= limits.leaseMsMax) return ms;
  throw new InvalidArgumentError(`"${text}" is not between 3s and 10m.`);
}
