// whole-file: a file that is whole or not there: what was begun when the disk was full or the program was killed has another name.

import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "../secrets/files.ts";

/** Of what was begun. */
export const PART = ".part";

/** Readable by its owner alone, and on disk for good, with its name. Throws the system's error, and leaves no half of it then. */
export function writeWhole(path: string, bytes: Uint8Array): void {
  const part = `${path}${PART}`;
  try {
    writeFileSync(part, bytes, { mode: 0o600, flush: true });
    renameSync(part, path);
  } catch (reason) {
    rmSync(part, { force: true });
    throw reason;
  }
  syncFolder(dirname(path));
}
