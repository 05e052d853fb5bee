// commands: finds the program that runs behind its wrappers, and the builtins that must never get a value (spec 4.1,
// "Refused").
//   C1. The command that a wrapper (env, sudo, timeout …) starts is judged like any other.

import type { Command, SyntaxNode } from "unbash";
import { split } from "./options.ts";
import { base, isInterpreter, wrapperOf } from "./programs.ts";
import type { Dialect } from "./types.ts";
import { type Argument, type MarkedText, readWord } from "./words.ts";

/** One program of a command line: `timeout 5 curl x` has two layers. */
export interface Layer {
  /** The last part of its path; undefined if it is known only at run time. */
  name: string | undefined;
  nameArgument: Argument;
  /** Its own words, up to the next layer. */
  own: Argument[];
  /** All its words. */
  args: Argument[];
  wrapper: boolean;
}

const LAYERS = new WeakMap<Command, { text: MarkedText; layers: Layer[] }>();

/** The layers of a command, outermost first; empty for only assignments or redirections. Cached per command. */
export function layersOf(command: Command, text: MarkedText): Layer[] {
  const known = LAYERS.get(command);
  if (known?.text === text) return known.layers;
  const layers =
    command.name === undefined
      ? []
      : layersIn([
          ...resolved(readWord(command.name, text), text),
          ...command.args.map((node) => readWord(node, text)),
        ]);
  LAYERS.set(command, { text, layers });
  return layers;
}

export function layersIn(words: readonly Argument[]): Layer[] {
  const layers: Layer[] = [];
  for (let from = 0; from < words.length; ) {
    const nameArgument = words[from] as Argument;
    const literal = nameArgument.literal ?? endOfPath(nameArgument);
    const name = literal === undefined ? undefined : base(literal);
    const args = words.slice(from + 1);
    const count = args.length === 0 ? undefined : wrapperWords(name ?? "", args);
    layers.push({ name, nameArgument, own: args.slice(0, count), args, wrapper: count !== undefined });
    if (count === undefined) break;
    from += 1 + count;
  }
  return layers;
}

/** How many words belong to a wrapper itself; undefined if the program is not a wrapper. */
function wrapperWords(name: string, args: readonly Argument[]): number | undefined {
  const wrapper = wrapperOf(name);
  if (wrapper === undefined) return undefined;
  let positionals = wrapper.wraps;
  for (const [index, item] of split(args, wrapper).entries()) {
    if (item.kind !== "positional" || (wrapper.assignments && /^[^=]+=/.test(item.argument.head))) continue;
    if (positionals === 0) return index;
    positionals--;
  }
  return args.length;
}

/** `"$HOME/bin/python3"` → `python3`. */
function endOfPath({ segments }: Argument): string | undefined {
  const last = segments.at(-1);
  return last !== undefined && "text" in last && last.text.includes("/") ? last.text : undefined;
}

/** Replaces a variable that names the command, if the script sets it to a fixed text. */
function resolved(argument: Argument, text: MarkedText): Argument[] {
  const [segment, ...rest] = argument.segments;
  if (segment === undefined || rest.length > 0 || !("dynamic" in segment)) return [argument];
  const words = wordsOfVariable(segment.dynamic, text) ?? [];
  if (words.length === 0) return [argument];
  return words.map((word) => ({ node: argument.node, segments: [{ text: word }], literal: word, head: word }));
}

/** If the script does not set them, `$SHELL` and `$PYTHON` count as the program of that name. */
function wordsOfVariable(node: SyntaxNode, text: MarkedText): readonly string[] | undefined {
  if (node.type === "CommandExpansion") {
    const [, program] =
      /^(?:\$\(|`)(?:which|command -v|type -p|echo)\s+["']?([\w./-]+)["']?[)`]$/.exec(node.text) ?? [];
    return program === undefined ? undefined : [program];
  }
  if (node.type !== "SimpleExpansion" && node.type !== "ParameterExpansion") return undefined;
  const variable = node.type === "SimpleExpansion" ? node.text.slice(1) : node.parameter;
  if (node.type === "ParameterExpansion" && node.operation?.type === "Default") {
    const text_ = readWord(node.operation.operand, text).literal;
    if (text_ !== undefined) return text_.split(/\s+/);
  }
  const program = variable === "SHELL" ? "sh" : variable.toLowerCase();
  return text.fixed?.get(variable) ?? (isInterpreter(program) ? [program] : undefined);
}

/** Builtins that evaluate their arguments, or change the meaning of names and words. */
export const REFUSED_BUILTINS: ReadonlySet<string> = new Set(
  (
    "eval source . trap alias exec command builtin read unset declare typeset let getopts mapfile readarray compgen complete " +
    "compopt bind enable hash fc history jobs shopt setopt unsetopt emulate integer float private autoload functions vared sched " +
    "zparseopts zstyle zformat zmodload zcompile bindkey disable coproc noglob nocorrect unalias print"
  ).split(" "),
);

/** Builtins among them that run text printed by a command inside their arguments. */
export const EVALUATES: ReadonlySet<string> = new Set(["eval", "source", ".", "trap", "alias"]);

/** Builtins that read their operand as a number; zsh evaluates it as arithmetic. */
export const NUMBER_BUILTINS: ReadonlySet<string> = new Set(
  "exit return break continue shift umask ulimit logout".split(" "),
);

/** The shell's own variables: setting them evaluates the text, or changes commands and functions. */
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
