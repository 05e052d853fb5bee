// database: one SQLite file, opened with care; the only module that knows node:sqlite and its error codes.
//   D1. WAL with synchronous FULL: a commit that returned survives a power cut.
//   D2. Nothing here takes longer because the file is large.
//   D3. A file that is not ours, newer than us or damaged is left as it is.

import fs from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import {
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
  /** How long to wait for other processes; default limits.storeBusyMs. */
  busyMs?: number;
  /** Lets tests add a version, and stand for an older Curlew. */
  migrations?: readonly string[];
  /** Lets tests fill the disk: the file may not grow beyond this many pages. */
  pagesMax?: number;
}

export type SqlRow = Record<string, SQLInputValue>;

export interface Database {
  all(sql: string, ...values: SQLInputValue[]): SqlRow[];
  get(sql: string, ...values: SQLInputValue[]): SqlRow | undefined;
  run(sql: string, ...values: SQLInputValue[]): void;
  /** Several statements, not kept prepared. */
  script(sql: string): void;
  /** Runs `work`; what SQLite throws comes back as a StoreError. */
  guard<T>(work: () => Result<T, StoreError>): Result<T, StoreError>;
  /** The same with everything read at one moment. */
  snapshot<T>(work: () => Result<T, StoreError>): Result<T, StoreError>;
  /** The same in one write transaction: committed if `work` answers ok, else without any trace. */
  transaction<T>(work: () => Result<T, StoreError>): Result<T, StoreError>;
  close(): void;
}

/** Opens or creates the store at `path`, brought to the newest version. Errors: store-*. */
export function openDatabase(path: string, options: DatabaseOptions = {}): Result<Database, StoreError> {
  const busyMs = options.busyMs ?? limits.storeBusyMs;
  const prepared = prepareFile(path);
  if (!prepared.ok) return prepared;
  // SQLite does not wait by itself where the first two processes turn on WAL at the same moment; so the opening is tried again.
  for (let leftMs = busyMs; ; leftMs -= 10) {
    const opened = openOnce(path, busyMs, options);
    if (opened.ok || opened.error.code !== "store-busy" || leftMs <= 0) return opened;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
}

/**
 * Opens what is at `path` to be read. An older version is brought to the newest in a copy, in the folder that `scratch` makes; it is the
 * caller's to remove. Errors: store-*.
 */
export function lookAtDatabase(path: string, scratch: () => string): Result<Database, StoreError> {
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
 * A database of no bytes beside outputs of runs was emptied. SQLite would take it for a new one, and throw away the log beside it.
 * A database that was moved away on purpose is not there.
 */
export function emptied(home: string): StoreError | undefined {
  const file = join(home, "curlew.db");
  if (fs.statSync(file, { throwIfNoEntry: false })?.size !== 0) return undefined;
  const runs = join(home, "runs");
  const any = fs.existsSync(runs) && fs.readdirSync(runs).length > 0;
  return any ? storeDamaged(file, "it is empty, and outputs of runs lie beside it") : undefined;
}

/** Where nobody writes, no files for writers are made beside it; where somebody does, their files are there. */
function asItStands(path: string): string | URL {
  if (fs.existsSync(`${path}-wal`)) return path;
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return url;
}

/**
 * The file exists and can be written. An existing file is never opened here: closing any descriptor of it would
 * drop the locks that another connection of this process holds.
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
  // One snapshot: another process may be making the store out of an empty file at this moment.
  const now = database.snapshot(() => versionOf(database, path, migrations.length));
  if (!now.ok) return now;
  if (process.platform !== "win32" && (fs.statSync(path).mode & 0o077) !== 0) fs.chmodSync(path, 0o600);
  database.run("PRAGMA trusted_schema = OFF");
  database.run("PRAGMA cell_size_check = ON");
  // Only while the file is empty: what is freed later can be given back bit by bit, without a copy of the whole.
  if (now.value === 0) database.run("PRAGMA auto_vacuum = INCREMENTAL");
  database.get("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = FULL");
  database.get("PRAGMA journal_size_limit = 67108864");
  if (options.pagesMax !== undefined) database.get(`PRAGMA max_page_count = ${options.pagesMax}`);
  return now.value === migrations.length ? ok(undefined) : migrate(database, path, migrations);
}

/** Version of the store in the file; 0 for an empty one. */
function versionOf(database: Database, path: string, known: number): Result<number, StoreError> {
  const version = Number(database.get("PRAGMA user_version")!.user_version);
  if (database.get("PRAGMA application_id")!.application_id !== APPLICATION_ID) {
    const empty = version === 0 && database.get("SELECT 1 FROM sqlite_schema LIMIT 1") === undefined;
    return empty ? ok(0) : err(storeForeign(path));
  }
  return version > known ? err(storeNewer(path, version, known)) : ok(version);
}

/** All missing steps in one transaction: the old version or the new one, nothing between. */
function migrate(database: Database, path: string, migrations: readonly string[]): Result<void, StoreError> {
  return database.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
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
      // Whatever kept it from committing: an answer, SQLite, or a bug. Some errors make SQLite roll back by itself.
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
    // IMMEDIATE: the lock is had before anything is read, so what was read still holds at the commit.
    transaction: (work) => between("BEGIN IMMEDIATE", work),
    close: () => {
      if (sqlite.isOpen) sqlite.close();
    },
  };
}

/** SQLite's result codes (sqlite.org/rescode.html), the low byte being the primary one. */
function explainSqlite(error: unknown, path: string): StoreError {
  const code = (error as { errcode?: unknown }).errcode;
  // A number that we never wrote: larger than any of ours.
  if (error instanceof RangeError && error.message.includes("represented as a JavaScript number"))
    return storeDamaged(path, "it holds a number too large to be ours");
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

/** SQLite says "cannot be opened" also when the process may open no more files. It needs three. */
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

/** The same for what the file system says; anything else is a bug of ours and goes on its way. */
export function explainErrno(error: unknown, path: string): StoreError {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof Error === false || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
  if (code === "ENOSPC" || code === "EDQUOT") return storeFull(path);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return storeReadOnly(path);
  const isPlace = code === "ENOTDIR" || syscall === "mkdir";
  return storeFailed(path, isPlace ? `${message}. Choose another folder with --home or CURLEW_HOME.` : message);
}
