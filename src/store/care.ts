// care: what is done to a home as a whole: removing runs, looking whether everything is what was written, copying it.
//   H1. Records go first: an interrupted removal leaves files without a run, never a run without its files; it is gone on with (removal.ts).

import { ok, type Result } from "../base/result.ts";
import { type BackupReport, backupHome } from "./backup.ts";
import type { Database } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { Finding, IsAlive, Journal, RunRow } from "./journal.ts";
import type { Outputs } from "./outputs.ts";
import { checkOutputs } from "./outputs-check.ts";
import { removalOf } from "./removal.ts";
import { type Leaving, type Left, leavingRuns, removeLeaving } from "./retention.ts";

export interface Care {
  /** The run, the runs of its subflows and all their outputs; answers with their ids. Errors: run-not-found, run-claimed, store-*. */
  removeRun(run: string, isAlive: IsAlive): Result<string[], StoreError>;
  /** Everything that is wrong; empty: all is well. Takes as long as there are records. */
  check(): Result<Finding[], StoreError>;
  /** How much there is. */
  counts(): Result<Counts, StoreError>;
  /** The runs that would leave, oldest end first. Errors: store-*. */
  leaving(what: Leaving): Result<RunRow[], StoreError>;
  /** Removes them, but for those that a living process has claimed, and gives the disk back what they took. Errors: store-*. */
  removeLeaving(what: Leaving, isAlive: IsAlive): Result<Left, StoreError>;
  /** What somebody who was killed had begun to remove; answers with its runs. Errors: store-*. */
  finishRemovals(): Result<string[], StoreError>;
  /** Copies the home to `target`, a folder that is not there. Errors: backup-exists, store-*. */
  backup(target: string): Result<BackupReport, StoreError>;
}

export interface Counts {
  /** Also those of subflows. */
  runs: number;
  events: number;
}

interface Ground {
  home: string;
  database: Database;
  journal: Journal;
  outputs: Outputs;
}

export function careOf(ground: Ground): Care {
  const { home, database, journal, outputs } = ground;

  const removal = removalOf(database, journal, outputs);

  function removeRun(run: string, isAlive: IsAlive): Result<string[], StoreError> {
    removal.finish();
    const removed = removal.remove(run, isAlive);
    if (removed.ok) removal.forget(removed.value);
    return removed;
  }

  function check(): Result<Finding[], StoreError> {
    const found = journal.check();
    if (!found.ok) return found;
    const begun = removal.begun();
    if (!begun.ok) return begun;
    const strays = strayOutputs(journal, outputs, new Set(begun.value));
    if (!strays.ok) return strays;
    const missing = checkOutputs(journal, outputs);
    return missing.ok ? ok([...found.value, ...strays.value, ...missing.value]) : missing;
  }

  function counts(): Result<Counts, StoreError> {
    return database.guard(() => {
      const row = database.get("SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM events) AS events");
      return ok({ runs: Number(row?.runs), events: Number(row?.events) });
    });
  }

  return {
    removeRun,
    check,
    counts,
    leaving: (what) => leavingRuns(ground, what),
    removeLeaving: (what, isAlive) => removeLeaving({ ...ground, removal }, what, isAlive),
    finishRemovals: removal.finish,
    backup: (target) => backupHome(home, database, target),
  };
}

function strayOutputs(journal: Journal, outputs: Outputs, leaving: ReadonlySet<string>): Result<Finding[], StoreError> {
  const folders = outputs.runs();
  if (!folders.ok) return folders;
  const strays: Finding[] = [];
  for (const run of folders.value) {
    const known = journal.lastSeq(run);
    if (known.ok) continue;
    if (known.error.code !== "run-not-found") return known;
    // Made for a run whose program was killed before the run was on record: nothing is lost, and nothing left but the folder.
    if (outputs.isEmpty(run)) continue;
    const message = leaving.has(run)
      ? `Output files of run "${run}" are left, which was being removed; the next run, or "curlew runs rm", removes them.`
      : `Output files of run "${run}" are left, which is not on record.`;
    strays.push({ code: "outputs-without-run", run, message });
  }
  return ok(strays);
}
