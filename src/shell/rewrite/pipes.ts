// pipes: finds programs that run their standard input, when a pipe or a heredoc brings them a value (spec 4.1, "piped
// or heredoc'd into an interpreter").

import type { Pipeline, SyntaxNode } from "unbash";
import { type Layer, layersIn, layersOf } from "./commands.ts";
import { isValueOf, split } from "./options.ts";
import type { Position, Surroundings } from "./place.ts";
import { refuse } from "./problems.ts";
import { isShell, namesInterpreter, programText, stdinOf, wrapperOf } from "./programs.ts";
import type { ShellProblem } from "./types.ts";
import type { Argument } from "./words.ts";

/** `a | b`: whether a later part of the pipe runs the output of an earlier part. */
export function intoLater(
  position: Position,
  pipeline: Pipeline,
  child: SyntaxNode,
  around: Surroundings,
): ShellProblem | undefined {
  const index = (pipeline.commands as readonly SyntaxNode[]).indexOf(child);
  if (index === -1) return undefined;
  for (const later of pipeline.commands.slice(index + 1)) {
    const problem = fedTo(position, later, around);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** `… > >(sh)`: the programs inside read the output. */
export function printedInto(
  position: Position,
  redirects: readonly SyntaxNode[],
  around: Surroundings,
): ShellProblem | undefined {
  for (const redirect of redirects) {
    if (redirect.type !== "Redirect" || redirect.target === undefined || !redirect.operator.includes(">")) continue;
    const problem = fedTo(position, redirect.target, around);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether any command inside `node` runs its standard input. */
export function fedTo(position: Position, node: SyntaxNode, around: Surroundings): ShellProblem | undefined {
  if (node.type === "Command") {
    const problem = runsInput(position, node, around);
    if (problem !== undefined) return problem;
  }
  for (const child of around.children(node)) {
    const problem = fedTo(position, child, around);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether a command runs its standard input. */
export function runsInput(
  { at }: Position,
  command: SyntaxNode & { type: "Command" },
  around: Surroundings,
): ShellProblem | undefined {
  const layers = layersOf(command, around.text);
  return readsProgramFromStdin(layers)
    ? refuse("template-program-text/stdin", at, layers.at(-1)?.name ?? "")
    : undefined;
}

const STDIN = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

/** Whether a command line reads a program from its standard input. */
export function readsProgramFromStdin(layers: readonly Layer[]): boolean {
  const last = layers.at(-1);
  if (last?.name === undefined) return false;
  const { name, args } = last;
  const text = programText(name, args);
  const isNamed = args.some((one) => text.has(one) && STDIN.test(one.literal ?? ""));
  const literals = args.map(({ literal }) => literal ?? "");
  switch (stdinOf(name)) {
    case "always":
      return true;
    case "named":
      return isNamed;
    case "otherwise": {
      const options = literals.slice(
        0,
        Math.max(
          0,
          args.findIndex((one) => text.has(one)),
        ),
      );
      return (
        text.size === 0 || isNamed || (isShell(name) && options.some((word) => /^-[abd-z]*s[abd-z]*$/i.test(word)))
      );
    }
    case "inner":
      return namesInterpreter(args) || (name === "ssh" && text.size === 0) || startsWhatItReads(name, args);
    default:
      // `mapfile -C eval` runs each line, `redis-cli < file` runs the file.
      if (name === "mapfile" || name === "readarray") return literals.some((word) => /^-\w*C/.test(word));
      return name === "redis-cli" && !literals.includes("-x") && !literals.some((word) => /^[a-z]/i.test(word));
  }
}

/** `xargs env`, `xargs -n1 timeout 5`, `xargs -I{} {}`: the command is among the words read from the input. */
function startsWhatItReads(name: string, args: readonly Argument[]): boolean {
  if (name !== "xargs") return false;
  const long = ["--arg-file", "--delimiter", "--max-args", "--max-chars", "--max-lines", "--max-procs", "--replace"];
  const items = split(args, { short: "IndPsaEL", long, posix: true });
  const from = items.findIndex(({ position }) => position === 0);
  if (from === -1) return false;
  const blanks = items
    .filter((item) => isValueOf(item, ["-I"]))
    .map(({ argument, kind }) => argument.head.slice(kind === "value" ? 0 : 2));
  const last = layersIn(args.slice(from)).at(-1);
  const started = last?.name ?? "";
  return last?.wrapper === true || wrapperOf(started) !== undefined || ["{}", ...blanks].includes(started);
}
