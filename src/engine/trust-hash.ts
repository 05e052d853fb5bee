// trust-hash: the hashes and real folder that trust in commands is based on (trust.ts). Loads nothing else.

import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";

/** Hexadecimal. */
export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The folder with links resolved. A folder that is gone is returned as it is. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
