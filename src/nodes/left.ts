// left: takes away what an attempt leaves in folders of its run. A command may write in some of them, so anything may lie there: folders that
// nobody may open, names that are no files. What cannot be removed stays for the next who looks; no attempt fails for it.

import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A file, or a folder with all that is in it; links are removed, never followed. */
export function removeLeft(path: string): void {
  if (removed(path)) return;
  open(path);
  removed(path);
}

function removed(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

function open(path: string): void {
  try {
    if (!lstatSync(path).isDirectory()) return;
    chmodSync(path, 0o700);
    for (const name of readdirSync(path)) open(join(path, name));
  } catch {
    // It stays.
  }
}
