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
    let at = from;
    while (lines.length < most) {
      const filled = readSync(fd, this.buffer, 0, this.buffer.length, at);
      const chunk = this.buffer.subarray(0, filled);
      let start = 0;
      for (let end = chunk.indexOf(LF); end !== -1 && lines.length < most; end = chunk.indexOf(LF, start)) {
        const line = chunk.subarray(start, end + 1 - trailingBreak(chunk.subarray(start, end + 1)));
        start = end + 1;
        if (!skipsBlank || !isBlank(line)) lines.push({ value: lineValue(line, this.files), next: at + start });
      }
      at += start;
      if (start > 0) continue;
      // No newline in the whole chunk: the line is longer, or incomplete.
      const piece = filled < this.buffer.length ? undefined : this.longLine(fd, at);
      if (piece !== undefined) {
        lines.push(piece);
        at = piece.next;
        continue;
      }
      if (over === undefined) break;
      return this.last(fd, at, over, lines, skipsBlank);
    }
    return { lines };
  }

  /** A line that does not fit in the buffer. Undefined until its newline is there. */
  private longLine(fd: number, start: number): ReadLine | undefined {
    let to = Math.max(start + this.buffer.length, this.scanned.start === start ? this.scanned.to : 0);
    for (;;) {
      const filled = readSync(fd, this.buffer, 0, this.buffer.length, to);
      const found = this.buffer.subarray(0, filled).indexOf(LF);
      if (found !== -1) return longValue(fd, start, to + found + 1, this.files, this.buffer);
      to += filled;
      this.scanned = { start, to };
      if (filled < this.buffer.length) return undefined;
    }
  }

  private last(
    fd: number,
    start: number,
    over: "exited" | "stopped",
    lines: ReadLine[],
    skipsBlank: boolean,
  ): LinesRead {
    const end = sizeFrom(fd, Math.max(start, this.scanned.start === start ? this.scanned.to : 0), this.buffer);
    if (end === start) return { lines, end: { next: end } };
    if (over === "stopped") return { lines, end: { next: end, cut: end - start } };
    const line =
      end - start <= this.buffer.length
        ? {
            value: lineValue(this.buffer.subarray(0, readSync(fd, this.buffer, 0, end - start, start)), this.files),
            next: end,
          }
        : longValue(fd, start, end, this.files, this.buffer);
    const isNothing = skipsBlank && "text" in line.value && line.value.text.trim() === "" && line.failure === undefined;
    return { lines: isNothing ? lines : [...lines, line], end: { next: end } };
  }

  close(): void {
    if (this.opened !== undefined) closeSync(this.opened.fd);
    this.opened = undefined;
  }
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 32 || (byte >= 9 && byte <= 13));
}

function lineValue(line: Buffer, files: RunFiles): Value {
  if (line.length <= limits.inlineValueBytesMax && isUtf8(line)) return { text: line.toString("utf8") };
  return written(files, line.length, (fd) => void writeSync(fd, line));
}

/** `end`: offset after the newline, if there is one. */
function longValue(fd: number, start: number, end: number, files: RunFiles, buffer: Buffer): ReadLine {
  const tail = Buffer.alloc(2);
  readSync(fd, tail, 0, 2, end - 2);
  const bytes = end - start - trailingBreak(tail);
  if (bytes > limits.lineBytesMax) return { value: EMPTY, next: end, failure: tooLong(bytes) };
  const copy = (to: number): void => {
    for (let done = 0; done < bytes; ) {
      const filled = readSync(fd, buffer, 0, Math.min(buffer.length, bytes - done), start + done);
      writeSync(to, buffer, 0, filled);
      done += filled;
    }
  };
  return { value: written(files, bytes, copy), next: end };
}

/** R3. */
function written(files: RunFiles, bytes: number, write: (fd: number) => void): Value {
  const file = files.fresh("line");
  const fd = openSync(files.path(file), "wx", 0o600);
  try {
    write(fd);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return { file, bytes };
}

function sizeFrom(fd: number, from: number, buffer: Buffer): number {
  let end = from;
  for (let filled = -1; filled !== 0; end += filled) filled = readSync(fd, buffer, 0, buffer.length, end);
  return end;
}

const tooLong = failureOf("line-too-long", (bytes: number) => [
  `The line has ${bytes} bytes. The limit for one line is ${limits.lineBytesMax}.`,
  "Write large data to a file, and print the name of the file.",
]);
