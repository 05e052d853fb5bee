// Reads a file that a user named, bounded in time and memory (spec 4.3 S12).
//   F1. A workflow must be a regular file. Pipes, devices, and sockets are not even opened.
//   F2. Values may come through a pipe (`--input-file <(…)`), of which no more than the limit is read.
//   F3. Text must be UTF-8. Other text is rejected, because with replacement characters it would run as something else.

import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { err, ok, type Result } from "../../base/result.ts";
import { grouped } from "../../base/text.ts";

export interface ReadProblem {
  kind: "missing" | "folder" | "not-a-file" | "too-large" | "not-utf8" | "unreadable";
  /** A few words, such as `no such file`. */
  why: string;
}

const CHUNK_BYTES = 1 << 16;

/** `path`: a path, or the number of an open file. `pipes`: whether files other than regular ones are allowed. */
export function readTextFile(
  path: string | number,
  bytesMax: number,
  { pipes }: { pipes: boolean },
): Result<string, ReadProblem> {
  try {
    const bytes = typeof path === "number" ? readBounded(path, bytesMax) : readNamed(path, bytesMax, pipes);
    return bytes.ok ? decoded(bytes.value) : bytes;
  } catch (reason) {
    return err(problemOf(reason as NodeJS.ErrnoException));
  }
}

function readNamed(path: string, bytesMax: number, pipes: boolean): Result<Buffer, ReadProblem> {
  const refused = unfit(statSync(path), pipes);
  if (refused !== undefined) return err(refused);
  // If the file has been replaced by a pipe since, opening it must not block.
  const fd = openSync(path, constants.O_RDONLY | (pipes ? 0 : (constants.O_NONBLOCK ?? 0)));
  try {
    const changed = unfit(fstatSync(fd), pipes);
    return changed === undefined ? readBounded(fd, bytesMax) : err(changed);
  } finally {
    closeSync(fd);
  }
}

function unfit(stat: ReturnType<typeof fstatSync>, pipes: boolean): ReadProblem | undefined {
  if (stat.isDirectory()) return { kind: "folder", why: "it is a folder" };
  if (stat.isFile() || pipes) return undefined;
  return { kind: "not-a-file", why: "it is not a regular file" };
}

function readBounded(fd: number, bytesMax: number): Result<Buffer, ReadProblem> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readSome(fd, chunk);
    if (count === 0) return ok(Buffer.concat(chunks));
    size += count;
    if (size > bytesMax)
      return err({ kind: "too-large", why: `it has more than ${grouped(bytesMax)} bytes, the most that is read` });
    chunks.push(chunk.subarray(0, count));
  }
}

/** Standard input may be non-blocking. This function waits until it has data. */
function readSome(fd: number, chunk: Buffer): number {
  for (;;)
    try {
      return readSync(fd, chunk, 0, CHUNK_BYTES, null);
    } catch (reason) {
      if ((reason as NodeJS.ErrnoException).code !== "EAGAIN") throw reason;
      Atomics.wait(NOBODY_WAKES, 0, 0, 10);
    }
}

const NOBODY_WAKES = new Int32Array(new SharedArrayBuffer(4));

function decoded(bytes: Buffer): Result<string, ReadProblem> {
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    const utf16 = /^(?:\xff\xfe|\xfe\xff)/.test(bytes.toString("latin1", 0, 2));
    return err({ kind: "not-utf8", why: utf16 ? "it is UTF-16; save it as UTF-8" : "it is not UTF-8 text" });
  }
}

/** The system's error, in words that continue a sentence after "…: ". */
export function problemOf({ code, message }: NodeJS.ErrnoException): ReadProblem {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return { kind: "missing", why: "it does not exist" };
    case "EISDIR":
      return { kind: "folder", why: "it is a folder" };
    case "EACCES":
    case "EPERM":
      return { kind: "unreadable", why: "permission denied" };
    case "ELOOP":
      return { kind: "unreadable", why: "its symbolic links lead in a circle" };
    case "ENXIO":
      return { kind: "not-a-file", why: "it is not a regular file" };
    case "EOF":
      return { kind: "unreadable", why: "it ended early" };
    default:
      return { kind: "unreadable", why: message };
  }
}
