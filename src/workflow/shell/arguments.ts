// arguments: what a command does with the argument that a value stands in: the refused builtins, and the guards of the rest (spec 4.1).

import { isDangerousName } from "../../base/environment-names.ts";
import { type Layer, NUMBER_BUILTINS, REFUSED_BUILTINS } from "./commands.ts";
import { curlGuards, insideJsonString, looksLikeUrl, urlGuards } from "./http.ts";
import { opensByPipe } from "./interpreters.ts";
import type { Mark } from "./marks.ts";
import type { Argument } from "./options.ts";
import { ownHttpGuards } from "./own-http.ts";
import type { Place, Standing, Surroundings } from "./place.ts";
import * as problems from "./problems.ts";
import { programText } from "./programs.ts";
import type { Chain } from "./tree.ts";
import type { ShellProblem } from "./types.ts";
import { before, type Segment } from "./words.ts";

const STAYS = new Set(["echo", "printf", "test", "[", ":", "true", "false", "set", "local", "readonly"]);

/** A value that stands in an argument of a command; `last`: no inner command of a wrapper owns that argument. */
export function asArgument(
  standing: Standing,
  layer: Layer,
  argument: Argument,
  last: boolean,
  place: Place,
  around: Surroundings,
  chain: Chain,
  level: number,
): ShellProblem | undefined {
  const { at, mark } = standing;
  const { name, args } = layer;
  // `/bin/echo` is a program, whatever `echo` is.
  if (name === undefined || !STAYS.has(name) || layer.nameArgument.content.literal !== name) place.leavesShell = true;
  const ownFunction = name !== undefined && around.functions.has(name);
  if (name !== undefined && !ownFunction) {
    if (REFUSED_BUILTINS.has(name) && !(name === "print" && around.dialect !== "zsh"))
      return problems.builtin(at, name);
    // What follows the number is a command.
    if (name === "repeat" && around.dialect === "zsh") return problems.builtin(at, name);
    if (name === "export" || name === "local" || name === "readonly")
      return asDeclaration(at, name, argument, args, place);
    if (NUMBER_BUILTINS.has(name)) {
      place.guards.push({ kind: "int" });
      return undefined;
    }
    if (name === "set")
      return args.slice(0, args.indexOf(argument)).some(({ content }) => content.literal === "--")
        ? undefined
        : problems.setWithoutDashes(at);
    if (name === "printf") return asPrintf(at, args, argument, mark, place, around);
    if (name === "echo") return asEcho(at, args, argument, mark, place, around);
    if (name === "test" || name === "[") return asTest(at, args, argument, place, around);
    if (programText(name, args).has(argument)) return asProgramText(standing, name, argument, around);
    if (name === "env" || name === "sudo" || name === "doas") {
      const problem = asEnvironmentWord(at, argument);
      if (problem !== undefined) return problem;
    }
  }
  if (!last) return undefined;
  addArgumentGuards(name, args, argument, standing, place, around, chain, level);
  return undefined;
}

function asDeclaration(
  at: problems.At,
  name: string,
  argument: Argument,
  args: readonly Argument[],
  place: Place,
): ShellProblem | undefined {
  if (argument.node.type !== "Assignment") return problems.builtin(at, `${name} without NAME=`);
  if (args.some(({ content }) => /^-[a-zA-Z]*[infF]/.test(content.literal ?? "")))
    return problems.builtin(at, `${name} with options`);
  if (name === "export") place.leavesShell = true;
  return undefined;
}

function asPrintf(
  at: problems.At,
  args: readonly Argument[],
  argument: Argument,
  mark: Mark | undefined,
  place: Place,
  around: Surroundings,
): ShellProblem | undefined {
  const index = args.indexOf(argument);
  const words = args.map(({ content }) => content.literal);
  if (words[0] === "-v") return problems.builtin(at, "printf -v");
  const format = words[0] === "--" ? 1 : 0;
  if (index <= format) return problems.printfFormat(at);
  if (
    around.dialect === "zsh" &&
    /%[^sbcq%]*[a-zA-Z]/.test((words[format] ?? "%d").replace(/%%|%-?[0-9]*\.?[0-9]*[sbcq]/g, ""))
  ) {
    if (mark === undefined || (mark.kind === "reference" && mark.reference.filter !== "int"))
      return problems.zshNumber(at);
  }
  addJsonGuard(argument.content.segments, mark, place);
  return undefined;
}

function asEcho(
  at: problems.At,
  args: readonly Argument[],
  argument: Argument,
  mark: Mark | undefined,
  place: Place,
  around: Surroundings,
): ShellProblem | undefined {
  if (around.dialect !== "bash") return problems.echoed(at);
  const ahead = args.slice(0, args.indexOf(argument));
  const options = ahead.findIndex(({ content }) => !/^-[neE]+$/.test(content.literal ?? ""));
  const flags = options === -1 ? ahead : ahead.slice(0, options);
  if (flags.some(({ content }) => content.literal?.includes("e"))) return problems.echoed(at);
  if (options === -1 && begins(argument.content.segments, mark)) place.guards.push({ kind: "echo-option" });
  addJsonGuard(argument.content.segments, mark, place);
  return undefined;
}

const NUMERIC_TEST = /^-(eq|ne|lt|le|gt|ge)$/;

function asTest(
  at: problems.At,
  args: readonly Argument[],
  argument: Argument,
  place: Place,
  around: Surroundings,
): ShellProblem | undefined {
  const index = args.indexOf(argument);
  const previous = args[index - 1]?.content.literal;
  const next = args[index + 1]?.content.literal;
  if (previous === "-v" || previous === "-R") return problems.builtin(at, "test -v");
  if (around.dialect === "zsh") {
    if (NUMERIC_TEST.test(previous ?? "") || NUMERIC_TEST.test(next ?? "") || previous === "-t")
      place.guards.push({ kind: "int" });
    // Only where a literal operator stands beside it can zsh not take the value for one.
    const operands = args.filter(({ content }) => content.literal !== "]");
    const beside = /^(=|==|!=|<|>|-[a-z]{1,2})$/;
    if (operands.length > 1 && !beside.test(previous ?? "") && !beside.test(next ?? ""))
      return problems.testOperator(at);
  }
  return undefined;
}

function asEnvironmentWord(at: problems.At, argument: Argument): ShellProblem | undefined {
  const assigned = /^([^=]+)=/.exec(argument.head);
  if (assigned?.[1] !== undefined)
    return isDangerousName(assigned[1]) ? problems.dangerousName(at, assigned[1]) : undefined;
  return undefined;
}

/** `|sh` makes one word for an inner shell, provided that it stands there outside quotes. */
function asProgramText(
  { at, mark }: Standing,
  name: string,
  argument: Argument,
  around: Surroundings,
): ShellProblem | undefined {
  if (mark?.kind !== "reference" || mark.reference.filter !== "sh" || !READS_SHELL.has(name))
    return problems.programText(at, name);
  const place = before(argument.content.segments, mark);
  if (place === undefined || argument.content.segments.some((segment) => "dynamic" in segment))
    return problems.shWord(at);
  let quote = "";
  for (let index = 0; index < place.text.length; index++) {
    const char = place.text[index] ?? "";
    if (char === "\\" && quote !== "'") index++;
    else if (quote === "" && /["'`]/.test(char)) quote = char;
    else if (char === quote) quote = "";
  }
  const odd =
    /(^|[;&|(\n]|\$\(|<<)\s*$|[`$\\]$|\b(eval|source|sh|bash)\b/.test(place.text) ||
    quote !== "" ||
    around.text.source === "";
  return odd || /<<|\(\(|\[\[|`/.test(place.text) ? problems.shWord(at) : undefined;
}
const READS_SHELL = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "ssh", "su"]);

function addArgumentGuards(
  name: string | undefined,
  args: readonly Argument[],
  argument: Argument,
  standing: Standing,
  place: Place,
  around: Surroundings,
  chain: Chain,
  level: number,
): void {
  const { mark } = standing;
  const { segments } = argument.content;
  if (mark !== undefined) addJsonGuard(segments, mark, place);
  const isOwn = name === "curlew" && args[0]?.content.literal === "http";
  if ((name === "curl" || isOwn) && mark !== undefined) {
    const guards = isOwn ? ownHttpGuards(args, argument, mark) : curlGuards(args, argument, mark);
    place.guards.push(...guards);
    const asOption = guards.some((guard) => guard.kind === "url") || (isOwn && guards.length === 0);
    if (asOption && begins(segments, mark)) addDashGuard(args, argument, standing, place, around);
    return;
  }
  if (mark !== undefined && HTTP_CLIENTS.has(name ?? "") && looksLikeUrl(segments))
    place.guards.push(...urlGuards(segments, mark));
  if (name === "jq" && jqValue(args, argument)) return;
  if (name !== undefined && opensByPipe(name, args)) place.guards.push({ kind: "pipe", program: name });
  // An expansion of the script's own: only when the whole argument is it.
  if (mark === undefined && (segments.length !== 1 || chain.length - level > 5)) return;
  addDashGuard(args, argument, standing, place, around);
}

const HTTP_CLIENTS = new Set(["wget", "http", "https", "xh", "xhs", "curlie", "curlew"]);

function jqValue(args: readonly Argument[], argument: Argument): boolean {
  const index = args.indexOf(argument);
  return [args[index - 1], args[index - 2]].some((ahead) =>
    /^--(arg|argjson|slurpfile|rawfile)$/.test(ahead?.content.literal ?? ""),
  );
}

function addDashGuard(
  args: readonly Argument[],
  argument: Argument,
  { mark }: Standing,
  place: Place,
  around: Surroundings,
): void {
  if (!begins(argument.content.segments, mark)) return;
  if (args.slice(0, args.indexOf(argument)).some(({ content }) => content.literal === "--")) return;
  const ahead = mark === undefined ? [] : (before(argument.content.segments, mark)?.marks ?? []);
  place.guards.push({
    kind: "leading-dash",
    after: ahead.filter(({ kind }) => kind === "reference").map((other) => around.variableOf(other)),
  });
}

/** Whether nothing certain stands before it in its word. */
function begins(segments: readonly Segment[], mark: Mark | undefined): boolean {
  if (mark === undefined) return true;
  const place = before(segments, mark);
  return place !== undefined && place.text === "";
}

export function addJsonGuard(segments: readonly Segment[], mark: Mark | undefined, place: Place): void {
  if (mark !== undefined && insideJsonString(segments, mark)) place.guards.push({ kind: "json-string" });
}
