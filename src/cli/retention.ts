// retention: removes old runs automatically if config.yaml in the data directory says how long to keep them (ADR 34).
//   T1. Without `history` in that file, no run is removed automatically.
//   T2. It happens after the user's run, takes a bounded time, and reports what it removed.

import { limits } from "../base/limits.ts";
import { bytes, count } from "../base/text.ts";
import { mayBeAlive } from "../engine/recovery/owner.ts";
import type { Store } from "../store/index.ts";
import { problem } from "./problem.ts";
import type { Terminal } from "./terminal.ts";

/** A failure here is only a warning, because the run itself has ended. */
export async function tidyHistory(home: string, store: Store, quiet: boolean, terminal: Terminal): Promise<void> {
  const { readHistoryLimits } = await import("../secrets/config.ts");
  const read = await readHistoryLimits(home);
  if (!read.ok) return terminal.problem(read.error, "warning");
  const { keepMs, maxRuns } = read.value;
  const most = limits.runsLeavingAtOnce;
  let removed = 0;
  let freedBytes = 0;
  const before = keepMs === undefined ? undefined : new Date(Date.now() - keepMs).toISOString();
  for (const leaving of [
    ...(before === undefined ? [] : [{ endedBefore: before, most }]),
    ...(maxRuns === undefined ? [] : [{ keep: maxRuns, most }]),
  ]) {
    const left = await store.removeLeaving(leaving, mayBeAlive);
    if (!left.ok) return terminal.problem(problem(left.error.code, left.error.message), "warning");
    removed += left.value.runs.length;
    freedBytes += left.value.freedBytes;
  }
  if (removed > 0 && !quiet)
    terminal.err(`History: ${count(removed, "run")} left it by what config.yaml says; ${bytes(freedBytes)} freed.\n`);
}
