// shell/feeds: who reads what a command prints, and whether that program runs it (spec 4.1, "piped into an interpreter").

import type { Command, Pipeline, SyntaxNode } from "unbash";
import { layersOf } from "./commands.ts";
import type { Standing, Surroundings } from "./place.ts";
import * as problems from "./problems.ts";
import { readsProgramFromStdin } from "./programs.ts";
import type { ShellProblem } from "./types.ts";

/** `a | b`: what a later part of the pipe does with what an earlier part prints. */
export function intoLater(
  standing: Standing,
  pipeline: Pipeline,
  child: SyntaxNode,
  around: Surroundings,
): ShellProblem | undefined {
  const index = (pipeline.commands as readonly SyntaxNode[]).indexOf(child);
  if (index === -1) return undefined;
  for (const later of pipeline.commands.slice(index + 1)) {
    const problem = fedTo(standing, later, around);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** `… > >(sh)`: what is printed is read by the programs in there. */
export function printedInto(
  standing: Standing,
  redirects: readonly SyntaxNode[],
  around: Surroundings,
): ShellProblem | undefined {
  for (const redirect of redirects) {
    if (redirect.type !== "Redirect" || redirect.target === undefined || !redirect.operator.includes(">")) continue;
    const problem = fedTo(standing, redirect.target, around);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether anything inside `node` runs what it reads from standard input. */
export function fedTo({ at }: Standing, node: SyntaxNode, around: Surroundings): ShellProblem | undefined {
  if (node.type === "Command") {
    const layers = layersOf(node, around.text);
    // A heredoc of its own stands between the pipe and the program.
    if (readsProgramFromStdin(layers)) return problems.programStdin(at, layers.at(-1)?.name ?? "");
  }
  for (const child of around.children(node)) {
    const problem = fedTo({ at, mark: undefined, chain: [] }, child, around);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const SHALLOW = new WeakMap<Command, Command>();

/** The command alone, for the question what it does with its own standard input. One for each, so that its layers are found once. */
export function shallow(command: Command): Command {
  const known = SHALLOW.get(command);
  if (known !== undefined) return known;
  const { type, pos, end, name, prefix, suffix, args, redirects } = command;
  const alone: Command = { type, pos, end, name, prefix, suffix, args, redirects };
  SHALLOW.set(command, alone);
  return alone;
}
