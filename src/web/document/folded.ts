// folded: another value for a folded text (`>-`), with the line breaks that its author gave it.

import type { Node } from "yaml";
import type { TextEdit } from "./types.ts";

/** Nothing when the new value cannot be folded the same way. */
export function changedFold(text: string, node: Node, value: string): TextEdit | undefined {
  const [start, end] = node.range!;
  const header = text.indexOf("\n", start) + 1;
  if (header === 0 || header >= end) return undefined;
  const body = text.slice(header, end).replace(/[\r\n]+$/, "");
  const old = body.split(/\r?\n/);
  const column = /^ */.exec(old[0] ?? "")![0].length;
  if (old.some((line) => !isFoldable(line.slice(column)) || line.slice(0, column).trim() !== "")) return undefined;
  const tail = /\n*$/.exec(value)![0];
  const lines = refolded(
    old.map((line) => line.slice(column)),
    value.slice(0, value.length - tail.length),
  );
  if (lines === undefined) return undefined;
  const pad = " ".repeat(column);
  return { from: header, to: header + body.length, insert: lines.map((line) => pad + line).join("\n") };
}

function isFoldable(line: string): boolean {
  return line !== "" && !/^\s|\s$/.test(line);
}

/** The change lies between what both values begin and end with; breaks outside of it stay. */
function refolded(old: string[], value: string): string[] | undefined {
  if (value.includes("\n") || value === "") return undefined;
  const before = old.join(" ");
  const most = Math.min(before.length, value.length);
  let tail = 0;
  while (tail < most && before[before.length - 1 - tail] === value[value.length - 1 - tail]) tail++;
  let head = 0;
  while (head < most - tail && before[head] === value[head]) head++;
  const breaks = new Set<number>();
  let at = 0;
  for (const line of old.slice(0, -1)) {
    at += line.length;
    if (at < head) breaks.add(at);
    else if (at >= before.length - tail) breaks.add(at + value.length - before.length);
    at += 1;
  }
  const lines = [...breaks]
    .sort((a, b) => a - b)
    .reduceRight<string[]>(
      (rest, place) => [rest[0]!.slice(0, place), rest[0]!.slice(place + 1), ...rest.slice(1)],
      [value],
    );
  return lines.every(isFoldable) && lines.join(" ") === value ? lines : undefined;
}
