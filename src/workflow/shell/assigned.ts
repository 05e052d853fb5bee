// assigned: which variables a script sets itself, and which of them it declares as numbers.

import type { SyntaxNode } from "unbash";
import { wordsOf } from "./commands.ts";
import type { Marked } from "./marks.ts";
import type { Tree } from "./tree.ts";
import { contentOf, type MarkedText } from "./words.ts";

/** Names the script sets itself. `onlyFrom`: it sets them to nothing but this very reference, so both mean the same. */
export function assignedNames(
  tree: Tree,
  marked: Marked,
): Map<string, { onlyFrom(reference: { start: number; root: string }): boolean }> {
  const text = textOf(marked);
  const sources = new Map<string, (string | undefined)[]>();
  const note = (name: string, same: string | undefined) => sources.set(name, [...(sources.get(name) ?? []), same]);
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type === "Assignment")
      note(node.name, node.value.type === "Word" && node.append !== true ? sameName(node.value, text) : undefined);
    if (node?.type === "For" || node?.type === "Select") note(node.name.value, undefined);
    if (node?.type === "Command") for (const name of namesSetBy(node, text)) note(name, undefined);
  }
  return new Map(
    [...sources].map(([name, from]) => [
      name,
      { onlyFrom: (reference) => from.every((root) => root === reference.root) },
    ]),
  );
}

function sameName(word: SyntaxNode, text: MarkedText): string | undefined {
  const [segment, ...rest] = contentOf(word, text).segments;
  if (segment === undefined || rest.length > 0 || !("mark" in segment) || segment.mark.kind !== "reference")
    return undefined;
  const { root, members, filter } = segment.mark.reference;
  return members.length === 0 && filter === undefined ? root : undefined;
}

/** Names that a command sets by being told so. */
export function namesSetBy(command: SyntaxNode & { type: "Command" }, text: MarkedText): string[] {
  const name = command.name?.value ?? "";
  const words = command.args.map((word) => contentOf(word, text).literal ?? "");
  if (/^(read|mapfile|readarray|declare|typeset|local|export|readonly|integer|float)$/.test(name))
    return words.filter((word) => /^[A-Za-z_]\w*$/.test(word));
  if (name === "getopts") return words.slice(1, 2).concat("OPTARG");
  if (name === "printf" && words[0] === "-v") return words.slice(1, 2);
  return [];
}

/** Words of the variables that are set to fixed texts and to nothing else. */
export function fixedTexts(tree: Tree, text: MarkedText): Map<string, string[]> {
  const texts = new Map<string, string[] | undefined>();
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type === "For" || node?.type === "Select") texts.set(node.name.value, undefined);
    if (node?.type === "Command" && node.name?.value === "alias")
      for (const argument of node.args) {
        const [name = "", ...rest] = text.source.slice(argument.pos, argument.end).split("=");
        texts.set(`alias ${name}`, wordsOf(rest.join("=").replace(/["'\\]/g, "")));
      }
    if (node?.type !== "Assignment") continue;
    const parts = (node.value.type === "Word" ? [node.value] : node.value.elements).map((word) =>
      word.type === "Word" ? contentOf(word, text).literal : undefined,
    );
    const words = parts.flatMap((part) => (part === undefined ? [undefined] : wordsOf(part)));
    const known = texts.has(node.name) || node.append === true || words.includes(undefined);
    texts.set(node.name, known ? undefined : (words as string[]));
  }
  return new Map([...texts].flatMap(([name, words]) => (words === undefined ? [] : [[name, words]])));
}

/** Declared with -i, in zsh also -E and -F: what they are set to is evaluated as arithmetic. */
export function numbersOf(tree: Tree, text: MarkedText): Set<string> {
  const names = new Set<string>();
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type !== "Command") continue;
    const name = node.name?.value ?? "";
    const declares = /^(declare|typeset|local|export|readonly|private)$/.test(name);
    const words = node.args.map((word) => (word.type === "Assignment" ? "" : (contentOf(word, text).literal ?? "")));
    if (!/^(integer|float)$/.test(name) && !(declares && words.some((word) => /^-[A-Za-z]*[iEF]/.test(word)))) continue;
    for (const argument of node.args)
      names.add(argument.type === "Assignment" ? argument.name : (contentOf(argument, text).literal ?? ""));
  }
  return names;
}

function textOf(marked: Marked): MarkedText {
  return { source: marked.text, marks: marked.marks, pattern: marked.pattern };
}
