// home-modes: what lies in the home is its owner's alone, whatever it was before (spec 4.3 S13).
//   M1. The home is 0700 and the files directly in it 0600 when a server starts; what had to be changed is said.
// Deliberately absent: a umask of 077. Commands would inherit it, and write files that nobody else can read (docs/adr/0058).

import { accessSync, chmodSync, constants, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { makeHome } from "../../secrets/files.ts";
import { explainErrno, type StoreError } from "../../store/index.ts";

/** Makes the home where it is missing. Names what was open to others before. Failures: the store's. */
export function closeHome(home: string): Result<string[], StoreError> {
  try {
    makeHome(home);
    accessSync(home, constants.W_OK);
    return ok(process.platform === "win32" ? [] : closed(home));
  } catch (reason) {
    return err(explainErrno(reason, home));
  }
}

/** M1. */
function closed(home: string): string[] {
  const names = readdirSync(home);
  const opened: string[] = [];
  if ((lstatSync(home).mode & 0o077) !== 0) {
    chmodSync(home, 0o700);
    opened.push(home);
  }
  for (const name of names) {
    const file = join(home, name);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    // config.yaml may be a person's own link to somewhere.
    if (stat === undefined || !stat.isFile() || (stat.mode & 0o077) === 0) continue;
    chmodSync(file, 0o600);
    opened.push(name);
  }
  return opened;
}
