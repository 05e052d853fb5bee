// difference: two texts as lines that went and lines that came. The only module that loads the library `diff`.

import { structuredPatch } from "diff";
import { limits } from "../base/limits.ts";

/** Unchanged lines that are shown around a change. */
const AROUND = 2;

/** What went (`-`), what came (`+`) and the lines around; empty when nothing differs. At most limits.changedLinesMax. */
export function changedLines(before: string, after: string): string[] {
  return hunksOf(before, after).flat().slice(0, limits.changedLinesMax);
}

/** Lines of each place where the texts differ, with `-`, `+` or a blank before each. */
export function hunksOf(before: string, after: string): string[][] {
  const { hunks } = structuredPatch("", "", wholeLines(before), wholeLines(after), "", "", { context: AROUND });
  return hunks.map(({ lines }) => lines.filter((line) => !line.startsWith("\\")));
}

/** A line break that is missing at the end is no change of the last line. */
function wholeLines(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
