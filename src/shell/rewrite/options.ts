// options: classifies the words of a command as options, values of options, and positional words.

import type { Argument, OptionWord } from "./words.ts";

export interface Item<T extends OptionWord = Argument> {
  argument: T;
  kind: "flag" | "attached" | "value" | "positional";
  /** The option that takes a value, here or in the next word: `-d`, `--data`. */
  option?: string;
  /** Options without a value in this word: `-s` and `-S` in `-sSd`. */
  flags: string[];
  /** For `attached` items: where the value starts in the word. */
  from: number;
  /** For positional items: 0, 1, …; otherwise -1. */
  position: number;
}

export interface OptionSpec {
  /** Letters of options that take a value. */
  short?: string;
  /** Long options (with their dashes) that take the next word as value. */
  long?: readonly string[];
  /** Long options that take two words: jq's `--arg`. */
  two?: readonly string[];
  /** Long options without a value, for programs that accept abbreviations of both. */
  switches?: readonly string[];
  /** The first positional word ends the options (interpreters). */
  posix?: boolean;
}

/** One item for each word. */
export function split<T extends OptionWord>(args: readonly T[], spec: OptionSpec): Item<T>[] {
  const items: Item<T>[] = [];
  let position = 0;
  let ended = false;
  let waiting: { option: string; count: number } | undefined;
  for (const argument of args) {
    const { head } = argument;
    const plain = { argument, flags: [], from: 0, position: -1 };
    if (waiting !== undefined) {
      items.push({ ...plain, kind: "value", option: waiting.option });
      waiting = waiting.count > 1 ? { option: waiting.option, count: waiting.count - 1 } : undefined;
    } else if (ended || !/^[-+]./.test(head)) {
      items.push({ ...plain, kind: "positional", position: position++ });
      if (spec.posix === true) ended = true;
    } else if (argument.literal === "--") {
      items.push({ ...plain, kind: "flag" });
      ended = true;
    } else {
      const isLong = head.startsWith("--") || spec.long?.includes(head) === true;
      const { option, flags, from, takes } = isLong ? longOption(head, spec) : shortOptions(argument, spec);
      items.push({ ...plain, kind: from > 0 ? "attached" : "flag", option, flags, from });
      if (option !== undefined && takes > 0) waiting = { option, count: takes };
    }
  }
  return items;
}

/** `takes`: how many of the next words are its value. */
type Options = Pick<Item, "option" | "flags" | "from"> & { takes: number };

function longOption(head: string, spec: OptionSpec): Options {
  const equals = head.indexOf("=");
  const name = fullName(equals === -1 ? head : head.slice(0, equals), spec);
  if (equals !== -1) return { option: name, flags: [], from: equals + 1, takes: 0 };
  const takes = spec.two?.includes(name) ? 2 : spec.long?.includes(name) ? 1 : 0;
  return takes > 0 ? { option: name, flags: [], from: 0, takes } : { flags: [name], from: 0, takes };
}

/** An abbreviation counts if only one option begins with it, or if only options that take a value are known. */
function fullName(written: string, { long = [], two = [], switches }: OptionSpec): string {
  const known = [...long, ...two, ...(switches ?? [])];
  if (known.includes(written)) return written;
  const meant = known.filter((one) => isShortFor(written, one));
  return (switches === undefined || meant.length === 1 ? meant[0] : undefined) ?? written;
}

function shortOptions({ head, literal }: OptionWord, spec: OptionSpec): Options {
  const flags: string[] = [];
  for (let at = 1; at < head.length; at++) {
    const letter = head[at] ?? "";
    if (!spec.short?.includes(letter)) {
      flags.push(`-${letter}`);
      continue;
    }
    const isWhole = at === head.length - 1 && literal === head;
    return { option: `-${letter}`, flags, from: isWhole ? 0 : at + 1, takes: isWhole ? 1 : 0 };
  }
  return { flags, from: 0, takes: 0 };
}

/** Whether a word is or contains the value of one of these options. */
export function isValueOf({ option, kind }: Item, options: readonly string[]): boolean {
  return option !== undefined && kind !== "flag" && options.some((one) => one === option || isShortFor(option, one));
}

/** GNU programs accept a prefix of a long option: `--use-compress-prog=`. */
function isShortFor(written: string, option: string): boolean {
  return /^--\w/.test(written) && option.startsWith(written);
}
