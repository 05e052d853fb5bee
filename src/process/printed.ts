// printed: the first lines that a failed command printed to stdout, for people. A server's own message comes first.

import { errorWords } from "../base/error-words.ts";
import { parseJsonObject } from "../base/tolerant.ts";

const LINES_MAX = 3;
const LINE_CHARS_MAX = 300;

/** `start`: the beginning of the masked output. */
export function printedLines(start: string): string[] {
  const message = parseJsonObject(start) === undefined ? "" : errorWords(start).replaceAll(/\s+/g, " ");
  const lines = start.split(/\r?\n/).filter((line) => line.trim() !== "");
  return [...(message === "" ? [] : [message]), ...lines.slice(0, LINES_MAX)].map(cut);
}

function cut(line: string): string {
  return line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX)}…` : line;
}
