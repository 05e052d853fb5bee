// rm: removes runs from the history: named runs, or runs that ended long ago.
//   R1. All names are looked up before anything is removed.
//   R2. Removal by age or number never includes active or waiting runs.

import { parseDuration } from "../../base/duration.ts";
import { shortRunId } from "../../base/ids.ts";
import { bytes, count, oneLine } from "../../base/text.ts";
import { mayBeAlive } from "../../engine/recovery/owner.ts";
import type { RunStatus } from "../../scheduler/state.ts";
import type { Removed, RetentionRule, RunRow } from "../../store/index.ts";
import { didYouMean } from "../../workflow/nearest.ts";
import { Exit } from "../exit.ts";
import { type HomeOption, refuse, refused, withStore } from "../open.ts";
import { problem } from "../problem.ts";
import type { Terminal } from "../terminal.ts";

export interface RmOptions extends HomeOption {
  olderThan?: string;
  keep?: number;
  status?: string;
  dryRun?: boolean;
  json?: boolean;
}

const ENDED: readonly RunStatus[] = ["succeeded", "failed", "cancelled", "timed-out"];

export async function rm(names: string[], options: RmOptions, terminal: Terminal): Promise<Exit> {
  const { olderThan, keep, status, dryRun } = options;
  const bySize = olderThan !== undefined || keep !== undefined;
  if (names.length > 0 && !bySize && status === undefined && !dryRun) return removeNamed(names, options, terminal);
  if (names.length > 0 || !bySize)
    return refuse(
      terminal,
      "runs-not-named",
      names.length > 0 ? "Remove runs either by name, or by age and number, not both." : "Name the runs to remove.",
      "Write run ids, or --older-than 30d or --keep 1000, with --status and --dry-run if needed.",
    );
  const leaving = leavingOf(options, terminal);
  return leaving === undefined ? Exit.USAGE : removeOld(leaving, options, terminal);
}

function leavingOf({ olderThan, keep, status }: RmOptions, terminal: Terminal): RetentionRule | undefined {
  if (status !== undefined && !ENDED.includes(status as RunStatus)) {
    const meant = didYouMean(status, ENDED);
    const help = `Known statuses: ${ENDED.join(", ")}.`;
    return terminal.problem(problem("unknown-status", `Runs can't end with the status "${status}".${meant}`, help));
  }
  const age = olderThan === undefined ? undefined : parseDuration(olderThan);
  if (age !== undefined && !age.ok) return terminal.problem(problem("bad-duration", `--older-than: ${age.error}`));
  return {
    endedBefore: age === undefined ? undefined : new Date(Date.now() - age.value).toISOString(),
    keep,
    statuses: status === undefined ? undefined : [status as RunStatus],
  };
}

function removeOld(leaving: RetentionRule, options: RmOptions, terminal: Terminal): Promise<Exit> {
  return withStore({ ...options, writes: true }, terminal, async (store) => {
    const would = options.dryRun === true;
    const done = would ? await store.leaving(leaving) : await store.removeLeaving(leaving, mayBeAlive);
    if (!done.ok) return refused(done.error, terminal);
    const left: Removed = Array.isArray(done.value) ? { runs: done.value, freedBytes: 0 } : done.value;
    if (options.json) terminal.json(asJson(left, would), true);
    else tell(left, would, terminal);
    return Exit.OK;
  });
}

function asJson({ runs, freedBytes }: Removed, would: boolean): object {
  const each = runs.map(({ id, name, status, endedAt }) => ({ id, workflow: name, status, endedAt }));
  return would ? { wouldRemove: each } : { removed: each, freedBytes };
}

function tell({ runs, freedBytes }: Removed, would: boolean, terminal: Terminal): void {
  for (const { id, name, status, endedAt } of would ? runs : [])
    terminal.err(`${shortRunId(id)}  ${endedAt}  ${status}  ${oneLine(name)}\n`);
  const told = `${count(runs.length, "run")}`;
  terminal.err(would ? `${told} would be removed.\n` : `Removed ${told}; ${bytes(freedBytes)} freed.\n`);
}

/** R1. */
function removeNamed(names: string[], options: HomeOption, terminal: Terminal): Promise<Exit> {
  return withStore({ ...options, writes: true }, terminal, async (store) => {
    const rows: Pick<RunRow, "id" | "name">[] = [];
    for (const name of names) {
      const found = await store.journal.findRun(name);
      let row: (typeof rows)[number];
      if (found.ok) row = found.value;
      // A damaged run can still be removed.
      else if (found.error.code === "record-damaged") row = { id: found.error.run, name: "damaged" };
      else return refused(found.error, terminal);
      if (!rows.some(({ id }) => id === row.id)) rows.push(row);
    }
    for (const row of rows) {
      const removed = await store.removeRun(row.id, mayBeAlive);
      if (!removed.ok && !(removed.error.code === "run-not-found" && rows.length > 1))
        return refused(removed.error, terminal);
      terminal.err(`Removed ${shortRunId(row.id)} (${oneLine(row.name)}).\n`);
    }
    return Exit.OK;
  });
}
