// line-reader: reads the lines of a listener from its output file (spec 3.7).
//   R1. The file is the source of truth: reading can continue at any byte, and gives the same lines from there.
//   R2. A line ends with LF or CR LF, which is not part of it. It may be empty. Text after the last newline is a line
//       if the command ended normally. If it was stopped, that text is dropped, because it may be half a line.
//   R3. A small line of UTF-8 is kept as text. Any other line is copied byte by byte to a file of the run, durable
//       before it is reported.
//   R4. Memory use does not depend on line length. A line above limits.lineBytesMax is reported as a failure, and
//       reading continues.

import { isUtf8 } from "node:buffer";
import { closeSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { type Failure, failureOf } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import { EMPTY, trailingBreak, type Value } from "../../base/value.ts";
import type { RunFiles } from "../values.ts";

const LF = 10;

interface ReadLine {
  value: Value;
  /** Offset of the first byte after the line and its newline. */
  next: number;
  failure?: Failure;
}

interface LinesRead {
  lines: ReadLine[];
  /** Set when the command has ended and nothing is left. */
  end?: { next: number; cut?: number };
}

interface LineRequest {
  /** Name of a file of the run. Undefined: nothing was started, so nothing was printed. */
  file: string | undefined;
  from: number;
  most: number;
  over?: "exited" | "stopped" | undefined;
  /** Blank lines start nothing: they have no meaning between JSON documents. */
  skipsBlank: boolean;
}

/** One per listener. Its state only avoids reading the same bytes twice. */
export class LineReader {
  private readonly files: RunFiles;
  private readonly buffer = Buffer.allocUnsafe(limits.lineChunkBytes);
  private opened: { name: string; fd: number } | undefined;
  /** The part of the file in `buffer`. */
  private loaded = { at: 0, bytes: 0 };
  /** There is no newline between `start` and `to`. */
  private scanned = { start: -1, to: -1 };

  constructor(files: RunFiles) {
    this.files = files;
  }

  private fdOf(name: string | undefined): number | undefined {
    if (name === undefined) return undefined;
    if (this.opened?.name === name) return this.opened.fd;
    this.close();
    if (!this.files.has(name)) return undefined;
    this.opened = { name, fd: openSync(this.files.path(name), "r") };
    return this.opened.fd;
  }

  read({ file, from, most, over, skipsBlank }: LineRequest): LinesRead {
    const fd = this.fdOf(file);
    if (fd === undefined) return over === undefined ? { lines: [] } : { lines: [], end: { next: from } };
    const lines: ReadLine[] = [];
    const add = (start: number, end: number): void => {
      const line = this.lineAt(fd, start, end);
      if (!skipsBlank || !isBlank(line)) lines.push(line);
    };
    for (let at = from; lines.length < most; ) {
      const next = this.lineEnd(fd, at);
      if (next === undefined) {
        if (over === undefined) break;
        const size = this.scanned.to;
        if (size > at && over === "stopped") return { lines, end: { next: size, cut: size - at } };
        if (size > at) add(at, size);
        return { lines, end: { next: size } };
      }
      add(at, next);
      at = next;
    }
    return { lines };
  }

  /** The offset after the newline of a line. Undefined until its newline is there; then all bytes are scanned. */
  private lineEnd(fd: number, start: number): number | undefined {
    let from = this.scanned.start === start ? this.scanned.to : start;
    for (;;) {
      const { at, bytes } = this.loaded;
      if (from < at || from >= at + bytes) {
        this.loaded = { at: from, bytes: readSync(fd, this.buffer, 0, this.buffer.length, from) };
        if (this.loaded.bytes > 0) continue;
        this.scanned = { start, to: from };
        return undefined;
      }
      const found = this.buffer.subarray(0, bytes).indexOf(LF, from - at);
      if (found !== -1) return at + found + 1;
      from = at + bytes;
    }
  }

  /** R3, R4. `end`: offset after the newline, if there is one. */
  private lineAt(fd: number, start: number, end: number): ReadLine {
    const bytes = end - start - trailingBreak(this.bytesAt(fd, Math.max(start, end - 2), end));
    if (bytes > limits.lineBytesMax) return { value: EMPTY, next: end, failure: tooLong(bytes) };
    const small = bytes <= limits.inlineValueBytesMax ? this.bytesAt(fd, start, start + bytes) : undefined;
    if (small !== undefined && isUtf8(small)) return { value: { text: small.toString("utf8") }, next: end };
    const file = this.files.fresh("line");
    const to = openSync(this.files.path(file), "wx", 0o600);
    try {
      for (let at = start; at < start + bytes; at += limits.lineChunkBytes)
        writeSync(to, this.bytesAt(fd, at, Math.min(at + limits.lineChunkBytes, start + bytes)));
      fsyncSync(to);
    } finally {
      closeSync(to);
    }
    return { value: { file, bytes }, next: end };
  }

  private bytesAt(fd: number, start: number, end: number): Buffer {
    const { at, bytes } = this.loaded;
    if (start >= at && end <= at + bytes) return this.buffer.subarray(start - at, end - at);
    const own = Buffer.allocUnsafe(end - start);
    return own.subarray(0, readSync(fd, own, 0, own.length, start));
  }

  close(): void {
    if (this.opened !== undefined) closeSync(this.opened.fd);
    this.opened = undefined;
    this.loaded = { at: 0, bytes: 0 };
    this.scanned = { start: -1, to: -1 };
  }
}

function isBlank({ value, failure }: ReadLine): boolean {
  return failure === undefined && "text" in value && /^[\t-\r ]*$/.test(value.text);
}

const tooLong = failureOf("line-too-long", (bytes: number) => [
  `The line has ${bytes} bytes. The limit for one line is ${limits.lineBytesMax}.`,
  "Write large data to a file, and print the name of the file.",
]);
