// Opens a data directory: its journal (curlew.db) and the outputs of its runs (runs/RUN/…).
// Several processes may do so at once.
//   H1. The data directory gets mode 0700, the database 0600, and the runs folder 0700, whatever they had before.
//   H2. A data directory that other users can write to is rejected, because they could replace its history.

import fs from "node:fs";
import path from "node:path";
import { err, ok, type Result } from "../base/result.ts";
import { makeHome } from "../secrets/files.ts";
import { keyFor } from "../secrets/home-key.ts";
import { type Audit, openAudit } from "./audit.ts";
import { type Budgets, type Liveness, openBudgets } from "./budgets.ts";
import { type Cache, openCache } from "./cache.ts";
import { type Database, type DatabaseOptions, emptied, explainErrno, openDatabase } from "./database.ts";
import { type StoreError, storeFailed, storePermissions } from "./error.ts";
import type { Journal } from "./journal.ts";
import { type Care, careOf } from "./maintenance.ts";
import { type Outputs, openOutputs } from "./outputs.ts";
import { sqliteJournal } from "./sqlite.ts";
import { openStartKeys, type StartKeys } from "./start-keys.ts";
import { openTrust, type Trust } from "./trust.ts";

export interface Store extends Care {
  /** A file that changes with every write to this data directory. */
  log: string;
  journal: Journal;
  outputs: Outputs;
  audit: Audit;
  trust: Trust;
  /** `liveness`: tells whether holders of slots still exist. */
  budgets(liveness: Liveness): Budgets;
  cache: Cache;
  startKeys: StartKeys;
  /** For tables that not every program uses. */
  beside<T>(open: (database: Database) => T): T;
  close(): void;
}

/**
 * Opens the store in `home`, an absolute path, and creates whatever is missing.
 * Errors: store-permissions, store-read-only, store-damaged, store-foreign, store-newer,
 * store-busy, store-full, store-failed.
 * @example const opened = openStore(home); if (!opened.ok) return fail(opened.error.message);
 */
export function openStore(home: string, options: DatabaseOptions = {}): Result<Store, StoreError> {
  const runs = path.join(home, "runs");
  const made = makeFolders(home, runs);
  if (!made.ok) return made;
  const gone = emptied(home);
  if (gone !== undefined) return err(gone);
  const database = openDatabase(path.join(home, "curlew.db"), options);
  if (!database.ok) return database;
  const audit = openAudit(database.value, () => keyFor("audit", home));
  const trust = openTrust(database.value, audit);
  const journal = sqliteJournal(database.value, audit);
  const outputs = openOutputs(runs);
  return ok({
    log: path.join(home, "curlew.db-wal"),
    journal,
    outputs,
    audit,
    trust,
    startKeys: openStartKeys(database.value),
    cache: openCache(database.value, path.join(home, "cache")),
    beside: (open) => open(database.value),
    budgets: (liveness) => openBudgets(database.value, liveness),
    ...careOf({ home, database: database.value, journal, outputs }),
    close: journal.close,
  });
}

function makeFolders(home: string, runs: string): Result<void, StoreError> {
  try {
    makeHome(home);
    const stat = fs.statSync(home);
    if (!stat.isDirectory()) return err(storeFailed(home, "this is not a folder."));
    const posix = process.platform !== "win32";
    if (posix && (stat.mode & 0o022) !== 0) return err(storePermissions(home, stat.mode & 0o7777));
    fs.mkdirSync(runs, { recursive: true, mode: 0o700 });
    if (posix && (fs.statSync(runs).mode & 0o077) !== 0) fs.chmodSync(runs, 0o700);
    return ok(undefined);
  } catch (error) {
    return err(explainErrno(error, home));
  }
}
