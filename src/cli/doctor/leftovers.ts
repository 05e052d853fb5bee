// leftovers: the history at a glance, and runs that nobody is at work on (spec 2.2, 3.4). Changes nothing.
//   L1. A large history is opened and counted; every record of it is read with --store only, so that doctor is quick.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../base/limits.ts";
import { isAlive } from "../../engine/local/owner.ts";
import { openStore, type RunStatus, type Store } from "../../store/index.ts";
import type { Check } from "../commands/doctor.ts";
import { storeChecks } from "../doctor-store.ts";
import { count } from "../text.ts";

const OPEN: readonly RunStatus[] = ["queued", "running", "waiting", "cancelling"];

export function historyChecks(home: string): Check[] {
  if (!existsSync(join(home, "curlew.db"))) return storeChecks(home);
  const opened = openStore(home);
  if (!opened.ok) return storeChecks(home);
  const store = opened.value;
  try {
    const counted = store.counts();
    const large = counted.ok && counted.value.runs > limits.doctorRunsChecked;
    const looked: Check[] = large
      ? [
          {
            what: "store",
            status: "ok",
            message: `${count(counted.value.runs, "run")}, ${count(counted.value.events, "event")}; curlew doctor --store reads every record.`,
          },
        ]
      : storeChecks(home);
    return [...looked, ...openRuns(store)];
  } finally {
    store.close();
  }
}

function openRuns(store: Store): Check[] {
  const page = store.journal.listRuns({ status: OPEN, limit: limits.runsListedMax });
  if (!page.ok) return [];
  const what = "runs";
  const { runs } = page.value;
  const left = runs.filter(({ status, owner }) => status !== "waiting" && (owner === undefined || !isAlive(owner)));
  const waiting = runs.filter(({ status }) => status === "waiting").length;
  if (left.length === 0)
    return [
      {
        what,
        status: "ok",
        message: waiting === 0 ? "None is left open." : `${count(waiting, "run")} waiting; none was interrupted.`,
      },
    ];
  return [
    {
      ...{ what, status: "note", code: "runs-interrupted" },
      message: `${count(left.length, "run")} ${left.length === 1 ? "was" : "were"} interrupted, and nobody is at work on ${left.length === 1 ? "it" : "them"}.`,
      help: "Go on with them: curlew runs resume --all. Or end them: curlew runs cancel RUN.",
    },
  ];
}
