// merge: merges two texts with a common origin by lines (spec 2.3: no edit is lost).
//   M1. A change on one side is taken. The same change on both sides is taken once. Different changes are a conflict.
//   M2. A conflict has both sides in full, so that the user can choose.

import { diffArrays } from "diff";
import type { TextEdit } from "./types.ts";

export interface Conflict {
  /** The line in the merged text, which has our side of the conflict. Counted from 0. */
  line: number;
  ours: string;
  theirs: string;
}

export interface Merged {
  /** Has our side of each conflict. */
  text: string;
  conflicts: Conflict[];
}

export function mergeTexts(base: string, ours: string, theirs: string): Merged {
  if (ours === theirs || base === theirs) return { text: ours, conflicts: [] };
  if (base === ours) return { text: theirs, conflicts: [] };
  const lines = linesOf(base);
  const mine = hunksOf(lines, linesOf(ours));
  const other = hunksOf(lines, linesOf(theirs));
  const out: string[] = [];
  const conflicts: Conflict[] = [];
  let at = 0;
  while (mine.length > 0 || other.length > 0) {
    const group = nextGroup(mine, other);
    out.push(...lines.slice(at, group.from));
    const a = sideOf(lines, group, group.mine);
    const b = sideOf(lines, group, group.other);
    if (group.other.length > 0 && group.mine.length > 0 && a !== b)
      conflicts.push({ line: out.length, ours: a, theirs: b });
    out.push(...linesOf(group.mine.length > 0 ? a : b));
    at = group.to;
  }
  out.push(...lines.slice(at));
  return { text: out.join(""), conflicts };
}

interface Hunk {
  from: number;
  to: number;
  lines: string[];
}

export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function hunksOf(base: string[], side: string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  for (const part of diffArrays(base, side)) {
    if (!part.added && !part.removed) {
      at += part.value.length;
      continue;
    }
    const last = hunks.at(-1);
    const hunk = last !== undefined && last.to === at ? last : { from: at, to: at, lines: [] };
    if (hunk !== last) hunks.push(hunk);
    if (part.removed) {
      at += part.value.length;
      hunk.to = at;
    } else hunk.lines.push(...part.value);
  }
  return hunks;
}

interface Group {
  from: number;
  to: number;
  mine: Hunk[];
  other: Hunk[];
}

/** Groups hunks of both sides that touch the same lines. */
function nextGroup(mine: Hunk[], other: Hunk[]): Group {
  const from = Math.min(mine[0]?.from ?? Number.POSITIVE_INFINITY, other[0]?.from ?? Number.POSITIVE_INFINITY);
  const group: Group = { from, to: from, mine: [], other: [] };
  for (;;) {
    const sides = [
      [mine, group.mine],
      [other, group.other],
    ] as const;
    let grown = false;
    for (const [rest, taken] of sides) {
      const next = rest[0];
      if (next === undefined || !touches(next, group)) continue;
      taken.push(rest.shift()!);
      group.to = Math.max(group.to, next.to);
      grown = true;
    }
    if (!grown) return group;
  }
}

function touches(hunk: Hunk, group: Group): boolean {
  if (hunk.from < group.to) return true;
  return hunk.from === group.from || (hunk.from === group.to && hunk.from === hunk.to);
}

function sideOf(base: readonly string[], group: Group, hunks: readonly Hunk[]): string {
  const out: string[] = [];
  let at = group.from;
  for (const hunk of hunks) {
    out.push(...base.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...out, ...base.slice(at, group.to)].join("");
}

/** Small replacements by lines that turn `before` into `after`. Cursors and undo steps outside them stay in place. */
export function lineEdits(before: string, after: string): TextEdit[] {
  const lines = linesOf(before);
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length);
  return hunksOf(lines, linesOf(after)).map((hunk) => ({
    from: starts[hunk.from]!,
    to: starts[hunk.to]!,
    insert: hunk.lines.join(""),
  }));
}
