// run-events: the complete, ordered, live events of a run on the screen (spec 5.5).
//   E1. Subscribes to the stream before fetching the list, so that no event is missed. `seq` identifies duplicates.
//   E2. After a gap in `seq`, the events after the last known one are fetched again.

import { at } from "../../api/address.ts";
import type { Page, Problem } from "../../api/shapes.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { ask, ownProblem } from "./api.ts";
import { addInOrder } from "./in-order.ts";
import { problemOf } from "./queries.ts";
import { onMessage } from "./stream.ts";

export interface RunEvents {
  /** From `run.started` on, without a gap. One array that grows. */
  events: readonly RunEvent[];
  loaded: boolean;
  problem?: Problem;
}

const REMOVED = ownProblem("run-removed", "This run was removed from the history.", { status: 404 });

/** Calls `listener` with the events of a run on every change. Returns a function that stops it. */
export function followRun(id: string, listener: (state: RunEvents) => void): () => void {
  const events: RunEvent[] = [];
  const early = new Map<number, RunEvent>();
  const over = new AbortController();
  let loaded = false;
  let reading = false;
  const leave = onMessage((message) => {
    if (message.kind === "run" && message.event.run === id && take([message.event])) void read();
    // The stream may have been lost before its first position.
    if (message.kind === "live") void read();
    if (message.kind === "removed" && message.run === id) listener({ events, loaded, problem: REMOVED });
  });
  void read();
  return () => {
    over.abort();
    leave();
  };

  async function read(): Promise<void> {
    if (reading) return;
    reading = true;
    try {
      for (let more = true; more; ) {
        const headers = { "last-event-id": String(events.length) };
        const page = await ask<Page<RunEvent>>(at("runs", id, "events"), { headers, signal: over.signal });
        more = page.next !== undefined && page.items.length > 0;
        loaded ||= !more;
        take(page.items);
      }
    } catch (reason) {
      if (!over.signal.aborted) listener({ events, loaded, problem: problemOf(reason) });
    } finally {
      reading = false;
    }
  }

  /** Returns whether events before some of them are missing (E2). */
  function take(found: readonly RunEvent[]): boolean {
    addInOrder(events, early, found);
    listener({ events, loaded });
    return early.size > 0;
  }
}
