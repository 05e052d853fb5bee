// changes: two texts as lines that went and lines that came, behind bars. The only module that loads the library `diff`.

import { structuredPatch } from "diff";
import { limits } from "../base/limits.ts";
import type { CardView } from "./card.ts";
import { count } from "./text.ts";
import { behindBars } from "./visible.ts";

/** Unchanged lines that are shown around a change. */
const AROUND = 2;

export function changes(before: string, after: string, view: Omit<CardView, "nowMs">): string[] {
  const { style, columns, linesMax } = view;
  const lines: string[] = [];
  for (const hunk of hunksOf(before, after)) {
    if (lines.length > 0) lines.push(style("faint", "  ⋮"));
    for (const line of hunk) {
      const look = (text: string) =>
        line.startsWith("+") ? style("succeeded", text) : line.startsWith("-") ? style("failed", text) : text;
      lines.push(...behindBars(`${line[0]} ${line.slice(1)}`, { columns, faint: (bar) => style("faint", bar), look }));
    }
  }
  if (lines.length <= linesMax) return lines;
  return [...lines.slice(0, linesMax), style("faint", `  … ${count(lines.length - linesMax, "more line")}`)];
}

/** What went (`-`), what came (`+`) and the lines around; empty when nothing differs. At most limits.changedLinesMax. */
export function changedLines(before: string, after: string): string[] {
  return hunksOf(before, after).flat().slice(0, limits.changedLinesMax);
}

function hunksOf(before: string, after: string): string[][] {
  const { hunks } = structuredPatch("", "", wholeLines(before), wholeLines(after), "", "", { context: AROUND });
  return hunks.map(({ lines }) => lines.filter((line) => !line.startsWith("\\")));
}

/** A line break that is missing at the end is no change of the last line. */
function wholeLines(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
