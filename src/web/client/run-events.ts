// run-events: the complete, ordered, live events of the runs on the screen (spec 5.5). Callers fold them with the
// scheduler's own evolve/viewOf.
//   E1. Subscribes to the stream before fetching the list, so that no event is missed. `seq` identifies duplicates.
//   E2. After a gap in `seq`, the events after the last known one are fetched again.
//   E3. The events of a run no longer shown are kept for a while, so that going back is instant, and then dropped.
//   E4. Events that arrive together are added together: one copy of the array per batch, not per event.

import { useEffect, useSyncExternalStore } from "react";
import { at } from "../../api/address.ts";
import type { Page, Problem } from "../../api/shapes.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import { ask } from "./api.ts";
import { inOrder } from "./in-order.ts";
import { problemOf } from "./queries.ts";
import { onMessage } from "./stream.ts";

export interface RunEvents {
  /** From `run.started` on. A new array whenever something was added. */
  events: readonly RunEvent[];
  /** The events so far have been read. */
  loaded: boolean;
  problem?: Problem;
}

const NOTHING: RunEvents = { events: [], loaded: false };
const REMOVED: Problem = {
  ...{ type: "about:blank", status: 404, code: "run-removed", title: "This run was removed from the history." },
};
const forgetAfterMs = 60_000;
const runs = new Map<string, Followed>();

class Followed {
  readonly id: string;
  users = 0;
  state: RunEvents = NOTHING;
  readonly listeners = new Set<() => void>();
  #early: readonly RunEvent[] = [];
  #came: RunEvent[] = [];
  #reading = false;
  #end: () => void;
  #forget: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.id = id;
    this.#end = onMessage((message) => {
      if (message.kind === "run" && message.event.run === id) this.#gather(message.event);
      if (message.kind === "live") void this.read();
      if (message.kind === "removed" && message.run === id) this.#set({ ...this.state, problem: REMOVED });
    });
    void this.read();
  }

  keep(): () => void {
    this.users += 1;
    clearTimeout(this.#forget);
    return () => {
      this.users -= 1;
      if (this.users === 0) this.#forget = setTimeout(() => this.#drop(), forgetAfterMs);
    };
  }

  /** E1, E2. Also after a reconnect, because the stream may have been lost before its first position. */
  async read(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      const after = this.state.events.at(-1)?.seq ?? 0;
      const page = await ask<Page<RunEvent>>(`${at("runs", this.id)}/events`, {
        headers: { "last-event-id": String(after) },
      });
      this.#reading = false;
      const more = page.next !== undefined && page.items.length > 0;
      this.#add(page.items, { loaded: !more });
      if (more) await this.read();
    } catch (reason) {
      this.#set({ ...this.state, problem: problemOf(reason) });
    } finally {
      this.#reading = false;
    }
  }

  /** E4. */
  #gather(event: RunEvent): void {
    this.#came.push(event);
    if (this.#came.length > 1) return;
    queueMicrotask(() => {
      const came = this.#came;
      this.#came = [];
      this.#add(came);
    });
  }

  /** `read` is set for the response of the list. */
  #add(found: readonly RunEvent[], read?: { loaded: boolean }): void {
    const { events, early } = inOrder({ events: this.state.events, early: this.#early }, found);
    this.#early = early;
    const loaded = this.state.loaded || read?.loaded === true;
    if (events !== this.state.events || read !== undefined) this.#set({ events, loaded });
    if (early.length > 0 && read === undefined) void this.read();
  }

  #set(state: RunEvents): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  #drop(): void {
    this.#end();
    runs.delete(this.id);
  }
}

/** The same without React: calls `listener` on every change. Returns a function that stops it. */
export function followRun(id: string, listener: (state: RunEvents) => void): () => void {
  const run = followed(id);
  const leave = run.keep();
  const told = () => listener(run.state);
  run.listeners.add(told);
  told();
  return () => {
    run.listeners.delete(told);
    leave();
  };
}

/** The events of one run, from the first to the newest, updated live. */
export function useRunEvents(id: string): RunEvents {
  useEffect(() => followed(id).keep(), [id]);
  return useSyncExternalStore(
    (listener) => {
      const run = followed(id);
      run.listeners.add(listener);
      return () => run.listeners.delete(listener);
    },
    () => runs.get(id)?.state ?? NOTHING,
  );
}

function followed(id: string): Followed {
  const known = runs.get(id) ?? new Followed(id);
  runs.set(id, known);
  return known;
}
