// arithmetic: finds where a shell reads text as a number. bash and zsh run commands in array subscripts inside *values*
// there (spec 4.1).

import type { SyntaxNode } from "unbash";
import { layersOf, NUMBER_BUILTINS } from "./commands.ts";
import type { Surroundings } from "./place.ts";
import { type MarkedText, readWord } from "./words.ts";

const COPIES = new Set(["printf", "echo", "cat", "print", "head", "tail", "tr", "cut", "tac", "rev"]);

/** Whether a value inside `child` leaves `parent` unchanged: `$(( $(printf %s ${v}) ))`. */
export function passesOn(parent: SyntaxNode, child: SyntaxNode, around: Surroundings): boolean {
  if (parent.type === "Command") return copies(parent, around);
  if (parent.type !== "Pipeline") return true;
  const parts = parent.commands as readonly SyntaxNode[];
  return parts.slice(parts.indexOf(child) + 1).every((part) => part.type === "Command" && copies(part, around));
}

function copies(command: SyntaxNode & { type: "Command" }, around: Surroundings): boolean {
  // In zsh, `<<< text` without a command copies its input.
  if (command.name === undefined) return true;
  const [layer] = layersOf(command, around.text);
  const isDigits = layer?.name === "tr" && layer.args[1]?.literal === "0-9";
  return COPIES.has(layer?.name ?? "") && !isDigits;
}

/** Expansions that always give a number: `${x//[^0-9]/}` and `${#x}`. */
export const NUMBER_OF = /\$\{\w+\/\/\[[!^](?:0-9|\[:digit:\])\]\/?\}|\$\{#[\w@*]+(?:\[[@*]\])?\}/g;

export function isNumberOf(node: SyntaxNode): boolean {
  return node.type === "ParameterExpansion" && node.text.replace(NUMBER_OF, "") === "";
}

const DECLARES = /^(?:declare|typeset|local|export|readonly|private|integer|float)$/;

/**
 * Names that the script declares as numbers (-i; in zsh also -E and -F), or as associative arrays (-A), whose keys are
 * strings.
 */
export function declaredNames(
  nodes: readonly (SyntaxNode | undefined)[],
  text: MarkedText,
): { numbers: Set<string>; associative: Set<string> } {
  const numbers = new Set<string>();
  const associative = new Set<string>();
  for (const node of nodes) {
    if (node?.type !== "Command") continue;
    const layer = layersOf(node, text).at(-1);
    if (layer?.name === undefined || !DECLARES.test(layer.name)) continue;
    const options = layer.args.map(({ node: word, literal }) =>
      // An option that is known only at run time may be -i.
      word.type === "Assignment" ? "" : (literal ?? "-i"),
    );
    const isNumber = /^(?:integer|float)$/.test(layer.name) || options.some((word) => /^-[A-Za-z]*[iEF]/.test(word));
    const isArray = options.some((word) => /^-[A-Za-z]*A/.test(word));
    for (const { node: word, head } of layer.args) {
      const name = word.type === "Assignment" ? word.name : head.replace(/\+?=.*$/s, "");
      if (isNumber) numbers.add(name);
      if (isArray) associative.add(name);
    }
  }
  return { numbers, associative };
}

/** Whether the parent node reads `child`, which contains the text at `at`, as a number. */
export function readsNumber(parent: SyntaxNode, child: SyntaxNode, at: number, around: Surroundings): boolean {
  const { dialect, associative } = around;
  switch (parent.type) {
    case "Slice":
    case "ArithmeticWord":
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
    case "ArithmeticBinary":
    case "ArithmeticUnary":
    case "ArithmeticGroup":
    case "ArithmeticTernary":
      return true;
    case "ArithmeticFor":
      return parent.body !== child;
    case "ParameterExpansion":
      return parent.index === child && !associative.has(parent.parameter);
    case "Assignment":
      return parent.index === child ? !associative.has(parent.name) : around.numbers.has(parent.name);
    case "ArrayValue":
      return /^\[[^\]]*$/.test(around.text.source.slice(child.pos, Math.max(at, child.pos + 1)));
    case "TestUnary":
      return parent.operator === "-t" && dialect === "zsh";
    case "TestBinary":
      return NUMERIC.test(parent.operator);
    case "Word":
    case "DoubleQuoted":
    case "HereDocBody": {
      // `$a[$x]`: zsh reads it as a subscript even without braces.
      const name = /\$([A-Za-z_]\w*)\[[^\]]*$/.exec(around.text.source.slice(parent.pos, at))?.[1];
      return dialect === "zsh" && name !== undefined && !associative.has(name);
    }
    case "Command":
      return readsOperand(parent, child, around);
    default:
      return false;
  }
}

export const NUMERIC = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** `let x`, and in zsh `[ x -eq 1 ]`, `exit x` and `repeat x`. */
function readsOperand(command: SyntaxNode & { type: "Command" }, child: SyntaxNode, around: Surroundings): boolean {
  const layer = layersOf(command, around.text).at(-1);
  if (layer?.args.some(({ node }) => node === child) !== true) return false;
  if (layer.name === "let") return true;
  if (around.dialect !== "zsh") return false;
  if (NUMBER_BUILTINS.has(layer.name ?? "") || layer.name === "repeat") return true;
  return (
    /^(?:\[|test)$/.test(layer.name ?? "") &&
    layer.args.some(({ node }) => NUMERIC.test(readWord(node, around.text).literal ?? ""))
  );
}
