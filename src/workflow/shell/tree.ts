// tree: finds every mark in the shell's own syntax tree, with all that stands around it (spec 4.1, steps 2 and 3).
//   A1. A mark is found in exactly one leaf, or stands in a comment; anything else is unaccounted for.
//   A2. A text is a comment only if the tree is the same without it.

import type { ParsedScript, SyntaxNode } from "unbash";
import type { Mark, Marked } from "./marks.ts";

export interface Unbash {
  parse(source: string): ParsedScript;
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
}

/** Nodes from the script down to the leaf that holds the mark. */
export type Chain = readonly SyntaxNode[];

export interface Tree {
  root: ParsedScript;
  source: string;
  /** By the index of the mark; more than one chain means that the tree contradicts itself. */
  places: Map<number, Chain[]>;
  /** Every use of a parameter by the script itself: `$x`, `${x…}`. */
  parameters: { name: string; chain: Chain }[];
  /** Every node with its parents, once. */
  nodes: Chain[];
  errors: { message: string; pos: number }[];
}

/** Node types that hold text: a mark here is accounted for. In all others only what is no token (a comment) can stand between children. */
const HOLDS_TEXT = new Set<SyntaxNode["type"]>([
  "Word",
  "Literal",
  "Glob",
  "SingleQuoted",
  "DoubleQuoted",
  "AnsiCQuoted",
  "LocaleString",
  "SimpleExpansion",
  "ParameterExpansion",
  "ArithmeticExpansion",
  "ExtendedGlob",
  "BraceExpansion",
  "ArithmeticWord",
  "ArithmeticCommand",
  "Assignment",
  "HereDocDelimiter",
  "HereDocBody",
  "FileDescriptor",
  "FileDescriptorVariable",
  "Default",
  "Remove",
  "Replace",
  "Slice",
  "CaseModification",
  "Transform",
  "Names",
  "Unknown",
]);

export function readTree(unbash: Unbash, source: string, marks: readonly Mark[]): Tree {
  const root = unbash.parse(source);
  const tree: Tree = { root, source, places: new Map(), parameters: [], nodes: [], errors: [] };
  visit(unbash, tree, root, [], marks);
  return tree;
}

function visit(unbash: Unbash, tree: Tree, node: SyntaxNode, parents: Chain, marks: readonly Mark[]): void {
  const chain = [...parents, node];
  tree.nodes.push(chain);
  if (node.type === "Script") for (const error of (node as ParsedScript).errors ?? []) tree.errors.push(error);
  if (node.type === "SimpleExpansion") tree.parameters.push({ name: node.text.slice(1), chain });
  if (node.type === "ParameterExpansion") tree.parameters.push({ name: node.parameter, chain });

  // Backquotes have rules of quoting of their own; offsets inside may belong to another text. They are one leaf.
  const opaque = node.type === "CommandExpansion" && node.text.startsWith("`");
  const children: SyntaxNode[] = [];
  if (!opaque) unbash.forEachChild(node, (child) => children.push(child));
  if (opaque || HOLDS_TEXT.has(node.type)) {
    for (const mark of within(marks, node.pos, node.end)) {
      if (children.some((child) => child.pos <= mark.at && mark.end <= child.end)) continue;
      const known = tree.places.get(mark.index);
      if (known === undefined) tree.places.set(mark.index, [chain]);
      else known.push(chain);
    }
  }
  for (const child of children) visit(unbash, tree, child, chain, marks);
}

/** Marks that lie in or reach into a range; `marks` are in order. */
function within(marks: readonly Mark[], from: number, to: number): Mark[] {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.end ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  const found: Mark[] = [];
  for (let index = low; index < marks.length; index++) {
    const mark = marks[index];
    if (mark === undefined || mark.at >= to) break;
    found.push(mark);
  }
  return found;
}

/** Whether the mark stands in a comment: some `#` before it on its line can be blanked out, to the end of the line, without changing the tree (A2). */
export function inComment(unbash: Unbash, tree: Tree, marked: Marked, mark: Mark): boolean {
  const lineStart = tree.source.lastIndexOf("\n", mark.at - 1) + 1;
  const lineBreak = tree.source.indexOf("\n", mark.end);
  const lineEnd = lineBreak === -1 ? tree.source.length : lineBreak;
  for (let at = tree.source.indexOf("#", lineStart); at !== -1 && at < mark.at; at = tree.source.indexOf("#", at + 1)) {
    if (at > lineStart && !/[\s;&|()]/.test(tree.source[at - 1] ?? "")) continue;
    const without = tree.source.slice(0, at) + " ".repeat(lineEnd - at) + tree.source.slice(lineEnd);
    const other = readTree(unbash, without, marked.marks);
    if (other.errors.length === 0 && skeleton(tree, true) === skeleton(other, true)) return true;
  }
  return false;
}

const PARTS = new Set<SyntaxNode["type"]>([
  "Literal",
  "Glob",
  "SingleQuoted",
  "DoubleQuoted",
  "AnsiCQuoted",
  "SimpleExpansion",
  "ParameterExpansion",
  "ExtendedGlob",
  "BraceExpansion",
]);

/** The shape of a script: its nodes in order, without the parts of words. Two scripts of one shape do the same to different words. */
export function skeleton(tree: Tree, withOffsets: boolean): string {
  const shape: string[] = [];
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node === undefined || (!withOffsets && PARTS.has(node.type))) continue;
    // Only the outermost script may shrink at its end, where a comment stood.
    if (withOffsets && chain.length > 1) shape.push(`${node.type}${node.pos}-${node.end}`);
    else shape.push(node.type);
  }
  return shape.join(" ");
}
