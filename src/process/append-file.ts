// append-file: a file that is created with its first byte, mode 0600, written synchronously. Throws the system's
// errors.

import type { Hash } from "node:crypto";
import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";
import { limits } from "../base/limits.ts";

export interface AppendFile {
  /** Bytes written so far. */
  readonly bytes: number;
  /** SHA-256 of the content, in hexadecimal. Undefined for an empty file, and beyond limits.hashedBytesMax. */
  readonly sha256: string | undefined;
  append(bytes: Uint8Array): void;
  /** Closes the file, after an fsync if `sync` is set. */
  end(sync: boolean): void;
}

export function appendFile(path: string): AppendFile {
  const { O_WRONLY, O_CREAT, O_TRUNC } = constants;
  let fd: number | undefined;
  let bytes = 0;
  let hash: Hash | undefined;
  return {
    get bytes() {
      return bytes;
    },
    get sha256() {
      return bytes > limits.hashedBytesMax ? undefined : hash?.copy().digest("hex");
    },
    append(more) {
      fd ??= openSync(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600);
      for (let done = 0; done < more.length; ) {
        const written = writeSync(fd, more, done, more.length - done);
        bytes += written;
        if (bytes <= limits.hashedBytesMax) {
          // Loaded with the first byte, so that the runner starts faster.
          hash ??= process.getBuiltinModule("node:crypto").createHash("sha256");
          hash.update(more.subarray(done, done + written));
        }
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
