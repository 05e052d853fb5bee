// whole-file: writes files that are complete or absent. An incomplete file has another name.

import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "../../secrets/files.ts";

/** Suffix of an incomplete file. */
export const PART = ".part";

/**
 * Readable only by its owner, and durable together with its name. Throws the system's error, and leaves no partial file
 * then.
 */
export function writeFileWhole(path: string, bytes: Uint8Array): void {
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
