// visible: shows untrusted text to an approver so that it cannot look like Curlew's own words. base/visible.ts shows
// hidden characters.
//   V2. Every line of it is behind a bar, even if a narrow terminal wraps it. Curlew's own words never are.

import { count } from "../base/text.ts";
import { visible } from "../base/visible.ts";
import { width } from "./text.ts";

export interface Bars {
  /** Columns of the terminal; infinite if it is not a terminal. */
  columns: number;
  /** Maximum number of lines, including bars. A last line counts the rest. */
  linesMax?: number;
  /** A style for the bar before each line, and for the note about hidden lines. */
  faint(text: string): string;
  /** A style for the text itself. */
  look?(text: string): string;
}

/** Lines behind `│`. A wrapped line continues behind `┊`. */
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
