// marks: replaces each known `${…}` by a word of letters and digits, which any shell parser reads as plain text (spec
// 4.1, step 2).
//   M1. A mark occurs nowhere else in the text.
//   M2. A mark never joins the text before it: `$own${v}` must not read as one longer name.
//   M3. `\${v}` is literal and stays, and `\$${v}` is a dollar sign and a value. `$${…}` gets its own mark, for a
//       literal `${…}`.

import { FILTERS, parseTemplate, type Reference } from "../template.ts";

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
}

/** `known` selects the workflow's references. The salt is made longer until it does not occur in the text. */
export function mark(text: string, known: (root: string) => boolean): Marked {
  let salt = "Qk";
  while (text.includes(salt)) salt += "7x";
  // A character that can be part of a word, but not of a name.
  let apart = "\uE000";
  while (text.includes(apart)) apart += "\uE001";
  const marks: Mark[] = [];
  let marked = "";
  let from = 0;
  for (const found of findings(text)) {
    if (found.kind === "reference" && !known(found.reference.root)) continue;
    marked += text.slice(from, found.start);
    const index = marks.length;
    const word = `${/\$\w*$/.test(marked.slice(-200)) ? apart : ""}${salt}${index}z`;
    marks.push({ ...found, index, at: marked.length, end: marked.length + word.length });
    marked += word;
    from = found.end;
  }
  marked += text.slice(from);
  return {
    text: marked,
    marks,
    pattern: new RegExp(`(?:${apart})?${salt}([0-9]+)z`, "g"),
    original: originalOffset(marks),
  };
}

type Finding = { start: number; end: number } & (
  | { kind: "reference"; reference: Reference }
  | { kind: "literal"; finish: number; text: string }
);

function findings(text: string): Finding[] {
  // An escaped dollar sign does not start a reference.
  const masked = text.replace(/\\[\s\S]/g, (pair) => (pair === "\\$" ? "\\ " : pair));
  const found: Finding[] = parseTemplate(masked)
    .filter((part) => part.kind === "reference")
    .map((reference) => ({ kind: "reference", reference, start: reference.start, end: reference.end }));
  // The closing brace belongs to the mark: zsh would read it as a separate word.
  for (const match of masked.matchAll(/\$\$\{(?:[^{}'"\\`$\s]*\})?/g)) {
    const end = match.index + match[0].length;
    found.push({ kind: "literal", start: match.index, end, finish: end, text: match[0].slice(1) });
  }
  return found.sort((a, b) => a.start - b.start);
}

function originalOffset(marks: readonly Mark[]): (offset: number) => number {
  return (offset) => {
    let shift = 0;
    for (const mark of marks) {
      if (mark.at >= offset) break;
      const { start, end } = mark.kind === "reference" ? mark.reference : { start: mark.start, end: mark.finish };
      if (offset < mark.end) return start;
      shift = end - mark.end;
    }
    return offset + shift;
  };
}

export function isFilter(name: string): boolean {
  return (FILTERS as readonly string[]).includes(name);
}
