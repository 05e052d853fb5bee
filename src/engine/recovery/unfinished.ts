// unfinished: runs that have not ended, and those among them that no process is driving (spec 3.4).

import { limits } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import { OPEN_STATUSES } from "../../scheduler/statuses.ts";
import type { RunQuery, RunRow, Store, StoreError } from "../../store/index.ts";
import { mayBeAlive } from "./owner.ts";

/** Oldest first. Subflow runs are not listed: they resume with their parents. Errors: `store-*`. */
export async function unfinishedRuns(
  store: Store,
  more: Pick<RunQuery, "begun"> = {},
): Promise<Result<RunRow[], StoreError>> {
  const open = await openRuns(store, more);
  if (!open.ok) return open;
  return ok(open.value.filter(({ owner }) => owner === undefined || !mayBeAlive(owner)).reverse());
}

/** Newest first, without a limit. Errors: `store-*`. */
export async function openRuns(
  store: Store,
  more: Pick<RunQuery, "begun"> = {},
): Promise<Result<RunRow[], StoreError>> {
  const rows: RunRow[] = [];
  for (let cursor: string | undefined; ; ) {
    const asked = { ...more, status: OPEN_STATUSES, limit: limits.runsListedMax };
    const page = await store.journal.listRuns({ ...asked, ...(cursor === undefined ? {} : { cursor }) });
    if (!page.ok) return page;
    rows.push(...page.value.runs);
    if (page.value.next === undefined) return ok(rows);
    cursor = page.value.next;
  }
}
