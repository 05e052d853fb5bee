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
