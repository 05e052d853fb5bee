// emptied: a database of no bytes in a home that has outputs of runs: it was emptied, and is not taken for a new one.

import fs from "node:fs";
import path from "node:path";
import { type StoreError, storeDamaged } from "./error.ts";

/** SQLite would throw away the log beside it, and what may still be had from that. A database that was moved away on purpose is not there. */
export function emptied(home: string): StoreError | undefined {
  const file = path.join(home, "curlew.db");
  if (fs.statSync(file, { throwIfNoEntry: false })?.size !== 0) return undefined;
  const runs = path.join(home, "runs");
  const any = fs.existsSync(runs) && fs.readdirSync(runs).length > 0;
  return any ? storeDamaged(file, "it is empty, and outputs of runs lie beside it") : undefined;
}
