// log: the loaded lines of an output, which may be far larger, and the gaps between them (spec ui 6.4). Pure.
//   L1. Parts are identified by their byte range and never overlap. Lines already loaded are dropped from a new
//       response.
//   L2. A gap is one row that shows its size. It is filled from its beginning.
//   L3. Lines have numbers if the server has counted them. A line split by the time of reading is joined again
//       (`firstLine` marks it).
//   L4. The loaded size is bounded: the part farthest from the view is removed, but never the end.

import type { OutputLines } from "../../../api/shapes.ts";

export type LogItem = OutputLines["items"][number];

interface LogRange {
  from: number;
  to: number;
  first: number | undefined;
  items: LogItem[];
}

export interface LineRow {
  kind: "line";
  item: LogItem;
  /** Identifies the row: its part, and the line within the part, from 0. */
  part: number;
  index: number;
  number: number | undefined;
}

export interface GapRow {
  kind: "gap";
  from: number;
  to: number;
  /** Number of lines in the gap, if both sides are numbered. */
  lines: number | undefined;
}

/** A followed part stops growing at this size, because only whole parts are removed. */
const PART_LINES_MAX = 50_000;

export class Log {
  bytes = 0;
  lines: number | undefined;
  complete = false;
  /** The time is known for at least one line. */
  timed = false;
  #parts: LogRange[] = [];

  get rowCount(): number {
    let rows = 0;
    for (const [index, part] of this.#parts.entries())
      rows += part.items.length + (this.#gapBefore(index) === undefined ? 0 : 1);
    return rows + (this.#gapAfter() === undefined ? 0 : 1);
  }

  get lineCount(): number {
    return this.#parts.reduce((sum, { items }) => sum + items.length, 0);
  }

  /** The position after the newest loaded line, if that is the end. New output is read from there. */
  get end(): number | undefined {
    return this.#parts.at(-1)?.to;
  }

  row(at: number): LineRow | GapRow | undefined {
    let left = at;
    for (const [place, part] of this.#parts.entries()) {
      const gap = this.#gapBefore(place);
      if (gap !== undefined) {
        if (left === 0) return gap;
        left -= 1;
      }
      const item = part.items[left];
      if (item !== undefined) {
        const number = part.first === undefined ? undefined : part.first + left;
        return { kind: "line", item, part: part.from, index: left, number };
      }
      left -= part.items.length;
    }
    return left === 0 ? this.#gapAfter() : undefined;
  }

  /** The row of a line number; undefined if it is not loaded. */
  rowOf(number: number): number | undefined {
    let row = 0;
    for (const [place, { first, items }] of this.#parts.entries()) {
      if (this.#gapBefore(place) !== undefined) row += 1;
      const index = first === undefined ? -1 : number - first;
      if (index >= 0 && index < items.length) return row + index;
      row += items.length;
    }
    return undefined;
  }

  take(answer: OutputLines): void {
    const part: LogRange = {
      from: placeOf(answer.before) ?? 0,
      to: placeOf(answer.after) ?? answer.bytes,
      first: answer.estimated ? undefined : answer.firstLine,
      items: [...answer.items],
    };
    this.bytes = Math.max(this.bytes, answer.bytes);
    this.lines = answer.estimated ? undefined : answer.lines;
    this.complete = answer.complete;
    this.timed ||= answer.items.some(({ at }) => at !== undefined);
    const same = this.#parts.find(({ from }) => from === part.from);
    if (same !== undefined) same.first ??= part.first;
    const last = this.#parts.at(-1);
    if (last !== undefined && part.from === last.to && (last.items.length < PART_LINES_MAX || continues(last, part)))
      append(last, part);
    else if (this.#parts.every((known) => cutTo(part, known)) && part.items.length > 0)
      this.#parts = [...this.#parts, part].sort((one, other) => one.from - other.from);
  }

  /** A part without line numbers, because the server was still counting. */
  get uncounted(): number | undefined {
    return this.#parts.find(({ first }) => first === undefined)?.from;
  }

  /** L4. `near`: the position in view. */
  trim(near: number, linesMax: number): void {
    let held = this.lineCount;
    const distance = ({ from, to }: LogRange) => (near < from ? from - near : Math.max(0, near - to));
    while (held > linesMax && this.#parts.length > 1) {
      const farthest = this.#parts.slice(0, -1).reduce((one, other) => (distance(other) > distance(one) ? other : one));
      if (distance(farthest) === 0) return;
      held -= farthest.items.length;
      this.#parts = this.#parts.filter((part) => part !== farthest);
    }
  }

  /** Keeps only the first and the last part. */
  keepEnds(): void {
    this.#parts = this.#parts.filter((_, place) => place === 0 || place === this.#parts.length - 1);
  }

  clear(): void {
    this.#parts = [];
  }

  #gapBefore(place: number): GapRow | undefined {
    const part = this.#parts[place]!;
    const previous = this.#parts[place - 1];
    const from = previous?.to ?? 0;
    if (part.from <= from) return undefined;
    const behind =
      previous === undefined ? 1 : previous.first === undefined ? undefined : previous.first + previous.items.length;
    const between = behind === undefined || part.first === undefined ? 0 : part.first - behind;
    // The gap is within one line, or its number of lines is unknown.
    return { kind: "gap", from, to: part.from, lines: between > 0 ? between : undefined };
  }

  /** Output after the last loaded part, once the output is complete. Until then, the next read loads it. */
  #gapAfter(): GapRow | undefined {
    const last = this.#parts.at(-1);
    if (last === undefined || last.to >= this.bytes || !this.complete) return undefined;
    return { kind: "gap", from: last.to, to: this.bytes, lines: undefined };
  }
}

function append(last: LogRange, part: LogRange): void {
  const cut = last.items.at(-1);
  const [rest] = part.items;
  const isCut = continues(last, part) && cut !== undefined && rest !== undefined && cut.stream === rest.stream;
  if (isCut) last.items[last.items.length - 1] = { ...cut, text: cut.text + rest.text };
  for (const item of isCut ? part.items.slice(1) : part.items) last.items.push(item);
  last.to = Math.max(last.to, part.to);
}

/** L3: the last loaded line was incomplete. */
function continues(last: LogRange, part: LogRange): boolean {
  return last.first !== undefined && part.first === last.first + last.items.length - 1;
}

/** A cursor is a letter and a byte position. */
function placeOf(cursor: string | undefined): number | undefined {
  return cursor === undefined ? undefined : Number(cursor.slice(1));
}

/** L1. Removes from `part` the lines that `known` has, by number. False if none are left or lines have no numbers. */
function cutTo(part: LogRange, known: LogRange): boolean {
  if (part.to <= known.from || part.from >= known.to) return true;
  if (part.first === undefined || known.first === undefined) return false;
  const behind = known.first + known.items.length;
  if (part.first < known.first) {
    part.items = part.items.slice(0, known.first - part.first);
    part.to = known.from;
    return true;
  }
  part.items = part.items.slice(behind - part.first);
  part.first = behind;
  part.from = known.to;
  return part.to > part.from && part.items.length > 0;
}
