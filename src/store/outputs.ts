// outputs: files that belong to a run: what commands printed, and values too large for the journal. Nothing else opens them.
//   O1. A path is built only from a checked run id and a checked file name, so it cannot leave the run's folder.
//   O2. Folders are 0700, files 0600; a link in the place of a file is refused, not followed.
//   O3. No call reads more than it was asked for, and never more than limits.outputRangeBytesMax at once, but `stream`.
//   O4. Runs may share a file (hard links, ADR 34): it is never written to again, and is there until the last of them is removed.
// Deliberately absent: writing a command's output (the process room does, to the paths given out here), and what a file means.
//
// Names are `<seq>.<kind>`, with a number between where one event has several: `12.out`, `12.err`, `12.ord`, `12.val`, `12-3.val`.
// `seq` is that of the event the file belongs to (attempt.started for what a command printed).

import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { explainErrno } from "./database.ts";
import { outputMissing, outputName, type StoreError } from "./error.ts";

export const RUN_FOLDER = /^[0-9a-z]{1,26}$/;
export const OUTPUT_FILE = /^[1-9][0-9]{0,15}(?:-[0-9]{1,6})?\.(?:out|err|ord|val)$/;
/** There from an attempt's start on, which is on record by then; `.end`: the keeper's word of how it ended. */
const OF_COMMAND = /^[1-9][0-9]{0,15}\.(?:out|err|ord|end)$/;
const NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
/** Opening something that is no file (a pipe, say) must not hang. */
const NONBLOCK = fs.constants.O_NONBLOCK ?? 0;

export interface Chunk {
  /** Offset of the first byte. */
  from: number;
  bytes: Uint8Array;
  /** Size of the whole file at that moment. */
  size: number;
}

/** Errors of all: output-name; of the reading ones: output-missing; of all: store-full, store-read-only, store-failed. */
export interface Outputs {
  /** The run's folder, made if it is not there. Absolute path. */
  folder(run: string): Result<string, StoreError>;
  /** A new empty file (a leftover of that name is emptied), and its absolute path. */
  create(run: string, file: string): Result<string, StoreError>;
  /** A whole value, on disk for good when it returns. */
  write(run: string, file: string, bytes: Uint8Array): Result<void, StoreError>;
  size(run: string, file: string): Result<number, StoreError>;
  /** At most `limit` bytes from offset `from`; fewer at the end of the file. */
  range(run: string, file: string, from: number, limit: number): Result<Chunk, StoreError>;
  /** The last so many lines or bytes, whichever is less and at most limits.outputRangeBytesMax. An unfinished last line counts. */
  tail(run: string, file: string, last: { lines?: number; bytes?: number }): Result<Chunk, StoreError>;
  /** All of it from `from` up to and without `to` (default: the end as it is now), in flat memory. */
  stream(run: string, file: string, from?: number, to?: number): Result<Readable, StoreError>;
  /** Names of the run's files, sorted; empty for a run without a folder. */
  list(run: string): Result<string[], StoreError>;
  /** Number of the last event that files of a command belong to; 0 where there are none. */
  newest(run: string): Result<number, StoreError>;
  /** Whether it has a folder. */
  exists(run: string): boolean;
  /** Whether nothing at all is in its folder. */
  isEmpty(run: string): boolean;
  /** Ids of all runs that have a folder. */
  runs(): Result<string[], StoreError>;
  /** The run's folder and everything in it; nothing to do is fine. */
  remove(run: string): Result<void, StoreError>;
}

/** Outputs under `root`, an existing folder. */
export function openOutputs(root: string): Outputs {
  function place(run: string, file?: string): Result<string, StoreError> {
    if (!RUN_FOLDER.test(run) || (file !== undefined && !OUTPUT_FILE.test(file)))
      return err(outputName(run, file ?? ""));
    return ok(file === undefined ? path.join(root, run) : path.join(root, run, file));
  }

  function folder(run: string): Result<string, StoreError> {
    const at = place(run);
    if (!at.ok) return at;
    return attempt(at.value, () => {
      fs.mkdirSync(at.value, { recursive: true, mode: 0o700 });
      return ok(at.value);
    });
  }

  function create(run: string, file: string): Result<string, StoreError> {
    const made = openNew(run, file);
    if (!made.ok) return made;
    fs.closeSync(made.value.fd);
    return ok(made.value.at);
  }

  function openNew(run: string, file: string): Result<{ fd: number; at: string }, StoreError> {
    const at = place(run, file);
    if (!at.ok) return at;
    const made = folder(run);
    if (!made.ok) return made;
    const { O_WRONLY, O_CREAT, O_TRUNC } = fs.constants;
    return attempt(at.value, () => {
      // O4. Whoever else has the file under a name of theirs keeps it.
      const left = fs.lstatSync(at.value, { throwIfNoEntry: false });
      if (left?.isFile() && left.nlink > 1) fs.unlinkSync(at.value);
      const fd = fs.openSync(at.value, O_WRONLY | O_CREAT | O_TRUNC | NOFOLLOW | NONBLOCK, 0o600);
      return ok({ fd, at: at.value });
    });
  }

  function write(run: string, file: string, bytes: Uint8Array): Result<void, StoreError> {
    const made = openNew(run, file);
    if (!made.ok) return made;
    const { fd, at } = made.value;
    return attempt(at, () => {
      try {
        fs.writeFileSync(fd, bytes);
        fs.fdatasyncSync(fd);
      } finally {
        fs.closeSync(fd);
      }
      syncFolder(path.dirname(at));
      return ok(undefined);
    });
  }

  /** Opens the file to read, hands over descriptor and size, and closes it. */
  function reading<T>(run: string, file: string, use: (fd: number, size: number) => T): Result<T, StoreError> {
    const opened = openToRead(run, file);
    if (!opened.ok) return opened;
    const { fd, at, size } = opened.value;
    return attempt(at, () => {
      try {
        return ok(use(fd, size));
      } finally {
        fs.closeSync(fd);
      }
    });
  }

  function openToRead(run: string, file: string): Result<{ fd: number; at: string; size: number }, StoreError> {
    const at = place(run, file);
    if (!at.ok) return at;
    return attempt(at.value, (): Result<{ fd: number; at: string; size: number }, StoreError> => {
      if (!fs.lstatSync(at.value, { throwIfNoEntry: false })?.isFile()) return err(outputMissing(run, file));
      const fd = fs.openSync(at.value, fs.constants.O_RDONLY | NOFOLLOW | NONBLOCK);
      return ok({ fd, at: at.value, size: fs.fstatSync(fd).size });
    });
  }

  function range(run: string, file: string, from: number, limit: number): Result<Chunk, StoreError> {
    return reading(run, file, (fd, size) => readChunk(fd, size, from, Math.min(limit, limits.outputRangeBytesMax)));
  }

  function tail(run: string, file: string, last: { lines?: number; bytes?: number }): Result<Chunk, StoreError> {
    return reading(run, file, (fd, size) => {
      const bytesMax = Math.min(last.bytes ?? Number.POSITIVE_INFINITY, limits.outputRangeBytesMax, size);
      const earliest = size - Math.max(0, bytesMax);
      const from = last.lines === undefined ? earliest : startOfLastLines(fd, size, earliest, last.lines);
      return readChunk(fd, size, from, size - from);
    });
  }

  function stream(run: string, file: string, from = 0, to?: number): Result<Readable, StoreError> {
    const opened = openToRead(run, file);
    if (!opened.ok) return opened;
    const { fd, at, size } = opened.value;
    const end = Math.min(to ?? size, size);
    // `end` of a read stream is the last byte itself, so nothing at all needs a word of its own.
    const start = Math.max(0, Math.min(from, end));
    if (start < end)
      return ok(fs.createReadStream(at, { fd, start, end: end - 1, highWaterMark: limits.outputChunkBytes }));
    return ok(fs.createReadStream(at, { fd, start: size, end: size }));
  }

  function list(run: string): Result<string[], StoreError> {
    const at = place(run);
    if (!at.ok) return at;
    const found = names(at.value, (entry) => entry.isFile() && OUTPUT_FILE.test(entry.name));
    return found.ok ? ok(found.value.sort(byNumberThenName)) : found;
  }

  function newest(run: string): Result<number, StoreError> {
    const at = place(run);
    if (!at.ok) return at;
    const found = names(at.value, ({ name }) => OF_COMMAND.test(name));
    return found.ok ? ok(found.value.reduce((last, name) => Math.max(last, Number.parseInt(name, 10)), 0)) : found;
  }

  function isEmpty(run: string): boolean {
    const at = place(run);
    if (!at.ok) return false;
    const any = names(at.value, () => true);
    return any.ok && any.value.length === 0;
  }

  function remove(run: string): Result<void, StoreError> {
    const at = place(run);
    if (!at.ok) return at;
    return attempt(at.value, () => ok(fs.rmSync(at.value, { recursive: true, force: true })));
  }

  return {
    folder,
    create,
    write,
    size: (run, file) => reading(run, file, (_fd, size) => size),
    range,
    tail,
    stream,
    list,
    newest,
    exists: (run) => RUN_FOLDER.test(run) && fs.existsSync(path.join(root, run)),
    isEmpty,
    runs: () => names(root, (entry) => entry.isDirectory() && RUN_FOLDER.test(entry.name)),
    remove,
  };
}

function attempt<T>(at: string, work: () => Result<T, StoreError>): Result<T, StoreError> {
  try {
    return work();
  } catch (error) {
    return err(explainErrno(error, at));
  }
}

function names(at: string, wanted: (entry: fs.Dirent) => boolean): Result<string[], StoreError> {
  return attempt(at, () => {
    if (!fs.existsSync(at)) return ok([]);
    const entries = fs.readdirSync(at, { withFileTypes: true }).filter(wanted);
    return ok(entries.map((entry) => entry.name));
  });
}

const byNumberThenName = (a: string, b: string) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1);

function readChunk(fd: number, size: number, from: number, limit: number): Chunk {
  const start = Math.max(0, Math.min(from, size));
  const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(limit, size - start)));
  let filled = 0;
  while (filled < bytes.length) {
    const n = fs.readSync(fd, bytes, filled, bytes.length - filled, start + filled);
    if (n === 0) break;
    filled += n;
  }
  return { from: start, bytes: bytes.subarray(0, filled), size };
}

/** Reads backwards, chunk by chunk. The line break that ends the file ends its last line and starts none. */
function startOfLastLines(fd: number, size: number, earliest: number, lines: number): number {
  if (lines <= 0) return size;
  let missing = lines;
  let end = size - 1;
  while (end > earliest) {
    const from = Math.max(earliest, end - limits.outputChunkBytes);
    const { bytes } = readChunk(fd, size, from, end - from);
    for (let at = bytes.length - 1; at >= 0; at--) {
      if (bytes[at] === 0x0a && --missing === 0) return from + at + 1;
    }
    end = from;
  }
  return earliest;
}

/** The name of a file that was just made is on disk for good. Windows has no such call, and needs none. */
function syncFolder(at: string): void {
  if (process.platform === "win32") return;
  const fd = fs.openSync(at, "r");
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
