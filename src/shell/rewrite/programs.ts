// programs: reads the table of programs: which words of a command are program text, and which commands run their
// standard input.
//   G1. A word that a program reads as a program (awk's first word, the word after `sh -c`) is never a position for a
//       value.
//   G2. Wrappers (`wraps`: env, sudo, timeout …) start the command that follows, which commands.ts finds.

import { isValueOf, type OptionSpec, split } from "./options.ts";
import { PROGRAMS, type Program } from "./program-table.ts";
import type { Argument } from "./words.ts";

const BY_NAME = new Map<string, readonly Program[]>();
for (const [names, rules] of Object.entries(PROGRAMS))
  for (const name of names.split(" ")) BY_NAME.set(name, [rules].flat());

/** `python3.12` is python, `sh.exe` is sh. */
function find(name: string): readonly Program[] | undefined {
  const plain = name.replace(/\.exe$/i, "");
  return BY_NAME.get(plain) ?? BY_NAME.get(/^(i?python|pypy|perl|ruby|php|lua)[0-9.]+$/.exec(plain)?.[1] ?? "");
}

export function base(path: string): string {
  return path.split("/").pop() ?? path;
}

export function isShell(name: string): boolean {
  return find(name)?.[0]?.kind === "shell";
}

export function isInterpreter(name: string): boolean {
  return find(name)?.[0]?.kind !== undefined;
}

export function namesInterpreter(args: readonly Argument[]): boolean {
  return args.some(({ literal }) => isInterpreter(base(literal ?? "")));
}

export function wrapperOf(name: string): (OptionSpec & { wraps: number; assignments: boolean }) | undefined {
  const [rule] = find(name) ?? [];
  if (rule?.wraps === undefined) return undefined;
  return { ...specOf(rule), posix: false, wraps: rule.wraps, assignments: rule.assignments === true };
}

export function stdinOf(name: string): Program["stdin"] {
  return find(name)?.find(({ stdin }) => stdin !== undefined)?.stdin;
}

/** The safe way to pass a value to a program; undefined if the table has none. `name`: the reference as written. */
export function programHelp(program: string, name: string): string | undefined {
  const plain = name.replace(/\|\w+\}$/, "}");
  return find(program)
    ?.find(({ help }) => help !== undefined)
    ?.help?.replaceAll("{v}", () => plain)
    .replaceAll("{sh}", () => plain.replace(/\}$/, "|sh}"))
    .replaceAll("{p}", program);
}

/** The words that a program reads as program text. */
export function programText(name: string, args: readonly Argument[]): Set<Argument> {
  const rules = find(name);
  const found = new Set((rules ?? []).flatMap((rule) => textBy(rule, args)));
  if (rules === undefined || rules.some(({ nested }) => nested === true))
    for (const argument of nestedShell(args)) found.add(argument);
  return found;
}

const specs = new WeakMap<Program, OptionSpec>();

function specOf(rule: Program): OptionSpec {
  const known = specs.get(rule);
  if (known !== undefined) return known;
  const options = listOf(`${rule.takes ?? ""} ${rule.text ?? ""}`);
  const spec: OptionSpec = {
    short: options.flatMap((one) => (/^-[^-]$/.test(one) ? [one[1]] : [])).join(""),
    long: options.filter((one) => one.length > 2),
    two: listOf(rule.takesTwo ?? ""),
    posix: rule.posix === true,
  };
  specs.set(rule, spec);
  return spec;
}

function listOf(options: string): string[] {
  return options.split(" ").filter((one) => one !== "");
}

function textBy(rule: Program, all: readonly Argument[]): Argument[] {
  const args = scopeOf(rule, all);
  if (args === undefined) return [];
  if (rule.words === "all") return [...args];
  const items = split(args, specOf(rule));
  const options = listOf(rule.text ?? "");
  const given = items.filter(
    (item, index) => isValueOf(item, options) || (index > 0 && options.includes(args[index - 1]?.literal ?? "")),
  );
  const wanted = items.filter(({ position }) => {
    if (rule.words === "any") return position >= 0;
    if (rule.words === "later") return position > 0;
    if (rule.words === "script") return position === 0 && given.length === 0;
    return rule.words !== undefined && position === (rule.words === "second" ? 1 : 0);
  });
  const matched = items.filter(
    ({ argument, position }) =>
      argument.segments.some((segment) => "mark" in segment) &&
      (position < 0 || rule.posix !== true) &&
      rule.match?.test(argument.head) === true,
  );
  return [...given, ...wanted, ...matched].map(({ argument }) => argument);
}

function scopeOf({ after, until, when }: Program, args: readonly Argument[]): readonly Argument[] | undefined {
  const like = (pattern: RegExp) => (argument: Argument) => pattern.test(argument.literal ?? "");
  if (when !== undefined && !args.some(like(when))) return undefined;
  if (after === undefined) return args;
  const from = args.findIndex(like(after));
  if (from === -1) return undefined;
  if (until === undefined) return args.slice(from + 1);
  // `find -exec … \; -exec … +`
  let inside = false;
  return args.filter((argument) => {
    const was = inside;
    inside = inside ? !like(until)(argument) : like(after)(argument);
    return was;
  });
}

/** A program whose arguments start a shell: `xvfb-run sh -c …`. */
function nestedShell(args: readonly Argument[]): Argument[] {
  const at = args.findIndex(({ literal }) => isInterpreter(base(literal ?? "")));
  const inner = args[at]?.literal;
  if (inner === undefined || !args.slice(at + 1).some(({ literal }) => /^-[a-z]*[ceE]$/.test(literal ?? ""))) return [];
  return [...programText(base(inner), args.slice(at + 1))];
}
