// shell/at: positions in the original script, for problems.

import type { Reference } from "../template.ts";
import type { Mark, Marked } from "./marks.ts";
import type { At } from "./problems.ts";
import type { ShellProgram } from "./types.ts";

export function atMark(text: string, one: Mark): At {
  return one.kind === "reference"
    ? atReference(text, one.reference)
    : { start: one.start, end: one.finish, name: `$${one.text}` };
}

export function atReference(text: string, { start, end }: Reference): At {
  return { start, end, name: text.slice(start, end) };
}

export function pointAt(marked: Marked, offset: number): At {
  const start = marked.original(offset);
  return { start, end: start + 1, name: "" };
}

export function whole(text: string): At {
  return { start: 0, end: text.length, name: "" };
}

/** Converts offsets in the text with LF to offsets in the original, which may have CRLF. */
export function lineShift(content: string): (offset: number) => number {
  const removed: number[] = [];
  for (let at = content.indexOf("\r\n"); at !== -1; at = content.indexOf("\r\n", at + 2))
    removed.push(at - removed.length);
  if (removed.length === 0) return (offset) => offset;
  return (offset) => {
    let low = 0;
    let high = removed.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((removed[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  };
}

export function shifted(program: ShellProgram, shift: (offset: number) => number): ShellProgram {
  const move = <T extends { start: number; end: number }>(range: T): T => ({
    ...range,
    start: shift(range.start),
    end: shift(range.end),
  });
  return {
    script: program.script,
    unknown: program.unknown.map(move),
    variables: program.variables.map((variable) => ({ ...variable, uses: variable.uses.map(move) })),
  };
}
