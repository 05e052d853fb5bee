// Idempotency keys for starts: a repeated request with the same key starts only one
// run, even after a restart (spec 2.4).
//   K1. A key belongs to the first request that used it, and to the run id chosen for
//       that request before the run started.
//   K2. A key is kept for limits.startKeyMs. After that, it counts as new.

import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import { run as execute, get, type Sql } from "./ask.ts";
import type { StoreError } from "./error.ts";

export interface StartKeys {
  /**
   * The run of this key: `run` if the key is new, otherwise the earlier run. `same`: whether the earlier request was
   * the same. `request`: a hash of the request. Errors: store-*.
   */
  take(
    key: string,
    request: string,
    run: string,
    nowMs: number,
  ): Now<Result<{ run: string; same: boolean }, StoreError>>;
  /** Removes a key under which no run was started. Errors: store-*. */
  forget(key: string): Now<Result<void, StoreError>>;
}

export function openStartKeys(sql: Sql): StartKeys {
  return {
    take: (key, request, run, nowMs) =>
      sql.transaction(function* () {
        yield* execute("DELETE FROM start_keys WHERE at_ms < ?", nowMs - limits.startKeyMs);
        const known = yield* get("SELECT request, run FROM start_keys WHERE key = ?", key);
        if (known !== undefined) return ok({ run: String(known.run), same: known.request === request });
        yield* execute(
          "INSERT INTO start_keys (key, request, run, at_ms) VALUES (?, ?, ?, ?)",
          key,
          request,
          run,
          nowMs,
        );
        return ok({ run, same: true });
      }),
    forget: (key) =>
      sql.transaction(function* () {
        yield* execute("DELETE FROM start_keys WHERE key = ?", key);
        return ok(undefined);
      }),
  };
}
