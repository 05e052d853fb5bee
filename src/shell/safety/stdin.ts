// safety/stdin: finds the first command of a script that reads the standard input of its node.
//   I1. A pipe, a heredoc or a file feeds a command instead: such a command does not read the node's input.

import { type OptionSpec, split } from "../rewrite/options.ts";
import { curlCalls } from "./curl.ts";
import type { Call, Script } from "./script.ts";
import type { Term } from "./terms.ts";

export interface StdinReader {
  /** The name of the program, `curl @-`, or `The script`. */
  name: string;
  at: Pick<Term, "start" | "end">;
  /** It can't mean to read nothing: `@-`. */
  certain: boolean;
}

/** `isScript`: also finds `cat` and `read`, which in a command line often have another purpose. */
export function stdinReader({ calls }: Script, isScript: boolean): StdinReader | undefined {
  for (const call of calls) {
    if (call.feed.kind !== "node" || call.nested) continue;
    const body = call.name === "curl" ? curlBody(call) : undefined;
    if (body !== undefined) return { name: "curl @-", at: body, certain: true };
    if (reads(call, isScript)) return { name: call.name ?? "", at: call.nameTerm, certain: false };
  }
  return undefined;
}

/** A script in another language that reads standard input: Python, Node.js, Ruby, Perl, PHP. */
export function foreignStdinReader(content: string): StdinReader | undefined {
  const found = FOREIGN.exec(content);
  if (found === null) return undefined;
  return { name: "The script", at: { start: found.index, end: found.index + found[0].length }, certain: false };
}

const FOREIGN = /\b(?:sys|process|Deno)\.stdin\b|readFileSync\(\s*0\b|\/dev\/stdin\b|\bSTDIN\b|\$stdin\b|php:\/\/stdin/;
const LANGUAGES = new Set(["python", "python3", "node", "deno", "ruby", "perl", "php"]);

interface Program {
  /** Words before the first file. */
  words: number;
  options?: OptionSpec;
  /** Options that stand for the first word. */
  instead?: string;
  /** Options with which it does not read. */
  unless?: string;
}

const NEVER_FILES = Number.POSITIVE_INFINITY;

const PROGRAMS: Readonly<Record<string, Program>> = {
  jq: {
    words: 1,
    options: { short: "L", long: ["--indent"], two: ["--arg", "--argjson", "--slurpfile", "--rawfile"] },
    instead: "-f --from-file",
    unless: "-n --null-input -h --help -V --version",
  },
  wc: { words: 0, unless: "--files0-from" },
  sort: { words: 0, options: { short: "kotST" }, unless: "--files0-from" },
  grep: {
    words: 1,
    options: { short: "efmABCdD" },
    instead: "-e -f --regexp --file",
    unless: "-r -R --recursive -V --version",
  },
  sed: { words: 1, options: { short: "efl" }, instead: "-e -f --expression --file", unless: "--version" },
  awk: { words: 1, options: { short: "vFf" }, instead: "-f --file", unless: "--version" },
  cut: { words: 0, options: { short: "dfcb" } },
  head: { words: 0, options: { short: "nc" } },
  tail: { words: 0, options: { short: "nc" } },
  tr: { words: NEVER_FILES },
  tee: { words: NEVER_FILES },
};

/** Words that a script with such a command contains. */
export const STDIN_WORDS = new RegExp(
  `@-|\\b(?:${Object.keys(PROGRAMS).join("|")}|cat|read|stdin|STDIN|readFileSync)\\b`,
);

function reads({ name = "", args }: Call, isScript: boolean): boolean {
  if (isScript && (name === "read" || (name === "cat" && args.length === 0))) return true;
  if (LANGUAGES.has(name)) return args.some(({ literal }) => literal !== undefined && FOREIGN.test(literal));
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name]! : undefined;
  if (program === undefined) return false;
  const items = split(args, program.options ?? {});
  const given = new Set(items.flatMap(({ flags, option }) => (option === undefined ? flags : [...flags, option])));
  const has = (options = "") => options.split(" ").some((option) => given.has(option));
  if (has(program.unless)) return false;
  const words = items.filter(({ kind }) => kind === "positional");
  const files = words.slice(has(program.instead) ? 0 : program.words);
  return files.every(({ argument }) => argument.literal === "-");
}

/** The word of curl that takes the body from standard input. */
function curlBody({ args }: Call): Term | undefined {
  const options = curlCalls(args).flatMap((one) => one.options);
  return options.find(({ name, value }) => {
    const text = value?.literal;
    if (text === undefined) return false;
    if (name === "upload-file") return text === "-" || text === ".";
    return name === "form" ? /=[@<]-(?:;|$)/.test(text) : /^(?:data|json)/.test(name) && text.endsWith("@-");
  })?.value;
}
