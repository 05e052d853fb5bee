// interleaving: records in which order and when stdout and stderr arrived, beside the two files (spec 3.2,
// docs/explanation/processes.md).
//   O1. A record is 12 bytes, little-endian: stream (1; 0 stdout, 1 stderr), length (5), milliseconds since the start
//       (6).
//   O2. There is no file for a short command in which only one stream printed, and only once.
//   O3. The output files take precedence over the order: bytes without a record come last, stdout first. While the
//       command runs, their place is unknown, so they are left out until their record arrives. With only one stream
//       there is only one place.

import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";

export type StreamName = "stdout" | "stderr";

export interface OrderedPiece {
  stream: StreamName;
  /** Milliseconds since the start of the command. Undefined without a record. */
  atMs?: number;
  /** Position in its stream's file. */
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

/**
 * The pieces of both files in order of arrival. Missing files are empty streams. `goesOn`: more may be written (O3).
 */
export function readOrder(stdoutFile: string, stderrFile: string, orderFile: string, goesOn = false): OrderedPiece[] {
  // Read before the sizes: the bytes of a record are already in its file.
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
