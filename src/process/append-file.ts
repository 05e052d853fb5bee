// append-file: a file that exists once it has a byte; 0600, synchronous writes. Throws the system's errors.

import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";
import { crcOf } from "../base/crc.ts";
import { limits } from "../base/limits.ts";

export interface AppendFile {
  /** Written so far. */
  readonly bytes: number;
  /** Of what was written (crc.ts); none beyond limits.summedBytesMax. */
  readonly sum: number | undefined;
  append(bytes: Uint8Array): void;
  /** Closes it, after an fsync when `sync`. */
  end(sync: boolean): void;
}

export function appendFile(path: string): AppendFile {
  const { O_WRONLY, O_CREAT, O_TRUNC } = constants;
  let fd: number | undefined;
  let bytes = 0;
  let sum = 0;
  return {
    get bytes() {
      return bytes;
    },
    get sum() {
      return bytes > limits.summedBytesMax ? undefined : sum;
    },
    append(more) {
      fd ??= openSync(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600);
      for (let done = 0; done < more.length; ) {
        const written = writeSync(fd, more, done, more.length - done);
        bytes += written;
        if (bytes <= limits.summedBytesMax) sum = crcOf(more.subarray(done, done + written), sum);
        done += written;
      }
    },
    end(sync) {
      if (fd === undefined) return;
      if (sync) fsyncSync(fd);
      closeSync(fd);
      fd = undefined;
    },
  };
}
