// taint: which variables of the script a value was given to, and where those stand (spec 4.1; one variable deep is asked for).
//   T1. Followed until nothing new is found: through further variables, functions of the script and their arguments, read, here-strings,
//       pipes into read, and printf, echo and cat in $(…), which only copy.
//   T2. What another command makes of a value is that command's output: only running it as code is refused.
//   T3. Arithmetic, subscripts, let and -eq name variables without a dollar sign.
// Deliberately absent: texts that eval, trap or another shell are given as a literal of the author's (inner.ts).

import type { SyntaxNode } from "unbash";
import { isDangerousName } from "../../base/environment-names.ts";
import { isNumberOf, readsNumber, someCopy } from "./arithmetic.ts";
import { numbersOf } from "./assigned.ts";
import { isNumberParameter, isSpecialParameter } from "./commands.ts";
import { throughDescriptors } from "./descriptors.ts";
import { filesRead, filesWritten, otherNames, readBack } from "./files.ts";
import { callsOfOwn, type Gift, givingsOf, outputKey, positionalKey } from "./gifts.ts";
import type { Mark, Marked } from "./marks.ts";
import { namesakesOf } from "./namesakes.ts";
import { meantBy, oddExpansion } from "./odd.ts";
import { fileKey } from "./paths.ts";
import type { Surroundings } from "./place.ts";
import { isStored, spread } from "./spread.ts";
import type { Chain, Tree } from "./tree.ts";
import { contentOf } from "./words.ts";

/** `whole`: the variable is that value and nothing else. `copied`: its bytes stand in it, not something made of them. */
export interface Origin {
  mark: Mark;
  whole: boolean;
  copied: boolean;
  /** It was in a file between: what reads it back says itself how. */
  stored?: boolean;
}

/**
 * Places of `$x` and the marks whose values x may hold. `odd`: it is an expansion by its own rules, such as `${!x}`. `counts`: it stands in
 * a subscript that the parser does not know as one. `asNumber`: only where it stands for a number may it come to these values.
 */
export type Carriers = { name: string; chain: Chain; from: Origin[]; odd?: string; counts?: true; asNumber?: true }[];

export interface Taint {
  carriers: Carriers;
  /** Values that the script gives to variables that run code, and to those that are declared as numbers (`counts`), whose text is evaluated. */
  given: { name: string; at: number; from: Origin[]; counts: boolean }[];
  /** By variable. */
  origins: Origins;
}

/**
 * Undefined: the values go through more variables than can be followed in a reasonable time. `held`: variables that hold a value before the
 * script begins, with where it comes from; then those are followed, and not the marks in the script. There only assignments hand on the whole.
 */
export function taintOf(tree: Tree, marked: Marked, around: Surroundings, held?: Origins): Taint | undefined {
  const givings = givingsOf(tree, around);
  const written = [...filesWritten(tree, around), ...throughDescriptors(tree, around)];
  const files = new Set([...written.map(({ name }) => name), ...(held?.keys() ?? [])]);
  const aliases = otherNames(givings, files, around);
  for (const { name } of aliases) files.add(name);
  const reads = filesRead(tree, around, files);
  const reader = new Reader(tree, around, reads);
  const gifts = [...givings, ...written, ...aliases].map((gift) => {
    const sources = reader.sourcesOf(gift);
    if (held === undefined) return { ...gift, sources };
    const whole = isAssigned(gift.word);
    const names = sources.names.map((one) => ({ ...one, whole: one.whole && whole }));
    return { ...gift, sources: { direct: [], names } };
  });
  const origins = spread(gifts, held ?? new Map());
  if (origins === undefined) return undefined;
  if (origins.size === 0) return { carriers: [], given: [], origins };
  const namesakes = namesakesOf(gifts, origins, around);
  const carriers = [
    ...expansions(tree, origins, around),
    ...readBack(reads, origins, around),
    ...bareNames(tree, marked, origins, around),
  ];
  for (const one of namesakes.size === 0
    ? []
    : [
        ...expansions(tree, namesakes, around),
        ...readBack(reads, namesakes, around),
        ...bareNames(tree, marked, namesakes, around),
      ])
    carriers.push({ name: one.name, chain: one.chain, from: one.from, asNumber: true });
  const numbers = numbersOf(tree, around.text);
  const given = gifts.flatMap(({ name, word, sources }) => {
    const counts = numbers.has(name);
    if (!counts && !matters(name, around)) return [];
    const at = (word.at(-1) as SyntaxNode).pos;
    const isNumber = counts || isNumberParameter(name, around.dialect);
    // Names in it are looked up: `RANDOM=x`, `y=x; integer n=$y`.
    const named = isNumber
      ? namedIn(word.at(-1) as SyntaxNode, marked).flatMap((other) => origins.get(other) ?? namesakes.get(other) ?? [])
      : [];
    const from = originsOf(sources, origins);
    return [
      ...(from.length > 0 ? [{ name, at, from, counts }] : []),
      ...(named.length > 0 ? [{ name, at, from: named, counts: true }] : []),
    ];
  });
  return { carriers, given, origins };
}

/** Only these are asked for. */
function matters(name: string, around: Surroundings): boolean {
  return isDangerousName(name) || isSpecialParameter(name, around.dialect);
}

function isAssigned(word: Chain): boolean {
  const holder = word.at(-2);
  return holder?.type === "Assignment" && holder.value === word.at(-1) && holder.append !== true;
}

export type Origins = ReadonlyMap<string, Origin[]>;

/** What a text holds: values, and variables whose values it then holds too. */
export interface Sources {
  direct: Origin[];
  names: { name: string; whole: boolean; copied: boolean }[];
}

function originsOf({ direct, names }: Sources, origins: Origins): Origin[] {
  const found = [...direct];
  for (const { name, whole, copied } of names)
    for (const one of origins.get(name) ?? [])
      found.push({
        mark: one.mark,
        whole: whole && one.whole,
        copied: copied && one.copied,
        stored: isStored(name, one),
      });
  return found;
}

/** What a word of the script holds. */
export function originsIn(tree: Tree, around: Surroundings, origins: Origins, word: Chain): Origin[] {
  const reader = READERS.get(tree) ?? new Reader(tree, around);
  READERS.set(tree, reader);
  return originsOf(reader.sourcesOf({ name: "", word }), origins);
}
const READERS = new WeakMap<Tree, Reader>();

/** Finds what stands in a text; marks and parameters are sorted once. */
class Reader {
  readonly #around: Surroundings;
  readonly #parameters: { at: number; name: string; chain: Chain }[];
  readonly #calls: { at: number; name: string }[];
  readonly #reads: { at: number; name: string }[];

  constructor(tree: Tree, around: Surroundings, reads: readonly { name: string; chain: Chain }[] = []) {
    this.#around = around;
    this.#reads = reads.map(({ name, chain }) => ({ at: chain.at(-1)?.pos ?? 0, name })).sort((a, b) => a.at - b.at);
    this.#parameters = tree.parameters
      .map(({ name, chain }) => ({ at: chain.at(-1)?.pos ?? 0, name, chain }))
      .sort((a, b) => a.at - b.at);
    this.#calls = callsOfOwn(tree, around).map(({ name, chain }) => ({ at: chain.at(-1)?.pos ?? 0, name }));
    this.#calls.sort((a, b) => a.at - b.at);
  }

  sourcesOf({ word, byCommand, refersTo }: Gift): Sources {
    const sources: Sources = { direct: [], names: [] };
    if (refersTo !== undefined) sources.names.push({ name: refersTo, whole: true, copied: true });
    const holder = word.at(-2);
    if (holder?.type === "Redirect" && holder.operator.includes("<"))
      sources.names.push({
        name: fileKey(word.at(-1) as SyntaxNode, this.#around, holder),
        whole: false,
        copied: true,
      });
    const { segments } = contentOf(word.at(-1) as SyntaxNode, this.#around.text);
    const copied = byCommand !== true;
    const whole = segments.length === 1 && copied;
    for (const segment of segments) {
      if ("mark" in segment && segment.mark.kind === "reference")
        sources.direct.push({ mark: segment.mark, whole, copied });
      if (!("dynamic" in segment)) continue;
      const { dynamic } = segment;
      if (isNumberOf(dynamic)) continue;
      if (dynamic.type === "SimpleExpansion" || dynamic.type === "ParameterExpansion") {
        const plain =
          dynamic.type === "SimpleExpansion" || (dynamic.operation === undefined && dynamic.prefix === undefined);
        for (const name of namesOf(dynamic, word, this.#around))
          sources.names.push({ name, whole: whole && plain, copied });
      } else this.#inside(dynamic, word, copied && someCopy(dynamic, this.#around), sources);
    }
    return sources;
  }

  /** What stands anywhere inside `$(…)`, `<(…)` or the earlier part of a pipe. */
  #inside(node: SyntaxNode, word: Chain, copied: boolean, into: Sources): void {
    const { marks } = this.#around.text;
    for (let index = firstFrom(marks, node.pos); (marks[index]?.at ?? node.end) < node.end; index++) {
      const mark = marks[index];
      if (mark?.kind === "reference") into.direct.push({ mark, whole: false, copied });
    }
    const parameters = this.#parameters;
    for (let index = firstFrom(parameters, node.pos); (parameters[index]?.at ?? node.end) < node.end; index++) {
      const { name, chain } = parameters[index] as (typeof parameters)[number];
      if (isNumberOf(chain.at(-1) as SyntaxNode)) continue;
      into.names.push({ name: keyOf(name, chain), whole: false, copied });
    }
    const calls = this.#calls;
    for (let index = firstFrom(calls, node.pos); (calls[index]?.at ?? node.end) < node.end; index++)
      into.names.push({ name: outputKey((calls[index] as (typeof calls)[number]).name), whole: false, copied });
    const reads = this.#reads;
    for (let index = firstFrom(reads, node.pos); (reads[index]?.at ?? node.end) < node.end; index++)
      into.names.push({ name: (reads[index] as (typeof reads)[number]).name, whole: false, copied });
    // Backquotes are one leaf: what is named in them is looked for as text.
    if (isBackquoted(node))
      for (const [, name = ""] of node.text.matchAll(/\$\{?(\w+|[@*])/g))
        into.names.push({ name: keyOf(name, word), whole: false, copied: copied && PRINTS.test(node.text) });
  }
}

function isBackquoted(node: SyntaxNode): node is SyntaxNode & { type: "CommandExpansion" } {
  return node.type === "CommandExpansion" && node.text.startsWith("`");
}
const PRINTS = /^`\s*(?:printf|echo|cat|print)\b/;
/** Signs of arithmetic. */
const COUNTS = /\(\(|\[|\$\{\w+:|\blet\b|\b(?:declare|typeset|local|integer|float)\b/;

function firstFrom(sorted: readonly { at: number }[], from: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.at ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Names that an expansion reads; zsh's `${(e)x}` and `${~x}` are not taken apart by the parser. */
function namesOf(node: SyntaxNode, chain: Chain, around: Surroundings): string[] {
  if (node.type === "SimpleExpansion") return [keyOf(node.text.slice(1), chain)];
  if (node.type !== "ParameterExpansion") return [];
  const names = [...(meantBy(node, around) ?? [keyOf(node.parameter, chain)])];
  if (around.dialect === "zsh" && !/^[A-Za-z_]/.test(node.parameter))
    for (const [word] of node.text.matchAll(/[A-Za-z_]\w*|(?<![\w(:.,])[0-9@*]/g)) names.push(keyOf(word, chain));
  return names;
}

function keyOf(name: string, chain: Chain): string {
  return /^([0-9]+|[@*])$/.test(name) ? positionalKey(chain) : name;
}

/** Every `$x` and `${x…}`. */
function expansions(tree: Tree, origins: Origins, around: Surroundings): Carriers {
  const carriers: Carriers = [];
  for (const { name, chain } of tree.parameters) {
    const node = chain.at(-1) as SyntaxNode;
    if (isNumberOf(node)) continue;
    const from = namesOf(node, chain, around).flatMap((one) => origins.get(one) ?? []);
    const odd = meantBy(node, around) === undefined ? oddExpansion(node, around) : undefined;
    if (from.length > 0) carriers.push({ name, chain, from, ...(odd === undefined ? {} : { odd }) });
    // Which variable `${!y}` reads is not known here: any of them.
    else if (odd !== undefined && origins.size > 0) {
      const any = [...origins.values()].flat().map((one) => ({ ...one, whole: false, copied: false }));
      carriers.push({ name, chain, from: any }, { name, chain, from: any, asNumber: true });
    }
  }
  for (const { name, chain } of callsOfOwn(tree, around)) {
    const from = origins.get(outputKey(name));
    if (from !== undefined) carriers.push({ name, chain, from });
  }
  for (const chain of tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    if (!isBackquoted(node) || !COUNTS.test(node.text)) continue;
    for (const name of namesIn(node.text)) {
      const from = origins.get(keyOf(name, chain));
      if (from !== undefined) carriers.push({ name, chain: [...chain, node], from, counts: true });
    }
  }
  if (around.dialect === "zsh") carriers.push(...zshExpansions(tree, origins, around));
  return carriers;
}

/** `$~x` is a pattern with code in it; in `$a[x]` the x is a variable. */
function zshExpansions(tree: Tree, origins: Origins, around: Surroundings): Carriers {
  const carriers: Carriers = [];
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type !== "Word" && node?.type !== "Literal") continue;
    const add = (name: string, more: { odd: string } | { counts: true }) => {
      const from = origins.get(keyOf(name, chain));
      if (from !== undefined) carriers.push({ name, chain: [...chain, node], from, ...more });
    };
    for (const [, name = ""] of node.text.matchAll(/\$[=^]*~[~=^]*(\w+)/g)) add(name, { odd: `$~${name}` });
    if (node.type !== "Word") continue;
    for (const [, array = "", index = ""] of node.text.matchAll(/\$([A-Za-z_]\w*)\[([^\]]*)\]/g))
      if (!around.associative.has(array)) for (const name of namesIn(index)) add(name, { counts: true });
  }
  return carriers;
}

/** T3. */
function bareNames(tree: Tree, marked: Marked, origins: Origins, around: Surroundings): Carriers {
  const carriers: Carriers = [];
  const add = (chain: Chain, node: SyntaxNode) => {
    for (const name of namedIn(node, marked)) {
      const from = origins.get(keyOf(name, chain));
      if (from !== undefined) carriers.push({ name, chain: [...chain, node, node], from });
    }
  };
  for (const chain of tree.nodes) {
    const node = chain.at(-1) as SyntaxNode;
    const parent = chain.at(-2);
    const up = chain.slice(0, -1);
    if (node.type === "ArithmeticWord") add(up, node);
    if (parent?.type === "Slice" || (parent?.type === "ParameterExpansion" && parent.index === node)) add(up, node);
    if (parent?.type === "Assignment" && parent.index === node) add(up, node);
    // `a=([x]=1)`: what stands before the equals sign.
    if (parent?.type === "ArrayValue" && !isAssociative(chain.at(-3), around)) {
      const subscript = /^\[.*\]\+?=/s.exec(marked.text.slice(node.pos, node.end))?.[0];
      if (subscript !== undefined) add(up, { ...node, end: node.pos + subscript.length });
    }
    if (parent?.type === "TestBinary" && /^-(eq|ne|lt|le|gt|ge)$/.test(parent.operator)) add(up, node);
    if (parent?.type === "TestUnary" && parent.operator === "-t") add(up, node);
    if (parent?.type === "Command" && parent.name !== node && readsNumber(parent, node, node.pos, around))
      add(up, node);
  }
  return carriers;
}

function isAssociative(assignment: SyntaxNode | undefined, around: Surroundings): boolean {
  return assignment?.type === "Assignment" && around.associative.has(assignment.name);
}

function namedIn(node: SyntaxNode, marked: Marked): string[] {
  return namesIn(marked.text.slice(node.pos, node.end));
}

/** Names in a text that is arithmetic: `x`, `$x`, `${x}`, `$1`; not `${#x}`, which is a number whatever x holds. */
function namesIn(text: string): string[] {
  const names = text.replaceAll(/\$\{#\w+\}/g, "").matchAll(/(?<!\w)[A-Za-z_]\w*|(?<=\$\{?)(?:[0-9]+|[@*])/g);
  return [...names].map(([word]) => word);
}
