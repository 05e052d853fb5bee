// parts: the lines of a document that an edit is about, each run of them a small document of its own: changing one node of a thousand does not
// cost a tree of all (yaml-plain.ts P3 says where parts begin).
//   W1. A part holds what changes in a list or map of the document, and its neighbours on both sides, so that comments between them go where
//       they would go in the whole text.

import type { PlainYaml } from "../../workflow/yaml-plain.ts";
import { isMapValue, isSame } from "./equal.ts";
import { styleOfColumn } from "./reconcile.ts";
import type { Plain } from "./types.ts";
import type { Style } from "./write.ts";

export interface Part {
  text: string;
  /** From its own offsets to those of the document. */
  above: number;
  before: Plain;
  after: Plain;
  style: Style;
}

/** None where keys of the document itself come or go. */
export function changedParts(text: string, parts: PlainYaml, after: Plain): Part[] {
  const { plain: before } = parts;
  const keys = Object.keys(before);
  if (keys.join("\n") !== Object.keys(after).join("\n")) return [];
  const style = styleIn(text, parts);
  return keys
    .filter((key) => !isSame(before[key], after[key]))
    .map((key) => ({ ...partOf(text, parts, key, after[key]), style }));
}

function styleIn(text: string, { pieces }: PlainYaml): Style {
  const [first] = pieces.values();
  return styleOfColumn(first === undefined ? 2 : text.indexOf("-", first[0]) - first[0]!);
}

function partOf(text: string, parts: PlainYaml, key: string, after: unknown): Omit<Part, "style"> {
  const before = parts.plain[key];
  const [from, to] = parts.sections.get(key)!;
  const whole = { text: text.slice(from, to), above: from, before: { [key]: before }, after: { [key]: after } };
  if (Array.isArray(before) && Array.isArray(after)) {
    const starts = parts.pieces.get(key);
    const run = runOf(before, after, isSame);
    if (starts === undefined || run === undefined) return whole;
    return {
      ...linesOf(text, key, from, starts, run),
      before: { [key]: before.slice(run.from, run.to) },
      after: { [key]: after.slice(run.from, run.toAfter) },
    };
  }
  if (!isMapValue(before) || !isMapValue(after)) return whole;
  const [old, now] = [Object.entries(before), Object.entries(after)];
  const starts = parts.pairs.get(key);
  const run = runOf(old, now, ([one, its], [other, theirs]) => one === other && isSame(its, theirs));
  if (starts === undefined || run === undefined) return whole;
  return {
    ...linesOf(text, key, from, starts, run),
    before: { [key]: Object.fromEntries(old.slice(run.from, run.to)) },
    after: { [key]: Object.fromEntries(now.slice(run.from, run.toAfter)) },
  };
}

interface Run {
  from: number;
  /** Exclusive: of what was, and of what is. */
  to: number;
  toAfter: number;
}

/** W1. Undefined: nothing stays on either side. */
function runOf<T>(before: readonly T[], after: readonly T[], isEqual: (one: T, other: T) => boolean): Run | undefined {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && isEqual(before[head]!, after[head]!)) head += 1;
  let tail = 0;
  while (tail < most - head && isEqual(before.at(-1 - tail)!, after.at(-1 - tail)!)) tail += 1;
  if (head + tail === 0) return undefined;
  const beside = Math.max(0, tail - 1);
  return { from: Math.max(0, head - 1), to: before.length - beside, toAfter: after.length - beside };
}

/** The first part begins with the very line of its key: comments may stand below that. */
function linesOf(text: string, key: string, section: number, starts: readonly number[], { from, to }: Run) {
  const begin = from === 0 ? section : starts[from]!;
  const head = from === 0 ? "" : `${key}:\n`;
  return { text: head + text.slice(begin, starts[to]), above: begin - head.length };
}

/** Where what the items of a list say begins, behind the dash, and ends. */
export function itemsIn(text: string, { pieces }: PlainYaml, key: string): [from: number, to: number][] {
  const starts = pieces.get(key) ?? [];
  return starts.slice(0, -1).map((start, index) => {
    const dash = text.indexOf("-", start);
    return [dash + 2, start + saidIn(text.slice(start, starts[index + 1]), dash - start)];
  });
}

/** Without blank lines behind it, and comments there that do not stand deeper than its dash. */
function saidIn(lines: string, column: number): number {
  let end = lines.length;
  for (;;) {
    const from = lines.lastIndexOf("\n", end - 2) + 1;
    const [, blanks, mark] = /^( *)(#?)/.exec(lines.slice(from, end))!;
    const isBlank = from + blanks!.length >= end - 1;
    if (from === 0 || !(isBlank || (mark === "#" && blanks!.length <= column))) return end - 1;
    end = from;
  }
}
