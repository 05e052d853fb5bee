// tree: finds every mark in the shell's syntax tree, with the nodes around it (spec 4.1, steps 2 and 3).
//   A1. A mark is in exactly one leaf, or in a comment; otherwise it is unaccounted for.
//   A2. Text is a comment only if the tree is the same without it.

import type { ParsedScript, SyntaxNode } from "unbash";
import type { Mark } from "./marks.ts";

export interface Unbash {
  parse(source: string): ParsedScript;
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
}

/** Nodes from the script down to the leaf with the mark. */
export type Chain = readonly SyntaxNode[];

export interface Tree {
  root: ParsedScript;
  source: string;
  /** By the index of the mark. More than one chain means that the tree contradicts itself. */
  places: Map<number, Chain[]>;
  /** Every use of a parameter by the script itself: `$x`, `${x…}`. */
  parameters: { name: string; chain: Chain }[];
  /** Every node with its parents, once. */
  nodes: Chain[];
  errors: { message: string; pos: number }[];
}

/**
 * Node types that contain text: a mark here is accounted for. In other nodes, only comments can be between the
 * children.
 */
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

  // Backquotes have their own quoting rules, so offsets inside may be wrong. They count as one leaf.
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

/** Marks that overlap a range; `marks` are sorted. */
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

/** The marks that are in comments (A2). All comments are blanked out together, so three parses are enough. */
export function commentsAmong(unbash: Unbash, tree: Tree, suspects: readonly Mark[]): Set<Mark> {
  if (suspects.length === 0) return new Set();
  const hashes = hashMarks(tree.source, suspects);
  const text = readTree(unbash, tree.source, hashes).places;
  const begins = hashes.filter((hash) => !text.has(hash.index)).map((hash) => hash.at);
  const other = readTree(unbash, blanked(tree.source, begins), []);
  if (other.errors.length > 0 || skeleton(other, true) !== skeleton(tree, true)) return new Set();
  return new Set(
    suspects.filter((mark) => begins.some((at) => at < mark.at && at > tree.source.lastIndexOf("\n", mark.at - 1))),
  );
}

/** Every `#` that could start a comment on a line with a suspect, each as a mark, sorted. */
function hashMarks(source: string, suspects: readonly Mark[]): Mark[] {
  const offsets = new Set(suspects.flatMap((mark) => linesHashes(source, mark)));
  return [...offsets]
    .sort((a, b) => a - b)
    .map((at, index) => ({ kind: "literal", index, at, end: at + 1, start: at, finish: at + 1, text: "#" }));
}

/** Every `#` before a mark on its line where a word could start. */
function linesHashes(source: string, mark: Mark): number[] {
  const start = source.lastIndexOf("\n", mark.at - 1) + 1;
  const line = source.slice(start, mark.at);
  return [...line.matchAll(/(?<=^|[\s;&|()])#/g)].map((match) => start + match.index);
}

/** The text with blanks from each offset to the end of its line. */
function blanked(source: string, offsets: readonly number[]): string {
  let text = "";
  let from = 0;
  for (const at of offsets) {
    if (at < from) continue;
    const lineBreak = source.indexOf("\n", at);
    const lineEnd = lineBreak === -1 ? source.length : lineBreak;
    text += source.slice(from, at) + " ".repeat(lineEnd - at);
    from = lineEnd;
  }
  return text + source.slice(from);
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

/**
 * The shape of a script: its nodes in order, without the parts of words. Scripts of one shape differ only in their
 * words.
 */
export function skeleton(tree: Tree, withOffsets: boolean): string {
  const shape: string[] = [];
  for (const chain of tree.nodes) {
    const node = chain.at(-1);
    if (node === undefined || (!withOffsets && PARTS.has(node.type))) continue;
    // Only the outermost script may become shorter, if it ends with a comment.
    if (withOffsets && chain.length > 1) shape.push(`${node.type}${node.pos}-${node.end}`);
    else shape.push(node.type);
  }
  return shape.join(" ");
}
