// Shared by both journals: checks appended events, and converts events and index rows to and from their stored form.

import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import type { RunStatus } from "../scheduler/state.ts";
import { outOfOrder, recordDamaged, type StoreError } from "./error.ts";
import type { NewRun, RunQuery, RunRow } from "./journal.ts";

/** Checks that `events` continue a journal that ends at `lastSeq`. */
export function checkSeqs(run: string, lastSeq: number, events: readonly RunEvent[]): StoreError | undefined {
  let expected = lastSeq + 1;
  for (const event of events) {
    if (event.seq !== expected) return outOfOrder(run, expected, event.seq);
    expected++;
  }
  return undefined;
}

/** The stored form of an event: JSON without the members that are in its key. */
export function encodeEvent(event: RunEvent): string {
  const { seq: _seq, run: _run, ...body } = event;
  return JSON.stringify(body);
}

/** Codes of failures that older versions recorded under another name. */
const FORMER_CODES: ReadonlyMap<string, string> = new Map([
  ["llm-moved", "llm-redirected"],
  ["llm-no-model-there", "llm-web-page"],
  ["auth-stopped", "auth-cancelled"],
]);

export function decodeEvent(run: string, seq: number, body: string): Result<RunEvent, StoreError> {
  try {
    const { at, ...rest } = JSON.parse(body);
    if (typeof at !== "string" || typeof rest.type !== "string") return err(recordDamaged(run, seq));
    const code = FORMER_CODES.get(rest.failure?.code);
    if (code !== undefined) rest.failure.code = code;
    return ok({ seq, at, run, ...rest });
  } catch {
    // Not JSON: handled as damaged below.
  }
  return err(recordDamaged(run, seq));
}

export function newRow(run: NewRun): RunRow {
  const { id, name, file, trigger, kind = trigger.kind, startedAt, status = "queued", parent } = run;
  return { id, name, file, trigger, kind, status, startedAt, waiting: 0, ...(parent && { parent }), lastSeq: 0 };
}

/** Limit and statuses of a query, with defaults applied. */
export function settleQuery(query: RunQuery): { limit: number; statuses: readonly RunStatus[] | undefined } {
  const limit = Math.max(1, Math.min(query.limit ?? limits.runsListedDefault, limits.runsListedMax));
  const statuses = typeof query.status === "string" ? [query.status] : query.status;
  return { limit, statuses };
}
