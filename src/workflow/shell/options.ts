// options: which word of a command is an option, which is an option's value, which stands by itself.

import type { Assignment, Word } from "unbash";
import type { Content } from "./words.ts";

export interface Argument {
  node: Word | Assignment;
  content: Content;
  /** The text up to the first thing that is not literal. */
  head: string;
}

export interface Item {
  argument: Argument;
  kind: "flag" | "attached" | "value" | "positional";
  /** `-d`, `--data`; of `attached` and `value` items the option they belong to. */
  option?: string;
  /** Of positional items: 0, 1, …. */
  position: number;
  /** After `--`, where nothing is an option. */
  ended: boolean;
}

export interface OptionSpec {
  /** Letters whose option takes a value. */
  short?: string;
  /** Long options (with their dashes) whose next word is their value. */
  long?: readonly string[];
  /** Long options that take two words: jq's `--arg`. */
  two?: readonly string[];
  /** True: the first positional ends the options (wrappers, interpreters). */
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
      items.push({ argument, kind: "value", option: waiting.option, position: -1, ended });
      waiting = waiting.count > 1 ? { option: waiting.option, count: waiting.count - 1 } : undefined;
    } else if (ended || !/^[-+]./.test(head)) {
      items.push({ argument, kind: "positional", position: position++, ended });
      if (spec.posix === true) ended = true;
    } else if (argument.content.literal === "--") {
      items.push({ argument, kind: "flag", option: "--", position: -1, ended });
      ended = true;
    } else {
      const option = head.startsWith("--") ? longOption(head, spec) : shortOption(argument, spec);
      items.push({ argument, kind: option.attached ? "attached" : "flag", option: option.name, position: -1, ended });
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

/** Which words of a command are a program to it. */
export type Rule = (args: readonly Argument[]) => Argument[];

export const some =
  (spec: OptionSpec, isProgram: (item: Item, items: readonly Item[]) => boolean): Rule =>
  (args) => {
    const items = split(args, spec);
    return items.filter((item) => isProgram(item, items)).map((item) => item.argument);
  };

/** Words that stand after one of these. */
export function following(args: readonly Argument[], ...options: string[]): Argument[] {
  return args.filter((_, index) => options.includes(args[index - 1]?.content.literal ?? ""));
}

/** Whether a word is, or holds, the value of one of these options. */
export const optionValues =
  (...options: string[]) =>
  (item: Item) =>
    item.option !== undefined &&
    item.kind !== "flag" &&
    options.some((one) => one === item.option || isShortFor(item.option ?? "", one));

/** GNU programs take the beginning of a long option for all of it: `--use-compress-prog=`. */
function isShortFor(written: string, option: string): boolean {
  return /^--\w/.test(written) && option.startsWith(written);
}

/** The values of these options. */
export const values = (...options: string[]): Rule =>
  some(
    {
      short: options.flatMap((one) => (/^-\w$/.test(one) ? [one[1]] : [])).join(""),
      long: options.filter((one) => one.startsWith("--")),
    },
    optionValues(...options),
  );
/** Behind this verb, wherever it stands. */
export const behind =
  (verb: RegExp, rule: Rule): Rule =>
  (args) => {
    const at = args.findIndex(({ content }) => verb.test(content.literal ?? ""));
    return at < 0 ? [] : rule(args.slice(at + 1));
  };
