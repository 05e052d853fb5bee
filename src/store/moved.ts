// moved: the mark of a data directory whose history is in the database of a cluster.

import fs from "node:fs";
import path from "node:path";

const NAME = "moved-to";

/** The URL of the database, without its password. Undefined: the history is here. */
export function movedTo(home: string): string | undefined {
  try {
    return fs.readFileSync(path.join(home, NAME), "utf8").trim() || undefined;
  } catch (reason) {
    const { code = "" } = reason as NodeJS.ErrnoException;
    // This user may not enter the folder. Opening the store says so.
    const isClosed = code === "EACCES" && !fs.existsSync(`${home}/.`);
    if (isClosed || code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw reason;
  }
}

export function markMoved(home: string, url: string): void {
  fs.writeFileSync(path.join(home, NAME), `${url}\n`, { mode: 0o600, flush: true });
}

export function unmarkMoved(home: string): void {
  fs.rmSync(path.join(home, NAME), { force: true });
}
