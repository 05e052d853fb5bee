// usage: a commander Command that reports an invalid command line as a problem (problem.ts) instead of ending the
// process.

import { Command } from "commander";
import { didYouMean } from "../workflow/nearest.ts";
import { type Problem, problem } from "./problem.ts";

/** Thrown through commander, which has no other way to stop parsing. Caught only in program.ts. */
export class UsageError extends Error {
  override name = "UsageError";
  readonly problem: Problem;
  constructor(given: Problem) {
    super(given.message);
    this.problem = given;
  }
}

/** Common habits from other tools, and the spelling here. */
const HABITS: Record<string, string> = {
  "--follow": "-f",
  "--dryrun": "--dry-run",
  "--dry": "--dry-run",
  "-n": "--dry-run",
  "-i": "--input",
  "--silent": "--quiet",
  "-y": "--yes",
  "-v": "--version",
  "-V": "--version",
  "-d": "--detach",
  "-j": "--json",
  "-o": "--svg",
  "--var": "--input",
  "--param": "--input",
  "--set": "--input",
};

export class CurlewCommand extends Command {
  override createCommand(name?: string): CurlewCommand {
    return new CurlewCommand(name);
  }

  #anyOption = false;
  override allowUnknownOption(allow = true): this {
    this.#anyOption = allow;
    return super.allowUnknownOption(allow);
  }

  override error(message: string, options?: { code?: string }): never {
    throw new UsageError(this.inOurWords(message, options?.code ?? "usage"));
  }

  /** These override commander's methods, whose messages have no codes and don't know these habits. */
  unknownOption(flag: string): void {
    if (this.#anyOption) return;
    const name = flag.split("=")[0]!;
    const known: string[] = [];
    for (let command: Command | null = this; command; command = command.parent)
      for (const option of command.createHelp().visibleOptions(command)) {
        if (option.long) known.push(option.long);
        if (option.short) known.push(option.short);
      }
    const habit = HABITS[name];
    if (this.parent === null && this.#below(name))
      throw new UsageError(
        problem(
          "unknown-option",
          `"${this.fullName()}" has no option "${name}" before the command.`,
          `Write it after the command: ${this.fullName()} COMMAND ${name} …`,
        ),
      );
    const meant =
      habit !== undefined && known.includes(habit)
        ? ` Did you mean "${habit}"?`
        : name.startsWith("--")
          ? didYouMean(name, known)
          : "";
    throw new UsageError(
      problem("unknown-option", `"${this.fullName()}" has no option "${name}".${meant}`, this.seeHelp()),
    );
  }

  /** Whether a command below this one has the option. */
  #below(name: string): boolean {
    return (this.commands as CurlewCommand[]).some(
      (command) => command.options.some(({ long, short }) => long === name || short === name) || command.#below(name),
    );
  }

  unknownCommand(): never {
    const known = this.createHelp()
      .visibleCommands(this)
      .map((command) => command.name());
    throw new UsageError(this.unknownCommandProblem(this.args[0] ?? "", known));
  }

  unknownCommandProblem(word: string, known: readonly string[]): Problem {
    return problem(
      "unknown-command",
      `"${this.fullName()}" has no command "${word}".${didYouMean(word, known)}`,
      this.seeHelp(),
    );
  }

  fullName(): string {
    return this.parent instanceof CurlewCommand ? `${this.parent.fullName()} ${this.name()}` : this.name();
  }

  seeHelp(): string {
    return `"${this.fullName()} --help" shows what there is.`;
  }

  private inOurWords(message: string, code: string): Problem {
    const text = message.replace(/^error: /, "").split("\n")[0]!;
    const quoted = /'([^']*)'/.exec(text)?.[1] ?? "";
    switch (code) {
      case "commander.missingArgument":
        return problem("missing-argument", `"${this.fullName()}" needs ${quoted.toUpperCase()}.`, this.example());
      case "commander.optionMissingArgument":
        return problem("missing-value", `The option "${quoted}" needs a value.`, this.seeHelp());
      case "commander.excessArguments":
        return problem(
          "too-many-arguments",
          `"${this.fullName()}" does not take that many arguments: ${text.split(": ").at(-1)}`,
          this.example(),
        );
      case "commander.conflictingOption":
        return problem(
          "conflicting-options",
          `${text[0]?.toUpperCase()}${text.slice(1)}.`.replaceAll("'", '"'),
          this.seeHelp(),
        );
      case "commander.invalidArgument":
        return problem("invalid-value", `${optionIn(quoted)}${text.split(" is invalid. ").at(-1)}`, this.seeHelp());
      default:
        return problem("usage", `${text[0]?.toUpperCase()}${text.slice(1)}.`, this.seeHelp());
    }
  }

  private example(): string {
    return `Usage: ${this.fullName()} ${this.usage()}`;
  }
}

/** `--limit <n>` → `--limit: `. Nothing for an argument. */
function optionIn(flags: string): string {
  const name = /--[\w-]+/.exec(flags)?.[0] ?? /^-\w/.exec(flags)?.[0];
  return name === undefined ? "" : `${name}: `;
}
