// output-tail: the newest bytes of an output file, for a screen (spec 2.2).
//   O1. The file is the truth: what is read here may be read again by anybody. Of a flood only the end is read.
//   O2. What cannot be read is not shown, and stops nothing.

import { closeSync, openSync, readSync } from "node:fs";
import { limits } from "../../base/limits.ts";

export interface OutputTail {
  /** The file has `bytes` bytes by now: those that came since the last call, at most `limits.liveBytes` of them. Valid until the next call. */
  read(bytes: number): Uint8Array;
}

const NOTHING = new Uint8Array(0);
const scratch = Buffer.allocUnsafe(limits.liveBytes);

export function outputTail(file: string): OutputTail {
  let shown = 0;
  return {
    read(bytes) {
      const from = Math.max(shown, bytes - limits.liveBytes);
      if (from >= bytes) return NOTHING;
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
    return NOTHING;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
