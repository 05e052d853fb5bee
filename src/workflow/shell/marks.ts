// marks: puts a word of letters and digits where a known `${…}` stands, so that any shell parser reads it as plain text (spec 4.1, step 2).
//   M1. A mark occurs nowhere else in the text.
//   M2. `\${v}` is the author's own literal and stays; `$${` becomes a mark of its own, a literal `${`.

import { FILTERS, parseTemplate, type Reference } from "../template.ts";

export type Mark = { index: number; at: number; end: number } & (
  | { kind: "reference"; reference: Reference }
  | { kind: "literal"; start: number }
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
  const marks: Mark[] = [];
  let marked = "";
  let from = 0;
  for (const found of findings(text)) {
    if (backslashesBefore(text, found.start) % 2 === 1) continue;
    if (found.kind === "reference" && !known(found.reference.root)) continue;
    marked += text.slice(from, found.start);
    const index = marks.length;
    const word = `${salt}${index}z`;
    marks.push({ ...found, index, at: marked.length, end: marked.length + word.length });
    marked += word;
    from = found.end;
  }
  marked += text.slice(from);
  return { text: marked, marks, pattern: new RegExp(`${salt}([0-9]+)z`, "g"), original: originalOffset(marks) };
}

type Finding = { start: number; end: number } & ({ kind: "reference"; reference: Reference } | { kind: "literal" });

function findings(text: string): Finding[] {
  const found: Finding[] = parseTemplate(text)
    .filter((part) => part.kind === "reference")
    .map((reference) => ({ kind: "reference", reference, start: reference.start, end: reference.end }));
  for (const match of text.matchAll(/\$\$\{/g))
    found.push({ kind: "literal", start: match.index, end: match.index + 3 });
  return found.sort((a, b) => a.start - b.start);
}

function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (at - count > 0 && text[at - count - 1] === "\\") count++;
  return count;
}

function originalOffset(marks: readonly Mark[]): (offset: number) => number {
  return (offset) => {
    let shift = 0;
    for (const mark of marks) {
      if (mark.at >= offset) break;
      const { start, end } = mark.kind === "reference" ? mark.reference : { start: mark.start, end: mark.start + 3 };
      if (offset < mark.end) return start;
      shift = end - mark.end;
    }
    return offset + shift;
  };
}

export function isFilter(name: string): boolean {
  return (FILTERS as readonly string[]).includes(name);
}
