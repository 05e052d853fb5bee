// refusals: constructs that a script with references must not contain anywhere (spec 4.1).

import type { SyntaxNode } from "unbash";
import { FILTERS } from "../template.ts";
import type { Marked } from "./marks.ts";
import { refuse } from "./problems.ts";
import type { Tree } from "./tree.ts";
import { type Dialect, PREFIX, type ShellProblem } from "./types.ts";

export function filterProblems(marked: Marked): ShellProblem[] {
  return marked.marks.flatMap((one) =>
    one.kind === "reference" &&
    one.reference.filter !== undefined &&
    !(FILTERS as readonly string[]).includes(one.reference.filter)
      ? [refuse("unknown-filter", marked.atMark(one), one.reference.filter)]
      : [],
  );
}

export function operatorProblems(
  tree: Tree,
  marked: Marked,
  text: string,
  isWorkflows: (name: string) => boolean,
): ShellProblem[] {
  return tree.parameters.flatMap(({ name, chain }) => {
    const node = chain.at(-1);
    if (
      node?.type !== "ParameterExpansion" ||
      (node.operation === undefined && node.prefix === undefined && node.index === undefined)
    )
      return [];
    if (!isWorkflows(name)) return [];
    if (/^[0-9]/.test(name) && chain.some((parent) => parent.type === "Function")) return [];
    const start = marked.original(node.pos);
    const end = marked.original(node.end);
    return [refuse("template-operator", { start, end, name: text.slice(start, end) })];
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
  return used === undefined ? [] : [refuse("template-reserved-name", marked.atPoint(used.pos))];
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
/** Options of zsh that change the meaning of quotes. */
const ZSH_READS_OTHERWISE =
  /^(no)?(rcquotes|cshjunkiequotes|cshjunkiehistory|ignorebraces|ignoreclosebraces|shortloops|shfileexpansion|ksharrays|bangs?hist|interactivecomments|globsubst)$/;

export function dialectProblems(tree: Tree, marked: Marked, dialect: Dialect): ShellProblem[] {
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node === undefined) continue;
    const what = dialect === "sh" ? BASH_ONLY[node.type] : undefined;
    if (what !== undefined) return [refuse("template-not-posix", marked.atPoint(node.pos), what)];
    const hasMark = marked.marks.some(({ at, end }) => node.pos <= at && end <= node.end);
    if (node.type === "Command" && node.name?.value === "alias" && !hasMark)
      return [refuse("template-evaluated/alias", marked.atPoint(node.pos))];
    if (dialect !== "zsh" || node.type !== "Command" || !/^(setopt|unsetopt|set|emulate)$/.test(node.name?.value ?? ""))
      continue;
    if (
      node.name?.value === "emulate" ||
      node.args.some((word) => ZSH_READS_OTHERWISE.test(word.text.toLowerCase().replaceAll("_", "")))
    ) {
      return [refuse("template-script-unreadable", marked.atPoint(node.pos), "it changes how zsh reads quotes")];
    }
  }
  return [];
}

export function unclosedHeredoc(tree: Tree): { message: string; pos: number } | undefined {
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type === "HereDoc" && node.closing === undefined)
      return { message: `the heredoc ${node.delimiter?.text ?? ""} is not closed`, pos: node.pos };
  }
  return undefined;
}
