// safety/script: a shell script as a list of calls, with the known text and values of each word. Rules use the parsed
// script, never its characters (spec 4.1, 4.2).
//   C1. Programs are found behind wrappers (commands.ts), and inside `sh -c`, `eval`, `ssh`, `find -exec` and `xargs`.
//   C2. `$x` is the value that the script assigns in one place. A variable of env.static is its value.
//   C3. Offsets are those of the original script. A finding in an inner script has the offsets of the word that
//       contains it.
//   C4. Loops, conditions and functions are not evaluated: a call that may happen counts as a call.

import type { Command, SyntaxNode } from "unbash";
import { type Layer, layersOf } from "../rewrite/commands.ts";
import { type Marked, mark } from "../rewrite/marks.ts";
import type { Argument } from "../rewrite/options.ts";
import { type Chain, readTree, type Tree, type Unbash } from "../rewrite/tree.ts";
import { contentOf, type MarkedText, type Segment } from "../rewrite/words.ts";
import { type Feed, feedOf, isPiped } from "./feeds.ts";
import { type Source, type Term, termOf, textOf } from "./terms.ts";

export interface Call {
  /** Last part of the program's path. Undefined if it is known only at run time. */
  name: string | undefined;
  nameTerm: Term;
  args: Term[];
  /** Programs that start it (`sudo`, `timeout`), outermost first, with their own words. */
  wrappers: { name: string; term: Term; own: Term[] }[];
  /** `X=1 program`. */
  settings: { name: string; value: Term }[];
  feed: Feed;
  /** The next command of a pipe reads its output. */
  piped: boolean;
  start: number;
  end: number;
  /** The layers of shell/commands.ts, for rules about options (programs.ts). */
  layers: readonly Layer[];
  /** The command in the tree; for a call in an inner script, the command of the outer script. */
  node: Command;
  /** It is in text that another program runs: `bash -c`, `ssh`. */
  nested: boolean;
}

export interface Reading {
  marked: Marked;
  tree: Tree;
  unbash: Unbash;
  text: MarkedText;
  /** Converts an offset in the marked text to one in the original. */
  original(offset: number): number;
}

export interface Script {
  reading: Reading;
  calls: Call[];
  /** Values that the script assigns to its variables, by name; several if it assigns in several places. */
  given: ReadonlyMap<string, Given[]>;
  term(node: SyntaxNode, segments?: readonly Segment[]): Term;
}

export interface Given {
  /** Undefined: assigned by a loop, by `read`, or in parts. */
  value?: Term;
  /** It is the output of a command, or a line that was read. */
  output: boolean;
  chain: Chain;
}

/** Parses once; values come later. `known` as in rewrite.ts. */
export function readScript(unbash: Unbash, content: string, known: (root: string) => boolean): Reading {
  const source = content.replaceAll("\r\n", "\n");
  const marked = mark(source, known);
  const tree = readTree(unbash, marked.text, marked.marks);
  const removed: number[] = [];
  for (let at = content.indexOf("\r\n"); at !== -1; at = content.indexOf("\r\n", at + 2))
    removed.push(at - removed.length);
  const shift = (offset: number) => offset + removed.filter((at) => at < offset).length;
  return {
    marked,
    tree,
    unbash,
    text: { source: marked.text, marks: marked.marks, pattern: marked.pattern },
    original: (offset) => shift(marked.original(offset)),
  };
}

/** Nesting limit for inner scripts. */
const NESTING_MAX = 3;

export function scriptOf(reading: Reading, source: Source, depth = 0, within?: { start: number; end: number }): Script {
  const { tree, text } = reading;
  const given = givenIn(tree);
  const names = new Map<string, Given[]>();
  const place = (node: { pos: number; end: number }) =>
    within ?? { start: reading.original(node.pos), end: reading.original(node.end) };
  const one = (name: string) => {
    const all = names.get(name);
    return all?.length === 1 ? all[0] : given.has(name) ? {} : undefined;
  };
  const resolve = { source, given: one, place };
  const term = (node: SyntaxNode, segments?: readonly Segment[]): Term =>
    termOf(node, segments ?? contentOf(node, text).segments, text, resolve);
  for (const [name, all] of given)
    names.set(
      name,
      all.map(({ word, output, chain }) => ({ value: word === undefined ? undefined : term(word), output, chain })),
    );
  const script: Script = { reading, calls: [], given: names, term };
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type === "CommandExpansion" && node.text.startsWith("`"))
      addText(script, node.text.slice(1, -1).replace(/\\([`$\\])/g, "$1"), place(node), source, depth);
    if (node?.type !== "Command") continue;
    const call = callOf(node, chain, script, place);
    if (call === undefined) continue;
    if (within !== undefined) call.nested = true;
    script.calls.push(call);
    for (const inner of innerCalls(call)) script.calls.push(inner);
    for (const program of innerTexts(call))
      addText(script, program.text, { start: program.at.start, end: program.at.end }, source, depth);
  }
  return script;
}

function addText(
  script: Script,
  text: string,
  within: { start: number; end: number },
  source: Source,
  depth: number,
): void {
  if (depth >= NESTING_MAX || text.length > 100_000) return;
  const inner = readScript(script.reading.unbash, text, () => false);
  script.calls.push(...scriptOf(inner, source, depth + 1, within).calls);
}

function callOf(
  node: Command,
  chain: Chain,
  script: Script,
  place: (node: { pos: number; end: number }) => { start: number; end: number },
): Call | undefined {
  const { text } = script.reading;
  const layers = layersOf(node, text);
  const terms = (words: readonly Argument[]) => words.map((word) => script.term(word.node, word.content.segments));
  const settings = node.prefix.flatMap((part) =>
    part.type === "Assignment" && part.value.type === "Word"
      ? [{ name: part.name, value: script.term(part.value) }]
      : [],
  );
  const last = layers.at(-1);
  if (last === undefined) return undefined;
  const wrappers = layers.slice(0, -1).map((layer) => ({
    name: layer.name ?? "",
    term: script.term(layer.nameArgument.node, layer.nameArgument.content.segments),
    own: terms(layer.own),
  }));
  const nameTerm = script.term(last.nameArgument.node, last.nameArgument.content.segments);
  return {
    // A name in a variable: `$CURL -X DELETE`.
    name: last.name ?? textOf(nameTerm)?.split("/").pop(),
    nameTerm,
    args: terms(last.args),
    wrappers,
    settings,
    feed: feedOf(chain, script.term),
    piped: isPiped(chain),
    ...place(node),
    layers,
    node,
    nested: false,
  };
}

interface RawGiven {
  word: SyntaxNode | undefined;
  output: boolean;
  chain: Chain;
}

/** Every place where the script sets a variable. Settings for one command (`X=1 program`) do not count. */
function givenIn(tree: Tree): Map<string, RawGiven[]> {
  const given = new Map<string, RawGiven[]>();
  const note = (name: string, one: RawGiven) => given.set(name, [...(given.get(name) ?? []), one]);
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type === "Assignment") {
      const above = chain.at(-2);
      if (
        above?.type === "Command" &&
        above.name !== undefined &&
        (above.prefix as readonly SyntaxNode[]).includes(node)
      )
        continue;
      const plain = node.value.type === "Word" && node.append !== true && node.index === undefined;
      const output = node.value.type === "Word" && (node.value.parts ?? []).some(holdsOutput);
      note(node.name, { word: plain ? node.value : undefined, output, chain });
    } else if (node?.type === "For" || node?.type === "Select")
      note(node.name.value, { word: undefined, output: false, chain });
    else if (node?.type === "Command")
      for (const name of readNames(node)) note(name, { word: undefined, output: true, chain });
  }
  return given;
}

function holdsOutput(part: SyntaxNode): boolean {
  return part.type === "CommandExpansion" || (part.type === "DoubleQuoted" && part.parts.some(holdsOutput));
}

function readNames(command: Command): string[] {
  const words = command.args.map((word) => (word.type === "Word" ? word.value : ""));
  const name = command.name?.value ?? "";
  if (name === "printf" && words[0] === "-v") return words.slice(1, 2);
  return /^(read|mapfile|readarray)$/.test(name) ? words.filter((word) => /^[A-Za-z_]\w*$/.test(word)) : [];
}

/** Commands in the arguments of another: `find -exec rm {} +`, `xargs rm`. */
function innerCalls(call: Call): Call[] {
  const { name, args } = call;
  const found: Call[] = [];
  const add = (words: readonly Term[], feed: Feed) => {
    const [first, ...rest] = words;
    if (first === undefined) return;
    found.push({
      ...call,
      name: textOf(first)?.split("/").pop(),
      nameTerm: first,
      args: rest,
      wrappers: [...call.wrappers, { name: name ?? "", term: call.nameTerm, own: [] }],
      settings: [],
      feed,
      layers: [],
      nested: true,
    });
  };
  if (name === "find") {
    for (let at = 0; at < args.length; at++) {
      if (!/^-(exec|execdir|ok|okdir)$/.test(textOf(args[at]!) ?? "")) continue;
      const end = args.findIndex((word, index) => index > at && /^[;+]$/.test(textOf(word) ?? ""));
      add(args.slice(at + 1, end === -1 ? undefined : end), { kind: "other" });
    }
  } else if (name === "xargs" || name === "parallel") {
    const from = firstCommandWord(args, name === "xargs" ? "IiLlnPsdEea" : "jNnLIaSd");
    if (from !== -1) add(args.slice(from), { kind: "other" });
  }
  return found;
}

function firstCommandWord(args: readonly Term[], withValue: string): number {
  for (let at = 0; at < args.length; at++) {
    const word = textOf(args[at]!) ?? "";
    if (!word.startsWith("-")) return at;
    if (word.length === 2 && withValue.includes(word[1]!)) at++;
    else if (/^--(max-args|max-procs|max-lines|replace|delimiter|arg-file|jobs|max-chars)$/.test(word)) at++;
  }
  return -1;
}

const SHELL = /^(?:sh|bash|dash|zsh|ksh|mksh|ash)$/;

/** Text that the call passes to a shell: `bash -c TEXT`, `eval TEXT`, `ssh host TEXT`. */
function innerTexts(call: Call): { text: string; at: Term }[] {
  const { name, args } = call;
  const told = (word: Term) => word.pieces.map((piece) => piece.text ?? "CURLEW_UNKNOWN").join("");
  if (name === undefined) return [];
  if (SHELL.test(name) || name === "su" || name === "runuser") {
    const at = args.findIndex((word) => /^(-[a-zA-Z]*c|--command)$/.test(textOf(word) ?? ""));
    const program = at === -1 ? undefined : args[at + 1];
    if (program !== undefined) return [{ text: told(program), at: program }];
    // A heredoc that the shell reads as its program.
    if (call.feed.kind === "text" && call.feed.words.length > 0)
      return [{ text: call.feed.words.map(told).join("\n"), at: call.feed.words[0]! }];
    return [];
  }
  if ((name === "eval" || name === "trap") && args[0] !== undefined)
    return [{ text: (name === "eval" ? args : args.slice(0, 1)).map(told).join(" "), at: args[0] }];
  if (name === "ssh" || name === "watch") {
    const from = firstCommandWord(args, name === "ssh" ? "BbcDEeFIiJLlmOopQRSWw" : "n") + (name === "ssh" ? 1 : 0);
    const words = from === 0 && name === "ssh" ? [] : args.slice(from);
    return words[0] === undefined || from < 0 ? [] : [{ text: words.map(told).join(" "), at: words[0] }];
  }
  return [];
}
