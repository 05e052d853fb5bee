// Opens a data directory: its journal (curlew.db) and the outputs of its runs (runs/RUN/…).
// Several processes may do so at once.
//   H1. The data directory gets mode 0700, the database 0600, and the runs folder 0700, whatever they had before.
//   H2. A data directory that other users can write to is rejected, because they could replace its history.

import fs from "node:fs";
import path from "node:path";
import type { Failure } from "../base/failure.ts";
import { type AtOnce, atOnce, type Now } from "../base/now.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { EventBody } from "../scheduler/event.ts";
import { makeHome } from "../secrets/files.ts";
import { keyFor } from "../secrets/home-key.ts";
import { type Sql, sqlOf } from "./ask.ts";
import { type Audit, openAudit } from "./audit.ts";
import { type Budgets, type Liveness, openBudgets } from "./budgets.ts";
import { type Cache, openCache } from "./cache.ts";
import { type DatabaseOptions, emptiedHome, explainErrno, openDatabase } from "./database.ts";
import { type StoreError, storeFailed, storeMoved, storePermissions } from "./error.ts";
import type { IsAlive, Journal, RunRow } from "./journal.ts";
import { type Maintenance, maintenanceOf } from "./maintenance.ts";
import { movedTo } from "./moved.ts";
import { Outputs } from "./outputs.ts";
import type { Removed, RetentionRule } from "./retention.ts";
import { sqliteJournal } from "./sqlite.ts";
import { openStartKeys, type StartKeys } from "./start-keys.ts";
import { openState, type StateStore } from "./state.ts";
import { openTrust, type Trust } from "./trust.ts";

/** The store as an engine sees it. Answers come at once or later (base/now.ts). */
export interface Store {
  journal: Journal;
  outputs: Outputs;
  audit: Audit;
  trust: Trust;
  /** `liveness`: tells whether holders of slots still exist. */
  budgets(liveness: Liveness): Budgets;
  cache: Cache;
  startKeys: StartKeys;
  state: StateStore;
  /**
   * Has the machine that drives the run record something in `asker`, the run or one of its subflow runs. Absent on one
   * machine. Failures: `not-waiting`, `machine-silent`, the store's.
   */
  tellOwner?(run: string, asker: string, body: EventBody): Promise<Result<void, Failure>>;
  /**
   * Brings these files of a run to this machine if another has them, all by default. `isLive`: they may still grow.
   * Absent on one machine.
   */
  bring?(run: string, files?: readonly string[], isLive?: boolean): Promise<Result<void, StoreError>>;
  /** Those of `Maintenance`. */
  removeRun(run: string, isAlive: IsAlive): Now<Result<string[], StoreError>>;
  sweepRemoved(): Now<Result<string[], StoreError>>;
  leaving(what: RetentionRule): Now<Result<RunRow[], StoreError>>;
  removeLeaving(what: RetentionRule, isAlive: IsAlive): Now<Result<Removed, StoreError>>;
  close(): Now<void>;
}

/** The store of a data directory. It answers at once. */
export interface LocalStore extends Maintenance {
  journal: AtOnce<Journal>;
  outputs: Outputs;
  audit: AtOnce<Audit>;
  trust: AtOnce<Trust>;
  budgets(liveness: Liveness): AtOnce<Budgets>;
  cache: AtOnce<Cache>;
  startKeys: AtOnce<StartKeys>;
  state: AtOnce<StateStore>;
  /** For tables that not every program uses. */
  beside<T>(open: (sql: Sql) => T): T;
  close(): void;
}

/**
 * Opens the store in `home`, an absolute path, and creates whatever is missing.
 * Errors: store-permissions, store-read-only, store-damaged, store-foreign, store-newer,
 * store-busy, store-full, store-failed.
 * @example const opened = openStore(home); if (!opened.ok) return fail(opened.error.message);
 */
export function openStore(home: string, options: DatabaseOptions = {}): Result<LocalStore, StoreError> {
  const runs = path.join(home, "runs");
  const made = makeFolders(home, runs);
  if (!made.ok) return made;
  const moved = movedTo(home);
  if (moved !== undefined) return err(storeMoved(home, moved));
  const gone = emptiedHome(home);
  if (gone !== undefined) return err(gone);
  const database = openDatabase(path.join(home, "curlew.db"), options);
  if (!database.ok) return database;
  const sql = sqlOf(database.value);
  const audit = openAudit(sql, () => keyFor("audit", home));
  const journal = sqliteJournal(database.value, audit);
  const outputs = new Outputs(runs);
  return ok({
    journal,
    outputs,
    audit: atOnce<Audit>(audit),
    trust: atOnce(openTrust(sql, audit)),
    startKeys: atOnce(openStartKeys(sql)),
    state: atOnce(openState(sql)),
    cache: atOnce(openCache(sql, path.join(home, "cache"))),
    beside: (open) => open(sql),
    budgets: (liveness) => atOnce(openBudgets(sql, liveness)),
    ...maintenanceOf({ home, database: database.value, journal, outputs }),
    close: journal.close,
  });
}

/** H1, H2. */
export function makeFolders(home: string, runs: string): Result<void, StoreError> {
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
