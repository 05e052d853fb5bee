// refusals: constructs that a script with references must not contain anywhere (spec 4.1).

import type { SyntaxNode } from "unbash";
import { atMark, pointAt } from "./at.ts";
import { isFilter, type Marked } from "./marks.ts";
import { refuse } from "./problems.ts";
import type { Tree } from "./tree.ts";
import { type Dialect, PREFIX, type ShellProblem } from "./types.ts";
import { contentOf, type MarkedText } from "./words.ts";

/** Names that the script sets. `onlyFrom`: it sets the name only to this reference, so both mean the same. */
export function assignedNames(
  tree: Tree,
  marked: Marked,
): Map<string, { onlyFrom(reference: { root: string }): boolean }> {
  const text = { source: marked.text, marks: marked.marks, pattern: marked.pattern };
  const sources = new Map<string, (string | undefined)[]>();
  const note = (name: string, same: string | undefined) => sources.set(name, [...(sources.get(name) ?? []), same]);
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type === "Assignment") note(node.name, node.append === true ? undefined : sameName(node.value, text));
    if (node?.type === "For" || node?.type === "Select") note(node.name.value, undefined);
    if (node?.type === "Command") for (const name of namesSetBy(node, text)) note(name, undefined);
  }
  return new Map(
    [...sources].map(([name, from]) => [name, { onlyFrom: ({ root }) => from.every((one) => one === root) }]),
  );
}

/** `name=${name}` */
function sameName(word: SyntaxNode, text: MarkedText): string | undefined {
  const [segment, ...rest] = contentOf(word, text).segments;
  if (segment === undefined || rest.length > 0 || !("mark" in segment) || segment.mark.kind !== "reference")
    return undefined;
  const { root, members, filter } = segment.mark.reference;
  return members.length === 0 && filter === undefined ? root : undefined;
}

/** Names that a command sets. */
export function namesSetBy(command: SyntaxNode & { type: "Command" }, text: MarkedText): string[] {
  const name = command.name?.value ?? "";
  const words = command.args.map((word) => contentOf(word, text).literal ?? "");
  if (/^(read|mapfile|readarray|declare|typeset|local|export|readonly|integer|float)$/.test(name))
    return words.filter((word) => /^[A-Za-z_]\w*$/.test(word));
  if (name === "getopts") return [...words.slice(1, 2), "OPTARG"];
  return name === "printf" && words[0] === "-v" ? words.slice(1, 2) : [];
}

export function filterProblems(text: string, marked: Marked): ShellProblem[] {
  return marked.marks.flatMap((one) =>
    one.kind === "reference" && one.reference.filter !== undefined && !isFilter(one.reference.filter)
      ? [refuse("unknown-filter", atMark(text, one), one.reference.filter)]
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
  return used === undefined ? [] : [refuse("template-reserved-name", pointAt(marked, used.pos))];
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
    if (what !== undefined) return [refuse("template-not-posix", pointAt(marked, node.pos), what)];
    if (dialect !== "zsh" || node.type !== "Command" || !/^(setopt|unsetopt|set|emulate)$/.test(node.name?.value ?? ""))
      continue;
    if (
      node.name?.value === "emulate" ||
      node.args.some((word) => ZSH_READS_OTHERWISE.test(word.text.toLowerCase().replaceAll("_", "")))
    ) {
      return [refuse("template-script-unreadable", pointAt(marked, node.pos), "it changes how zsh reads quotes")];
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
