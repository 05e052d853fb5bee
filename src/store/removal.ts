// removal: runs that leave with their files: what was begun is done to its end, by whoever comes next (spec 3.4, 5.6).
//   M1. That a run leaves is recorded in the transaction that takes its records (`journal.deleteRun`), and forgotten when its files are gone.
//       Who is killed in between leaves what the next one that opens an engine here, or removes something, goes on with.
//   M2. Going on holds the writer's lock and looks again under it: a run that was begun anew under its old id keeps its files.
// Deliberately absent: files that cannot be removed. They stay named by `check`, and are tried again.

import { err, ok, type Result } from "../base/result.ts";
import type { Database } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { IsAlive, Journal } from "./journal.ts";
import type { Outputs } from "./outputs.ts";

export interface Removal {
  /** The run, the runs of its subflows and all their outputs; `before` sees each id before its files go. Errors: run-not-found, run-claimed, store-*. */
  remove(run: string, isAlive: IsAlive, before?: (id: string) => void): Result<string[], StoreError>;
  /** Their files are gone: nothing of them has to be remembered. */
  forget(runs: readonly string[]): Result<void, StoreError>;
  /** M1. Answers with the runs that were gone on with. */
  finish(): Result<string[], StoreError>;
  /** Runs whose records are gone and whose files may not be. */
  begun(): Result<string[], StoreError>;
}

export function removalOf(database: Database, journal: Journal, outputs: Outputs): Removal {
  function remove(run: string, isAlive: IsAlive, before?: (id: string) => void): Result<string[], StoreError> {
    const removed = journal.deleteRun(run, isAlive);
    if (!removed.ok) return removed;
    for (const id of removed.value) {
      before?.(id);
      const gone = outputs.remove(id);
      if (!gone.ok) return gone;
    }
    return removed;
  }

  function forget(runs: readonly string[]): Result<void, StoreError> {
    if (runs.length === 0) return ok(undefined);
    return database.transaction(() => {
      for (const run of runs) database.run("DELETE FROM leaving_runs WHERE run = ?", run);
      return ok(undefined);
    });
  }

  function finish(): Result<string[], StoreError> {
    const left = begun();
    if (!left.ok) return left;
    for (const run of left.value) {
      const done = database.transaction(() => finished(run));
      if (!done.ok) return done;
    }
    return left;
  }

  /** M2. */
  function finished(run: string): Result<void, StoreError> {
    if (!database.get("SELECT 1 FROM leaving_runs WHERE run = ?", run)) return ok(undefined);
    const known = journal.lastSeq(run);
    if (!known.ok && known.error.code !== "run-not-found") return err(known.error);
    const gone = known.ok ? ok(undefined) : outputs.remove(run);
    if (gone.ok) database.run("DELETE FROM leaving_runs WHERE run = ?", run);
    return gone;
  }

  function begun(): Result<string[], StoreError> {
    return database.guard(() => ok(database.all("SELECT run FROM leaving_runs").map(({ run }) => String(run))));
  }

  return { remove, forget, finish, begun };
}
