// lock: one at a time, of all processes of a machine: an exclusive transaction of SQLite on an empty file (spec 3.6).
//   K1. The system lets go of it when its holder dies, however it dies; nothing is ever written to the file, and it is never removed.
//   K2. It is asked for again and again: waiting inside of SQLite would stop everything else that this process does.

import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Failure } from "../base/failure.ts";
import { limits } from "../base/limits.ts";
import { err, type Result } from "../base/result.ts";

const SQLITE_BUSY = 5;

/** `busy`: what is said when others have held it for `waitMs`. Throws what the system says. */
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
