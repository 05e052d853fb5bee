// Maintains a whole data directory: removes runs, checks everything, makes backups.
//   H1. Records are removed first: an interrupted removal can leave files without a run, but never a run without its
//       files. The next removal, or the next engine that opens the data directory, removes such files.

import type { AtOnce } from "../base/now.ts";
import { ok, type Result } from "../base/result.ts";
import { type BackupReport, backupHome } from "./backup.ts";
import type { Database } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { Finding, IsAlive, Journal, RunRow } from "./journal.ts";
import type { Outputs } from "./outputs.ts";
import { checkOutputs } from "./outputs-check.ts";
import { type Removed, type RetentionRule, removeOldRuns, removeWithFiles, runsToRemove } from "./retention.ts";

export interface Maintenance {
  /**
   * Removes the run, the runs of its subflows, and all their outputs. Returns their ids. Errors:
   * run-not-found, run-claimed, store-*.
   */
  removeRun(run: string, isAlive: IsAlive): Result<string[], StoreError>;
  /** All problems, or an empty list. Takes time proportional to the number of records. */
  check(): Result<Finding[], StoreError>;
  /** The size of the run history. */
  counts(): Result<Counts, StoreError>;
  /** The runs that would be removed, earliest end first. Errors: store-*. */
  leaving(what: RetentionRule): Result<RunRow[], StoreError>;
  /** Removes these runs, except those claimed by a living process, and frees their disk space. Errors: store-*. */
  removeLeaving(what: RetentionRule, isAlive: IsAlive): Result<Removed, StoreError>;
  /** Removes the files of runs whose removal was interrupted. Returns those runs. Errors: store-*. */
  sweepRemoved(): Result<string[], StoreError>;
  /** Copies the data directory to `target`, which must not exist. Errors: backup-exists, store-*. */
  backup(target: string): Result<BackupReport, StoreError>;
}

export interface Counts {
  /** Includes the runs of subflows. */
  runs: number;
  events: number;
}

interface Deps {
  home: string;
  database: Database;
  journal: AtOnce<Journal>;
  outputs: Outputs;
}

export function maintenanceOf(deps: Deps): Maintenance {
  const { home, database, journal, outputs } = deps;

  function removeRun(run: string, isAlive: IsAlive): Result<string[], StoreError> {
    sweepRemoved(deps);
    return removeWithFiles(deps, run, isAlive);
  }

  function check(): Result<Finding[], StoreError> {
    const found = journal.check();
    if (!found.ok) return found;
    const removed = removedRuns(deps);
    if (!removed.ok) return removed;
    const strays = strayOutputs(journal, outputs, new Set(removed.value));
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
    leaving: (what) => runsToRemove(deps, what),
    removeLeaving: (what, isAlive) => {
      sweepRemoved(deps);
      return removeOldRuns(deps, what, isAlive);
    },
    sweepRemoved: () => sweepRemoved(deps),
    backup: (target) => backupHome(home, database, target),
  };
}

/** H1. Holds the write lock, so that a run that starts again under its old id keeps its files. */
function sweepRemoved(deps: Deps): Result<string[], StoreError> {
  const left = removedRuns(deps);
  if (!left.ok || left.value.length === 0) return left;
  return deps.database.transaction(() => {
    const runs = removedRuns(deps);
    for (const run of runs.ok ? runs.value : []) {
      const gone = deps.outputs.remove(run);
      if (!gone.ok) return gone;
    }
    return runs;
  });
}

/** Removed runs that still have a folder. */
function removedRuns({ database, outputs }: Deps): Result<string[], StoreError> {
  return database.guard(() => {
    const rows = database.all("SELECT run FROM removed_runs WHERE run NOT IN (SELECT id FROM runs)");
    return ok(rows.map(({ run }) => String(run)).filter((run) => outputs.exists(run)));
  });
}

function strayOutputs(
  journal: AtOnce<Journal>,
  outputs: Outputs,
  leaving: ReadonlySet<string>,
): Result<Finding[], StoreError> {
  const folders = outputs.runs();
  if (!folders.ok) return folders;
  const strays: Finding[] = [];
  for (const run of folders.value) {
    const known = journal.lastSeq(run);
    if (known.ok) continue;
    if (known.error.code !== "run-not-found") return known;
    // The program was killed before the run was recorded. Nothing is lost, and only the empty folder remains.
    if (outputs.isEmpty(run)) continue;
    const message = leaving.has(run)
      ? `Run "${run}" was not removed completely: output files are left. The next run or "curlew runs rm" removes them.`
      : `There are output files of run "${run}", which is not in the history.`;
    strays.push({ code: "outputs-without-run", run, message });
  }
  return ok(strays);
}
