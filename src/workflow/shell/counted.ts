// shell/counted: variables under names of the author's (env.static, exposeParents) whose values the shell reads as numbers (spec 4.1: the
// integer guard), or as the name of a variable (naming.ts). bash and zsh run commands that stand in such a value; its name alone is enough:
// `$((n + 1))`.
//   O1. Followed as the values of references are (taint.ts): through variables, loops, read, and what only copies.
//   O2. A variable that the script compares with a pattern of digits before is the script's own business.
//   O3. A script that cannot be read, or not be followed, counts with every name that stands in it (fail closed).

import type { SyntaxNode } from "unbash";
import type { CliNode } from "../model.ts";
import { referencesOf } from "../template.ts";
import { passesOn, placeOf } from "./arithmetic.ts";
import { numbersOf } from "./assigned.ts";
import { isNumberParameter } from "./commands.ts";
import { type Mark, type Marked, mark } from "./marks.ts";
import { namesVariable } from "./naming.ts";
import { isPadding } from "./odd.ts";
import type { Surroundings } from "./place.ts";
import { surroundingsOf } from "./surroundings.ts";
import { type Origin, taintOf } from "./taint.ts";
import { type Chain, readTree, type Tree, type Unbash } from "./tree.ts";
import type { Counted, Dialect } from "./types.ts";
import { contentOf } from "./words.ts";

/** Variables under names of the author's that hold values of the run. */
export function valueNames({ content, env }: CliNode["data"]): string[] {
  const statics = Object.entries(env?.static ?? {}).filter(([, text]) => referencesOf(text).length > 0);
  const parents =
    env?.exposeParents === true ? [...(env.names ?? []), ...(content.match(/INPUT_[1-9]\d*/g) ?? [])] : [];
  return [...new Set([...statics.map(([name]) => name), ...parents])];
}

/** `names`: those that hold values of the run. `known` as in shell-template.ts. */
export async function countedNames(
  content: string,
  dialect: Dialect,
  known: (root: string) => boolean,
  names: readonly string[],
): Promise<Counted[]> {
  const source = content.replaceAll("\r\n", "\n");
  const present = names.filter((name) => source.includes(name));
  if (present.length === 0 || !mayCount(source, dialect)) return [];
  const unbash: Unbash = await import("unbash");
  const marked = mark(source, known);
  const tree = readTree(unbash, marked.text, marked.marks);
  const all = () => present.map((name): Counted => ({ name, kind: "part" }));
  if (tree.errors.length > 0) return all();
  const around = surroundingsOf(unbash, tree, marked, dialect, () => "");
  return found(tree, marked, around, present) ?? all();
}

/** Whether anything of the kind stands there, in any spelling of quotes. */
function mayCount(source: string, dialect: Dialect): boolean {
  if (dialect === "zsh") return true;
  return /\(\(|\[|\$\{\w*:|\$\{[@*]:|\$\{!|\b(?:let|declare|typeset|local|export|readonly|read|unset|test|printf|getopts|wait)\b|\b(?:S?RANDOM|OPTIND)=/.test(
    source.replaceAll(/["'\\]/g, ""),
  );
}

function found(tree: Tree, marked: Marked, around: Surroundings, names: readonly string[]): Counted[] | undefined {
  const held = new Map(
    names.map((name, index) => [name, [{ mark: heldMark(name, -1 - index), whole: true, copied: true }]]),
  );
  const taint = taintOf(tree, marked, around, held);
  if (taint === undefined) return undefined;
  const looked = looks(tree, around);
  const isLooked = (name: string, at: number) => (looked.get(name) ?? at) < at;
  const kinds = new Map<string, Counted["kind"]>();
  const count = (origins: readonly Origin[], at: number, isPart: boolean) => {
    for (const { mark: from, whole, copied } of origins) {
      const name = from.kind === "reference" ? from.reference.root : "";
      if (!copied || isLooked(name, at)) continue;
      const kind = whole && !isPart && around.dialect !== "sh" ? "whole" : "part";
      if (kind === "whole" || (kinds.get(name) ?? "name") === "name") kinds.set(name, kind);
    }
  };
  const asName = (origins: readonly Origin[]) => {
    for (const { mark: from, copied } of origins)
      if (copied && from.kind === "reference" && !kinds.has(from.reference.root))
        kinds.set(from.reference.root, "name");
  };
  for (const { name, chain, from, counts, odd } of taint.carriers) {
    const { pos } = chain.at(-1) as SyntaxNode;
    if (isIndirect(odd, chain) || isNameAt(chain, around)) asName(from);
    const isOdd = around.dialect === "zsh" && isPadding(chain.at(-1) as SyntaxNode);
    const place = counts === true || isOdd ? "itself" : placeOf(chain, around);
    if (place !== undefined && !isLooked(name, pos)) count(from, pos, place === "printed");
  }
  for (const { name, at, from, counts } of taint.given)
    if (counts || isNumberParameter(name, around.dialect)) count(from, at, false);
  // What it holds when it is declared is read, too (zsh), or when something is added to it.
  for (const [name, at] of numbersOf(tree, around.text)) {
    count(held.get(name) ?? [], at, false);
  }
  return [...kinds].map(([name, kind]) => ({ name, kind }));
}

/** It stands nowhere in the script. */
function heldMark(name: string, index: number): Mark {
  const reference = { kind: "reference" as const, start: 0, end: 0, root: name, members: [] };
  return { kind: "reference", index, at: -1, end: -1, reference };
}

/** `${!x}`, `${(P)x}`: what x holds is the name of what is meant. */
function isIndirect(odd: string | undefined, chain: Chain): boolean {
  const node = chain.at(-1) as SyntaxNode;
  return odd !== undefined && "text" in node && /^\$\{(?:!|\([^)]*P)/.test(node.text);
}

/** Somewhere around it what it comes to is the name of a variable. */
function isNameAt(chain: Chain, around: Surroundings): boolean {
  for (let level = chain.length - 2; level >= 0; level--) {
    const [parent, child] = [chain[level] as SyntaxNode, chain[level + 1] as SyntaxNode];
    if (namesVariable(parent, child, around)) return true;
    if (!passesOn(parent, child, around)) return false;
  }
  return false;
}

/** O2: where a variable is first compared with a pattern of digits: `case $n in *[!0-9]*)`, `[[ $n =~ ^[0-9]+$ ]]`. */
function looks(tree: Tree, around: Surroundings): Map<string, number> {
  const first = new Map<string, number>();
  for (const { name, chain } of tree.parameters) {
    const at = (chain.at(-1) as SyntaxNode).pos;
    const holder = chain.findLast(
      (one, index) => index < chain.length - 1 && !/^(?:Word|DoubleQuoted)$/.test(one.type),
    );
    if (holder !== undefined && isLook(holder, at, around)) first.set(name, Math.min(at, first.get(name) ?? at));
  }
  return first;
}

function isLook(holder: SyntaxNode, at: number, around: Surroundings): boolean {
  const isDigits = (word: SyntaxNode) => DIGITS.test(around.text.source.slice(word.pos, word.end));
  if (holder.type === "Case") return holder.items.some(({ pattern }) => pattern.some(isDigits));
  if (holder.type !== "TestBinary" || !/^(?:=~|==?|!=)$/.test(holder.operator) || at >= holder.right.pos) return false;
  if (isDigits(holder.right)) return true;
  // The pattern stands in a variable: `re='^[0-9]+$'`.
  const [segment, ...rest] = contentOf(holder.right, around.text).segments;
  const name = segment !== undefined && rest.length === 0 && "dynamic" in segment ? segment.dynamic : undefined;
  const texts = name?.type === "SimpleExpansion" ? around.text.fixed?.get(name.text.slice(1)) : undefined;
  return texts !== undefined && texts.length > 0 && texts.every((text) => DIGITS.test(text));
}

const DIGITS = /0-9|\[:digit:\]|<[0-9]*-[0-9]*>/;
