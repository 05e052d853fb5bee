// changes: the difference of two texts as removed and added lines, behind bars.

import { count } from "../base/text.ts";
import { hunksOf } from "../engine/difference.ts";
import type { CardView } from "./approval-view.ts";
import { behindBars } from "./visible.ts";

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
