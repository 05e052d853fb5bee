// marks: replaces each known `${…}` by a word of letters and digits, which any shell parser reads as plain text (spec
// 4.1, step 2).
//   M1. A mark occurs nowhere else in the text.
//   M2. A mark never joins the text before it: `$own${v}` must not read as one longer name.
//   M3. `\${v}` is literal and stays, and `\$${v}` is a dollar sign and a value. `$${…}` gets its own mark, for a
//       literal `${…}`.
//   M4. CRLF becomes LF. Offsets of problems are those of the author's text.

import { type Known, parseTemplate, type Reference } from "../template.ts";
import { type At, atReference } from "./problems.ts";

/** `at`, `end`: offsets in the marked text. */
export type Mark = { index: number; at: number; end: number } & (
  | { kind: "reference"; reference: Reference }
  | { kind: "literal"; start: number; finish: number; text: string }
);

export interface Marked {
  /** The text with marks. */
  text: string;
  marks: Mark[];
  pattern: RegExp;
  /** Converts an offset in the marked text to one in the original. */
  original(offset: number): number;
  /** The positions of a mark, and of a point of the marked text, for a problem. */
  atMark(mark: Mark): At;
  atPoint(offset: number): At;
}

/** `known` selects the workflow's references. The salt is made longer until it does not occur in the text. */
export function mark(text: string, known: Known): Marked {
  let salt = "Qk";
  while (text.includes(salt)) salt += "7x";
  // A character that can be part of a word, but not of a name.
  let apart = "\uE000";
  while (text.includes(apart)) apart += "\uE001";
  const marks: Mark[] = [];
  const replaced: Replaced[] = [];
  let marked = "";
  let from = 0;
  for (const found of findings(text)) {
    if (found.kind === "reference" && !known(found.reference.root, found.reference.members)) continue;
    marked += text.slice(from, found.start);
    const at = marked.length;
    if (found.kind !== "return") {
      const index = marks.length;
      marked += `${/\$\w*$/.test(marked.slice(-200)) ? apart : ""}${salt}${index}z`;
      marks.push({ ...found, index, at, end: marked.length });
    }
    replaced.push({ at, end: marked.length, start: found.start, finish: found.finish });
    from = found.finish;
  }
  marked += text.slice(from);
  const original = originalOffset(replaced);
  return {
    text: marked,
    marks,
    pattern: new RegExp(`(?:${apart})?${salt}([0-9]+)z`, "g"),
    original,
    atMark: (one) =>
      one.kind === "reference"
        ? atReference(text, one.reference)
        : { start: one.start, end: one.finish, name: `$${one.text}` },
    atPoint: (offset) => ({ start: original(offset), end: original(offset) + 1, name: "" }),
  };
}

type Finding = { start: number; finish: number } & (
  | { kind: "reference"; reference: Reference }
  | { kind: "literal"; text: string }
  | { kind: "return" }
);

function findings(text: string): Finding[] {
  // An escaped dollar sign does not start a reference.
  const masked = text.replace(/\\[\s\S]/g, (pair) => (pair === "\\$" ? "\\ " : pair));
  const found: Finding[] = parseTemplate(masked)
    .filter((part) => part.kind === "reference")
    .map((reference) => ({ kind: "reference", reference, start: reference.start, finish: reference.end }));
  // The closing brace belongs to the mark: zsh would read it as a separate word.
  for (const { index, 0: literal } of masked.matchAll(/\$\$\{(?:[^{}'"\\`$\s]*\})?/g))
    found.push({ kind: "literal", start: index, finish: index + literal.length, text: literal.slice(1) });
  for (const { index } of text.matchAll(/\r\n/g)) found.push({ kind: "return", start: index, finish: index + 1 });
  return found.sort((a, b) => a.start - b.start);
}

/** A range of the original, and the range of the marked text in its place. */
interface Replaced {
  at: number;
  end: number;
  start: number;
  finish: number;
}

function originalOffset(replaced: readonly Replaced[]): (offset: number) => number {
  return (offset) => {
    let shift = 0;
    for (const { at, end, start, finish } of replaced) {
      if (at >= offset) break;
      if (offset < end) return start;
      shift = finish - end;
    }
    return offset + shift;
  };
}
