// compiled-place: where compiled code is kept (ADR 79): beside the program, or, where that cannot be written, in the user's folder for caches.
//   L1. It is code, and runs with the user's rights. In the user's folder it is taken and put only where every folder from there down is the
//       user's own and nobody else may write: not the folder of who called `sudo`, not /tmp.
//   L2. Each place of the program has a folder of its own there: two versions beside each other do not push each other out, and a newer one takes
//       the place of the older.
//   L3. It is small: `--version` loads it for nothing.
// Deliberately absent: Windows, where a package is put into folders that its user can write.

import { accessSync, lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Of `access`. */
const WRITE = 2;

/** Where code of `file` for a kind of command may lie, `folder` being that of the program. The first is where it is written. */
export function placesOf(folder: string, kind: string, file: string): string[] {
  const beside = `${folder}/.cache`;
  const places = [`${beside}/${kind}/${file}`];
  try {
    accessSync(lstatSync(beside, { throwIfNoEntry: false }) ? beside : folder, WRITE);
  } catch {
    const own = ownFolder(encodeURIComponent(folder), kind);
    if (own) places.unshift(`${own}/${file}`);
  }
  return places;
}

/** L1, L2. */
function ownFolder(...below: string[]): string | undefined {
  const { XDG_CACHE_HOME: given, HOME } = process.env;
  // A relative one is to be ignored.
  let at = [given, `${HOME}/.cache`].find((path) => path?.startsWith("/"));
  if (!at) return undefined;
  try {
    // What is missing is made by us, in a folder of ours.
    let safe = isOwn(at) ?? isOwn(dirname(at));
    for (const name of ["curlew", "compiled", ...below]) {
      at += `/${name}`;
      safe &&= isOwn(at) ?? true;
    }
    return safe ? at : undefined;
  } catch {
    return undefined;
  }
}

/** Of the user's, and nobody else may write there; undefined when nothing is there. */
function isOwn(folder: string): boolean | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0;
}
