// open-counts: how many runs have not ended, counted where they lie: none of them is read.

import { ok, type Result } from "../base/result.ts";
import { OPEN_STATUSES, type RunStatus } from "../scheduler/statuses.ts";
import type { Database } from "./database.ts";
import type { StoreError } from "./error.ts";
import type { OpenCount } from "./journal.ts";

const COUNTED = `SELECT file, status, parent IS NOT NULL AS part, count(*) AS runs, sum(last_seq = 0) AS empty, sum(waiting > 0) AS asking, sum(waiting) AS requests
  FROM runs INDEXED BY runs_by_status WHERE status IN (${OPEN_STATUSES.map(() => "?").join(", ")}) GROUP BY 1, 2, 3`;

export function openCounts(database: Database): Result<OpenCount[], StoreError> {
  return database.guard(() => {
    const counted = database
      .all(COUNTED, ...OPEN_STATUSES)
      .map(({ file, status, part, runs, empty, asking, requests }) => ({
        ...{ file: String(file), status: status as RunStatus, isPart: part === 1 },
        ...{ runs: Number(runs), empty: Number(empty), asking: Number(asking), requests: Number(requests) },
      }));
    return ok(counted);
  });
}
