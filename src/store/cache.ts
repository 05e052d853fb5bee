// Values of nodes that later runs may use again (spec 1.2 `cache`, 3.3). Small ones
// are in the database, others in files.
//   C1. Values are complete: a file gets its name only once it is fully written, and is
//       removed before its entry is written again.
//   C2. The caller says how old a value may be, counted from when it was stored. A value that seems
//       to come from the future is not used.
//   C3. The total never exceeds limits.cacheBytesMax: the oldest values are removed
//       first. Clearing the cache frees the disk.
// Secrets are never passed in.

import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import { type Asking, all, run as execute, get as one, type Sql } from "./ask.ts";
import { explainErrno, type SqlRow } from "./database.ts";
import type { StoreError } from "./error.ts";
import { withoutZero, withZero } from "./zero.ts";

/** A value's origin and how to show it. Times in milliseconds since the epoch. */
export interface CacheEntry {
  digest: string;
  /** The key in a form that may be shown. */
  key: string;
  workflow: string;
  node: string;
  run: string;
  path: string;
  storedMs: number;
  expiresMs: number;
  bytes: number;
  /** Absent if the value is in the file `fileOf`. */
  text?: string;
}

export interface CacheMatch {
  key?: string | undefined;
  workflow?: string | undefined;
}

export interface Cache {
  /** An entry that is at most `ttlMs` old. */
  get(digest: string, ttlMs: number, nowMs: number): Now<Result<CacheEntry | undefined, StoreError>>;
  /** `from`: the file whose first bytes are the value, unless it is small. A value that is too large is not stored. */
  put(entry: CacheEntry, from?: string): Now<Result<void, StoreError>>;
  /** Newest first. */
  list(): Now<Result<CacheEntry[], StoreError>>;
  /** Returns how much was removed. */
  clear(match: CacheMatch): Now<Result<{ entries: number; bytes: number }, StoreError>>;
  /** The file of a value that is not small. */
  fileOf(digest: string): string;
}

/** `folder` is created when the first file needs it. */
export function openCache(sql: Sql, folder: string): Cache {
  const fileOf = (digest: string): string => join(folder, digest);

  function get(digest: string, ttlMs: number, nowMs: number): Now<Result<CacheEntry | undefined, StoreError>> {
    return sql.guard(function* () {
      const row = yield* one("SELECT * FROM cache WHERE digest = ?", digest);
      if (row === undefined) return ok(undefined);
      const entry = toEntry(row);
      const ageMs = nowMs - entry.storedMs;
      const isThere = entry.text !== undefined || existsSync(fileOf(digest));
      return ok(isThere && ageMs >= 0 && ageMs < ttlMs ? entry : undefined);
    });
  }

  function put(entry: CacheEntry, from?: string): Now<Result<void, StoreError>> {
    if (entry.bytes > limits.cacheValueBytesMax) return ok(undefined);
    const { digest, key, workflow, node, run, path, storedMs, expiresMs, bytes, text } = entry;
    return sql.transaction(function* () {
      yield* makeRoom(bytes, storedMs);
      yield* drop([{ digest }]);
      if (from !== undefined) {
        const copied = copy(from, digest, bytes);
        if (!copied.ok) return copied;
      }
      yield* execute(
        `INSERT INTO cache (digest, key, workflow, node, run, path, stored_ms, expires_ms, bytes, text)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[digest, withoutZero(key), workflow, node, run, path, storedMs, expiresMs, bytes],
        text === undefined ? null : withoutZero(text),
      );
      return ok(undefined);
    });
  }

  /** C1. */
  function copy(from: string, digest: string, bytes: number): Result<void, StoreError> {
    const part = `${fileOf(digest)}.${process.pid}.part`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      copyFileSync(from, part);
      chmodSync(part, 0o600);
      truncateSync(part, bytes);
      renameSync(part, fileOf(digest));
      return ok(undefined);
    } catch (error) {
      rmSync(part, { force: true });
      return { ok: false, error: explainErrno(error, folder) };
    }
  }

  /** C3. */
  function* makeRoom(bytes: number, nowMs: number): Asking<void> {
    yield* drop(yield* all("SELECT digest FROM cache WHERE expires_ms <= ?", nowMs));
    let total = Number((yield* one("SELECT sum(bytes) AS bytes FROM cache"))?.bytes ?? 0);
    while (total + bytes > limits.cacheBytesMax) {
      const oldest = yield* one("SELECT digest, bytes FROM cache ORDER BY stored_ms LIMIT 1");
      if (oldest === undefined) return;
      yield* drop([oldest]);
      total -= Number(oldest.bytes);
    }
  }

  function* drop(rows: readonly SqlRow[]): Asking<void> {
    for (const { digest } of rows) {
      rmSync(fileOf(digest as string), { force: true });
      yield* execute("DELETE FROM cache WHERE digest = ?", digest as string);
    }
  }

  function list(): Now<Result<CacheEntry[], StoreError>> {
    return sql.guard(function* () {
      return ok((yield* all("SELECT * FROM cache ORDER BY stored_ms DESC, digest")).map(toEntry));
    });
  }

  function clear({ key, workflow }: CacheMatch): Now<Result<{ entries: number; bytes: number }, StoreError>> {
    return sql.transaction(function* () {
      const gone = (yield* all("SELECT * FROM cache"))
        .map(toEntry)
        .filter((entry) => key === undefined || entry.key === key)
        .filter((entry) => workflow === undefined || entry.workflow === workflow);
      yield* drop(gone.map(({ digest }) => ({ digest })));
      return ok({ entries: gone.length, bytes: gone.reduce((sum, { bytes }) => sum + bytes, 0) });
    });
  }

  return { get, put, list, clear, fileOf };
}

function toEntry(row: SqlRow): CacheEntry {
  return {
    digest: row.digest as string,
    key: withZero(row.key as string),
    workflow: row.workflow as string,
    node: row.node as string,
    run: row.run as string,
    path: row.path as string,
    storedMs: Number(row.stored_ms),
    expiresMs: Number(row.expires_ms),
    bytes: Number(row.bytes),
    text: row.text === null ? undefined : withZero(row.text as string),
  };
}
