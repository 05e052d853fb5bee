// options: classifies the words of a command as options, values of options, and positional words.

import type { Assignment, Word } from "unbash";
import type { Content } from "./words.ts";

export interface Argument {
  node: Word | Assignment;
  content: Content;
  /** The text before the first part that is not literal. */
  head: string;
}

export interface Item {
  argument: Argument;
  kind: "flag" | "attached" | "value" | "positional";
  /** `-d`, `--data`. For `attached` and `value` items, the option that they belong to. */
  option?: string;
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
  /** The first positional word ends the options (interpreters). */
  posix?: boolean;
}

export function split(args: readonly Argument[], spec: OptionSpec): Item[] {
  const items: Item[] = [];
  let position = 0;
  let ended = false;
  let waiting: { option: string; count: number } | undefined;
  for (const argument of args) {
    const { head } = argument;
    if (waiting !== undefined) {
      items.push({ argument, kind: "value", option: waiting.option, position: -1 });
      waiting = waiting.count > 1 ? { option: waiting.option, count: waiting.count - 1 } : undefined;
    } else if (ended || !/^[-+]./.test(head)) {
      items.push({ argument, kind: "positional", position: position++ });
      if (spec.posix === true) ended = true;
    } else if (argument.content.literal === "--") {
      items.push({ argument, kind: "flag", option: "--", position: -1 });
      ended = true;
    } else {
      const isLong = head.startsWith("--") || spec.long?.includes(head) === true;
      const option = isLong ? longOption(head, spec) : shortOption(argument, spec);
      items.push({ argument, kind: option.attached ? "attached" : "flag", option: option.name, position: -1 });
      if (option.takes > 0) waiting = { option: option.name, count: option.takes };
    }
  }
  return items;
}

function longOption(head: string, spec: OptionSpec): { name: string; attached: boolean; takes: number } {
  const equals = head.indexOf("=");
  const written = equals === -1 ? head : head.slice(0, equals);
  const known = [...(spec.long ?? []), ...(spec.two ?? [])];
  const name = known.includes(written) ? written : (known.find((one) => isShortFor(written, one)) ?? written);
  if (equals !== -1) return { name, attached: true, takes: 0 };
  if (spec.two?.includes(name)) return { name, attached: false, takes: 2 };
  return { name, attached: false, takes: spec.long?.includes(name) ? 1 : 0 };
}

function shortOption(argument: Argument, spec: OptionSpec): { name: string; attached: boolean; takes: number } {
  const { head } = argument;
  for (let at = 1; at < head.length; at++) {
    const letter = head[at] ?? "";
    if (!spec.short?.includes(letter)) continue;
    const whole = at === head.length - 1 && argument.content.literal === head;
    return { name: `-${letter}`, attached: !whole, takes: whole ? 1 : 0 };
  }
  return { name: head.slice(0, 2), attached: false, takes: 0 };
}

/** Whether a word is or contains the value of one of these options. */
export function isValueOf({ option, kind }: Item, options: readonly string[]): boolean {
  return option !== undefined && kind !== "flag" && options.some((one) => one === option || isShortFor(option, one));
}

/** GNU programs accept a prefix of a long option: `--use-compress-prog=`. */
function isShortFor(written: string, option: string): boolean {
  return /^--\w/.test(written) && option.startsWith(written);
}
