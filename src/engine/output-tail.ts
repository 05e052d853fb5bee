// output-tail: reads the newest bytes of an output file for display (spec 2.2).
//   O1. The file is the source of truth and may be read again. If it grows too fast, only its end is read.
//   O2. A file that cannot be read is not shown, and stops nothing.

import { closeSync, openSync, readSync } from "node:fs";
import { limits } from "../base/limits.ts";

export interface OutputTail {
  /**
   * The file is now `bytes` long. Returns the bytes since the last call, at most `limits.liveBytes`. Valid until the
   * next call.
   */
  read(bytes: number): Uint8Array;
}

const NO_BYTES = new Uint8Array(0);
const scratch = Buffer.allocUnsafe(limits.liveBytes);

export function outputTail(file: string): OutputTail {
  let shown = 0;
  return {
    read(bytes) {
      const from = Math.max(shown, bytes - limits.liveBytes);
      if (from >= bytes) return NO_BYTES;
      shown = bytes;
      return readAt(file, from, bytes - from);
    },
  };
}

function readAt(file: string, from: number, length: number): Uint8Array {
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    return scratch.subarray(0, readSync(fd, scratch, 0, length, from));
  } catch {
    return NO_BYTES;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
