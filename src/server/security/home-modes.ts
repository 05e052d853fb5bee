// Restricts the data directory to its owner (spec 4.3 S13).
//   M1. When a server starts, the data directory gets mode 0700 and the files
//       directly in it 0600. Changes are reported.
// The server does not set a umask of 077. Commands would inherit it and write files that no one else can read
// (docs/adr/0058).

import { accessSync, chmodSync, constants, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { makeHome } from "../../secrets/files.ts";
import { explainErrno, type StoreError } from "../../store/index.ts";

/**
 * Creates the data directory if needed. Returns the names of files that others could
 * access before. Failures: the store's.
 */
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
    // config.yaml may be a link that the user created.
    if (stat === undefined || !stat.isFile() || (stat.mode & 0o077) === 0) continue;
    chmodSync(file, 0o600);
    opened.push(name);
  }
  return opened;
}
