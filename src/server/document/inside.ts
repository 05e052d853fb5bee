// inside: a folder below another, opened part by part so that no link is followed on the way (spec 4.3 S12).
//   N1. Where the system shows open files as paths (Linux: /proc/self/fd), each part is opened in the folder that is held open already:
//       whoever renames or links meanwhile changes what others see, not where we are.
//   N2. Elsewhere each part is looked at, and looked at again afterwards; the file itself is opened without following a link.

import { closeSync, constants, existsSync, fsyncSync, lstatSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";

// Where the system has no such flag (Windows), it is undefined, and counts as 0 below.
const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

export interface Inside {
  /** A path that leads to the folder, and that a name may be put behind. */
  path: string;
  /** Throws ENOTDIR when it is not the folder any more that it was. */
  still(): void;
}

const HELD = existsSync("/proc/self/fd");

/**
 * Does `work` in the folder. Throws what the system says: ENOENT, ENOTDIR (also for a link), EACCES.
 * `make`: folders that are missing are made.
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

/** Whether it was. */
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
  return Object.assign(new Error(`${path} is no folder, or a link`), { code: "ENOTDIR" });
}
