// shell/arithmetic: where a shell reads a text as a number. bash and zsh run commands that stand in subscripts inside *values* there
// (spec 4.1).
//   N1. What commands that only copy print into such a place is the value itself: `$(( $(printf %s "$x") ))`.
//   N2. Keys of associative arrays are texts.

import type { SyntaxNode } from "unbash";
import { layersOf, NUMBER_BUILTINS } from "./commands.ts";
import type { Surroundings } from "./place.ts";
import type { Chain, Tree } from "./tree.ts";
import { contentOf, type MarkedText } from "./words.ts";

const COPIES = new Set(["printf", "echo", "cat", "print", "head", "tail", "tr", "cut", "tac", "rev"]);

/** N1. All of `node`, a part of a pipe or the body of a function, prints nothing but what it is given. */
export function onlyCopies(node: SyntaxNode, around: Surroundings): boolean {
  if (node.type === "Command") return copies(node, around) && childrenCopy(node, around);
  return childrenCopy(node, around);
}

/** Something in `node` prints what it is given; with `cd x; cat y` that is the cat. */
export function someCopy(node: SyntaxNode, around: Surroundings): boolean {
  if (node.type === "Command" || node.type === "Pipeline") return onlyCopies(node, around);
  const children = around.children(node);
  return children.length === 0 || children.some((child) => someCopy(child, around));
}

/** Whether what `child` holds comes out of `parent` as it is: a command of that kind, and none but those after it in a pipe. */
export function passesOn(parent: SyntaxNode, child: SyntaxNode, around: Surroundings): boolean {
  if (parent.type === "Command") return copies(parent, around);
  if (parent.type !== "Pipeline") return true;
  const parts = parent.commands as readonly SyntaxNode[];
  return parts.slice(parts.indexOf(child) + 1).every((part) => onlyCopies(part, around));
}

/** In zsh `<<< text` alone is one, too. */
function copies(command: SyntaxNode & { type: "Command" }, around: Surroundings): boolean {
  const name = layersOf(command, around.text)[0]?.name;
  return (
    (command.name === undefined || COPIES.has(name ?? "") || around.copiers.has(name ?? "")) && !keepsDigits(command)
  );
}

function childrenCopy(node: SyntaxNode, around: Surroundings): boolean {
  return around.children(node).every((child) => onlyCopies(child, around));
}

/** `tr -cd 0-9`: what comes out is a number. */
function keepsDigits(command: SyntaxNode & { type: "Command" }): boolean {
  const [option, set, ...rest] = command.args.map((word) => word.text);
  return (
    command.name?.value === "tr" &&
    rest.length === 0 &&
    /^-(?:cd|dc|Cd|dC)$/.test(option ?? "") &&
    /^(["']?)(?:0-9|\[:digit:\])\1$/.test(set ?? "")
  );
}

/** `${x//[^0-9]/}`: what is left is a number. `${#x}` is one. */
export function isNumberOf(node: SyntaxNode): boolean {
  if (node.type !== "ParameterExpansion") return false;
  return (
    (node.prefix === "#" && node.operation === undefined) ||
    /^\$\{\w+\/\/\[[!^](?:0-9|\[:digit:\])\]\/?\}$/.test(node.text)
  );
}

/** N2. Names of associative arrays. */
export function associativeNames(tree: Tree, text: MarkedText): Set<string> {
  const names = new Set<string>();
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node?.type !== "Command") continue;
    const layer = layersOf(node, text).at(-1);
    if (!/^(?:declare|typeset|local|export|readonly|private)$/.test(layer?.name ?? "")) continue;
    if (!layer?.args.some(({ content }) => /^-[A-Za-z]*A/.test(content.literal ?? ""))) continue;
    for (const { node: word, content } of layer.args)
      names.add(word.type === "Assignment" ? word.name : (content.literal ?? ""));
  }
  return names;
}

/** Whether `child`, in which the text at `at` stands, is read as a number by what holds it. What stands in `$(…)` is its output there. */
export function readsNumber(parent: SyntaxNode, child: SyntaxNode, at: number, around: Surroundings): boolean {
  const { dialect, associative } = around;
  switch (parent.type) {
    case "Slice":
      return true;
    case "ParameterExpansion":
      return parent.index === child && !associative.has(parent.parameter);
    case "Assignment":
      return parent.index === child && !associative.has(parent.name);
    case "ArrayValue":
      return /^\[[^\]]*$/.test(around.text.source.slice(child.pos, Math.max(at, child.pos + 1)));
    case "TestUnary":
      return parent.operator === "-t" && dialect === "zsh";
    case "TestBinary":
      return /^-(?:eq|ne|lt|le|gt|ge)$/.test(parent.operator);
    case "ArithmeticFor":
      return parent.body !== child;
    case "ArithmeticWord":
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
    case "ArithmeticBinary":
    case "ArithmeticUnary":
    case "ArithmeticGroup":
    case "ArithmeticTernary":
      return true;
    case "Word":
    case "DoubleQuoted":
    case "HereDocBody":
      return dialect === "zsh" && inZshSubscript(around.text.source.slice(parent.pos, at), associative);
    case "Command":
      return readsOperand(parent, child, around);
    default:
      return false;
  }
}

/** `$a[$x]`: zsh takes it for a subscript without braces. */
function inZshSubscript(ahead: string, associative: ReadonlySet<string>): boolean {
  const name = /\$([A-Za-z_]\w*)\[[^\]]*$/.exec(ahead)?.[1];
  return name !== undefined && !associative.has(name);
}

/** `let x`; in zsh also the operands of `exit`, `shift`, `[ x -eq 1 ]`, `printf %d`, `repeat`, and what follows options such as `read -t`. */
function readsOperand(command: SyntaxNode & { type: "Command" }, child: SyntaxNode, around: Surroundings): boolean {
  const layer = layersOf(command, around.text).at(-1);
  const at = layer?.args.findIndex(({ node }) => node === child) ?? -1;
  if (layer?.name === undefined || at === -1) return false;
  if (layer.name === "let") return true;
  if (around.dialect !== "zsh") return false;
  const words = layer.args.map(({ node }) => contentOf(node, around.text).literal ?? "");
  if (NUMBER_BUILTINS.has(layer.name) || layer.name === "repeat") return true;
  if (layer.name === "[" || layer.name === "test") return words.some((word) => NUMERIC.test(word));
  if (layer.name === "printf") return formatsNumber(words[words[0] === "-v" ? 2 : words[0] === "--" ? 1 : 0]);
  if (layer.name === "print") return formatsNumber(words[words.findIndex((word) => /^-\w*f$/.test(word)) + 1]);
  return TAKES_NUMBERS.test(layer.name) && /^-\w*[tkuZLR]$/.test(words[at - 1] ?? "");
}

const NUMERIC = /^-(?:eq|ne|lt|le|gt|ge|t)$/;
const TAKES_NUMBERS = /^(?:read|typeset|declare|local|export|readonly|integer|float)$/;

function formatsNumber(format: string | undefined): boolean {
  return /%[^%]*[diouxXeEfFgGaA]/.test((format ?? "").replace(/%%|%-?[0-9]*\.?[0-9]*[sbcq]/g, ""));
}

/** How an expansion comes to be read as a number: by where it stands, or as what a command printed. */
export function placeOf(chain: Chain, around: Surroundings): "itself" | "printed" | undefined {
  const { pos } = chain.at(-1) as SyntaxNode;
  let isPrinted = false;
  for (let level = chain.length - 2; level >= 0; level--) {
    const parent = chain[level] as SyntaxNode;
    const child = chain[level + 1] as SyntaxNode;
    if (readsNumber(parent, child, isPrinted ? child.pos : pos, around))
      return isPrinted || isKeyed(parent, around) ? "printed" : "itself";
    if (!passesOn(parent, child, around)) return undefined;
    isPrinted ||= parent.type === "Script" && level > 0;
  }
  return undefined;
}

/** `((count[$word]++))`: a text may be the key; bash before 5.2 reads what stands in it once more. */
function isKeyed(node: SyntaxNode, around: Surroundings): boolean {
  const array = node.type === "ArithmeticWord" ? /^(\w+)\[/.exec(node.value)?.[1] : undefined;
  return array !== undefined && around.associative.has(array);
}
