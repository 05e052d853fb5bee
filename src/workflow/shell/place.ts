// place: decides for one mark what it may become, from all that stands around it: the table of spec 4.1.
//   P1. From the leaf up to the nearest command substitution the exact position counts; above that only what runs the substitution's output.
//   P2. A place that no rule knows is refused.

import type { Command, SyntaxNode } from "unbash";
import { isDangerousName } from "../../base/environment-names.ts";
import { addJsonGuard, asArgument } from "./arguments.ts";
import { passesOn, readsNumber } from "./arithmetic.ts";
import { EVALUATES, isSpecialParameter, type Layer, layersOf } from "./commands.ts";
import { fedTo, intoLater, printedInto, shallow } from "./feeds.ts";
import type { Mark } from "./marks.ts";
import type { Argument } from "./options.ts";
import * as problems from "./problems.ts";
import { programText } from "./programs.ts";
import type { Chain } from "./tree.ts";
import type { Dialect, Guard, ShellProblem } from "./types.ts";
import { contentOf, type MarkedText } from "./words.ts";

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
  /** Those among them that only print what they are given. */
  copiers: ReadonlySet<string>;
  /** Its files are known by the end of their names, its descriptors as one (paths.ts, descriptors.ts). */
  namesByEnd: boolean;
  mixedDescriptors: boolean;
  /** Associative arrays that it declares. */
  associative: ReadonlySet<string>;
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
  let copied = true;
  for (let level = chain.length - 2; level >= 0; level--) {
    const parent = chain[level] as SyntaxNode;
    const child = chain[level + 1] as SyntaxNode;
    const problem = ascend(standing, parent, child, chain, level, nested, place, around);
    if (problem !== undefined) return { problem };
    if (nested && copied && readsNumber(parent, child, child.pos, around)) {
      place.guards.push({ kind: "int" });
      copied = false;
    }
    if (parent.type === "Script" && level > 0) nested = true;
    copied &&= passesOn(parent, child, around);
    if (parent.type === "ArithmeticExpansion") {
      nested = true;
      copied = false;
    }
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
      return breaksTilde(leaf, chain.at(-2), mark?.at, around) ? { problem: problems.afterTilde(at) } : place("bare");
    case "Literal":
      if (parent?.type === "Word")
        return breaksTilde(parent, chain.at(-3), mark?.at, around)
          ? { problem: problems.afterTilde(at) }
          : place("bare");
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

/** bash alone takes `~:` at the beginning of a word for the home folder, and only while nothing before the first slash is quoted. */
function breaksTilde(
  word: SyntaxNode,
  above: SyntaxNode | undefined,
  until: number | undefined,
  around: Surroundings,
): boolean {
  if (around.dialect !== "bash" || above?.type === "Assignment") return false;
  return /^~:[^/]*$/.test(around.text.source.slice(word.pos, until));
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
      return (
        inCommand(standing, parent, child, chain, level, nested, place, around) ??
        printedInto(standing, parent.redirects, around)
      );
    case "Pipeline":
      return intoLater(standing, parent, child, around);
    case "Redirected":
      return (parent.redirects as readonly SyntaxNode[]).includes(child)
        ? fedTo(standing, parent.command, around)
        : printedInto(standing, parent.redirects, around);
    case "Redirect":
      return isFileRead(standing, parent, around) || isSubstituted(chain, level)
        ? undefined
        : problems.redirectTarget(at);
    case "For":
    case "Select":
    case "Function":
    case "Coproc":
      return parent.name === child ? problems.assignedName(at) : undefined;
  }
  if (nested) return undefined;

  const counts = readsNumber(parent, child, mark?.at ?? (chain.at(-1) as SyntaxNode).pos, around);
  switch (parent.type) {
    case "Default":
    case "Remove":
    case "Replace":
    case "CaseModification":
    case "Transform":
    case "Unknown":
      return carried ? undefined : problems.inExpansion(at);
    case "Slice":
    case "ParameterExpansion":
    case "Word":
    case "DoubleQuoted":
    case "HereDocBody":
      if (!carried && (counts || (parent.type === "ParameterExpansion" && parent.index === child)))
        return problems.subscript(at);
      break;
    case "Assignment":
      return inAssignment(standing, parent, child, place, around);
    case "ArrayValue":
      if (child.type !== "Word") return undefined;
      if (carried && counts) place.guards.push({ kind: "int" });
      return (carried && child === chain.at(-1) && /^\[/.test(child.text)) ||
        (!carried && subscriptOf(child.text, around))
        ? problems.subscript(at)
        : undefined;
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
      if (parent.operator === "=~" && parent.right === child && around.dialect === "zsh") return problems.zshRegex(at);
      break;
  }
  if (counts && !place.guards.some((guard) => guard.kind === "int")) place.guards.push({ kind: "int" });
  return undefined;
}

function inAssignment(
  { at, chain }: Standing,
  parent: SyntaxNode & { type: "Assignment" },
  child: SyntaxNode,
  place: Place,
  around: Surroundings,
): ShellProblem | undefined {
  if (parent.index === child) return problems.subscript(at);
  if (isDangerousName(parent.name) || isSpecialParameter(parent.name, around.dialect))
    return problems.dangerousName(at, parent.name);
  // `X=value command` puts it into the command's environment.
  const command = chain[chain.indexOf(parent) - 1];
  if (command?.type === "Command" && command.name !== undefined) place.leavesShell = true;
  return undefined;
}

function subscriptOf(word: string, around: Surroundings): boolean {
  const closing = /^\[[^\]]*\]=/.exec(word);
  return closing !== null && new RegExp(around.text.pattern.source).test(closing[0]);
}

/** `< <(…)`: the file is the shell's own; what stands inside was looked at already. */
function isSubstituted(chain: Chain, level: number): boolean {
  const word = chain[level + 1];
  return word?.type === "Word" && word.parts?.length === 1 && chain[level + 2]?.type === "ProcessSubstitution";
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
  if (child.type === "HereDoc" || child.type === "HereString" || child.type === "Redirect")
    return fedTo(standing, shallow(command), around);
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

function underEvaluation(at: problems.At, layer: Layer, argument: Argument): ShellProblem | undefined {
  if (layer.name === undefined) return undefined;
  if (EVALUATES.has(layer.name)) return problems.builtin(at, layer.name);
  return programText(layer.name, layer.args).has(argument) ? problems.programText(at, layer.name) : undefined;
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
