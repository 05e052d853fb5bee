// Opens a folder below another one part by part, so that no link is followed on the way (spec 4.3 S12).
//   N1. On Linux, /proc/self/fd makes open files available as paths, so each part is opened inside the folder held open
//       before it. Renaming or linking folders at the same time then has no effect on this call.
//   N2. Elsewhere, each part is checked before and after the work. The file itself is opened without following a link.

import { closeSync, constants, existsSync, fsyncSync, lstatSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";

// Windows lacks some of these flags. They are undefined there and count as 0 below.
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

export interface Inside {
  /** A path of the folder. A file name can be appended. */
  path: string;
  /** Throws ENOTDIR if the folder has been replaced. */
  still(): void;
}

const HELD = existsSync("/proc/self/fd");

/**
 * Runs `work` in the folder. Throws the system's error: ENOENT, ENOTDIR (also for a link), EACCES.
 * `make`: create missing folders.
 */
export function insideOf<T>(root: string, folders: readonly string[], make: boolean, work: (inside: Inside) => T): T {
  return HELD ? heldInside(root, folders, make, work) : lookedInside(root, folders, make, work);
}

/** N1. */
function heldInside<T>(root: string, folders: readonly string[], make: boolean, work: (inside: Inside) => T): T {
  const held = [openSync(root, O_RDONLY | O_DIRECTORY)];
  try {
    for (const folder of folders) {
      const next = `/proc/self/fd/${held.at(-1)}/${folder}`;
      if (make && madeIfMissing(next)) fsyncSync(held.at(-1)!);
      held.push(openSync(next, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    }
    return work({ path: `/proc/self/fd/${held.at(-1)}`, still: () => {} });
  } finally {
    for (const fd of held) closeSync(fd);
  }
}

/** N2. */
function lookedInside<T>(root: string, folders: readonly string[], make: boolean, work: (inside: Inside) => T): T {
  let path = root;
  for (const folder of folders) {
    path = join(path, folder);
    if (make) madeIfMissing(path);
    if (!lstatSync(path).isDirectory()) throw notAFolder(path);
  }
  const still = () => {
    if (realpathSync(path) !== path) throw notAFolder(path);
  };
  still();
  return work({ path, still });
}

/** Whether the folder was missing and has been created. */
function madeIfMissing(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o777 });
    return true;
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== "EEXIST") throw reason;
    return false;
  }
}

function notAFolder(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} is not a folder, or is a link`), { code: "ENOTDIR" });
}
