// marks: puts a word of letters and digits where a known `${…}` stands, so that any shell parser reads it as plain text (spec 4.1, step 2).
//   M1. A mark occurs nowhere else in the text.
//   M2. A mark never joins what stands before it: `$own${v}` must not read as one longer name.
//   M3. `\${v}` is the author's own literal and stays, `\$${v}` is a dollar sign and a value; `$${…}` becomes a mark of its own, a literal `${…}`.

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
  /** An offset of the marked text as one of the author's. */
  original(offset: number): number;
}

/** `known` decides which references are ours. `salt` is any word of letters and digits; it grows until it is not in the text. */
export function mark(text: string, known: (root: string) => boolean): Marked {
  let salt = "Qk";
  while (text.includes(salt)) salt += "7x";
  // Part of a word, but not of a name.
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
  // An escaped dollar sign begins nothing.
  const masked = text.replace(/\\[\s\S]/g, (pair) => (pair === "\\$" ? "\\ " : pair));
  const found: Finding[] = parseTemplate(masked)
    .filter((part) => part.kind === "reference")
    .map((reference) => ({ kind: "reference", reference, start: reference.start, end: reference.end }));
  // The closing brace belongs to it: alone it would be a word of its own to zsh.
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
