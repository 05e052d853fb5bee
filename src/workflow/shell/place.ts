// place: decides for one mark what it may become, from all that stands around it: the table of spec 4.1.
//   P1. From the leaf up to the nearest command substitution the exact position counts; above that only what runs the substitution's output.
//   P2. A place that no rule knows is refused.

import type { Command, Pipeline, Redirected, SyntaxNode } from "unbash";
import {
  EVALUATES,
  isDangerousName,
  type Layer,
  layersOf,
  NUMBER_BUILTINS,
  programText,
  REFUSED_BUILTINS,
  readsProgramFromStdin,
} from "./commands.ts";
import { curlGuards, insideJsonString, looksLikeUrl, urlGuards } from "./http.ts";
import type { Mark } from "./marks.ts";
import type { Argument } from "./options.ts";
import * as problems from "./problems.ts";
import type { Chain } from "./tree.ts";
import type { Dialect, Guard, ShellProblem } from "./types.ts";
import { before, contentOf, type MarkedText, type Segment } from "./words.ts";

export type Quote = "bare" | "double" | "single" | "ansi" | "arithmetic";

export interface Place {
  quote: Quote;
  /** The quoted part that has to be written anew, of `single` and `ansi`. */
  part?: SyntaxNode;
  guards: Guard[];
  leavesShell: boolean;
}

export interface Surroundings {
  text: MarkedText;
  dialect: Dialect;
  /** Functions that the script defines. */
  functions: ReadonlySet<string>;
  children(node: SyntaxNode): SyntaxNode[];
  /** Environment name of a mark's variable. */
  variableOf(mark: Mark): string;
}

/** What stands there: a mark, or (`carried`) an expansion `$x` of a script's variable that a value was assigned to. */
export interface Standing {
  at: problems.At;
  mark: Mark | undefined;
  chain: Chain;
}

type Verdict = { problem: ShellProblem } | Place;

/** The environment name of a mark decides nothing here; only where it stands does. */
export function judge(standing: Standing, around: Surroundings): Verdict {
  const { at, chain, mark } = standing;
  const leaf = mark === undefined ? carriedPlace() : leafPlace(standing, around);
  if ("problem" in leaf) return leaf;
  const place: Place = { ...leaf, guards: [...leaf.guards] };

  let nested = false;
  for (let level = chain.length - 2; level >= 0; level--) {
    const parent = chain[level] as SyntaxNode;
    const child = chain[level + 1] as SyntaxNode;
    const problem = ascend(standing, parent, child, chain, level, nested, place, around);
    if (problem !== undefined) return { problem };
    if (parent.type === "Script" && level > 0) nested = true;
    if (parent.type === "ArithmeticExpansion") nested = true;
  }
  if (place.quote === "bare" && !holdsBareWord(chain)) return { problem: problems.unaccounted(at) };
  return place;
}

function carriedPlace(): Place {
  return { quote: "double", guards: [], leavesShell: false };
}

function leafPlace({ at, chain, mark }: Standing, around: Surroundings): Verdict {
  const leaf = chain.at(-1) as SyntaxNode;
  const parent = chain.at(-2);
  const place = (quote: Quote, part?: SyntaxNode): Place => ({
    quote,
    ...(part === undefined ? {} : { part }),
    guards: [],
    leavesShell: false,
  });
  switch (leaf.type) {
    case "Word":
      return place("bare");
    case "Literal":
      if (parent?.type === "Word") return place("bare");
      if (parent?.type === "DoubleQuoted" || parent?.type === "HereDocBody") return place("double");
      if (parent?.type === "LocaleString") return { problem: problems.localeString(at) };
      return { problem: problems.inGlob(at) };
    case "HereDocBody":
      return place("double");
    case "SingleQuoted":
      return parent?.type === "Word" ? place("single", leaf) : { problem: problems.unaccounted(at) };
    case "AnsiCQuoted": {
      const ahead = around.text.source.slice(leaf.pos, mark?.at);
      if (parent?.type !== "Word") return { problem: problems.unaccounted(at) };
      return /\\(c|C-?|M-?)$/.test(ahead) ? { problem: problems.ansiEscape(at) } : place("ansi", leaf);
    }
    case "BraceExpansion": {
      const raw = around.text.source.slice(leaf.pos, leaf.end);
      return around.dialect === "bash" && !/\.\.|["'\\$`]/.test(raw) ? place("bare") : { problem: problems.inGlob(at) };
    }
    case "ArithmeticWord":
      return /["'\\]/.test(around.text.source.slice(leaf.pos, leaf.end))
        ? { problem: problems.unaccounted(at) }
        : place("arithmetic");
    case "CommandExpansion":
      return { problem: problems.backquotes(at) };
    case "Glob":
    case "ExtendedGlob":
      return { problem: problems.inGlob(at) };
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "Default":
    case "Remove":
    case "Replace":
    case "CaseModification":
    case "Transform":
    case "Names":
    case "Unknown":
      return { problem: problems.inExpansion(at) };
    case "Slice":
      return { problem: problems.subscript(at) };
    case "Assignment":
      return { problem: problems.assignedName(at) };
    case "HereDocDelimiter":
    case "FileDescriptor":
    case "FileDescriptorVariable":
      return { problem: problems.redirectTarget(at) };
    default:
      return { problem: problems.unaccounted(at) };
  }
}

/** One step up. Adds guards to `place`; answers a problem when the step is refused. */
function ascend(
  standing: Standing,
  parent: SyntaxNode,
  child: SyntaxNode,
  chain: Chain,
  level: number,
  nested: boolean,
  place: Place,
  around: Surroundings,
): ShellProblem | undefined {
  const { at, mark } = standing;
  const carried = mark === undefined;
  switch (parent.type) {
    case "Command":
      return inCommand(standing, parent, child, chain, level, nested, place, around);
    case "Pipeline":
      return intoLater(standing, parent, child, around);
    case "Redirected":
      return (parent.redirects as readonly SyntaxNode[]).includes(child)
        ? fedTo(standing, parent.command, around)
        : undefined;
    case "Redirect":
      return isFileRead(standing, parent, around) ? undefined : problems.redirectTarget(at);
    case "For":
    case "Select":
    case "Function":
    case "Coproc":
      return parent.name === child ? problems.assignedName(at) : undefined;
  }
  if (nested) return undefined;

  switch (parent.type) {
    case "Default":
    case "Remove":
    case "Replace":
    case "CaseModification":
    case "Transform":
    case "Unknown":
      return carried ? undefined : problems.inExpansion(at);
    case "Slice":
      if (!carried) return problems.subscript(at);
      place.guards.push({ kind: "int" });
      return undefined;
    case "ParameterExpansion":
      if (parent.index !== child) return undefined;
      if (!carried) return problems.subscript(at);
      place.guards.push({ kind: "int" });
      return undefined;
    case "Assignment":
      return inAssignment(standing, parent, child, place);
    case "ArrayValue":
      return !carried && child.type === "Word" && subscriptOf(child.text, around) ? problems.subscript(at) : undefined;
    case "HereDoc":
      if (parent.delimiter?.quoted === true && !carried) return problems.quotedHeredoc(at);
      addJsonGuard(contentOf(parent.body, around.text).segments, mark, place);
      return undefined;
    case "HereString":
      addJsonGuard(contentOf(child, around.text).segments, mark, place);
      return undefined;
    case "TestUnary":
      if (parent.operator === "-v" || parent.operator === "-R") return problems.builtin(at, "[[ -v ]]");
      if (parent.operator === "-t") place.guards.push({ kind: "int" });
      return undefined;
    case "TestBinary":
      if (/^-(eq|ne|lt|le|gt|ge)$/.test(parent.operator)) place.guards.push({ kind: "int" });
      if (parent.operator === "=~" && parent.right === child && around.dialect === "zsh") return problems.zshRegex(at);
      return undefined;
    case "ArithmeticWord":
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
    case "ArithmeticFor":
    case "ArithmeticBinary":
    case "ArithmeticUnary":
    case "ArithmeticGroup":
    case "ArithmeticTernary":
      if (
        !place.guards.some((guard) => guard.kind === "int") &&
        !(parent.type === "ArithmeticFor" && parent.body === child)
      )
        place.guards.push({ kind: "int" });
      return undefined;
    default:
      return undefined;
  }
}

function inAssignment(
  { at, chain }: Standing,
  parent: SyntaxNode & { type: "Assignment" },
  child: SyntaxNode,
  place: Place,
): ShellProblem | undefined {
  if (parent.index === child) return problems.subscript(at);
  if (isDangerousName(parent.name)) return problems.dangerousName(at, parent.name);
  // `X=value command` puts it into the command's environment.
  const command = chain[chain.indexOf(parent) - 1];
  if (command?.type === "Command" && command.name !== undefined) place.leavesShell = true;
  return undefined;
}

function subscriptOf(word: string, around: Surroundings): boolean {
  const closing = /^\[[^\]]*\]=/.exec(word);
  return closing !== null && new RegExp(around.text.pattern.source).test(closing[0]);
}

function isFileRead({ mark }: Standing, parent: SyntaxNode & { type: "Redirect" }, around: Surroundings): boolean {
  if (
    parent.operator !== "<" ||
    parent.target === undefined ||
    mark?.kind !== "reference" ||
    mark.reference.filter !== "file"
  )
    return false;
  return contentOf(parent.target, around.text).segments.length === 1;
}

/** `a | b`: what a later part of the pipe does with what an earlier part prints. */
function intoLater(
  standing: Standing,
  pipeline: Pipeline,
  child: SyntaxNode,
  around: Surroundings,
): ShellProblem | undefined {
  const index = (pipeline.commands as readonly SyntaxNode[]).indexOf(child);
  if (index === -1) return undefined;
  for (const later of pipeline.commands.slice(index + 1)) {
    const problem = fedTo(standing, later, around);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether anything inside `node` runs what it reads from standard input. */
function fedTo({ at }: Standing, node: SyntaxNode, around: Surroundings): ShellProblem | undefined {
  if (node.type === "Command") {
    const layers = layersOf(node, around.text);
    // A heredoc of its own stands between the pipe and the program.
    if (readsProgramFromStdin(layers)) return problems.programStdin(at, layers.at(-1)?.name ?? "");
  }
  for (const child of around.children(node)) {
    const problem = fedTo({ at, mark: undefined, chain: [] }, child, around);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function inCommand(
  standing: Standing,
  command: Command,
  child: SyntaxNode,
  chain: Chain,
  level: number,
  nested: boolean,
  place: Place,
  around: Surroundings,
): ShellProblem | undefined {
  const { at } = standing;
  if (command.name === child) return problems.commandName(at);
  if (child.type === "HereDoc" || child.type === "HereString") return fedTo(standing, { ...shallow(command) }, around);
  const layers = layersOf(command, around.text);
  for (const [index, layer] of layers.entries()) {
    const argument = layer.args.find(({ node }) => node === child);
    if (argument === undefined) continue;
    const last = index === layers.length - 1 || layer.own.includes(argument);
    const inner = layers[index + 1];
    if (inner !== undefined && inner.nameArgument === argument) return problems.commandName(at);
    const problem = nested
      ? underEvaluation(at, layer, argument)
      : asArgument(standing, layer, argument, last, place, around, chain, level);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The command alone, for the question what it does with its own standard input. */
function shallow(command: Command): Command {
  const { type, pos, end, name, prefix, suffix, args, redirects } = command;
  return { type, pos, end, name, prefix, suffix, args, redirects };
}

function underEvaluation(at: problems.At, layer: Layer, argument: Argument): ShellProblem | undefined {
  if (layer.name === undefined) return undefined;
  if (EVALUATES.has(layer.name)) return problems.builtin(at, layer.name);
  return programText(layer.name, layer.args).has(argument) ? problems.programText(at, layer.name) : undefined;
}

const STAYS = new Set(["echo", "printf", "test", "[", ":", "true", "false", "set", "local", "readonly"]);

function asArgument(
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
  if (name === undefined || !STAYS.has(name)) place.leavesShell = true;
  const ownFunction = name !== undefined && around.functions.has(name);
  if (name !== undefined && !ownFunction) {
    if (REFUSED_BUILTINS.has(name) && !(name === "print" && around.dialect !== "zsh"))
      return problems.builtin(at, name);
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
  const assigned = /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(argument.head);
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
  if (name === "curl" && mark !== undefined) {
    const guards = curlGuards(args, argument, mark);
    place.guards.push(...guards);
    if (guards.some((guard) => guard.kind === "url") && begins(segments, mark))
      addDashGuard(args, argument, standing, place, around);
    return;
  }
  if (mark !== undefined && HTTP_CLIENTS.has(name ?? "") && looksLikeUrl(segments))
    place.guards.push(...urlGuards(segments, mark));
  if (name === "jq" && jqValue(args, argument)) return;
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

function addJsonGuard(segments: readonly Segment[], mark: Mark | undefined, place: Place): void {
  if (mark !== undefined && insideJsonString(segments, mark)) place.guards.push({ kind: "json-string" });
}

/** P2: a bare word is replaced only where a node is known to hold words. */
function holdsBareWord(chain: Chain): boolean {
  const word = chain.findLastIndex((node) => node.type === "Word");
  const holder = chain[word - 1]?.type;
  return (
    holder !== undefined &&
    [
      "Command",
      "Assignment",
      "ArrayValue",
      "Redirect",
      "HereString",
      "For",
      "Select",
      "Case",
      "CaseItem",
      "TestUnary",
      "TestBinary",
    ].includes(holder)
  );
}

export type { Redirected };
