// Indexes where the lines of an output start. The index is built once and kept while
// someone views the output (spec 2.3).
//   X1. Counted parts stay valid, because an output only grows. Of both streams together, only
//       parts with a final position are counted.
//   X2. Counting yields regularly, so that a 1 GB output does not block other work.

import { setImmediate as turn } from "node:timers/promises";
import { limits } from "../../base/limits.ts";
import { Recent } from "../../base/recent.ts";
import type { Store } from "../../store/index.ts";
import type { AttemptOutput } from "./attempt-output.ts";
import { bytesOf, type Piece, sizeOf, type Which } from "./lines.ts";

const BLOCK_BYTES = 1_048_576;
const CACHED_MAX = 50;

/** Newlines before each block, and how far has been counted. */
interface Counted {
  blocks: number[];
  at: number;
  count: number;
}

const counts = new Recent<Counted>(CACHED_MAX);

export class LineIndex {
  private readonly output: AttemptOutput;
  private readonly pieces: readonly Piece[];
  private readonly store: Store;
  private readonly counted: Counted;

  constructor(output: AttemptOutput, which: Which, pieces: readonly Piece[], store: Store) {
    this.output = output;
    this.pieces = pieces;
    this.store = store;
    const key = `${output.run} ${output.files.stdout} ${which}`;
    this.counted = counts.get(key) ?? { blocks: [0], at: 0, count: 0 };
    counts.set(key, this.counted);
  }

  /** Whether any position can be found without a long count. */
  get isReady(): boolean {
    return this.stable() - this.counted.at <= limits.linesCountedBytes;
  }

  /** X2. Requests that do not wait for the index are served first. */
  async ready(signal: AbortSignal): Promise<void> {
    while (!this.isReady && !signal.aborted) {
      await turn();
      this.count(Math.min(this.stable(), this.counted.at + 4 * BLOCK_BYTES));
    }
  }

  /** The number of newlines before a position. */
  linesBefore(place: number): number {
    this.count(Math.min(place, this.stable()));
    const block = Math.min(Math.floor(place / BLOCK_BYTES), this.counted.blocks.length - 1);
    let lines = this.counted.blocks[block]!;
    for (const { bytes } of bytesOf(this.output, this.pieces, block * BLOCK_BYTES, place, this.store))
      lines += lineBreaks(bytes);
    return lines;
  }

  /** Where a line starts. Lines are numbered from 1. Past the last line, this is the end. */
  placeOf(line: number): number {
    const size = sizeOf(this.pieces);
    this.count(this.stable());
    const { blocks } = this.counted;
    let block = 0;
    for (let high = blocks.length - 1; block < high; ) {
      const middle = (block + high + 1) >> 1;
      if (blocks[middle]! < line - 1) block = middle;
      else high = middle - 1;
    }
    let left = line - 1 - blocks[block]!;
    if (left <= 0) return block * BLOCK_BYTES;
    for (const { at, bytes } of bytesOf(this.output, this.pieces, block * BLOCK_BYTES, size, this.store))
      for (let found = bytes.indexOf(10); found !== -1; found = bytes.indexOf(10, found + 1))
        if (--left === 0) return at + found + 1;
    return size;
  }

  /** X1. */
  private stable(): number {
    const { complete } = this.output;
    const last = this.pieces.findLast(({ atMs }) => complete || atMs !== undefined || this.isOne());
    return last === undefined ? 0 : last.at + last.bytes;
  }

  private isOne(): boolean {
    return this.pieces.every(({ stream }) => stream === this.pieces[0]!.stream);
  }

  private count(to: number): void {
    const { counted } = this;
    if (to <= counted.at) return;
    for (const { at, bytes } of bytesOf(this.output, this.pieces, counted.at, to, this.store)) {
      for (let from = 0; from < bytes.length; ) {
        const end = Math.min(bytes.length, from + BLOCK_BYTES - ((at + from) % BLOCK_BYTES));
        counted.count += lineBreaks(bytes.subarray(from, end));
        from = end;
        if ((at + end) % BLOCK_BYTES === 0) counted.blocks.push(counted.count);
      }
      counted.at = at + bytes.length;
    }
  }
}

export function lineBreaks(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}
