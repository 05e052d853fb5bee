// approve: what of a run waits for a person, and how an answer is put on record. Shared by the commands and the inline question.

import type { Result } from "../base/result.ts";
import { isAlive, thisProcess } from "../engine/local/owner.ts";
import type { EventBody, RunEvent } from "../scheduler/event.ts";
import type { RunRow, Store, StoreError } from "../store/index.ts";

export interface Pending {
  run: string;
  workflow: string;
  node: string;
  path: string;
  requestedAt: string;
  hash: string;
  command?: string;
}

/** Requests without an answer, and whose node has not ended otherwise. */
export function pendingOf(row: RunRow, store: Store): Pending[] {
  const open = new Map<string, Pending>();
  store.journal.each(row.id, 1, (event) => {
    if (event.type === "approval.requested") {
      const command = event.detail.command;
      open.set(event.path, {
        run: row.id,
        workflow: row.name,
        node: event.node,
        path: event.path,
        requestedAt: event.at,
        hash: event.hash,
        ...(typeof command === "string" ? { command } : {}),
      });
    } else if ("path" in event && event.type !== "pass.started") open.delete(event.path);
  });
  return [...open.values()];
}

/** Claims the run for one event and gives it back: no living process may be at work on it. */
export function record(run: string, body: EventBody, store: Store): Result<number, StoreError> {
  const claimed = store.journal.claim(run, thisProcess(), isAlive);
  if (!claimed.ok) return claimed;
  const event = { seq: claimed.value.lastSeq + 1, at: new Date().toISOString(), run, ...body } as RunEvent;
  const answers = body.type === "approval.granted" || body.type === "approval.rejected";
  const change = answers ? { waiting: Math.max(0, claimed.value.waiting - 1) } : { status: "cancelling" as const };
  const appended = store.journal.append(run, [event], change);
  store.journal.release(run);
  return appended;
}
