// log: the lines of an attempt's output that the page holds: parts of a file that may be far larger, in order, with what lies between
// them counted (spec ui 6.4). Pure.
//   L1. Lines are numbered from 1 as they arrived, stdout and stderr together; a part never holds a line twice, parts never overlap.
//   L2. A gap is one row that says how many lines it stands for; it is filled from either side.
//   L3. What is held is bounded: when the middle grows above `linesMax`, the part that is farthest from what is looked at goes.

import type { OutputLines } from "../../../api/shapes.ts";

export type LogItem = OutputLines["items"][number];

interface Part {
  /** Number of its first line. */
  first: number;
  items: LogItem[];
  before?: string | undefined;
  after?: string | undefined;
}

export type LogRow =
  | { kind: "line"; number: number; item: LogItem }
  | { kind: "gap"; from: number; to: number /** Where to read on. */; after?: string; before?: string };

export class Log {
  bytes = 0;
  lines = 0;
  complete = false;
  #parts: Part[] = [];

  /** Rows as they are drawn: lines, and one for every gap. */
  get rowCount(): number {
    let rows = 0;
    for (const [index, part] of this.#parts.entries()) rows += part.items.length + (this.#gapBefore(index) > 0 ? 1 : 0);
    return rows + (this.#gapAfter() > 0 ? 1 : 0);
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** The cursor behind the newest line: what was written since is read from there. */
  get end(): string | undefined {
    return this.#parts.at(-1)?.after;
  }

  row(at: number): LogRow | undefined {
    let left = at;
    for (const [index, part] of this.#parts.entries()) {
      const gap = this.#gapBefore(index);
      if (gap > 0) {
        if (left === 0) return this.#gap(index);
        left -= 1;
      }
      const item = part.items[left];
      if (left < part.items.length && item !== undefined) return { kind: "line", number: part.first + left, item };
      left -= part.items.length;
    }
    return left === 0 && this.#gapAfter() > 0 ? this.#gap(this.#parts.length) : undefined;
  }

  /** The row of a line; of the gap that it lies in, when it is not held. */
  rowOf(number: number): number {
    let row = 0;
    for (const [index, part] of this.#parts.entries()) {
      if (this.#gapBefore(index) > 0) {
        if (number < part.first) return row;
        row += 1;
      }
      if (number < part.first + part.items.length) return row + Math.max(0, number - part.first);
      row += part.items.length;
    }
    return Math.max(0, this.rowCount - 1);
  }

  holds(number: number): boolean {
    return this.#parts.some(({ first, items }) => number >= first && number < first + items.length);
  }

  /** What was read. How many lines came at the end that were not there before. */
  take(answer: OutputLines): number {
    const last = this.#lastLine();
    this.bytes = Math.max(this.bytes, answer.bytes);
    this.lines = Math.max(this.lines, answer.lines);
    this.complete = answer.complete;
    if (answer.items.length === 0) {
      const end = this.#parts.at(-1);
      if (end !== undefined && answer.after !== undefined && answer.firstLine >= last) end.after = answer.after;
      return 0;
    }
    const { firstLine: first, items, before, after } = answer;
    this.#insert({ first, items: [...items], before, after });
    return Math.max(0, this.#lastLine() - last);
  }

  /** L3. `near`: a line that is looked at. */
  trim(near: number, linesMax: number): void {
    let held = this.#parts.reduce((sum, { items }) => sum + items.length, 0);
    while (held > linesMax && this.#parts.length > 1) {
      const distance = ({ first, items }: Part) =>
        near < first ? first - near : Math.max(0, near - first - items.length);
      // The end stays: what is written goes on there.
      const candidates = this.#parts.slice(0, -1);
      const farthest = candidates.reduce((one, other) => (distance(other) > distance(one) ? other : one));
      if (distance(farthest) === 0) return;
      held -= farthest.items.length;
      this.#parts = this.#parts.filter((part) => part !== farthest);
    }
  }

  #lastLine(): number {
    const end = this.#parts.at(-1);
    return end === undefined ? 0 : end.first + end.items.length - 1;
  }

  #gapBefore(index: number): number {
    const previous = this.#parts[index - 1];
    return this.#parts[index]!.first - (previous === undefined ? 1 : previous.first + previous.items.length);
  }

  /** Lines behind the last part that are known to be there. */
  #gapAfter(): number {
    return this.#parts.length === 0 ? 0 : Math.max(0, this.lines - this.#lastLine());
  }

  #gap(index: number): LogRow {
    const previous = this.#parts[index - 1];
    const next = this.#parts[index];
    return {
      kind: "gap",
      from: previous === undefined ? 1 : previous.first + previous.items.length,
      to: next === undefined ? this.lines : next.first - 1,
      ...(previous?.after === undefined ? {} : { after: previous.after }),
      ...(next?.before === undefined ? {} : { before: next.before }),
    };
  }

  /** L1. Parts that meet become one. */
  #insert(part: Part): void {
    const parts = [...this.#parts, part].sort((one, other) => one.first - other.first);
    const joined: Part[] = [];
    for (const next of parts) {
      const current = joined.at(-1);
      if (current === undefined || next.first > current.first + current.items.length) {
        joined.push(next);
        continue;
      }
      const doubled = current.first + current.items.length - next.first;
      if (doubled >= next.items.length && doubled > 0) {
        if (doubled === next.items.length) current.after = next.after ?? current.after;
        continue;
      }
      for (let at = doubled; at < next.items.length; at++) current.items.push(next.items[at]!);
      current.after = next.after;
    }
    this.#parts = joined;
  }
}
