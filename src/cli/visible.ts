// visible: text of others shown to a person who decides by it: nothing in it can hide, move the cursor or look like our own words.
//   V1. A character that is not seen, or changes how others are seen, stands as its code: `⟨U+001B⟩`. None is left out.
//   V2. Every line of it stands behind a bar, also where it was broken because the terminal is narrow. Our own words never do.

import { count, width } from "./text.ts";

// Controls, formats (bidi among them), separators of lines, halves, and whatever Unicode says is not to be seen; but tab, line feed, and
// the mark that makes a sign an emoji.
const HIDDEN = /(?![\t\n]|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const TAB = "    ";

/** Lines stay lines; a tab takes four columns. */
export function visible(text: string): string {
  return text
    .replaceAll(HIDDEN, (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`)
    .replaceAll("\t", TAB);
}

/** The same on one line: a line break stands as `⏎`. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "⏎");
}

export interface Bars {
  /** Columns of the terminal; endless when it is none. */
  columns: number;
  /** At most so many lines, bars and all; what is above is counted in a last line of ours. */
  linesMax?: number;
  /** A style for what stands before each line, and for the note about what is not shown. */
  faint(text: string): string;
  /** A style for the text itself. */
  look?(text: string): string;
}

/** Lines behind `│`; one that is broken goes on behind `┊`. */
export function behindBars(
  text: string,
  { columns, linesMax = Number.POSITIVE_INFINITY, faint, look = (shown) => shown }: Bars,
): string[] {
  const room = Math.max(8, columns - 4);
  const lines: string[] = [];
  const all = visible(text.replace(/\n$/, "")).split("\n");
  for (const [index, line] of all.entries()) {
    for (const [piece, broken] of pieces(line, room)) {
      if (lines.length >= linesMax) return [...lines, faint(`  … ${count(all.length - index, "more line")}`)];
      lines.push(`${faint(broken ? "  ┊" : "  │")}${piece === "" ? "" : ` ${look(piece)}`}`);
    }
  }
  return lines;
}

/** The line in pieces of at most `room` columns. */
export function* pieces(line: string, room: number): Generator<[piece: string, broken: boolean]> {
  if (line.length <= room && width(line) <= room) return yield [line, false];
  let piece = "";
  let used = 0;
  let broken = false;
  for (const character of line) {
    const wide = width(character);
    if (used + wide > room) {
      yield [piece, broken];
      piece = "";
      used = 0;
      broken = true;
    }
    piece += character;
    used += wide;
  }
  yield [piece, broken];
}
