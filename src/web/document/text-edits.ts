// text-edits: changes of a text as ordered lists of replacements that do not touch each other.

import type { TextEdit } from "./types.ts";

export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const edit of edits) {
    result += text.slice(at, edit.from) + edit.insert;
    at = edit.to;
  }
  return result + text.slice(at);
}

/** The edits that turn the new text back into the old one. */
export function inverseOf(text: string, edits: readonly TextEdit[]): TextEdit[] {
  let shift = 0;
  return edits.map((edit) => {
    const from = edit.from + shift;
    shift += edit.insert.length - (edit.to - edit.from);
    return { from, to: from + edit.insert.length, insert: text.slice(edit.from, edit.to) };
  });
}

/** One replacement that turns `before` into `after`, or none if they are equal. */
export function editBetween(before: string, after: string): TextEdit[] {
  if (before === after) return [];
  return [trimmed(before, { from: 0, to: before.length, insert: after })];
}

/** The same replacement without common text at both ends. It never splits a character. */
export function trimmed(text: string, edit: TextEdit): TextEdit {
  const most = Math.min(edit.to - edit.from, edit.insert.length);
  let head = 0;
  while (head < most && text.charCodeAt(edit.from + head) === edit.insert.charCodeAt(head)) head++;
  if (head > 0 && isHigh(text.charCodeAt(edit.from + head - 1))) head--;
  let tail = 0;
  while (
    tail < most - head &&
    text.charCodeAt(edit.to - 1 - tail) === edit.insert.charCodeAt(edit.insert.length - 1 - tail)
  )
    tail++;
  if (tail > 0 && isLow(text.charCodeAt(edit.to - tail))) tail--;
  return {
    from: edit.from + head,
    to: edit.to - tail,
    insert: edit.insert.slice(head, edit.insert.length - tail),
  };
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
