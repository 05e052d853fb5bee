// Checks the run history and finds runs that no process is working on (spec 2.2, 3.4). Changes nothing.
//   L1. To keep doctor quick, a large history is only opened and counted. With --store, every record is read.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { limits } from "../../base/limits.ts";
import type { Result } from "../../base/result.ts";
import { count } from "../../base/text.ts";
import { duration } from "../../base/time-text.ts";
import type { ClusterState } from "../../engine/cluster/index.ts";
import { mayBeAlive } from "../../engine/recovery/owner.ts";
import type { RunStatus } from "../../scheduler/state.ts";
import { type Journal, openReadOnly, type ReadOnlyStore, type RunPage, type StoreError } from "../../store/index.ts";
import { type Check, finding, passed } from "./check.ts";
import { storeChecks, wrong } from "./store.ts";

const OPEN: readonly RunStatus[] = ["queued", "running", "waiting", "cancelling"];
/** No process works on a run that waits for a person, or for a machine. */
const RESTS: ReadonlySet<RunStatus> = new Set(["queued", "waiting"]);
const OPEN_RUNS = { status: OPEN, limit: limits.runsListedMax };

export function historyChecks(home: string): Check[] {
  if (!existsSync(join(home, "curlew.db"))) return storeChecks(home);
  const looked = openReadOnly(home, (store) => ({ counted: store.counts(), runs: openRuns(store) }));
  if (!looked.ok) return storeChecks(home);
  const { counted, runs } = looked.value;
  if (!counted.ok || counted.value.runs <= limits.doctorRunsChecked) return [...storeChecks(home), ...runs];
  const size = `${count(counted.value.runs, "run")}, ${count(counted.value.events, "event")}`;
  return [passed("store", `${size}. To check every record, run: curlew doctor --store`), ...runs];
}

/** The facts about a cluster that doctor checks. */
export interface ClusterLook extends ClusterState {
  journal: Pick<Journal, "listRuns">;
}

/** For a history in PostgreSQL. `curlew db check` reads its records. */
export async function clusterChecks({ journal, machines, key }: ClusterLook): Promise<Check[]> {
  const page = await journal.listRuns(OPEN_RUNS);
  if (!page.ok) return [wrong(page.error)];
  const message = "The history is in PostgreSQL. To check every record, run: curlew db check";
  return [passed("store", message), ...runChecks(page), keyCheck(key), ...machineChecks(machines)];
}

/** A history that can't be read: its database, its key, or the settings that name them. */
export function unreadable({ code, message, hint }: Failure): Check {
  return { what: "store", status: "wrong", code, message, help: hint };
}

function keyCheck(key: ClusterLook["key"]): Check {
  const help = "Name the file that `curlew db init` made with --key-file or CURLEW_KEY_FILE.";
  if (key === "same") return passed("key", "The key is the one of this cluster.");
  return key === "other"
    ? finding("wrong", "key", "cluster-key-wrong", ["The key is not the one of this cluster.", help])
    : finding("note", "key", "cluster-key-missing", ["No key is given, so this machine can only read.", help]);
}

function machineChecks(machines: ClusterLook["machines"]): Check[] {
  const gone = machines.filter(({ state, runs }) => state === "silent" || (state === "dead" && runs > 0));
  if (gone.length === 0) return [passed("machines", `${count(machines.length, "machine")}, none silent.`)];
  return gone.map(({ name, runs, silentMs }) =>
    finding("note", "machines", "machine-silent", [
      `Machine ${name} gave its last sign of life ${duration(silentMs)} ago, and has ${count(runs, "run")}.`,
      `If it won't come back, let its runs continue elsewhere: curlew machines forget ${name}`,
    ]),
  );
}

function openRuns(store: ReadOnlyStore): Check[] {
  return runChecks(store.listRuns(OPEN_RUNS));
}

function runChecks(page: Result<RunPage, StoreError>): Check[] {
  if (!page.ok) return [];
  const what = "runs";
  const { runs } = page.value;
  const left = runs.filter(({ status, owner }) => !RESTS.has(status) && (owner === undefined || !mayBeAlive(owner)));
  const waiting = runs.filter(({ status }) => RESTS.has(status)).length;
  if (left.length === 0)
    return [
      {
        what,
        status: "ok",
        message: waiting === 0 ? "All runs have ended." : `${count(waiting, "run")} waiting, none interrupted.`,
      },
    ];
  return [
    finding("note", what, "runs-interrupted", [
      `${count(left.length, "run")} ${left.length === 1 ? "was" : "were"} interrupted, and no process is working on ${left.length === 1 ? "it" : "them"}.`,
      "Resume them: curlew serve does, or curlew runs resume RUN. Or end them: curlew runs cancel RUN.",
    ]),
  ];
}
