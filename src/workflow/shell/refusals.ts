// shell/refusals: what a script does, wherever a value stands in it, that refuses the whole script.

import type { SyntaxNode } from "unbash";
import { atMark, pointAt } from "./at.ts";
import { isFilter, type Marked } from "./marks.ts";
import * as problems from "./problems.ts";
import type { Tree } from "./tree.ts";
import { type Dialect, PREFIX, type ShellProblem } from "./types.ts";

export function filterProblems(text: string, marked: Marked): ShellProblem[] {
  return marked.marks.flatMap((one) =>
    one.kind === "reference" && one.reference.filter !== undefined && !isFilter(one.reference.filter)
      ? [problems.unknownFilter(atMark(text, one), one.reference.filter)]
      : [],
  );
}

export function operatorProblems(
  tree: Tree,
  marked: Marked,
  text: string,
  known: (root: string) => boolean,
  exported: (name: string) => boolean,
  assigned: ReadonlyMap<string, unknown>,
): ShellProblem[] {
  return tree.parameters.flatMap(({ name, chain }) => {
    const node = chain.at(-1);
    if (
      node?.type !== "ParameterExpansion" ||
      (node.operation === undefined && node.prefix === undefined && node.index === undefined)
    )
      return [];
    if (!known(name) || exported(name) || assigned.has(name)) return [];
    if (/^[0-9]/.test(name) && chain.some((parent) => parent.type === "Function")) return [];
    const start = marked.original(node.pos);
    const end = marked.original(node.end);
    return [problems.operator({ start, end, name: text.slice(start, end) })];
  });
}

export function reservedProblems(tree: Tree, marked: Marked): ShellProblem[] {
  const used = tree.nodes
    .map((chain) => chain.at(-1))
    .find(
      (node) =>
        (node?.type === "Assignment" && node.name.startsWith(PREFIX)) ||
        ((node?.type === "SimpleExpansion" || node?.type === "ParameterExpansion") && node.text.includes(PREFIX)),
    );
  return used === undefined ? [] : [problems.reservedName(pointAt(marked, used.pos))];
}

const BASH_ONLY: Partial<Record<SyntaxNode["type"], string>> = {
  AnsiCQuoted: "$'…'",
  LocaleString: '$"…"',
  HereString: "<<<",
  ProcessSubstitution: "<(…)",
  TestCommand: "[[ … ]]",
  ArithmeticCommand: "((…))",
  ArithmeticFor: "for ((…))",
  ArrayValue: "an array",
  Select: "select",
  Coproc: "coproc",
  ExtendedGlob: "@(…)",
};
/** Options of zsh that change what quotes mean. */
const ZSH_READS_OTHERWISE =
  /^(no)?(rcquotes|cshjunkiequotes|cshjunkiehistory|ignorebraces|ignoreclosebraces|shortloops|shfileexpansion|ksharrays|bangs?hist|interactivecomments|globsubst)$/;

export function dialectProblems(tree: Tree, marked: Marked, dialect: Dialect): ShellProblem[] {
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node === undefined) continue;
    const what = dialect === "sh" ? BASH_ONLY[node.type] : undefined;
    if (what !== undefined) return [problems.notPosix(pointAt(marked, node.pos), what)];
    const calledByShell = calledUnseen(node);
    if (calledByShell !== undefined) return [problems.unreadable(pointAt(marked, node.pos), calledByShell)];
    if (dialect !== "zsh" || node.type !== "Command" || !/^(setopt|unsetopt|set|emulate)$/.test(node.name?.value ?? ""))
      continue;
    if (
      node.name?.value === "emulate" ||
      node.args.some((word) => ZSH_READS_OTHERWISE.test(word.text.toLowerCase().replaceAll("_", "")))
    ) {
      return [problems.unreadable(pointAt(marked, node.pos), "it changes how zsh reads quotes")];
    }
  }
  return [];
}

/** What the shell calls by itself, with words that no command of the script shows. */
function calledUnseen(node: SyntaxNode): string | undefined {
  if (node.type === "Function" && /^command_not_found_handler?$/.test(node.name.text))
    return "the shell calls that function with words that cannot be followed";
  const lists = node.type === "Command" && /^(?:mapfile|readarray)$/.test(node.name?.value ?? "");
  return lists && node.args.some(({ text }) => /^-[a-zA-Z]*C/.test(text))
    ? "what -C calls with each line cannot be followed"
    : undefined;
}

export function unclosedHeredoc(tree: Tree): { message: string; pos: number } | undefined {
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type === "HereDoc" && node.closing === undefined)
      return { message: `the heredoc ${node.delimiter?.text ?? ""} is not closed`, pos: node.pos };
  }
  return undefined;
}
