// taint: which variables of the script a value was given to, and where those stand (spec 4.1, "Follow taint one variable deep").
// Counted as given: an assignment, a for list, read from a here-string, `set --`, arguments of a function of the script.
// Deliberately absent: what a command makes of a value ($(…)) is the command's output, no value of the workflow.

import type { SyntaxNode } from "unbash";
import { layersOf } from "./commands.ts";
import type { Mark, Marked } from "./marks.ts";
import type { Surroundings } from "./place.ts";
import type { Chain, Tree } from "./tree.ts";
import { contentOf, type MarkedText } from "./words.ts";

/** Places of `$x` and the marks whose values x may hold; `whole`: x is that value and nothing else. */
export type Carriers = { chain: Chain; from: { mark: Mark; whole: boolean }[] }[];

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

function namesSetBy(command: SyntaxNode & { type: "Command" }, text: MarkedText): string[] {
  const name = command.name?.value ?? "";
  const words = command.args.map((word) => contentOf(word, text).literal ?? "");
  if (/^(read|mapfile|readarray|declare|typeset|local|export|readonly|integer|float)$/.test(name))
    return words.filter((word) => /^[A-Za-z_]\w*$/.test(word));
  if (name === "getopts") return words.slice(1, 2).concat("OPTARG");
  if (name === "printf" && words[0] === "-v") return words.slice(1, 2);
  return [];
}

export function carriersOf(tree: Tree, marked: Marked, around: Surroundings): Carriers {
  const given = givenValues(tree, around);
  if (given.size === 0) return [];
  const carriers: Carriers = [];
  for (const { name, chain } of tree.parameters) {
    const from = given.get(/^([0-9]+|[@*])$/.test(name) ? positionalKey(chain) : name);
    if (from !== undefined) carriers.push({ chain, from });
  }
  // Arithmetic names variables without a dollar sign.
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type !== "ArithmeticWord") continue;
    for (const [word] of marked.text.slice(node.pos, node.end).matchAll(/(?<![\w$])[A-Za-z_]\w*/g)) {
      const from = given.get(word);
      if (from !== undefined) carriers.push({ chain: [...chain, node], from });
    }
  }
  return carriers;
}

function givenValues(tree: Tree, around: Surroundings): Map<string, { mark: Mark; whole: boolean }[]> {
  const given = new Map<string, { mark: Mark; whole: boolean }[]>();
  const give = (name: string, word: SyntaxNode) => {
    const { segments } = contentOf(word, around.text);
    for (const segment of segments) {
      if (!("mark" in segment) || segment.mark.kind !== "reference") continue;
      const one = { mark: segment.mark, whole: segments.length === 1 };
      const known = given.get(name);
      if (known === undefined) given.set(name, [one]);
      else known.push(one);
    }
  };
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type === "Assignment")
      for (const word of node.value.type === "Word" ? [node.value] : node.value.elements) give(node.name, word);
    if (node?.type === "For" || node?.type === "Select")
      for (const word of node.wordlist ?? []) give(node.name.value, word);
    if (node?.type === "Command") giveByCommand(node, chain, around, give);
  }
  return given;
}

function giveByCommand(
  command: SyntaxNode & { type: "Command" },
  chain: Chain,
  around: Surroundings,
  give: (name: string, word: SyntaxNode) => void,
): void {
  const [layer] = layersOf(command, around.text);
  if (layer?.name === undefined) return;
  if (layer.name === "read" || layer.name === "mapfile" || layer.name === "readarray") {
    for (const redirect of command.redirects) {
      const source =
        redirect.type === "HereString" ? redirect.target : redirect.type === "HereDoc" ? redirect.body : undefined;
      if (source !== undefined) for (const name of namesSetBy(command, around.text)) give(name, source);
    }
  }
  if (layer.name === "set")
    for (const { node } of layer.args) if (node.type === "Word") give(positionalKey(chain), node);
  if (around.functions.has(layer.name))
    for (const { node } of layer.args) if (node.type === "Word") give(functionKey(layer.name), node);
}

function positionalKey(chain: Chain): string {
  const inside = chain.findLast((node) => node.type === "Function");
  return inside?.type === "Function" ? functionKey(inside.name.value) : " set";
}

function functionKey(name: string): string {
  return ` function ${name}`;
}

function textOf(marked: Marked): MarkedText {
  return { source: marked.text, marks: marked.marks, pattern: marked.pattern };
}
