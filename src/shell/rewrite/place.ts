// place: decides what replaces one reference, from everything around it: the table of spec 4.1.
//   P1. Up to the nearest command substitution the exact position counts. Above that, only whether its output is run.
//   P2. A position that no rule knows is rejected.

import type { Command, SyntaxNode } from "unbash";
import { isDangerousName } from "../../base/environment-names.ts";
import { asArgument } from "./arguments.ts";
import { passesOn, readsNumber } from "./arithmetic.ts";
import type { Assigned } from "./assignments.ts";
import { EVALUATES, isSpecialParameter, layersOf } from "./commands.ts";
import { addJsonGuard } from "./http.ts";
import type { Mark, Marked } from "./marks.ts";
import { fedTo, intoLater, printedInto, runsInput } from "./pipes.ts";
import { type At, type Refusal, refuse } from "./problems.ts";
import { programText } from "./programs.ts";
import type { Chain } from "./tree.ts";
import type { Dialect, Guard, ShellProblem } from "./types.ts";
import { type MarkedText, readWord } from "./words.ts";

export interface Placement {
  quote: "bare" | "double" | "single" | "ansi" | "arithmetic";
  /** For `single` and `ansi`: the quoted part that is rewritten. */
  part?: SyntaxNode;
  guards: Guard[];
  leavesShell: boolean;
}

/** Facts about the whole script that the judgement of one position needs. */
export interface Surroundings {
  marked: Marked;
  text: MarkedText;
  dialect: Dialect;
  /** Every place where the script sets a variable. */
  assigned: readonly Assigned[];
  /** Functions that the script defines. */
  functions: ReadonlySet<string>;
  /** Variables that it declares as numbers, and as associative arrays. */
  numbers: ReadonlySet<string>;
  associative: ReadonlySet<string>;
  children(node: SyntaxNode): SyntaxNode[];
  /** The environment name of a mark's variable. */
  variableOf(mark: Mark): string;
}

/** A mark. Without `mark`, an expansion `$x` of a script variable that was assigned from a reference. */
export interface Position {
  at: At;
  mark: Mark | undefined;
  chain: Chain;
}

/** A step from a node to its parent, with the result so far. */
export interface Step extends Position {
  around: Surroundings;
  place: Placement;
  /** The parent's index in `chain`. */
  level: number;
  /** The reference is inside a command substitution below this step. */
  nested: boolean;
}

export type Judged = { problem: ShellProblem } | Placement;

export function judge(position: Position, around: Surroundings): Judged {
  const { at, chain, mark } = position;
  const leaf = mark === undefined ? placed("double") : leafPlacement(position, mark, around);
  if (typeof leaf === "string") return { problem: refuse(leaf, at) };

  let nested = false;
  let copied = true;
  for (let level = chain.length - 2; level >= 0; level--) {
    const parent = chain[level] as SyntaxNode;
    const child = chain[level + 1] as SyntaxNode;
    const problem = ascend({ ...position, around, place: leaf, level, nested }, parent, child);
    if (problem !== undefined) return { problem };
    if (nested && copied && readsNumber(parent, child, child.pos, around)) {
      leaf.guards.push({ kind: "int" });
      copied = false;
    }
    nested ||= (parent.type === "Script" && level > 0) || parent.type === "ArithmeticExpansion";
    copied &&= parent.type !== "ArithmeticExpansion" && passesOn(parent, child, around);
  }
  if (leaf.quote === "bare" && !holdsBareWord(chain)) return { problem: refuse("template-place-unknown", at) };
  return leaf;
}

function placed(quote: Placement["quote"], part?: SyntaxNode): Placement {
  return { quote, part, guards: [], leavesShell: false };
}

function leafPlacement({ chain }: Position, mark: Mark, around: Surroundings): Placement | Refusal {
  const leaf = chain.at(-1) as SyntaxNode;
  const parent = chain.at(-2);
  const raw = around.text.source.slice(leaf.pos, leaf.end);
  switch (leaf.type) {
    case "Word":
      return breaksTilde(leaf, parent, mark, around) ? "template-after-tilde" : placed("bare");
    case "Literal":
      if (parent?.type === "Word")
        return breaksTilde(parent, chain.at(-3), mark, around) ? "template-after-tilde" : placed("bare");
      if (parent?.type === "DoubleQuoted" || parent?.type === "HereDocBody") return placed("double");
      return parent?.type === "LocaleString" ? "template-locale-string" : "template-in-glob";
    case "HereDocBody":
      return placed("double");
    case "SingleQuoted":
      return parent?.type === "Word" ? placed("single", leaf) : "template-place-unknown";
    case "AnsiCQuoted":
      if (parent?.type !== "Word") return "template-place-unknown";
      return /\\(c|C-?|M-?)$/.test(around.text.source.slice(leaf.pos, mark.at))
        ? "template-ansi-escape"
        : placed("ansi", leaf);
    case "BraceExpansion":
      return around.dialect === "bash" && !/\.\.|["'\\$`]/.test(raw) ? placed("bare") : "template-in-glob";
    case "ArithmeticWord":
      return /["'\\]/.test(raw) ? "template-place-unknown" : placed("arithmetic");
    default:
      return REFUSED_LEAVES[leaf.type] ?? "template-place-unknown";
  }
}

const REFUSED_LEAVES: Partial<Record<SyntaxNode["type"], Refusal>> = {
  CommandExpansion: "template-backquotes",
  Glob: "template-in-glob",
  ExtendedGlob: "template-in-glob",
  SimpleExpansion: "template-in-expansion",
  ParameterExpansion: "template-in-expansion",
  Default: "template-in-expansion",
  Remove: "template-in-expansion",
  Replace: "template-in-expansion",
  CaseModification: "template-in-expansion",
  Transform: "template-in-expansion",
  Names: "template-in-expansion",
  Unknown: "template-in-expansion",
  Slice: "template-subscript",
  Assignment: "template-name",
  HereDocDelimiter: "template-redirect-target",
  FileDescriptor: "template-redirect-target",
  FileDescriptorVariable: "template-redirect-target",
};

/**
 * bash expands `~:` at the start of a word to the home folder, but only if nothing before the first slash is quoted.
 */
function breaksTilde(word: SyntaxNode, above: SyntaxNode | undefined, mark: Mark, around: Surroundings): boolean {
  if (around.dialect !== "bash" || above?.type === "Assignment") return false;
  return /^~:[^/]*$/.test(around.text.source.slice(word.pos, mark.at));
}

/** One step up. Adds guards to the place; returns a problem if the position is rejected. */
function ascend(step: Step, parent: SyntaxNode, child: SyntaxNode): ShellProblem | undefined {
  const { at, around, chain, level, nested } = step;
  switch (parent.type) {
    case "Command":
      return inCommand(step, parent, child) ?? printedInto(step, parent.redirects, around);
    case "Pipeline":
      return intoLater(step, parent, child, around);
    case "Redirected":
      return (parent.redirects as readonly SyntaxNode[]).includes(child)
        ? fedTo(step, parent.command, around)
        : printedInto(step, parent.redirects, around);
    case "Redirect":
      return isFileRead(step, parent) || isSubstituted(chain, level)
        ? undefined
        : refuse("template-redirect-target", at);
    case "For":
    case "Select":
    case "Function":
    case "Coproc":
      return parent.name === child ? refuse("template-name", at) : undefined;
    default:
      return nested ? undefined : inWord(step, parent, child);
  }
}

/** Steps inside a word, an assignment or a test, where the exact position counts. */
function inWord(step: Step, parent: SyntaxNode, child: SyntaxNode): ShellProblem | undefined {
  const { at, mark, chain, around, place } = step;
  const counts = readsNumber(parent, child, mark?.at ?? (chain.at(-1) as SyntaxNode).pos, around);
  switch (parent.type) {
    case "Default":
    case "Remove":
    case "Replace":
    case "CaseModification":
    case "Transform":
    case "Unknown":
      return mark === undefined ? undefined : refuse("template-in-expansion", at);
    case "Slice":
    case "ParameterExpansion":
    case "Word":
    case "DoubleQuoted":
    case "HereDocBody":
      if (mark !== undefined && (counts || (parent.type === "ParameterExpansion" && parent.index === child)))
        return refuse("template-subscript", at);
      break;
    case "Assignment": {
      if (parent.index === child) return refuse("template-subscript", at);
      if (isDangerousName(parent.name) || isSpecialParameter(parent.name, around.dialect))
        return refuse("template-dangerous-variable", at, parent.name);
      // `X=value command` sets it in the command's environment.
      const command = chain[chain.indexOf(parent) - 1];
      if (command?.type === "Command" && command.name !== undefined) place.leavesShell = true;
      break;
    }
    case "ArrayValue":
      if (isSubscript(step, child)) return refuse("template-subscript", at);
      break;
    case "HereDoc":
      if (parent.delimiter?.quoted === true && mark !== undefined) return refuse("template-quoted-heredoc", at);
      addJsonGuard(readWord(parent.body, around.text).segments, mark, place);
      return undefined;
    case "HereString":
      addJsonGuard(readWord(child, around.text).segments, mark, place);
      return undefined;
    case "TestUnary":
      if (parent.operator === "-v" || parent.operator === "-R") return refuse("template-evaluated", at, "[[ -v ]]");
      break;
    case "TestBinary":
      if (parent.operator === "=~" && parent.right === child && around.dialect === "zsh")
        return refuse("template-evaluated/regex", at);
  }
  if (counts && !place.guards.some(({ kind }) => kind === "int")) place.guards.push({ kind: "int" });
  return undefined;
}

/** `a=([${v}]=1)` */
function isSubscript({ mark, chain, around }: Step, element: SyntaxNode): boolean {
  if (element.type !== "Word") return false;
  if (mark === undefined) return element === chain.at(-1) && element.text.startsWith("[");
  const [subscript] = /^\[[^\]]*\]=/.exec(element.text) ?? [];
  return subscript !== undefined && new RegExp(around.text.pattern.source).test(subscript);
}

/** `< <(…)`: the shell provides the file. The commands inside have been judged already. */
function isSubstituted(chain: Chain, level: number): boolean {
  const word = chain[level + 1];
  return word?.type === "Word" && word.parts?.length === 1 && chain[level + 2]?.type === "ProcessSubstitution";
}

/** `< ${v|file}` */
function isFileRead({ mark, around }: Step, { operator, target }: SyntaxNode & { type: "Redirect" }): boolean {
  const isFile = mark?.kind === "reference" && mark.reference.filter === "file";
  return isFile && operator === "<" && target !== undefined && readWord(target, around.text).segments.length === 1;
}

function inCommand(step: Step, command: Command, child: SyntaxNode): ShellProblem | undefined {
  const { at, around } = step;
  if (command.name === child) return refuse("template-command-name", at);
  if (child.type === "HereDoc" || child.type === "HereString" || child.type === "Redirect")
    return runsInput(step, command, around);
  const layers = layersOf(command, around.text);
  for (const [index, layer] of layers.entries()) {
    const argument = layer.args.find(({ node }) => node === child);
    if (argument === undefined) continue;
    const last = index === layers.length - 1 || layer.own.includes(argument);
    if (layers[index + 1]?.nameArgument === argument) return refuse("template-command-name", at);
    if (!step.nested) {
      const problem = asArgument(step, layer, argument, last);
      if (problem !== undefined) return problem;
    } else if (layer.name !== undefined) {
      if (EVALUATES.has(layer.name)) return refuse("template-evaluated", at, layer.name);
      if (programText(layer.name, layer.args).has(argument)) return refuse("template-program-text", at, layer.name);
    }
  }
  return undefined;
}

/** P2: a bare word is replaced only in a node that is known to contain words. */
function holdsBareWord(chain: Chain): boolean {
  const holder = chain[chain.findLastIndex((node) => node.type === "Word") - 1]?.type;
  return holder !== undefined && HOLDERS.has(holder);
}
const HOLDERS: ReadonlySet<string> = new Set(
  "Command Assignment ArrayValue Redirect HereString For Select Case CaseItem TestUnary TestBinary".split(" "),
);
