// compiled-place: where compiled code is kept (ADR 79): beside the program, or, where that cannot be written, in the user's folder for caches.
//   L1. It is code, and runs with the user's rights. In the user's folder it is taken and put only where every folder from there down is the
//       user's own and nobody else may write: not the folder of who called `sudo`, not /tmp.
//   L2. Each place of the program has a folder of its own there: two versions beside each other do not push each other out, and a newer one takes
//       the place of the older.
// Deliberately absent: Windows, where a package is put into folders that its user can write.

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

interface Places {
  /** Where it may lie, the best first. */
  read: string[];
  /** Where it is written. */
  write: string | undefined;
}

/** `name`: a kind of command and a file, below `folder`, that of the program. */
export function placesOf(folder: string, ...name: string[]): Places {
  const beside = join(folder, ".cache", ...name);
  if (process.platform === "win32" || canWrite(join(folder, ".cache"), folder))
    return { read: [beside], write: beside };
  const own = ownFolder(folder, name.slice(0, -1));
  if (own === undefined) return { read: [beside], write: undefined };
  const place = join(own, name.at(-1) ?? "");
  return { read: [place, beside], write: place };
}

/** Of the first of them that is there. */
function canWrite(...folders: string[]): boolean {
  for (const folder of folders)
    try {
      accessSync(folder, constants.W_OK);
      return true;
    } catch (reason) {
      if ((reason as NodeJS.ErrnoException).code !== "ENOENT") return false;
    }
  return false;
}

/** L1, L2. */
function ownFolder(folder: string, below: string[]): string | undefined {
  let at = cacheFolder();
  // What is missing is made by us, in a folder of ours.
  if (whose(at) === "missing" && whose(dirname(at)) !== "own") return undefined;
  for (const name of ["", "curlew", "compiled", encodeURIComponent(folder), ...below]) {
    at = join(at, name);
    if (whose(at) === "other") return undefined;
  }
  return at;
}

function cacheFolder(): string {
  const given = process.env.XDG_CACHE_HOME;
  if (given && isAbsolute(given)) return given;
  return process.platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache");
}

/** `own`: a folder of the user's, into which nobody else may write. */
function whose(folder: string): "own" | "missing" | "other" {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return "missing";
    return found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0 ? "own" : "other";
  } catch {
    return "other";
  }
}
