// fifo: named pipes for the output of commands (spec 5.3). A command can open a FIFO again (`> /dev/stdout`, `tee
// /dev/stderr`), unlike Node's `pipe`, which is a socket pair. Opening a file again would truncate it.
//   F1. One FIFO serves one stream of one command at a time. It is reused only after its end was read, when no process
//       can write to it.
//   F2. On Linux the names are removed at once and the FIFOs are opened through /proc/self/fd, so that even kill -9
//       leaves nothing behind.
//   F3. Without `mkfifo` there are no FIFOs, and the caller uses Node's pipes.

import { spawnSync } from "node:child_process";
import { closeSync, constants, type FSWatcher, mkdtempSync, openSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Fifo {
  /**
   * Opens both ends: `ours` never blocks, `commands` does. `onWrite` is called after writes, in order over all FIFOs,
   * where the system supports it.
   */
  openForReading(onWrite: () => void): { ours: number; commands: number };
  /** Opens both ends the other way round, for standard input. */
  openForWriting(): { ours: number; commands: number };
  /** The end was read: the next command may use it. */
  giveBack(): void;
  /** A process may still have it open. */
  discard(): void;
}

export interface FifoPool {
  take(): Fifo | undefined;
  close(): void;
}

const { O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK } = constants;
/** Linux: a descriptor that names a file without opening it, so that it counts neither as a reader nor as a writer. */
const O_PATH = 0o10000000;
const BATCH = 8;

export function fifoPool(): FifoPool {
  const free: Fifo[] = [];
  const folders: string[] = [];
  let possible = process.platform !== "win32";

  function grow(): void {
    const folder = mkdtempSync(join(tmpdir(), "curlew-"));
    const paths = Array.from({ length: BATCH }, (_, index) => join(folder, `${index}`));
    const made = spawnSync("mkfifo", ["-m", "600", ...paths], { stdio: "ignore" });
    const linux = process.platform === "linux";
    if (made.status !== 0) possible = false;
    else for (const path of paths) free.push(linux ? anchored(path, free) : named(path, free));
    if (linux || !possible) rmSync(folder, { recursive: true, force: true });
    else folders.push(folder);
  }

  return {
    take() {
      if (free.length === 0 && possible) grow();
      return free.pop();
    },
    close() {
      for (const fifo of free.splice(0)) fifo.discard();
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function anchored(path: string, free: Fifo[]): Fifo {
  const anchor = openSync(path, O_PATH);
  return fifo(`/proc/self/fd/${anchor}`, free, () => closeSync(anchor));
}

function named(path: string, free: Fifo[]): Fifo {
  return fifo(path, free, () => rmSync(path, { force: true }));
}

function fifo(path: string, free: Fifo[], discard: () => void): Fifo {
  let watcher: FSWatcher | undefined;
  let written = (): void => {};
  const self: Fifo = {
    openForReading(onWrite) {
      written = onWrite;
      watcher ??= watched(path, () => written());
      const ours = openSync(path, O_RDONLY | O_NONBLOCK);
      // Write-only, so that the command gets SIGPIPE if this process dies.
      return { ours, commands: openOr(path, O_WRONLY, ours) };
    },
    openForWriting() {
      const both = openSync(path, O_RDWR);
      try {
        const commands = openSync(path, O_RDONLY);
        return { ours: openOr(path, O_WRONLY | O_NONBLOCK, commands), commands };
      } finally {
        closeSync(both);
      }
    },
    giveBack() {
      written = () => {};
      free.push(self);
    },
    discard() {
      watcher?.close();
      discard();
    },
  };
  return self;
}

/**
 * inotify puts the writes of all FIFOs in one queue. Without it (too many watches, another system) no write is
 * reported.
 */
function watched(path: string, onWrite: () => void): FSWatcher | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return watch(path, { persistent: false }, onWrite).on("error", () => {});
  } catch {
    return undefined;
  }
}

function openOr(path: string, flags: number, opened: number): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    closeSync(opened);
    throw error;
  }
}
