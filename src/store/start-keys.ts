// start-keys: starts that were asked for under a key of the caller's, so that asking twice starts once, also across restarts (spec 2.4).
//   K1. A key belongs to the first request that came with it, and to the run that was chosen for it before it began.
//   K2. A key is kept for limits.startKeyMs; then the same key is a new one.

import { limits } from "../base/limits.ts";
import { ok, type Result } from "../base/result.ts";
import type { Database } from "./database.ts";
import type { StoreError } from "./error.ts";

export interface StartKeys {
  /**
   * The run of this key: `run` when the key is new, else the one of before. `same`: it was the same request then. `request`: a digest.
   * Errors: store-*.
   */
  take(key: string, request: string, run: string, nowMs: number): Result<{ run: string; same: boolean }, StoreError>;
  /** Nothing was started under it. Errors: store-*. */
  forget(key: string): Result<void, StoreError>;
}

export function openStartKeys(database: Database): StartKeys {
  return {
    take: (key, request, run, nowMs) =>
      database.transaction(() => {
        database.run("DELETE FROM start_keys WHERE at_ms < ?", nowMs - limits.startKeyMs);
        const known = database.get("SELECT request, run FROM start_keys WHERE key = ?", key);
        if (known !== undefined) return ok({ run: String(known.run), same: known.request === request });
        database.run("INSERT INTO start_keys (key, request, run, at_ms) VALUES (?, ?, ?, ?)", key, request, run, nowMs);
        return ok({ run, same: true });
      }),
    forget: (key) =>
      database.transaction(() => {
        database.run("DELETE FROM start_keys WHERE key = ?", key);
        return ok(undefined);
      }),
  };
}
