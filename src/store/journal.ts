// The interface of the journal, the source of truth about runs. A run is a list of events. An
// index beside it serves to find runs.
//   J1. What `append` has acknowledged survives kill -9 and power cuts. Each call is one
//       transaction: all of its events or none.
//   J2. The events of a run are numbered from 1 without gaps. A duplicate, late, or early event is rejected.
//   J3. Only the owner of a run appends to it. A claim is taken over only from an owner that is not alive.
//   J4. The index row changes in the same transaction as the events. The writer provides its
//       values, and the store never derives them.
//   J5. Events are never changed, and are removed only together with their run.

import type { Now } from "../base/now.ts";
import type { Result } from "../base/result.ts";
import type { RunEvent, Trigger } from "../scheduler/event.ts";
import type { StartKind } from "../scheduler/start-kind.ts";
import type { RunStatus } from "../scheduler/state.ts";
import type { StoreError } from "./error.ts";

/** A process that writes to runs. `startTime` and `bootId` distinguish it from a later process with the same pid. */
export interface Owner {
  pid: number;
  startTime: string;
  bootId: string;
  /** Created by each engine. It distinguishes claims. */
  token: string;
  /** Where several machines share a store: the name of its machine. */
  machine?: string;
  /** The same: which data directory its commands belong to (engine/recovery/owner.ts). */
  home?: string;
}

/** Whether the process that made a claim still exists. Passed in, because the store does not look at processes. */
export type IsAlive = (owner: Owner) => boolean;

/** A run to be created. Times are ISO 8601 in UTC, like those of events. */
export interface NewRun {
  id: string;
  name: string;
  file: string;
  trigger: Trigger;
  /** Default: the kind of its trigger. */
  kind?: StartKind;
  startedAt: string;
  /** Default: `queued`. */
  status?: RunStatus;
  /** For a subflow's run: the run and node path that it belongs to. */
  parent?: { run: string; path: string };
}

/** A number of runs of a document with the same properties. */
export interface OpenCount {
  file: string;
  status: RunStatus;
  /** Whether these are runs of subflows. */
  isPart: boolean;
  runs: number;
  /** How many of them have no event and therefore cannot be resumed. */
  empty: number;
  /** How many of them are waiting for something. */
  asking: number;
  /** How many things they wait for in total. */
  requests: number;
}

/** Changes that an append makes in the index. Absent members stay as they are. */
export interface IndexChange {
  status?: RunStatus;
  /** How many things the run waits for (approvals, retry times, …). */
  waiting?: number;
  endedAt?: string;
  /** Values that the events store for later runs of the workflow (state.ts). */
  state?: Record<string, string>;
}

/** The index row of a run. */
export interface RunRow {
  id: string;
  name: string;
  file: string;
  trigger: Trigger;
  kind: StartKind;
  status: RunStatus;
  startedAt: string;
  endedAt?: string;
  waiting: number;
  parent?: { run: string; path: string };
  /** 0 if there is no event yet. */
  lastSeq: number;
  /** The process that claimed the run and has not released it. It may no longer be alive. */
  owner?: Owner;
}

export const RUN_SORTS = ["newest", "oldest", "longest", "shortest"] as const;
export type RunSort = (typeof RUN_SORTS)[number];

export interface RunQuery {
  /** From 1 to limits.runsListedMax. Default: limits.runsListedDefault. */
  limit?: number;
  /** `next` of the page before. */
  cursor?: string;
  /** Exact name or file of the workflow. */
  workflow?: string;
  status?: RunStatus | readonly RunStatus[];
  /** Kind of the trigger: `api`, `schedule`, … */
  trigger?: string;
  /** The kind of start. */
  kinds?: readonly StartKind[];
  /** `false` leaves out tests. */
  tests?: boolean;
  /** By start (default: newest first) or by duration, which lists only runs that have ended. */
  sort?: RunSort;
  /** Started at this time or later, and before `untilMs`. Milliseconds since the epoch. */
  sinceMs?: number;
  untilMs?: number;
  /** Text in the name, file, or id. The case of Latin letters is ignored. */
  text?: string;
  /** Id of the node at which the run failed. */
  failedAt?: string;
  /** Only runs that have an event. */
  begun?: true;
  /** Only runs that wait for approval. */
  asking?: true;
  /** Runs of subflows are hidden by default. `all` lists them among the others, an object only those of one run. */
  children?: "all" | { of: string };
}

export interface RunPage {
  runs: RunRow[];
  /** Absent on the last page. */
  next?: string;
  /** Ids of runs on this page whose index row is damaged. They are missing from `runs`. Other runs are not affected. */
  damaged?: string[];
}

/** An event and its position among the events of all runs. */
export interface PlacedEvent {
  position: number;
  event: RunEvent;
}

export interface PlacedPage {
  events: PlacedEvent[];
  /** The last position that was read. If it is not greater than the one requested, there are no more events. */
  position: number;
}

/**
 * All calls return a Result, at once or later (base/now.ts). They throw only because of bugs. Use one object per
 * process.
 */
export interface Journal {
  /**
   * Creates a run with its index row, its first events (from seq 1), and, if `owner` is given, its claim, in one
   * transaction. Errors: run-exists, journal-gap, journal-stale, store-*.
   */
  createRun(run: NewRun, first?: { owner?: Owner; events?: readonly RunEvent[] }): Now<Result<RunRow, StoreError>>;

  /**
   * Appends events from lastSeq + 1. They are durable when the call returns. Returns the new last seq.
   * Errors: run-not-found, not-owner (this journal has no valid claim), journal-gap, journal-stale, store-*.
   */
  append(run: string, events: readonly RunEvent[], change?: IndexChange): Now<Result<number, StoreError>>;

  /**
   * Events from `fromSeq` (default 1), at most `limit` (default all). Errors: run-not-found, record-damaged, store-*.
   */
  read(run: string, fromSeq?: number, limit?: number): Now<Result<RunEvent[], StoreError>>;

  /**
   * Visits events one by one, with constant memory and without holding a lock in
   * between. Stops when `visit` returns false.
   * Returns the number of events visited.
   * @example journal.each(run, 1, (event) => { state = evolve(workflow, state, event); })
   */
  each(run: string, fromSeq: number, visit: (event: RunEvent) => unknown): Now<Result<number, StoreError>>;

  /**
   * Events of all runs after a position, in commit order, at most `limit` (default limits.journalPageEvents).
   * Positions increase, have gaps where runs were removed, and are never used again. Damaged records are left out.
   * Errors: store-*.
   */
  readAll(afterPosition: number, limit?: number): Now<Result<PlacedPage, StoreError>>;

  /** A position that no later event gets. 0 if there never was one in a store on this machine. Errors: store-*. */
  lastPosition(): Now<Result<number, StoreError>>;

  /**
   * A number that changes when another connection writes to the store, and perhaps when this one does. Reading it costs
   * very little. Errors: store-*.
   */
  othersChange(): Now<Result<number, StoreError>>;

  /** 0 for a run without events. Errors: run-not-found, store-*. */
  lastSeq(run: string): Now<Result<number, StoreError>>;

  /**
   * Makes `owner` the only writer of the run. A repeated claim with the same token succeeds. The claim of another
   * owner is taken over if `isAlive` returns false for it, and its appends then fail. Errors: run-not-found,
   * run-claimed, record-damaged, store-*.
   */
  claim(run: string, owner: Owner, isAlive: IsAlive): Now<Result<RunRow, StoreError>>;

  /** Where several machines share a store: how often the run was claimed, up to the claim of this journal. */
  epoch?(run: string): number | undefined;

  /** Releases the claim. Errors: run-not-found, not-owner, store-*. */
  release(run: string): Now<Result<void, StoreError>>;

  /** Runs that have ended at this time or later, without those of subflows, in the order of their ends. Errors: store-*. */
  endedSince(sinceMs: number): Now<Result<RunRow[], StoreError>>;

  /** Ids of runs that have ended but whose claim was not released. Fast for any history. Errors: store-*. */
  leftRuns(): Now<Result<string[], StoreError>>;

  /** Counts unfinished runs, grouped by their properties, in no particular order. Errors: store-*. */
  openCounts(): Now<Result<OpenCount[], StoreError>>;

  /** Newest first, unless the query says otherwise. Errors: store-*. */
  listRuns(query?: RunQuery): Now<Result<RunPage, StoreError>>;

  /**
   * Finds a run by id, unique prefix, or `latest` (the newest that is neither a subflow's nor a test, on a cluster of this user). A prefix matches runs of
   * subflows only if it matches no other run. Errors: run-not-found, run-ambiguous, record-damaged, store-*.
   */
  findRun(name: string): Now<Result<RunRow, StoreError>>;

  /**
   * Removes the run and the runs of its subflows, and returns their ids. Errors: run-not-found, run-claimed (by a
   * living owner), run-not-ended (the run containing it has not ended), store-*.
   */
  deleteRun(run: string, isAlive: IsAlive): Now<Result<string[], StoreError>>;

  /**
   * Runs removed since `n`, which an earlier call returned, and the next number. Without `n`, only that number.
   * Errors: store-*.
   */
  removedSince(n?: number): Now<Result<{ n: number; runs: string[] }, StoreError>>;

  /** Checks all records, so it takes time proportional to their number. Errors: store-*. */
  check(): Now<Result<Finding[], StoreError>>;

  close(): void;
}

/** A problem found by the self-check. `run` is absent if the store itself is damaged. */
export interface Finding {
  code:
    | "store-damaged"
    | "journal-gap"
    | "journal-truncated"
    | "journal-without-run"
    | "record-damaged"
    | "run-unsigned"
    | "index-behind"
    | "outputs-without-run"
    | "output-missing"
    | "output-truncated"
    | "output-changed";
  run?: string;
  message: string;
}
