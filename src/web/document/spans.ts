// spans: the lines of each entry of a block map or list in a YAML text.
//   S1. Comments directly above an entry, without a blank line between, belong to it. So do deeper comments below it.
//   S2. The first lines of a file belong to the file. Blank lines and other comments belong to no entry.

import { isMap, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";

export interface Span {
  /** The start of its first line, with the comments above it. */
  from: number;
  /** Its key or its dash. */
  start: number;
  /** The end of its last line, after the newline. */
  to: number;
}

/** `end` is where the collection ends. `undefined` if an entry does not have its own lines, as in `{ }` and `[ ]`. */
export function spansOf(text: string, node: YAMLMap | YAMLSeq, end: number): Span[] | undefined {
  if (node.flow === true) return undefined;
  const starts = node.items.map((item, index) =>
    isMap(node) ? ((item as Pair).key as Node).range![0] : dashOf(node as YAMLSeq, index),
  );
  if (!starts.every((start) => start >= 0 && /^ *$/.test(text.slice(lineStart(text, start), start)))) return undefined;
  const tops = starts.map((start) => withComments(text, start));
  return starts.map((start, index) => ({ from: tops[index]!, start, to: endOf(text, start, tops[index + 1] ?? end) }));
}

/** The offset of an item's `-`, or -1 if it has none. */
function dashOf(seq: YAMLSeq, index: number): number {
  const token = seq.srcToken as { items?: { start: { type: string; offset: number }[] }[] } | undefined;
  return token?.items?.[index]?.start.find(({ type }) => type === "seq-item-ind")?.offset ?? -1;
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

function withComments(text: string, start: number): number {
  const first = lineStart(text, start);
  let top = first;
  while (top > 0) {
    const above = lineStart(text, top - 1);
    if (!isComment(text.slice(above, top), start - first)) return top;
    top = above;
  }
  return first;
}

function endOf(text: string, start: number, limit: number): number {
  const column = columnOf(text, start);
  for (let end = limit; ; ) {
    const last = lineStart(text, end - 1);
    const line = text.slice(last, end);
    if (last <= start || !(line.trim() === "" || isComment(line, column) || /^(?:---|\.\.\.)/.test(line))) return end;
    end = last;
  }
}

function isComment(line: string, column: number): boolean {
  const indent = /^( *)#/.exec(line)?.[1];
  return indent !== undefined && indent.length <= column;
}

/** The lines without the indentation of `column`, and with `\n`. */
export function dedented(lines: string, column: number): string {
  const pad = " ".repeat(column);
  return lines
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((line) => `${line.startsWith(pad) ? line.slice(column) : line.trimStart()}\n`)
    .join("");
}

export function indented(lines: string, column: number): string {
  return lines.replace(/^(?=.)/gm, " ".repeat(column));
}
