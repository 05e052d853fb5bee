// safety/script: a shell script as the calls it makes, each word with what is known of it: the author's text, a value's text where one
// is known, where a value comes from. What runs what is decided on the parsed script, never on its characters (spec 4.1, 4.2).
//   C1. Programs are found behind their wrappers (commands.ts), inside `sh -c`, `eval`, `ssh`, `find -exec` and `xargs`.
//   C2. `$x` is what the script gave x when it does so in one place; a variable of env.static is its value.
//   C3. Offsets are the author's. What stands in a text inside the script is told at the word that holds it.
// Deliberately absent: running anything of it: loops, conditions, functions. A call that may be made is a call.

import type { Command, SyntaxNode } from "unbash";
import { type Layer, layersOf } from "../shell/commands.ts";
import { type Marked, mark } from "../shell/marks.ts";
import type { Argument } from "../shell/options.ts";
import { type Chain, readTree, type Tree, type Unbash } from "../shell/tree.ts";
import { contentOf, type MarkedText, type Segment } from "../shell/words.ts";
import type { Reference } from "../template.ts";
import { type Feed, feedOf, type Outlet, outletOf } from "./streams.ts";
import { type Term, termOf, textOf } from "./terms.ts";

/** What a reference or an exported variable holds, as far as it is known. */
export interface Meaning {
  text?: string;
  /** Where it comes from, when that is not the document or whoever started the run: `the output of "fetch"`. */
  untrusted?: string;
  /** A model, or whoever can call a webhook, wrote it or some of it: further from trust than what a command of the author's printed. */
  foreign?: boolean;
  /** The secret that it is, or is made of. */
  secret?: string;
}

export interface Source {
  /** What a reference means. */
  meaningOf(reference: Pick<Reference, "root" | "members" | "filter">): Meaning;
  /** Names that the node exports to its command (env.static, exposeParents), and what they hold. */
  exported(name: string): Meaning | undefined;
  /** Of the environment: HOME, PWD, TMPDIR. */
  environment(name: string): string | undefined;
}

export interface Call {
  /** Last part of the program's path. Undefined when it is only known at run time. */
  name: string | undefined;
  nameTerm: Term;
  args: Term[];
  /** Programs that start it: `sudo`, `timeout`; outermost first, with their own words. */
  wrappers: { name: string; term: Term; own: Term[] }[];
  /** `X=1 program`. */
  settings: { name: string; value: Term }[];
  redirects: { operator: string; target: Term; descriptor: number | undefined }[];
  /** What it reads when it reads standard input, and where its standard output goes. */
  feed: Feed;
  outlet: Outlet;
  start: number;
  end: number;
  /** The shell's own layers, for rules about options (programs.ts). */
  layers: readonly Layer[];
  /** The command in the tree; that of the outer script for what stands in a text inside it. */
  node: Command;
  /** It stands in a text that another program runs: `bash -c`, `ssh`. */
  nested: boolean;
}

export interface Reading {
  marked: Marked;
  tree: Tree;
  unbash: Unbash;
  text: MarkedText;
  /** Author's offset of an offset in the marked text. */
  original(offset: number): number;
}

export interface Script {
  reading: Reading;
  calls: Call[];
  /** What the script gives to its variables, by name; more than one when it does so in several places. */
  given: ReadonlyMap<string, Given[]>;
  term(node: SyntaxNode, segments?: readonly Segment[]): Term;
}

export interface Given {
  /** Undefined: by a loop, `read`, a function. */
  value: Term | undefined;
  /** It is what a command printed. */
  output: boolean;
  start: number;
  end: number;
  chain: Chain;
}

/** Parses once; values come later. `known` as in shell-template.ts. */
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

/** Texts inside texts are followed this deep. */
const NESTING_MAX = 3;

export function scriptOf(reading: Reading, source: Source, depth = 0, within?: { start: number; end: number }): Script {
  const { tree, text } = reading;
  const given = givenIn(tree);
  const names = new Map<string, Given[]>();
  const place = (node: { pos: number; end: number }) =>
    within ?? { start: reading.original(node.pos), end: reading.original(node.end) };
  const resolve = { source, given: (name: string) => names.get(name) ?? (given.has(name) ? [] : undefined), place };
  const term = (node: SyntaxNode, segments?: readonly Segment[]): Term =>
    termOf(node, segments ?? contentOf(node, text).segments, text, resolve);
  for (const [name, all] of given)
    names.set(
      name,
      all.map(({ word, output, node, chain }) => ({
        value: word === undefined ? undefined : term(word),
        output,
        chain,
        ...place(node),
      })),
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
  const redirects: Call["redirects"] = [];
  for (const holder of redirectHolders(chain))
    for (const redirect of holder)
      if (redirect.type === "Redirect" && redirect.target !== undefined)
        redirects.push({
          operator: redirect.operator,
          target: script.term(redirect.target),
          descriptor: redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : undefined,
        });
  const settings = node.prefix.flatMap((part) =>
    part.type === "Assignment" && part.value.type === "Word"
      ? [{ name: part.name, value: script.term(part.value) }]
      : [],
  );
  const last = layers.at(-1);
  if (last === undefined && redirects.length === 0) return undefined;
  const wrappers = layers.slice(0, -1).map((layer) => ({
    name: layer.name ?? "",
    term: script.term(layer.nameArgument.node, layer.nameArgument.content.segments),
    own: terms(layer.own),
  }));
  const nameTerm =
    last === undefined
      ? { pieces: [], raw: "", ...place(node) }
      : script.term(last.nameArgument.node, last.nameArgument.content.segments);
  return {
    // A name that one variable holds: `$CURL -X DELETE`.
    name: last?.name ?? textOf(nameTerm)?.split("/").pop(),
    nameTerm,
    args: last === undefined ? [] : terms(last.args),
    wrappers,
    settings,
    redirects,
    feed: feedOf(chain, script),
    outlet: outletOf(chain),
    ...place(node),
    layers,
    node,
    nested: false,
  };
}

/** Its own redirections, and those of the compound commands around it, which it inherits; the latter are told once, by the first call. */
function redirectHolders(chain: Chain): SyntaxNodeRedirects[] {
  const own = chain.at(-1);
  const holders: SyntaxNodeRedirects[] = own?.type === "Command" ? [own.redirects] : [];
  for (const node of chain) if (node.type === "Redirected") holders.push(node.redirects);
  return holders;
}
type SyntaxNodeRedirects = Command["redirects"];

interface RawGiven {
  word: SyntaxNode | undefined;
  output: boolean;
  node: SyntaxNode;
  chain: Chain;
}

/** Every place where the script sets a variable of its own. A setting for one command alone (`X=1 program`) is none. */
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
      note(node.name, { word: plain ? node.value : undefined, output, node, chain });
    } else if (node?.type === "For" || node?.type === "Select")
      note(node.name.value, { word: undefined, output: false, node: node.name, chain });
    else if (node?.type === "Command")
      for (const { name, word } of readNames(node)) note(name, { word: undefined, output: true, node: word, chain });
  }
  return given;
}

function holdsOutput(part: SyntaxNode): boolean {
  return part.type === "CommandExpansion" || (part.type === "DoubleQuoted" && part.parts.some(holdsOutput));
}

function readNames(command: Command): { name: string; word: SyntaxNode }[] {
  const name = command.name?.value ?? "";
  if (!/^(read|mapfile|readarray)$/.test(name)) {
    if (name === "printf" && command.args[0]?.text === "-v" && command.args[1]?.type === "Word")
      return [{ name: command.args[1].value, word: command.args[1] }];
    return [];
  }
  return command.args.flatMap((word) =>
    word.type === "Word" && /^[A-Za-z_]\w*$/.test(word.value) ? [{ name: word.value, word }] : [],
  );
}

/** Commands among the words of another: `find -exec rm {} +`, `xargs rm`. */
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
      redirects: [],
      feed,
      layers: [],
      nested: true,
    });
  };
  if (name === "find") {
    for (let at = 0; at < args.length; at++) {
      if (!/^-(exec|execdir|ok|okdir)$/.test(textOf(args[at]!) ?? "")) continue;
      const end = args.findIndex((word, index) => index > at && /^[;+]$/.test(textOf(word) ?? ""));
      add(args.slice(at + 1, end === -1 ? undefined : end), { kind: "none" });
    }
  } else if (name === "xargs" || name === "parallel") {
    const from = firstCommandWord(args, name === "xargs" ? "IiLlnPsdEea" : "jNnLIaSd");
    if (from !== -1) add(args.slice(from), { kind: "none" });
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

/** Texts that the call gives to a shell: `bash -c TEXT`, `eval TEXT`, `ssh host TEXT`. */
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
