// run-events: the events of the runs that somebody looks at, complete and in order, live (spec 5.5). Who shows a run folds them with the
// scheduler's own evolve/viewOf; nothing is tail-only.
//   E1. First the stream is listened to, then the list is read: what happens in between is in one of them, and `seq` says what is double.
//   E2. A gap in `seq` reads the rest again from the last one that is known.
//   E4. What comes in one piece of the stream is added at once: a run of many events costs a copy a piece, not one an event.
//   E3. A run that nobody looks at any more is forgotten after a while, so that going back is instant and memory stays bounded.

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
  /** What has happened so far has been read. */
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

  /** E1, E2. Also after a new connection: the stream may have been lost before its first position. */
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

  /** `read`: it was the list's answer. */
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

/** The same without React: told of every change. Returns what ends it. */
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

/** The events of one run, from the first to the newest, as they come. */
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
