// artifacts: removes what an attempt leaves in folders of its run. A command may write to some of them, so they may hold
// anything, such as unreadable folders. Anything that cannot be removed now stays for the next clean-up. No attempt
// fails because of it.

import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Removes a file, or a folder with everything in it. Links are removed, never followed. */
export function removeArtifact(path: string): void {
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
