// interleaving-writer: determines in which order two streams were written, and writes it to the order file (interleaving.ts).
//   Q1. Two FIFOs alone show only which one had bytes first, so `echo a; echo b >&2; echo c` would be read as a, c, b.
//       A kernel watch on both gives a mark per write in one queue, and may merge consecutive marks of a stream.
//   Q2. Bytes and marks of about one turn of the event loop are matched: each mark takes one line of its stream, the
//       last one the rest. That is exact for programs that write line by line, with at most one line between two marks
//       of the other stream.
//   Q3. Without marks the order is that of arrival. No byte is ever lost or counted twice.
//   Q4. Times are counted from the start on a monotonic clock.
//   Q5. Memory is bounded: marks by MARKS_MAX, lines by splitting only small chunks.

import type { AppendFile } from "./append-file.ts";
import { encodePiece, ORDER_RECORD_BYTES, type StreamName } from "./interleaving.ts";

export interface OrderWriter {
  /** The kernel reports a write to the stream. */
  mark(stream: StreamName): void;
  /** These bytes of the stream were read and stored. */
  add(stream: StreamName, bytes: Uint8Array): void;
  /** Writes what is known. `both`: both streams have output. */
  end(both: boolean, sync: boolean): void;
}

const MARKS_MAX = 1_000;
const SPLIT_BYTES_MAX = 4_096;
/**
 * Milliseconds in which output of one stream is merged into one record. The record is written at most that long after
 * its bytes.
 */
const RECORD_MS = 50;
/** Milliseconds. Output of a longer command gets an order file. */
const LONG_MS = 1_000;
const BUFFER_BYTES = 4_096;

export function orderWriter(file: AppendFile, startedMs: number): OrderWriter {
  const records = recordWriter(file, startedMs);
  let marks: StreamName[] = [];
  let held: { stream: StreamName; bytes: number }[] = [];
  let waiting = false;

  function catchUp(): void {
    waiting = false;
    const atMs = performance.now() - startedMs;
    for (const { stream, bytes } of inOrder(marks, held)) records.add(stream, bytes, atMs);
    marks = [];
    held = [];
  }
  function settleSoon(): void {
    if (waiting) return;
    waiting = true;
    // Twice, so that marks that arrive after their bytes were read are included.
    setImmediate(() => setImmediate(() => quietly(catchUp)));
  }
  return {
    mark(stream) {
      if (marks.at(-1) === stream || marks.length >= MARKS_MAX) return;
      marks.push(stream);
      settleSoon();
    },
    add(stream, bytes) {
      for (const length of lineLengths(bytes)) held.push({ stream, bytes: length });
      if (held.length >= MARKS_MAX) catchUp();
      settleSoon();
    },
    end(both, sync) {
      catchUp();
      records.end(both, sync);
    },
  };
}

function lineLengths(bytes: Uint8Array): number[] {
  if (bytes.length > SPLIT_BYTES_MAX) return [bytes.length];
  const lengths: number[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at !== -1 && from < bytes.length; at = bytes.indexOf(10, from)) {
    lengths.push(at + 1 - from);
    from = at + 1;
  }
  if (from < bytes.length) lengths.push(bytes.length - from);
  return lengths;
}

type Held = { stream: StreamName; bytes: number };

/** Q2. `held` in order of arrival. */
export function inOrder(marks: readonly StreamName[], held: readonly Held[]): Held[] {
  const lines = {
    stdout: held.filter((one) => one.stream === "stdout"),
    stderr: held.filter((one) => one.stream === "stderr"),
  };
  if (lines.stdout.length === 0 || lines.stderr.length === 0) return [...held];
  if (!marks.includes("stdout") || !marks.includes("stderr")) return [...held];
  const left = {
    stdout: marks.filter((one) => one === "stdout").length,
    stderr: marks.filter((one) => one === "stderr").length,
  };
  return marks.flatMap((stream) => {
    left[stream] -= 1;
    return lines[stream].splice(0, left[stream] === 0 ? lines[stream].length : 1);
  });
}

/**
 * A record is written soon after its bytes, because readers of running output need it (interleaving.ts O3). A single stream
 * that prints once, right after the start, gets no record.
 */
function recordWriter(file: AppendFile, startedMs: number) {
  let current: { stream: StreamName; bytes: number; atMs: number } | undefined;
  let closed: Uint8Array[] = [];
  let timer: NodeJS.Timeout | undefined;

  function close(): void {
    if (current !== undefined) closed.push(encodePiece(current.stream, current.bytes, current.atMs));
    current = undefined;
  }
  function flush(): void {
    if (closed.length > 0) file.append(Buffer.concat(closed));
    closed = [];
  }
  function writeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      quietly(() => {
        close();
        flush();
      });
    }, RECORD_MS).unref();
  }
  return {
    add(stream: StreamName, bytes: number, atMs: number): void {
      if (current?.stream === stream && atMs - current.atMs <= RECORD_MS) {
        current.bytes += bytes;
        return;
      }
      close();
      current = { stream, bytes, atMs };
      if (closed.length * ORDER_RECORD_BYTES >= BUFFER_BYTES) flush();
      writeSoon();
    },
    end(both: boolean, sync: boolean): void {
      clearTimeout(timer);
      const several = file.bytes > 0 || closed.length > 0;
      if (both || several || performance.now() - startedMs > LONG_MS) {
        close();
        flush();
      }
      file.end(sync);
    },
  };
}

/** A full disk is reported by the output files. A missing order is not a failure. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Ignored, see above.
  }
}
