// order: in which order stdout and stderr arrived, and when, kept beside the two files (spec 3.2).
//   O1. A record is 12 bytes, little-endian: stream (1; 0 stdout, 1 stderr), length (5), milliseconds since the start (6).
//   O2. No file when one stream alone printed, once, in a command that was soon over: there is nothing to know.
//   O3. Readers trust the two output files before the order: bytes without a record follow at the end, stdout first. While the command
//       goes on, their place is not known yet: then they are left out, until their record comes. One stream alone has but one place.
// How good the order is: docs/explanation/processes.md.

import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";

export type StreamName = "stdout" | "stderr";

export interface OrderedPiece {
  stream: StreamName;
  /** Milliseconds since the start of the command; undefined where no record exists. */
  atMs?: number;
  /** Where it stands in its stream's file. */
  offset: number;
  bytes: number;
}

export const ORDER_RECORD_BYTES = 12;
const PIECE_BYTES_MAX = 2 ** 40 - 1;

export function encodePiece(stream: StreamName, bytes: number, atMs: number): Buffer {
  const record = Buffer.allocUnsafe(ORDER_RECORD_BYTES);
  record[0] = stream === "stdout" ? 0 : 1;
  record.writeUIntLE(Math.min(bytes, PIECE_BYTES_MAX), 1, 5);
  record.writeUIntLE(Math.max(0, Math.floor(atMs)), 6, 6);
  return record;
}

/** The pieces of both files in order of arrival. Missing files are empty streams. `goesOn`: more may be written (O3). */
export function readOrder(stdoutFile: string, stderrFile: string, orderFile: string, goesOn = false): OrderedPiece[] {
  // Before the sizes: what a record is about stands in its file already.
  const records = readIfThere(orderFile);
  const size = { stdout: sizeOf(stdoutFile), stderr: sizeOf(stderrFile) };
  const at = { stdout: 0, stderr: 0 };
  const pieces: OrderedPiece[] = [];
  for (let n = 0; n + ORDER_RECORD_BYTES <= records.length; n += ORDER_RECORD_BYTES) {
    const stream: StreamName = records[n] === 0 ? "stdout" : "stderr";
    const bytes = Math.min(records.readUIntLE(n + 1, 5), size[stream] - at[stream]);
    if (bytes <= 0) continue;
    pieces.push({ stream, atMs: records.readUIntLE(n + 6, 6), offset: at[stream], bytes });
    at[stream] += bytes;
  }
  if (goesOn && (records.length > 0 || (size.stdout > 0 && size.stderr > 0))) return pieces;
  for (const stream of ["stdout", "stderr"] as const) {
    const rest = size[stream] - at[stream];
    if (rest > 0) pieces.push({ stream, offset: at[stream], bytes: rest });
  }
  return pieces;
}

/** Both streams as one, in order of arrival, in chunks of at most `chunkBytes`: memory stays flat for any size. */
export function* readOrdered(
  stdoutFile: string,
  stderrFile: string,
  orderFile: string,
  chunkBytes = 65_536,
): Generator<{ stream: StreamName; atMs?: number; bytes: Uint8Array }> {
  const fds = new Map<StreamName, number>();
  try {
    for (const piece of readOrder(stdoutFile, stderrFile, orderFile)) {
      const fd = fds.get(piece.stream) ?? openSync(piece.stream === "stdout" ? stdoutFile : stderrFile, "r");
      fds.set(piece.stream, fd);
      for (let done = 0; done < piece.bytes; ) {
        const bytes = Buffer.allocUnsafe(Math.min(chunkBytes, piece.bytes - done));
        const read = readSync(fd, bytes, 0, bytes.length, piece.offset + done);
        if (read === 0) break;
        done += read;
        yield {
          stream: piece.stream,
          ...(piece.atMs === undefined ? {} : { atMs: piece.atMs }),
          bytes: bytes.subarray(0, read),
        };
      }
    }
  } finally {
    for (const fd of fds.values()) closeSync(fd);
  }
}

function sizeOf(file: string): number {
  try {
    const fd = openSync(file, "r");
    try {
      return fstatSync(fd).size;
    } finally {
      closeSync(fd);
    }
  } catch {
    return 0;
  }
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
