// A lock for all processes of a machine: an exclusive SQLite transaction on an empty file (spec 3.6).
//   K1. The system releases the lock when its holder dies. The file is never written to and never removed.
//   K2. Waiting is done by polling, because waiting inside SQLite would block the whole process.

import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, type Result } from "../base/result.ts";

const SQLITE_BUSY = 5;

/** `busy`: creates the failure if the lock is not free within `waitMs`. Throws the system's error. */
export async function withLock<T>(
  file: string,
  { waitMs, busy }: { waitMs: number; busy: () => Failure },
  work: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const { DatabaseSync } = await import("node:sqlite");
  closeSync(openSync(file, "a", 0o600));
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    const until = performance.now() + waitMs;
    while (!taken(lock)) {
      if (performance.now() > until) return err(busy());
      await delay(limits.tokenBusyPollMs);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function taken(lock: { exec(sql: string): void }): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (reason) {
    if ((reason as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw reason;
  }
}
