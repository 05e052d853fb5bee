// words: the text of a shell word without its quotes, with the marks in place.

import type { SyntaxNode } from "unbash";
import type { Mark } from "./marks.ts";

/** `dynamic`: an expansion of the script's own, whose text is not known. */
export type Segment = { text: string } | { mark: Mark } | { dynamic: SyntaxNode };

/** The parts of a word that options.ts reads. */
export interface OptionWord {
  /** The word's text if all of it is known. */
  literal: string | undefined;
  /** The known text at its start. */
  head: string;
}

export interface Argument extends OptionWord {
  node: SyntaxNode;
  segments: Segment[];
}

export interface MarkedText {
  source: string;
  marks: readonly Mark[];
  pattern: RegExp;
  /** Words of variables that the script sets only to fixed texts: `PY="python3 -c"`. */
  fixed?: ReadonlyMap<string, readonly string[]>;
}

/** An assignment among the arguments (`export X=…`) is read as one word. Quotes in it are ignored. */
export function readWord(node: SyntaxNode, text: MarkedText): Argument {
  const segments: Segment[] = [];
  if (node.type === "Assignment") addRaw(text.source.slice(node.pos, node.end), text, segments, "bare");
  else add(node, text, segments, "bare");
  const [first] = segments;
  const head = first !== undefined && "text" in first ? first.text : "";
  const isKnown = segments.length === 0 || (segments.length === 1 && first !== undefined && "text" in first);
  return { node, segments, head, literal: isKnown ? head : undefined };
}

type Quote = "bare" | "double" | "heredoc" | "none";

function add(node: SyntaxNode, text: MarkedText, into: Segment[], quote: Quote): void {
  const raw = text.source.slice(node.pos, node.end);
  switch (node.type) {
    case "Word":
      if (node.parts === undefined) addRaw(raw, text, into, quote);
      else for (const part of node.parts) add(part, text, into, quote);
      return;
    case "Literal":
      addRaw(raw, text, into, quote);
      return;
    case "SingleQuoted":
      addRaw(raw.slice(1, -1), text, into, "none");
      return;
    case "AnsiCQuoted":
      if (raw.search(text.pattern) === -1) addText(node.value, into);
      else addRaw(raw.slice(2, -1), text, into, "none");
      return;
    case "DoubleQuoted":
      for (const part of node.parts) add(part, text, into, "double");
      return;
    case "HereDocBody":
      if (node.parts === undefined) addRaw(raw, text, into, "heredoc");
      else for (const part of node.parts) add(part, text, into, "heredoc");
      return;
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      addRaw(raw, text, into, quote);
      return;
    default:
      into.push({ dynamic: node });
  }
}

function addRaw(raw: string, text: MarkedText, into: Segment[], quote: Quote): void {
  let from = 0;
  for (const match of raw.matchAll(text.pattern)) {
    addText(withoutEscapes(raw.slice(from, match.index), quote), into);
    from = match.index + match[0].length;
    const mark = text.marks[Number(match[1])];
    if (mark === undefined) continue;
    if (mark.kind === "literal") addText(mark.text, into);
    else into.push({ mark });
  }
  addText(withoutEscapes(raw.slice(from), quote), into);
}

function addText(text: string, into: Segment[]): void {
  const last = into.at(-1);
  if (text === "") return;
  if (last !== undefined && "text" in last) last.text += text;
  else into.push({ text });
}

function withoutEscapes(raw: string, quote: Quote): string {
  if (!raw.includes("\\") || quote === "none") return raw;
  if (quote === "bare") return raw.replace(/\\(\n|[\s\S])/g, (_, char: string) => (char === "\n" ? "" : char));
  return raw.replace(quote === "double" ? /\\([$`"\\\n])/g : /\\([$`\\\n])/g, (_, char: string) =>
    char === "\n" ? "" : char,
  );
}

/**
 * The literal text before a mark, and whether marks or dynamic parts come before it. Undefined if the mark is not in
 * these segments.
 */
export function before(
  segments: readonly Segment[],
  mark: Mark,
): { text: string; marks: Mark[]; dynamic: boolean; first: boolean } | undefined {
  let text = "";
  const marks: Mark[] = [];
  let dynamic = false;
  for (const [index, segment] of segments.entries()) {
    if ("mark" in segment && segment.mark === mark) return { text, marks, dynamic, first: index === 0 };
    if ("text" in segment) text += segment.text;
    else if ("mark" in segment) marks.push(segment.mark);
    else dynamic = true;
  }
  return undefined;
}
