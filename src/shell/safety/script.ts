// safety/script: the calls of a script's programs, with the known text and values of each word. Rules use the parsed
// script, never its characters (spec 4.1, 4.2).
//   C1. Programs are found behind wrappers (commands.ts), and inside `sh -c`, `eval`, `ssh`, `find -exec` and `xargs`.
//   C2. `$x` is the value that the script assigns in one place. A variable of env.static is its value.
//   C3. Offsets are those of the original script. A finding in an inner script has the offsets of the word that
//       contains it.
//   C4. Loops, conditions and functions are not evaluated: a call that may happen counts as a call.

import type { Command } from "unbash";
import { type Assigned, assignmentsIn } from "../rewrite/assignments.ts";
import { type Layer, layersOf } from "../rewrite/commands.ts";
import { type Marked, mark } from "../rewrite/marks.ts";
import { type OptionSpec, split } from "../rewrite/options.ts";
import { isShell } from "../rewrite/programs.ts";
import { type Chain, readTree, type Tree, type Unbash } from "../rewrite/tree.ts";
import { type Argument, type MarkedText, readWord } from "../rewrite/words.ts";
import type { Known } from "../template.ts";
import { type Feed, feedOf, isPiped } from "./pipes.ts";
import { type Resolve, type Source, type Term, termOf } from "./terms.ts";

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
  assigned: readonly Assigned[];
}

export interface Script {
  reading: Reading;
  calls: Call[];
}

/** A range of the original script. */
interface Range {
  start: number;
  end: number;
}

/** Parses once; values come later. `known` as in rewriteShell(). */
export function readScript(unbash: Unbash, content: string, known: Known): Reading {
  const marked = mark(content, known);
  const tree = readTree(unbash, marked.text, marked.marks);
  const text = { source: marked.text, marks: marked.marks, pattern: marked.pattern };
  return { marked, tree, unbash, text, assigned: assignmentsIn(tree, text).filter(isAssignment) };
}

/** Settings for one command (`X=1 program`) and declarations without a value do not count. */
function isAssignment({ kind, chain }: Assigned): boolean {
  const [above, node] = chain.slice(-2);
  const isPrefix = above?.type === "Command" && above.name !== undefined && above.prefix.some((one) => one === node);
  return kind !== "setting" && kind !== "name" && !isPrefix;
}

/** Nesting limit for inner scripts. */
const NESTING_MAX = 3;

/** `within`: for an inner script, the range of the word that contains it. */
export function scriptOf(reading: Reading, source: Source, depth = 0, within?: Range): Script {
  const { tree, text, marked } = reading;
  const rangeOf = (node: { pos: number; end: number }) =>
    within ?? { start: marked.original(node.pos), end: marked.original(node.end) };
  const resolve = { source, assigned: valuesOf(reading, source, rangeOf), rangeOf };
  const script: Script = { reading, calls: [] };
  const addText = (inner: string, range: Range) => {
    if (depth >= NESTING_MAX || inner.length > 100_000) return;
    const read = readScript(reading.unbash, inner, () => false);
    script.calls.push(...scriptOf(read, source, depth + 1, range).calls);
  };
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type === "CommandExpansion" && node.text.startsWith("`"))
      addText(node.text.slice(1, -1).replace(/\\([`$\\])/g, "$1"), rangeOf(node));
    if (node?.type !== "Command") continue;
    const call = callOf(node, chain, text, resolve);
    if (call === undefined) continue;
    if (within !== undefined) call.nested = true;
    script.calls.push(call, ...innerCalls(call));
    const [first, ...more] = innerText(call);
    if (first !== undefined) addText([first, ...more].map(shellText).join(" "), { start: first.start, end: first.end });
  }
  return script;
}

/** C2. */
function valuesOf({ assigned, text }: Reading, source: Source, rangeOf: Resolve["rangeOf"]): Resolve["assigned"] {
  const values = new Map<string, Term | null>();
  const resolve = { source, rangeOf, assigned: (name: string) => values.get(name) };
  const all = Map.groupBy(assigned, ({ name }) => name);
  for (const name of all.keys()) values.set(name, null);
  for (const [name, [only, ...more]] of all) {
    const node = only?.chain.at(-1);
    if (more.length > 0 || only?.whole !== true || node?.type !== "Assignment") continue;
    if (node.value.type === "Word" && node.index === undefined)
      values.set(name, termOf(node.value, readWord(node.value, text).segments, text, resolve));
  }
  return resolve.assigned;
}

function callOf(node: Command, chain: Chain, text: MarkedText, resolve: Resolve): Call | undefined {
  const layers = layersOf(node, text);
  const last = layers.at(-1);
  if (last === undefined) return undefined;
  const term = (word: Argument) => termOf(word.node, word.segments, text, resolve);
  const nameTerm = term(last.nameArgument);
  return {
    // A name in a variable: `$CURL -X DELETE`.
    name: last.name ?? nameTerm.literal?.split("/").pop(),
    nameTerm,
    args: last.args.map(term),
    wrappers: layers
      .slice(0, -1)
      .map(({ name = "", nameArgument, own }) => ({ name, term: term(nameArgument), own: own.map(term) })),
    settings: node.prefix.flatMap((part) =>
      part.type === "Assignment" && part.value.type === "Word"
        ? [{ name: part.name, value: term(readWord(part.value, text)) }]
        : [],
    ),
    feed: feedOf(chain, (word) => term(readWord(word, text))),
    piped: isPiped(chain),
    ...resolve.rangeOf(node),
    layers,
    node,
    nested: false,
  };
}

const XARGS: OptionSpec = {
  short: "ILlnPsdEea",
  long: "--max-args --max-procs --max-lines --replace --delimiter --arg-file --max-chars".split(" "),
  posix: true,
};
const PARALLEL: OptionSpec = { short: "jNnLIaSd", long: ["--jobs", "--max-args", "--arg-file"], posix: true };
const SSH: OptionSpec = { short: "BbcDEeFIiJLlmOopQRSWw", posix: true };
const WATCH: OptionSpec = { short: "n", posix: true };

/** The words after a program's own options. */
function wordsAfter(args: readonly Term[], spec: OptionSpec): Term[] {
  const from = split(args, spec).findIndex(({ position }) => position === 0);
  return from === -1 ? [] : args.slice(from);
}

/** Commands in the arguments of another: `find -exec rm {} +`, `xargs rm`. */
function innerCalls(call: Call): Call[] {
  const { name, args } = call;
  const commands: Term[][] = [];
  if (name === "xargs" || name === "parallel") commands.push(wordsAfter(args, name === "xargs" ? XARGS : PARALLEL));
  for (const [at, word] of name === "find" ? args.entries() : []) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(word.literal ?? "")) continue;
    const end = args.findIndex(({ literal }, index) => index > at && /^[;+]$/.test(literal ?? ""));
    commands.push(args.slice(at + 1, end === -1 ? undefined : end));
  }
  return commands.flatMap(([first, ...rest]): Call[] => {
    if (first === undefined) return [];
    const wrappers = [...call.wrappers, { name: name ?? "", term: call.nameTerm, own: [] }];
    const program = first.literal?.split("/").pop();
    const own = { name: program, nameTerm: first, args: rest, wrappers, settings: [], layers: [] };
    return [{ ...call, ...own, feed: { kind: "other" }, nested: true }];
  });
}

/** The words that the call passes to a shell as program text: `bash -c TEXT`, `eval TEXT`, `ssh host TEXT`. */
function innerText({ name = "", args, feed }: Call): readonly Term[] {
  if (name === "eval") return args;
  if (name === "trap") return args.slice(0, 1);
  if (name === "ssh") return wordsAfter(args, SSH).slice(1);
  if (name === "watch") return wordsAfter(args, WATCH);
  if (!isShell(name) && name !== "su" && name !== "runuser") return [];
  const at = args.findIndex(({ literal }) => /^(-[a-zA-Z]*c|--command)$/.test(literal ?? ""));
  if (at !== -1) return args.slice(at + 1, at + 2);
  // A heredoc that the shell reads as its program.
  return feed.kind === "text" ? feed.words : [];
}

function shellText({ pieces }: Term): string {
  return pieces.map(({ text }) => text ?? "CURLEW_UNKNOWN").join("");
}
