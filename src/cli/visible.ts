// visible: text of others on a terminal, where a person decides by it: nothing in it can look like our own words (base/visible.ts: nor hide).
//   V2. Every line of it stands behind a bar, also where it was broken because the terminal is narrow. Our own words never do.

import { visible } from "../base/visible.ts";
import { count, width } from "./text.ts";

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
