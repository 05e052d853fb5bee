// Reads and writes the small files that contain secrets: bounded, and safe against crashes.
//   F1. A file is written to a temporary name, flushed, and renamed, and then the folder is
//       flushed. It is never incomplete or missing.
//   F2. Files have mode 0600. If other users could access a file, its mode is corrected and a warning is given.
//   F3. If other users can write to the data directory, nothing in it can be trusted, so it is rejected.

import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Failure } from "../base/failure.ts";

const onPosix = process.platform !== "win32";

/** Creates the data directory if it does not exist. */
export function openHome(home: string): Failure | undefined {
  makeHome(home);
  return homeTrouble(home);
}

/** Creates one folder at a time: below /proc, the `recursive` option of Node.js never returns. */
export function makeHome(home: string): void {
  if (existsSync(home)) return;
  if (dirname(home) !== home) makeHome(dirname(home));
  try {
    mkdirSync(home, { mode: 0o700 });
  } catch (reason) {
    // Another process created it first.
    if ((reason as NodeJS.ErrnoException).code !== "EEXIST") throw reason;
  }
}

/** F3. */
export function homeTrouble(home: string): Failure | undefined {
  const mode = statSync(home, { throwIfNoEntry: false })?.mode ?? 0;
  if (!onPosix || (mode & 0o022) === 0) return undefined;
  return {
    code: "secret-store-not-private",
    message: `Other users may write to ${home}, so the secrets in it cannot be trusted.`,
    hint: `Run: chmod go-w '${home}'`,
  };
}

/** Undefined if the file does not exist. Calls `warn` if other users could access it. Throws the system's error. */
export function readOwn(file: string, warn: (warning: Failure) => void): Buffer | undefined {
  try {
    const { mode } = statSync(file);
    if (onPosix && (mode & 0o077) !== 0) {
      chmodSync(file, 0o600);
      warn({
        code: "secret-file-open",
        message: `${file} was readable by others (mode ${(mode & 0o777).toString(8)}). Curlew has changed that.`,
        hint: "If others use this machine, replace the secrets in it.",
      });
    }
    return readFileSync(file);
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw reason;
  }
}

/** F1. Throws the system's error. The old file is unchanged then. */
export function writeOwn(file: string, bytes: Uint8Array): void {
  const beside = `${file}.${randomBytes(6).toString("hex")}.new`;
  try {
    writeNew(beside, bytes, 0o600);
    renameSync(beside, file);
  } catch (reason) {
    rmSync(beside, { force: true });
    throw reason;
  }
  syncFolder(dirname(file));
}

/** Creates a file and flushes it. Throws the system's error, and may leave an incomplete file then. */
export function writeNew(file: string, bytes: Uint8Array, mode?: number): void {
  const fd = openSync(file, "wx", mode ?? 0o666);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    if (mode !== undefined) fchmodSync(fd, mode);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Removes temporary files of killed processes. Call it only while holding the lock. */
export function removeHalfWritten(file: string): void {
  const name = new RegExp(`^${basename(file).replaceAll(".", "\\.")}\\.[0-9a-f]{12}\\.new$`);
  for (const left of readdirSync(dirname(file)))
    if (name.test(left)) rmSync(join(dirname(file), left), { force: true });
}

/** Makes the folder's entries durable. Windows has no such call and does not need one. */
export function syncFolder(folder: string): void {
  if (!onPosix) return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
