// place: where a document stands, and digests, as trust in its commands counts them (trust.ts). Loads nothing else.

import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";

/** Hexadecimal. */
export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Links followed; a folder that is gone counts by its name. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
