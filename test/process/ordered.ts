// Both streams of a command as one, in order of arrival.

import { readFileSync } from "node:fs";
import { readOrder, type StreamName } from "../../src/process/interleaving.ts";

export function readOrdered(
  stdoutFile: string,
  stderrFile: string,
  orderFile: string,
): { stream: StreamName; atMs?: number; bytes: Uint8Array }[] {
  return readOrder(stdoutFile, stderrFile, orderFile).map(({ stream, atMs, offset, bytes }) => {
    const all = readFileSync(stream === "stdout" ? stdoutFile : stderrFile);
    return { stream, atMs, bytes: all.subarray(offset, offset + bytes) };
  });
}
