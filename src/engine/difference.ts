// difference: line diffs of two texts. The only module that loads the library `diff`.

import { structuredPatch } from "diff";
import { limits } from "../base/limits.ts";

/** Unchanged lines shown around a change. */
const AROUND = 2;

/**
 * Removed (`-`) and added (`+`) lines with context. Empty if the texts are equal. At most `limits.changedLinesMax`
 * lines.
 */
export function changedLines(before: string, after: string): string[] {
  return hunksOf(before, after).flat().slice(0, limits.changedLinesMax);
}

/** The lines of each hunk, prefixed with `-`, `+`, or a space. */
export function hunksOf(before: string, after: string): string[][] {
  const { hunks } = structuredPatch("", "", wholeLines(before), wholeLines(after), "", "", { context: AROUND });
  return hunks.map(({ lines }) => lines.filter((line) => !line.startsWith("\\")));
}

/** A missing newline at the end is not a change of the last line. */
function wholeLines(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
