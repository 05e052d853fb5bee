// assigned: which variables a script sets itself, and which of them it declares as numbers.

import type { SyntaxNode } from "unbash";
import { layersOf, wordsOf } from "./commands.ts";
import type { Marked } from "./marks.ts";
import type { Argument } from "./options.ts";
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

const DECLARES = /^(declare|typeset|local|export|readonly|integer|float|private)$/;

/** Assignments that the parser takes for words: `integer n=$x`, `declare "n=$x"`. */
export function wordsDeclared(name: string, words: readonly SyntaxNode[]): { name: string; word: SyntaxNode }[] {
  if (!DECLARES.test(name)) return [];
  return words.flatMap((word) => {
    const set = word.type === "Word" ? /^["']?([A-Za-z_]\w*)\+?=/.exec(word.text)?.[1] : undefined;
    return set === undefined ? [] : [{ name: set, word }];
  });
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

/**
 * Declared with -i, in zsh also -E and -F: what they are set to is evaluated as arithmetic. An option that only the run knows may be -i,
 * and a nameref of such a variable is one too. With where each is first declared.
 */
export function numbersOf(tree: Tree, text: MarkedText): Map<string, number> {
  const names = new Map<string, number>();
  const references: { name: string; to: string | undefined; at: number }[] = [];
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type !== "Command") continue;
    const layer = layersOf(node, text).at(-1);
    const declares = /^(declare|typeset|local|export|readonly|private)$/.test(layer?.name ?? "");
    if (layer === undefined || (!declares && !/^(integer|float)$/.test(layer.name ?? ""))) continue;
    const words = layer.args.map((one) => (one.node.type === "Assignment" ? "" : optionIn(one)));
    if (!declares || words.some((word) => /^-[A-Za-z]*[iEF]/.test(word)))
      for (const { node: word, content } of layer.args) {
        const name = nameIn(word, content.literal);
        if (!names.has(name)) names.set(name, word.pos);
      }
    if (declares && words.some((word) => /^-[A-Za-z]*n/.test(word)))
      for (const { node: word } of layer.args)
        references.push({
          name: nameIn(word, undefined),
          to: word.type === "Assignment" ? target(word, text) : undefined,
          at: word.pos,
        });
  }
  if (names.size > 0) addReferences(names, references);
  return names;
}

/** A word that only the run knows may be any option, but for one with a = in it. */
function optionIn({ content }: Argument): string {
  return content.literal ?? (content.segments.some((one) => "text" in one && one.text.includes("=")) ? "" : "-i");
}

function nameIn(node: SyntaxNode, literal: string | undefined): string {
  if (node.type === "Assignment") return node.name;
  return (literal ?? (node.type === "Word" ? node.value : "")).replace(/\+?=.*$/s, "");
}

/** What a nameref is one of, where the script says it. */
function target(node: SyntaxNode & { type: "Assignment" }, text: MarkedText): string | undefined {
  return node.value.type === "Word" ? contentOf(node.value, text).literal : undefined;
}

function addReferences(
  names: Map<string, number>,
  references: readonly { name: string; to: string | undefined; at: number }[],
): void {
  for (let size = -1; size !== names.size; ) {
    size = names.size;
    for (const { name, to, at } of references)
      if (!names.has(name) && (to === undefined || names.has(to))) names.set(name, at);
  }
}

function textOf(marked: Marked): MarkedText {
  return { source: marked.text, marks: marked.marks, pattern: marked.pattern };
}
