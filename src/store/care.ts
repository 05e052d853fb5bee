// care: what is done to a home as a whole: removing runs, looking whether everything is what was written, copying it.
//   H1. Records go first: an interrupted removal leaves files without a run, never a run without its files. The next removal, and the
//       next engine that opens this home, sweep them.

import { ok, type Result } from "../base/result.ts";
import { type BackupReport, backupHome } from "./backup.ts";
import type { Database } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { Finding, IsAlive, Journal, RunRow } from "./journal.ts";
import type { Outputs } from "./outputs.ts";
import { checkOutputs } from "./outputs-check.ts";
import { type Leaving, type Left, leavingRuns, removeLeaving, removeWithFiles } from "./retention.ts";

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
  /** Removes the files of runs whose removal was interrupted. Returns those runs. Errors: store-*. */
  sweepRemoved(): Result<string[], StoreError>;
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

  function removeRun(run: string, isAlive: IsAlive): Result<string[], StoreError> {
    sweepRemoved(ground);
    return removeWithFiles(ground, run, isAlive);
  }

  function check(): Result<Finding[], StoreError> {
    const found = journal.check();
    if (!found.ok) return found;
    const removed = removedRuns(ground);
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
    leaving: (what) => leavingRuns(ground, what),
    removeLeaving: (what, isAlive) => {
      sweepRemoved(ground);
      return removeLeaving(ground, what, isAlive);
    },
    sweepRemoved: () => sweepRemoved(ground),
    backup: (target) => backupHome(home, database, target),
  };
}

/** H1. Under the writer's lock: a run that starts again under its old id keeps its files. */
function sweepRemoved(ground: Ground): Result<string[], StoreError> {
  const left = removedRuns(ground);
  if (!left.ok || left.value.length === 0) return left;
  return ground.database.transaction(() => {
    const runs = removedRuns(ground);
    for (const run of runs.ok ? runs.value : []) {
      const gone = ground.outputs.remove(run);
      if (!gone.ok) return gone;
    }
    return runs;
  });
}

/** Runs that were removed and still have a folder. */
function removedRuns({ database, outputs }: Ground): Result<string[], StoreError> {
  return database.guard(() => {
    const rows = database.all("SELECT run FROM removed_runs WHERE run NOT IN (SELECT id FROM runs)");
    return ok(rows.map(({ run }) => String(run)).filter((run) => outputs.exists(run)));
  });
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
