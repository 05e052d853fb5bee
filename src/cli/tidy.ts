// tidy: runs leave by themselves when config.yaml in the home says how long they are kept (ADR 34).
//   T1. Without `history` there nothing ever leaves by itself.
//   T2. It comes after the run that somebody waits for, takes a bounded time, and says what it did.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../base/limits.ts";
import { isAlive } from "../engine/local/owner.ts";
import type { Store } from "../store/index.ts";
import { problem } from "./problem.ts";
import type { Terminal } from "./terminal.ts";
import { bytes, count } from "./text.ts";

/** What goes wrong is a warning: the run is over and well. */
export async function tidyHistory(home: string, store: Store, quiet: boolean, terminal: Terminal): Promise<void> {
  if (!mentionsHistory(home)) return;
  const { readHistoryLimits } = await import("../secrets/config.ts");
  const read = await readHistoryLimits(home);
  if (!read.ok) return terminal.problem(problem(read.error.code, read.error.message, read.error.hint), "warning");
  const { keepMs, maxRuns } = read.value;
  const most = limits.runsLeavingAtOnce;
  let removed = 0;
  let freedBytes = 0;
  const before = keepMs === undefined ? undefined : new Date(Date.now() - keepMs).toISOString();
  for (const leaving of [
    ...(before === undefined ? [] : [{ endedBefore: before, most }]),
    ...(maxRuns === undefined ? [] : [{ keep: maxRuns, most }]),
  ]) {
    const left = store.removeLeaving(leaving, isAlive);
    if (!left.ok) return terminal.problem(problem(left.error.code, left.error.message), "warning");
    removed += left.value.runs.length;
    freedBytes += left.value.freedBytes;
  }
  if (removed > 0 && !quiet)
    terminal.err(`History: ${count(removed, "run")} left it by what config.yaml says; ${bytes(freedBytes)} freed.\n`);
}

/** Most homes have no such file, and nobody waits for a YAML parser. */
function mentionsHistory(home: string): boolean {
  try {
    return readFileSync(join(home, "config.yaml"), "utf8").includes("history");
  } catch {
    return false;
  }
}
