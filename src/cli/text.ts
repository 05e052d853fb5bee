// text: makes untrusted text fit for a terminal line: harmless, of known width, cut if too long.
//   T1. base/text.ts defines harmless text.
//   T2. `cut` never splits a character as seen on screen, and never returns more columns than asked for.

import { harmless } from "../base/text.ts";

const COLOUR = /\u001b\[[0-9;:]*m/g;
// Fast path: these characters are all one column wide.
const PLAIN_ASCII = /^[\u0020-\u007e]*$/;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\ufe0f/u;
const NO_WIDTH = /^(?:\p{Mn}|\p{Me}|\p{Cf})+$/u;

let segmenter: Intl.Segmenter | undefined;
/** Creates the segmenter when the first text beyond plain ASCII arrives. */
function graphemes(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Terminals of unknown size (`script`, many CI systems) have 0 columns. */
export function columnsOf({ columns }: { columns?: number }, otherwise: number): number {
  return columns || otherwise;
}

/** Quotes one shell word, for commands that can be copied from a message. */
export function shellWord(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Command output for a terminal: colours stay, all other control sequences are removed. */
export function colouredOnly(text: string): string {
  let from = 0;
  let kept = "";
  for (const match of text.matchAll(COLOUR)) {
    kept += harmless(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return kept + harmless(text.slice(from));
}

/** Columns that harmless text takes on a terminal. */
export function width(text: string): number {
  if (PLAIN_ASCII.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes(text)) columns += widthOf(segment);
  return columns;
}

/** The text in at most `columns` columns, ending in `…` if it was cut. */
export function cut(text: string, columns: number): string {
  if (columns <= 0) return "";
  if (PLAIN_ASCII.test(text)) return text.length <= columns ? text : `${text.slice(0, columns - 1)}…`;
  let used = 0;
  let kept = "";
  for (const { segment } of graphemes(text)) {
    const wide = widthOf(segment);
    if (used + wide > columns) {
      while (width(kept) > columns - 1) kept = kept.slice(0, -lastGrapheme(kept).length);
      return `${kept}…`;
    }
    used += wide;
    kept += segment;
  }
  return kept;
}

export function padEnd(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

export function padStart(text: string, columns: number): string {
  return " ".repeat(Math.max(0, columns - width(text))) + text;
}

function widthOf(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

function lastGrapheme(text: string): string {
  let last = "";
  for (const { segment } of graphemes(text)) last = segment;
  return last;
}

/** The outcome of an approval that was not answered in time. */
export function expired(as: "reject" | "approve" | "fail"): string {
  return as === "approve" ? "was not answered in time, and continues" : "was not answered in time";
}

/** `2026-11-21 21:32:01`, in local time. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
