// files: the small files that secrets are kept in: read with a limit, written so that a crash leaves the old text or the new one.
//   F1. Written beside it, flushed, renamed into place, the folder flushed: never half, never gone.
//   F2. A file of ours is for its owner alone (0600); one that is open to others is closed, and that is said.
//   F3. Where others may write to the home, nothing in it can be trusted: it is refused.

import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
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

/** Makes the home when it is not there. */
export function openHome(home: string): Failure | undefined {
  makeHome(home);
  return homeTrouble(home);
}

/** Folder after folder: below /proc the `recursive` of Node.js never comes back. */
export function makeHome(home: string): void {
  if (existsSync(home)) return;
  if (dirname(home) !== home) makeHome(dirname(home));
  try {
    mkdirSync(home, { mode: 0o700 });
  } catch (reason) {
    // Somebody was quicker.
    if ((reason as NodeJS.ErrnoException).code !== "EEXIST") throw reason;
  }
}

/** F3. */
export function homeTrouble(home: string): Failure | undefined {
  const mode = statSync(home, { throwIfNoEntry: false })?.mode ?? 0;
  if (!onPosix || (mode & 0o022) === 0) return undefined;
  return {
    code: "secret-store-open",
    message: `Other users may write to ${home}, so the secrets in it cannot be trusted.`,
    hint: `Run: chmod go-w '${home}'`,
  };
}

/** The bytes of a file of ours, or nothing when it is not there. `warn` hears that it was open to others. Throws what the system says. */
export function readOwn(file: string, warn: (warning: Failure) => void): Buffer | undefined {
  try {
    const { mode } = statSync(file);
    if (onPosix && (mode & 0o077) !== 0) {
      chmodSync(file, 0o600);
      warn({
        code: "secret-file-open",
        message: `${file} could be read by others (mode ${(mode & 0o777).toString(8)}); it is closed to them now.`,
        hint: "If others use this machine, replace the secrets in it.",
      });
    }
    return readFileSync(file);
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw reason;
  }
}

/** F1. Throws what the system says, with the old file as it was. */
export function writeOwn(file: string, bytes: Uint8Array): void {
  const beside = `${file}.${randomBytes(6).toString("hex")}.new`;
  try {
    const fd = openSync(beside, "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(beside, file);
  } catch (reason) {
    rmSync(beside, { force: true });
    throw reason;
  }
  syncFolder(dirname(file));
}

/** What a process that was killed while it wrote has left. Only for the one who holds the lock. */
export function removeHalfWritten(file: string): void {
  const name = new RegExp(`^${basename(file).replaceAll(".", "\\.")}\\.[0-9a-f]{12}\\.new$`);
  for (const left of readdirSync(dirname(file)))
    if (name.test(left)) rmSync(join(dirname(file), left), { force: true });
}

/** The names in it are on disk for good. Windows has no such call, and needs none. */
export function syncFolder(folder: string): void {
  if (!onPosix) return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
