// Files of a run: output of commands, and values too large for the journal. No other module opens them.
//   O1. A path is built only from a checked run id and a checked file name, so it cannot leave the run's folder.
//   O2. Folders have mode 0700, files 0600. A link in place of a file is rejected, not followed.
//   O3. No call except `stream` reads more than was requested, or more than limits.outputRangeBytesMax.
//   O4. Runs may share a file (hard links, ADR 34). It is not written again, and exists
//       until the last of these runs is removed.
//
// Names are `<seq>.<kind>`, with an extra number if an event has several files: `12.out`, `12.err`, `12.ord`, `12.val`,
// `12-3.val`. `seq` is the number of the event that the file belongs to (attempt.started for a command's output).

import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { syncFolder } from "../secrets/files.ts";
import { explainErrno } from "./database.ts";
import { outputMissing, outputName, type StoreError } from "./error.ts";

export const RUN_FOLDER = /^[0-9a-z]{1,26}$/;
export const OUTPUT_FILE = /^[1-9][0-9]{0,15}(?:-[0-9]{1,6})?\.(?:out|err|ord|val)$/;
/**
 * Files of a command, created only after the attempt's start is on record. `.end` is
 * the runner's report of how it ended.
 */
const OF_COMMAND = /^[1-9][0-9]{0,15}\.(?:out|err|ord|end)$/;
const NOFOLLOW = fs.constants.O_NOFOLLOW ?? 0;
/** Opening something that is not a regular file, such as a pipe, must not block. */
const NONBLOCK = fs.constants.O_NONBLOCK ?? 0;

export interface Chunk {
  /** Offset of the first byte in the file. */
  from: number;
  bytes: Uint8Array;
  /** Size of the whole file when it was read. */
  size: number;
}

export interface FileState {
  size: number;
  /** When it was last written, in whole milliseconds. */
  mtimeMs: number;
}

/** Errors of all calls: output-name, store-full, store-read-only, store-failed. Reading calls also: output-missing. */
export class Outputs {
  private readonly root: string;

  /** `root` must exist. */
  constructor(root: string) {
    this.root = root;
  }

  private place(run: string, file?: string): Result<string, StoreError> {
    if (!RUN_FOLDER.test(run) || (file !== undefined && !OUTPUT_FILE.test(file)))
      return err(outputName(run, file ?? ""));
    return ok(file === undefined ? path.join(this.root, run) : path.join(this.root, run, file));
  }

  /** The absolute path of the run's folder, which is created if needed. */
  folder(run: string): Result<string, StoreError> {
    const at = this.place(run);
    if (!at.ok) return at;
    return attempt(at.value, () => {
      fs.mkdirSync(at.value, { recursive: true, mode: 0o700 });
      return ok(at.value);
    });
  }

  /** Creates an empty file and returns its absolute path. An existing file of that name is emptied. */
  create(run: string, file: string): Result<string, StoreError> {
    const made = this.openNew(run, file);
    if (!made.ok) return made;
    fs.closeSync(made.value.fd);
    return ok(made.value.at);
  }

  private openNew(run: string, file: string): Result<{ fd: number; at: string }, StoreError> {
    const at = this.place(run, file);
    if (!at.ok) return at;
    const made = this.folder(run);
    if (!made.ok) return made;
    const { O_WRONLY, O_CREAT, O_TRUNC } = fs.constants;
    return attempt(at.value, () => {
      // O4. If the file has other names, remove only this name.
      const left = fs.lstatSync(at.value, { throwIfNoEntry: false });
      if (left?.isFile() && left.nlink > 1) fs.unlinkSync(at.value);
      const fd = fs.openSync(at.value, O_WRONLY | O_CREAT | O_TRUNC | NOFOLLOW | NONBLOCK, 0o600);
      return ok({ fd, at: at.value });
    });
  }

  /** Writes a whole value. It is on disk when the call returns. */
  write(run: string, file: string, bytes: Uint8Array): Result<void, StoreError> {
    const made = this.openNew(run, file);
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

  /** Writes a part of another machine's file at `from`. The first part of a value replaces what is there. */
  copy(run: string, file: string, from: number, bytes: Uint8Array, mtimeMs: number): Result<void, StoreError> {
    const isNew = from === 0 && (file.endsWith(".val") || !this.size(run, file).ok);
    const made = isNew ? this.create(run, file) : this.place(run, file);
    if (!made.ok) return made;
    return attempt(made.value, () => {
      const fd = fs.openSync(made.value, fs.constants.O_WRONLY | NOFOLLOW | NONBLOCK);
      try {
        for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at, bytes.length - at, from + at);
        fs.futimesSync(fd, mtimeMs / 1_000, mtimeMs / 1_000);
      } finally {
        fs.closeSync(fd);
      }
      return ok(undefined);
    });
  }

  /** Opens the file, passes its descriptor and size to `use`, and closes it. */
  private reading<T>(run: string, file: string, use: (fd: number, size: number) => T): Result<T, StoreError> {
    const opened = this.openToRead(run, file);
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

  private openToRead(run: string, file: string): Result<{ fd: number; at: string; size: number }, StoreError> {
    const at = this.place(run, file);
    if (!at.ok) return at;
    return attempt(at.value, (): Result<{ fd: number; at: string; size: number }, StoreError> => {
      if (!fs.lstatSync(at.value, { throwIfNoEntry: false })?.isFile()) return err(outputMissing(run, file));
      const fd = fs.openSync(at.value, fs.constants.O_RDONLY | NOFOLLOW | NONBLOCK);
      return ok({ fd, at: at.value, size: fs.fstatSync(fd).size });
    });
  }

  /** At most `limit` bytes from offset `from`. Fewer at the end of the file. */
  range(run: string, file: string, from: number, limit: number): Result<Chunk, StoreError> {
    return this.reading(run, file, (fd, size) =>
      readChunk(fd, size, from, Math.min(limit, limits.outputRangeBytesMax)),
    );
  }

  /**
   * The last lines or bytes, whichever is less, at most limits.outputRangeBytesMax. An
   * unfinished last line counts as a line.
   */
  tail(run: string, file: string, last: { lines?: number; bytes?: number }): Result<Chunk, StoreError> {
    return this.reading(run, file, (fd, size) => {
      const bytesMax = Math.min(last.bytes ?? Number.POSITIVE_INFINITY, limits.outputRangeBytesMax, size);
      const earliest = size - Math.max(0, bytesMax);
      const from = last.lines === undefined ? earliest : startOfLastLines(fd, size, earliest, last.lines);
      return readChunk(fd, size, from, size - from);
    });
  }

  /** All bytes from `from` up to but not including `to` (default: the current end), with constant memory. */
  stream(run: string, file: string, from = 0, to?: number): Result<Readable, StoreError> {
    const opened = this.openToRead(run, file);
    if (!opened.ok) return opened;
    const { fd, at, size } = opened.value;
    const end = Math.min(to ?? size, size);
    // In a read stream, `end` is inclusive, so an empty range needs a special case.
    const start = Math.max(0, Math.min(from, end));
    if (start < end)
      return ok(fs.createReadStream(at, { fd, start, end: end - 1, highWaterMark: limits.outputChunkBytes }));
    return ok(fs.createReadStream(at, { fd, start: size, end: size }));
  }

  /** Names of the run's files, sorted. Empty for a run without a folder. */
  list(run: string): Result<string[], StoreError> {
    const at = this.place(run);
    if (!at.ok) return at;
    const found = names(at.value, (entry) => entry.isFile() && OUTPUT_FILE.test(entry.name));
    return found.ok ? ok(found.value.sort(byNumberThenName)) : found;
  }

  /** The number of the last event that has command files, or 0. */
  newest(run: string): Result<number, StoreError> {
    const at = this.place(run);
    if (!at.ok) return at;
    const found = names(at.value, ({ name }) => OF_COMMAND.test(name));
    return found.ok ? ok(found.value.reduce((last, name) => Math.max(last, Number.parseInt(name, 10)), 0)) : found;
  }

  /** Whether the run's folder is empty. */
  isEmpty(run: string): boolean {
    const at = this.place(run);
    if (!at.ok) return false;
    const any = names(at.value, () => true);
    return any.ok && any.value.length === 0;
  }

  /** Removes the run's folder and its content. Succeeds if the folder does not exist. */
  remove(run: string): Result<void, StoreError> {
    const at = this.place(run);
    if (!at.ok) return at;
    return attempt(at.value, () => ok(fs.rmSync(at.value, { recursive: true, force: true })));
  }

  stat(run: string, file: string): Result<FileState, StoreError> {
    return this.reading(run, file, (fd, size) => ({ size, mtimeMs: Math.round(fs.fstatSync(fd).mtimeMs) }));
  }

  size(run: string, file: string): Result<number, StoreError> {
    return this.reading(run, file, (_fd, size) => size);
  }

  /** Whether the run has a folder. */
  exists(run: string): boolean {
    return RUN_FOLDER.test(run) && fs.existsSync(path.join(this.root, run));
  }

  /** Ids of all runs that have a folder. */
  runs(): Result<string[], StoreError> {
    return names(this.root, (entry) => entry.isDirectory() && RUN_FOLDER.test(entry.name));
  }
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

/** Reads backwards in chunks. A newline at the end of the file ends the last line and does not start another. */
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
