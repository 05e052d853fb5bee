// commands: which program really runs behind its wrappers; builtins that no value may reach (spec 4.1, "Refused").
//   C1. Wrappers (env, sudo, timeout, …) are looked through; what they start is judged like any command.

import type { Command, SyntaxNode } from "unbash";
import { interpreterOf, SHELLS } from "./interpreters.ts";
import { type Argument, type OptionSpec, split } from "./options.ts";
import type { Dialect } from "./types.ts";
import { contentOf, type MarkedText } from "./words.ts";

/** One program of a command line: `timeout 5 curl x` has two layers. */
export interface Layer {
  /** Last part of its path; undefined when the script decides at run time. */
  name: string | undefined;
  nameArgument: Argument;
  /** Its own words, up to the next layer. */
  own: Argument[];
  /** All its words. */
  args: Argument[];
  wrapper: boolean;
}

interface Wrapper extends OptionSpec {
  positionals: number;
  assignments?: boolean;
}

const WRAPPERS: Record<string, Wrapper> = {
  env: { short: "uCS", long: ["--unset", "--chdir", "--split-string"], positionals: 0, assignments: true },
  sudo: { short: "ughpCDRrtTU", positionals: 0, assignments: true },
  doas: { short: "uC", positionals: 0, assignments: true },
  timeout: { short: "ks", long: ["--signal", "--kill-after"], positionals: 1 },
  nohup: { positionals: 0 },
  nice: { short: "n", long: ["--adjustment"], positionals: 0 },
  ionice: { short: "cnp", positionals: 0 },
  time: { short: "fo", positionals: 0 },
  setsid: { positionals: 0 },
  stdbuf: { short: "ioe", positionals: 0 },
  chroot: { positionals: 1 },
  unshare: { positionals: 0 },
  taskset: { positionals: 1 },
  chrt: { positionals: 1 },
  strace: { short: "oep", positionals: 0 },
  flock: { short: "wE", positionals: 1 },
  busybox: { positionals: 0 },
  nsenter: { short: "tSG", long: ["--target", "--setuid", "--setgid"], positionals: 0 },
  setpriv: { long: ["--reuid", "--regid", "--groups"], positionals: 0 },
  prlimit: { short: "p", long: ["--pid"], positionals: 0 },
  choom: { short: "np", positionals: 0 },
  numactl: { short: "CNmiplH", positionals: 0 },
  setarch: { positionals: 1 },
  linux32: { positionals: 0 },
  linux64: { positionals: 0 },
  fakeroot: { short: "lsib", positionals: 0 },
  firejail: { positionals: 0 },
  proot: { short: "rbqwv", positionals: 0 },
  pkexec: { long: ["--user"], positionals: 0 },
  gosu: { positionals: 1 },
  "su-exec": { positionals: 1 },
  setuidgid: { positionals: 1 },
  chpst: { short: "uUbemdoplfrc/n", positionals: 0 },
  tini: { positionals: 0 },
  "dumb-init": { positionals: 0 },
  eatmydata: { positionals: 0 },
  faketime: { positionals: 1 },
  torsocks: { positionals: 0 },
  proxychains: { short: "f", positionals: 0 },
  proxychains4: { short: "f", positionals: 0 },
  unbuffer: { positionals: 0 },
  rlwrap: { positionals: 0 },
  caffeinate: { short: "tw", positionals: 0 },
  valgrind: { positionals: 0 },
  ltrace: { short: "oep", positionals: 0 },
  "xvfb-run": { short: "enfps", positionals: 0 },
  "dbus-run-session": { positionals: 0 },
  "systemd-run": { short: "pu", positionals: 0 },
  exec: { short: "a", positionals: 0 },
  command: { positionals: 0 },
  builtin: { positionals: 0 },
  noglob: { positionals: 0 },
  "-": { positionals: 0 },
  nocorrect: { positionals: 0 },
};

const LAYERS = new WeakMap<Command, { text: MarkedText; layers: Layer[] }>();

/** The layers of a command, outermost first; none when it is only assignments or redirections. Found once a command: each of its values asks. */
export function layersOf(command: Command, text: MarkedText): Layer[] {
  const known = LAYERS.get(command);
  if (known?.text === text) return known.layers;
  const layers = findLayers(command, text);
  LAYERS.set(command, { text, layers });
  return layers;
}

function findLayers(command: Command, text: MarkedText): Layer[] {
  if (command.name === undefined) return [];
  const words: Argument[] = [
    ...resolved(argumentOf(command.name, text), text),
    ...command.args.map((node) => argumentOf(node, text)),
  ];
  return layersIn(words);
}

/** Words that are wrappers alone: what stands behind them, or in the place of one of `blanks`, is what they start. */
export function isOpenEnded(words: readonly Argument[], blanks: readonly string[]): boolean {
  const last = layersIn(words).at(-1);
  const name = last?.name ?? "";
  return last !== undefined && (last.wrapper || Object.hasOwn(WRAPPERS, name) || blanks.includes(name));
}

function layersIn(words: readonly Argument[]): Layer[] {
  const layers: Layer[] = [];
  let from = 0;
  while (from < words.length) {
    const nameArgument = words[from] as Argument;
    const literal = nameArgument.content.literal ?? endOfPath(nameArgument);
    const name = literal === undefined ? undefined : (literal.split("/").pop() ?? literal);
    const args = words.slice(from + 1);
    const wrapper = name !== undefined && Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
    if (wrapper === undefined || args.length === 0) {
      layers.push({ name, nameArgument, own: args, args, wrapper: false });
      return layers;
    }
    const count = wrapperWords(args, wrapper);
    layers.push({ name, nameArgument, own: args.slice(0, count), args, wrapper: true });
    from += 1 + count;
  }
  return layers;
}

/** `"$HOME/bin/python3"` → `python3`. */
function endOfPath({ content }: Argument): string | undefined {
  const last = content.segments.at(-1);
  return last !== undefined && "text" in last && last.text.includes("/") ? last.text : undefined;
}

/** A command that is named by a variable or a command, as far as the script itself says what that is. */
function resolved(argument: Argument, text: MarkedText): Argument[] {
  const alias = text.fixed?.get(`alias ${argument.content.literal ?? ""}`);
  if (alias !== undefined && alias.length > 0) return alias.map((word) => fixedArgument(argument, word));
  const [segment, ...rest] = argument.content.segments;
  if (segment === undefined || rest.length > 0 || !("dynamic" in segment)) return [argument];
  const words = fixedWords(segment.dynamic, text);
  if (words === undefined || words.length === 0) return [argument];
  return words.map((word) => fixedArgument(argument, word));
}

function fixedArgument({ node }: Argument, word: string): Argument {
  return { node, content: { segments: [{ text: word }], literal: word, hasMark: false }, head: word };
}

function fixedWords(node: SyntaxNode, text: MarkedText): readonly string[] | undefined {
  if (node.type === "SimpleExpansion") return text.fixed?.get(node.text.slice(1)) ?? byItsName(node.text.slice(1));
  if (node.type === "ParameterExpansion") {
    const operand = node.operation?.type === "Default" ? contentOf(node.operation.operand, text).literal : undefined;
    return text.fixed?.get(node.parameter) ?? (operand === undefined ? byItsName(node.parameter) : wordsOf(operand));
  }
  if (node.type !== "CommandExpansion") return undefined;
  // `$(which python3)`
  const said = /^(?:\$\(|`)\s*(?:which|command|whence|type|echo|printf)\b[^|;&]*?([\w./-]+)["']?\s*[)`]$/.exec(
    node.text,
  );
  return said?.[1] === undefined ? undefined : [said[1]];
}

/** `$SHELL`, `$PYTHON`: what the environment says there is taken for the program of that name. */
function byItsName(variable: string): string[] | undefined {
  const name = variable === "SHELL" ? "sh" : variable.toLowerCase();
  return SHELLS.has(name) || interpreterOf(name) !== undefined ? [name] : undefined;
}

export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function argumentOf(node: Argument["node"], text: MarkedText): Argument {
  const content =
    node.type === "Assignment"
      ? contentOf({ ...wordShell, pos: node.pos, end: node.end }, text)
      : contentOf(node, text);
  const first = content.segments[0];
  return { node, content, head: first !== undefined && "text" in first ? first.text : "" };
}

/** An assignment among the arguments (`export X=…`) read as one word; quotes in it are not looked into. */
const wordShell = { type: "Word", text: "", value: "", parts: undefined } as const;

function wrapperWords(args: readonly Argument[], wrapper: Wrapper): number {
  let positionals = wrapper.positionals;
  const items = split(args, { ...wrapper, posix: false });
  for (const [index, item] of items.entries()) {
    if (item.kind !== "positional") continue;
    if (wrapper.assignments === true && /^[^=]+=/.test(item.argument.head)) continue;
    if (positionals === 0) return index;
    positionals--;
  }
  return args.length;
}

/** Builtins whose arguments a shell evaluates, or that change what names and words mean. */
export const REFUSED_BUILTINS = new Set([
  "eval",
  "source",
  ".",
  "trap",
  "alias",
  "exec",
  "command",
  "builtin",
  "read",
  "unset",
  "declare",
  "typeset",
  "let",
  "getopts",
  "mapfile",
  "readarray",
  "compgen",
  "complete",
  "compopt",
  "bind",
  "enable",
  "hash",
  "fc",
  "history",
  "jobs",
  "shopt",
  "setopt",
  "unsetopt",
  "emulate",
  "integer",
  "float",
  "private",
  "autoload",
  "functions",
  "vared",
  "sched",
  "zparseopts",
  "zstyle",
  "zformat",
  "zmodload",
  "zcompile",
  "bindkey",
  "disable",
  "coproc",
  "noglob",
  "nocorrect",
  "unalias",
  "print",
]);

/** Of those, the ones that run text which a command inside them printed. */
export const EVALUATES = new Set(["eval", "source", ".", "trap", "alias"]);

/** Builtins that read their operand as a number; zsh evaluates it as arithmetic. */
export const NUMBER_BUILTINS = new Set(["exit", "return", "break", "continue", "shift", "umask", "ulimit", "logout"]);

/** Variables that are the shell's own: setting them evaluates the text, or changes which commands and functions there are. */
export function isSpecialParameter(name: string, dialect: Dialect): boolean {
  return (
    ANY_SHELL.test(name) || (dialect === "bash" && BASH_OWN.test(name)) || (dialect === "zsh" && ZSH_OWN.test(name))
  );
}
const ANY_SHELL =
  /^(?:RANDOM|SRANDOM|SECONDS|LINENO|OPTIND|HISTCMD|HISTSIZE|FUNCNEST|TMOUT|PS[0-9]|SHLVL|UID|EUID|GID|EGID)$/;
const BASH_OWN = /^(?:BASH_.*|COMP_.*|DIRSTACK|GROUPS|EPOCH.*|TIMEFORMAT)$/;
const ZSH_OWN =
  /^(?:path|fpath|cdpath|module_path|mailpath|manpath|fignore|psvar|watch|(?:dis_)?(?:functions|[gs]?aliases)|commands|nameddirs|options|modules|.*_functions|argv|prompt|R?PROMPT.*|RPS\d|SPROMPT|histchars|ERRNO|COLUMNS|LINES|LISTMAX|SAVEHIST|MAILCHECK|REPORTTIME|REPORTMEMORY|KEYTIMEOUT|BAUD|DIRSTACKSIZE|LOGCHECK|USERNAME|TTYIDLE|TRY_BLOCK_.*|TRAP[A-Z]+|keymaps|widgets|terminfo)$/;

/** Of those, the ones that are numbers: what they are set to is arithmetic. */
export function isNumberParameter(name: string, dialect: Dialect): boolean {
  return isSpecialParameter(name, dialect) && NUMBERS.test(name);
}
const NUMBERS =
  /^(?:S?RANDOM|SECONDS|LINENO|OPTIND|HISTCMD|HISTSIZE|SAVEHIST|FUNCNEST|TMOUT|SHLVL|E?[UG]ID|ERRNO|COLUMNS|LINES|LISTMAX|MAILCHECK|REPORTTIME|REPORTMEMORY|KEYTIMEOUT|BAUD|DIRSTACKSIZE|LOGCHECK|TTYIDLE)$/;
