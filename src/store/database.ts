// Opens a SQLite file safely. This is the only module that uses node:sqlite and knows its error codes.
//   D1. WAL with synchronous FULL: a commit that has returned survives a power cut.
//   D2. Nothing here takes longer for a large file.
//   D3. A file that is damaged, written by a newer version, or not Curlew's is left unchanged.

import fs from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import {
  OTHER_HOME,
  type StoreError,
  storeBusy,
  storeDamaged,
  storeFailed,
  storeForeign,
  storeFull,
  storeNewer,
  storeReadOnly,
} from "./error.ts";
import { holderOf } from "./holder.ts";
import { APPLICATION_ID, MIGRATIONS } from "./schema.ts";

export interface DatabaseOptions {
  /** How long to wait for other processes, in milliseconds. Default: limits.storeBusyMs. */
  busyMs?: number;
  /** For tests: adds a version, or acts as an older Curlew. */
  migrations?: readonly string[];
  /** For tests: fills the disk. The file may not exceed this number of pages. */
  pagesMax?: number;
}

export type SqlValue = SQLInputValue;
export type SqlRow = Record<string, SqlValue>;

export interface Database {
  all(sql: string, ...values: SqlValue[]): SqlRow[];
  get(sql: string, ...values: SqlValue[]): SqlRow | undefined;
  run(sql: string, ...values: SqlValue[]): void;
  /** Runs several statements without caching them. */
  script(sql: string): void;
  /** Runs `work` and turns SQLite's exceptions into StoreErrors. */
  guard<T>(work: () => Result<T, StoreError>): Result<T, StoreError>;
  /** Like `guard`, with all reads in one snapshot. */
  snapshot<T>(work: () => Result<T, StoreError>): Result<T, StoreError>;
  /**
   * Like `guard`, in one write transaction. It is committed if `work` returns ok, and otherwise rolled back completely.
   */
  transaction<T>(work: () => Result<T, StoreError>): Result<T, StoreError>;
  close(): void;
}

/** Opens or creates the store at `path` and migrates it to the newest version. Errors: store-*. */
export function openDatabase(path: string, options: DatabaseOptions = {}): Result<Database, StoreError> {
  const busyMs = options.busyMs ?? limits.storeBusyMs;
  const prepared = prepareFile(path);
  if (!prepared.ok) return prepared;
  // SQLite does not wait when two processes turn on WAL in a new file at the same moment, so opening is retried.
  for (let leftMs = busyMs; ; leftMs -= 10) {
    const opened = openOnce(path, busyMs, options);
    if (opened.ok || opened.error.code !== "store-busy" || leftMs <= 0) return opened;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}

/**
 * Opens the database at `path` for reading. An older version is migrated in a copy, in the folder that `scratch`
 * creates. The caller removes that folder. Errors: store-*.
 */
export function inspectDatabase(path: string, scratch: () => string): Result<Database, StoreError> {
  try {
    const sqlite = new DatabaseSync(asItStands(path), { timeout: limits.storeBusyMs, readOnly: true });
    const database = wrap(sqlite, path);
    const looked = database.guard((): Result<Database, StoreError> => {
      const version = versionOf(database, path, MIGRATIONS.length);
      if (!version.ok) return version;
      if (version.value === MIGRATIONS.length) return ok(database);
      const copy = join(scratch(), "curlew.db");
      database.run("VACUUM INTO ?", copy);
      return openDatabase(copy);
    });
    if (!looked.ok || looked.value !== database) sqlite.close();
    return looked;
  } catch (error) {
    return err(explainSqlite(error, path));
  }
}

/**
 * The error for an empty database file beside outputs of runs. SQLite would take it for a new database and discard its
 * log. If the file does not exist, someone moved it away on purpose.
 */
export function emptiedHome(home: string): StoreError | undefined {
  const file = join(home, "curlew.db");
  if (fs.statSync(file, { throwIfNoEntry: false })?.size !== 0) return undefined;
  const runs = join(home, "runs");
  const any = fs.existsSync(runs) && fs.readdirSync(runs).length > 0;
  return any ? storeDamaged(file, "it is empty, but the folder contains outputs of runs") : undefined;
}

/**
 * If no process is writing, opens the file so that SQLite creates no -wal and -shm
 * files. Otherwise these already exist.
 */
function asItStands(path: string): string | URL {
  if (fs.existsSync(`${path}-wal`)) return path;
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}

/**
 * Makes sure that the file exists and can be written. An existing file is never opened here: closing a descriptor of it
 * would release the locks that another connection of this process holds.
 */
function prepareFile(path: string): Result<void, StoreError> {
  try {
    fs.closeSync(fs.openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return err(explainErrno(error, path));
  }
  try {
    const stat = fs.statSync(path);
    if (!stat.isFile()) return err(storeFailed(path, "this is not a file."));
    fs.accessSync(path, fs.constants.R_OK | fs.constants.W_OK);
    return ok(undefined);
  } catch (error) {
    return err(explainErrno(error, path));
  }
}

function openOnce(path: string, busyMs: number, options: DatabaseOptions): Result<Database, StoreError> {
  try {
    const sqlite = new DatabaseSync(path, { timeout: busyMs });
    const database = wrap(sqlite, path);
    const ready = database.guard(() => makeReady(database, path, options));
    if (!ready.ok) sqlite.close();
    return ready.ok ? ok(database) : ready;
  } catch (error) {
    return err(explainSqlite(error, path));
  }
}

function makeReady(database: Database, path: string, options: DatabaseOptions): Result<void, StoreError> {
  const migrations = options.migrations ?? MIGRATIONS;
  // Use a snapshot: another process may just be creating the store.
  const now = database.snapshot(() => versionOf(database, path, migrations.length));
  if (!now.ok) return now;
  if (process.platform !== "win32" && (fs.statSync(path).mode & 0o077) !== 0) fs.chmodSync(path, 0o600);
  database.run("PRAGMA trusted_schema = OFF");
  database.run("PRAGMA cell_size_check = ON");
  // Only possible while the file is empty. Free pages can then be returned in small
  // steps, without copying the whole file.
  if (now.value === 0) database.run("PRAGMA auto_vacuum = INCREMENTAL");
  database.get("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = FULL");
  database.get("PRAGMA journal_size_limit = 67108864");
  if (options.pagesMax !== undefined) database.get(`PRAGMA max_page_count = ${options.pagesMax}`);
  return now.value === migrations.length ? ok(undefined) : migrate(database, path, migrations);
}

/** Version of the store in the file, or 0 for an empty file. */
function versionOf(database: Database, path: string, known: number): Result<number, StoreError> {
  const version = Number(database.get("PRAGMA user_version")!.user_version);
  if (database.get("PRAGMA application_id")!.application_id !== APPLICATION_ID) {
    const empty = version === 0 && database.get("SELECT 1 FROM sqlite_schema LIMIT 1") === undefined;
    return empty ? ok(0) : err(storeForeign(path));
  }
  return version > known ? err(storeNewer(path, version, known)) : ok(version);
}

/** Runs all missing migrations in one transaction, so there is never a state between two versions. */
function migrate(database: Database, path: string, migrations: readonly string[]): Result<void, StoreError> {
  return database.transaction(() => {
    // Another process may have migrated the store while this one waited for the lock.
    const now = versionOf(database, path, migrations.length);
    if (!now.ok) return now;
    for (const step of migrations.slice(now.value)) database.script(step);
    database.run(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.run(`PRAGMA user_version = ${migrations.length}`);
    return ok(undefined);
  });
}

function wrap(sqlite: DatabaseSync, path: string): Database {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = sqlite.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };

  function guard<T>(work: () => Result<T, StoreError>): Result<T, StoreError> {
    try {
      return work();
    } catch (error) {
      return err(explainSqlite(error, path));
    }
  }

  function between<T>(begin: string, work: () => Result<T, StoreError>): Result<T, StoreError> {
    try {
      return guard(() => {
        prepare(begin).run();
        const worked = work();
        if (worked.ok) prepare("COMMIT").run();
        return worked;
      });
    } finally {
      // The cause may be a result, SQLite, or a bug. For some errors, SQLite has already rolled back.
      if (sqlite.isTransaction) guard(() => ok(prepare("ROLLBACK").run()));
    }
  }

  return {
    all: (sql, ...values) => prepare(sql).all(...values) as SqlRow[],
    get: (sql, ...values) => prepare(sql).get(...values) as SqlRow | undefined,
    run: (sql, ...values) => void prepare(sql).run(...values),
    script: (sql) => sqlite.exec(sql),
    guard,
    snapshot: (work) => between("BEGIN", work),
    // IMMEDIATE takes the lock before anything is read, so that what was read still holds at the commit.
    transaction: (work) => between("BEGIN IMMEDIATE", work),
    close: () => {
      if (sqlite.isOpen) sqlite.close();
    },
  };
}

/** Translates SQLite's result codes (sqlite.org/rescode.html). The low byte is the primary code. */
function explainSqlite(error: unknown, path: string): StoreError {
  const code = (error as { errcode?: unknown }).errcode;
  // A number larger than any that Curlew writes: the record is damaged.
  if (error instanceof RangeError && error.message.includes("represented as a JavaScript number"))
    return storeDamaged(path, "it contains a number that Curlew never writes");
  if (error instanceof TypeError && error.message.includes("cannot be bound to SQLite parameter"))
    return storeDamaged(path, "a column has lost its name");
  if (typeof code !== "number") return explainErrno(error, path);
  const SHM_COULD_NOT_GROW = 4874;
  switch (code === SHM_COULD_NOT_GROW ? 13 : code & 0xff) {
    case 5: // BUSY
    case 6: // LOCKED
      return storeBusy(path, holderOf(path));
    case 14: // CANTOPEN
      if (!canOpenFiles()) return storeFailed(path, TOO_MANY_FILES);
      return storeReadOnly(path);
    case 3: // PERM
    case 8: // READONLY
      return storeReadOnly(path);
    case 13: // FULL
      return storeFull(path);
    case 11: // CORRUPT
    case 26: // NOTADB
      return storeDamaged(path, (error as Error).message);
    default:
      if (code === IO_WRITE) return storeFailed(path, REFUSED_WRITE);
      return storeFailed(path, `${(error as Error).message} (SQLite ${code}).`);
  }
}

const IO_WRITE = 778;
const REFUSED_WRITE =
  "the system refused to write to it (SQLite 778). The disk may be failing, or a file may not be that large here (ulimit -f).";
const TOO_MANY_FILES = "too many files are open. Raise the limit (ulimit -n), or close other programs.";

/** SQLite reports "cannot be opened" even if the process has no file descriptors left. It needs three. */
function canOpenFiles(): boolean {
  const open: number[] = [];
  try {
    while (open.length < 3) open.push(fs.openSync(os.devNull, "r"));
    return true;
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException;
    return code !== "EMFILE" && code !== "ENFILE";
  } finally {
    for (const fd of open) fs.closeSync(fd);
  }
}

/** Translates errors of the file system. Throws any other error, because it is a bug. `instead`: the next step. */
export function explainErrno(error: unknown, path: string, instead = OTHER_HOME): StoreError {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof Error === false || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
  if (code === "ENOSPC" || code === "EDQUOT") return storeFull(path);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return storeReadOnly(path, instead);
  const isPlace = code === "ENOTDIR" || syscall === "mkdir";
  return storeFailed(path, isPlace ? `${message}. ${instead.replace(/^c/, "C")}` : message);
}
