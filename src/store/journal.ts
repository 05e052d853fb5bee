// journal: the port to the only truth. A run is a list of events; what stands beside it is an index to find runs by.
//   J1. What `append` has acknowledged survives kill -9 and power cuts. One call is one transaction: all of its events, or none.
//   J2. The events of a run count from 1 without a gap; a duplicate, late or early event is refused.
//   J3. Only the owner of a run appends to it. A claim is taken over only from an owner that is not alive.
//   J4. The index row changes in the same transaction as the events, to what the writer's fold says; the store never folds.
//   J5. Events are never changed. They leave only with their whole run.
// Deliberately absent: statuses derived here, waiting for events (readers ask `lastSeq`), anything about outputs.

import type { Result } from "../base/result.ts";
import type { RunEvent, Trigger } from "../scheduler/event.ts";
import type { RunStatus } from "../scheduler/state.ts";
import type { StoreError } from "./error.ts";

export type { RunStatus } from "../scheduler/state.ts";

/** A process that writes to runs. `startTime` and `bootId` tell it from another process that got the same number later. */
export interface Owner {
  pid: number;
  startTime: string;
  bootId: string;
  /** Made anew by each engine; what makes two claims different. */
  token: string;
}

/** Whether the process that made a claim still exists. Passed in: the store knows no processes. */
export type IsAlive = (owner: Owner) => boolean;

/** A run to be created. Times are ISO 8601 in UTC, like those of events. */
export interface NewRun {
  id: string;
  name: string;
  file: string;
  trigger: Trigger;
  startedAt: string;
  /** Default `queued`. */
  status?: RunStatus;
  /** The run and the node path that this run is a subflow of. */
  parent?: { run: string; path: string };
}

/** So many runs of a document stand alike. */
export interface OpenCount {
  file: string;
  status: RunStatus;
  /** They are runs of subflows. */
  isPart: boolean;
  runs: number;
  /** How many of them have no event: nothing can go on with those. */
  empty: number;
  /** How many of them wait for something. */
  asking: number;
  /** For how many things in all. */
  requests: number;
}

/** What an append changes in the index; what is absent stays. */
export interface IndexChange {
  status?: RunStatus;
  /** How many things the run waits for (approvals, retry times, …). */
  waiting?: number;
  endedAt?: string;
}

/** The index row of a run. */
export interface RunRow {
  id: string;
  name: string;
  file: string;
  trigger: Trigger;
  status: RunStatus;
  startedAt: string;
  endedAt?: string;
  waiting: number;
  parent?: { run: string; path: string };
  /** 0: no event yet. */
  lastSeq: number;
  /** Whoever claimed the run and has not released it; it may be dead. */
  owner?: Owner;
}

export interface RunQuery {
  /** 1 to limits.runsListedMax; default limits.runsListedDefault. */
  limit?: number;
  /** `next` of the page before. */
  cursor?: string;
  /** Exact name or file of the workflow. */
  workflow?: string;
  status?: RunStatus | readonly RunStatus[];
  /** Kind of the trigger: `api`, `schedule`, … */
  trigger?: string;
  /** Begun at this time or later, and before this one. Milliseconds since the epoch. */
  sinceMs?: number;
  untilMs?: number;
  /** In the name, the file or the id; letters of the Latin alphabet count as one in either case. */
  text?: string;
  /** Id of the node at which the run failed. */
  failedAt?: string;
  /** Only those that have an event. */
  begun?: true;
  /** Only those in which a person is asked. */
  asking?: true;
  /** Runs of subflows are hidden unless asked for: `all` shows them among the others, an object gives those of one run. */
  children?: "all" | { of: string };
}

export interface RunPage {
  runs: RunRow[];
  /** Absent: this was the last page. */
  next?: string;
  /** Ids of runs of this page whose row in the index is damaged: they are not among `runs`, and no other run is affected. */
  damaged?: string[];
}

/** An event and its place among those of all runs. */
export interface PlacedEvent {
  position: number;
  event: RunEvent;
}

export interface PlacedPage {
  events: PlacedEvent[];
  /** What has been looked at; not behind the position that was asked from: there is nothing more. */
  position: number;
}

/** All calls are synchronous and answer with a Result; nothing here throws but for bugs. One object serves one process. */
export interface Journal {
  /**
   * A new run with its index row, its first events (from seq 1) and, if `owner` is given, the claim: one transaction.
   * Errors: run-exists, journal-gap, journal-stale, store-*.
   */
  createRun(run: NewRun, first?: { owner?: Owner; events?: readonly RunEvent[] }): Result<RunRow, StoreError>;

  /**
   * Durable when it returns. `events` continue at lastSeq + 1. Answers with the new last seq.
   * Errors: run-not-found, not-owner (this journal has no valid claim), journal-gap, journal-stale, store-*.
   */
  append(run: string, events: readonly RunEvent[], change?: IndexChange): Result<number, StoreError>;

  /** Events from `fromSeq` (default 1), at most `limit` (default all). Errors: run-not-found, record-damaged, store-*. */
  read(run: string, fromSeq?: number, limit?: number): Result<RunEvent[], StoreError>;

  /**
   * The same one by one, in flat memory and holding no lock in between; `visit` ends it by returning false. Answers with the number visited.
   * @example journal.each(run, 1, (event) => { state = evolve(workflow, state, event); })
   */
  each(run: string, fromSeq: number, visit: (event: RunEvent) => unknown): Result<number, StoreError>;

  /**
   * Events of all runs behind a position, in the order of their commits, at most `limit` (limits.journalPageEvents). Positions rise, with
   * gaps where runs were removed, and none is ever used twice. A damaged record is left out. Errors: store-*.
   */
  readAll(afterPosition: number, limit?: number): Result<PlacedPage, StoreError>;

  /** The position of the newest event that was ever committed; 0: none was. Errors: store-*. */
  lastPosition(): Result<number, StoreError>;

  /**
   * A number that is another one after somebody else has written to the store (not this object); asking costs next to nothing.
   * Errors: store-*.
   */
  othersChange(): Result<number, StoreError>;

  /** 0 for a run without events. Errors: run-not-found, store-*. */
  lastSeq(run: string): Result<number, StoreError>;

  /**
   * Makes `owner` the only writer of the run. Claiming again with the same token is fine; another owner's claim is taken over
   * when `isAlive` says it is gone, from then on its appends are refused. Errors: run-not-found, run-claimed, record-damaged, store-*.
   */
  claim(run: string, owner: Owner, isAlive: IsAlive): Result<RunRow, StoreError>;

  /** Gives the run back. Errors: run-not-found, not-owner, store-*. */
  release(run: string): Result<void, StoreError>;

  /** Ids of runs that have ended and whose claim was never given back; quick with any history. Errors: store-*. */
  leftRuns(): Result<string[], StoreError>;

  /** The runs that have not ended, however many, counted by what they are alike in; in no order. Errors: store-*. */
  openCounts(): Result<OpenCount[], StoreError>;

  /** Newest first. Errors: store-*. */
  listRuns(query?: RunQuery): Result<RunPage, StoreError>;

  /**
   * By id, unique prefix, or `latest` (newest that is no subflow's). Runs of subflows are found by prefix only when no other run has it.
   * Errors: run-not-found, run-ambiguous, record-damaged, store-*.
   */
  findRun(name: string): Result<RunRow, StoreError>;

  /**
   * Removes the run, and the runs of its subflows; answers with their ids. Errors: run-not-found, run-claimed (by a living owner),
   * run-not-ended (it is part of a run that goes on), store-*.
   */
  deleteRun(run: string, isAlive: IsAlive): Result<string[], StoreError>;

  /** Runs removed behind a number that it gave before, and the next number; without one, that number alone. Errors: store-*. */
  removedSince(n?: number): Result<{ n: number; runs: string[] }, StoreError>;

  /** Looks at everything, so it takes as long as there are records. Errors: store-*. */
  check(): Result<Finding[], StoreError>;

  close(): void;
}

/** Something that the self-check found wrong. `run` is absent for damage of the store itself. */
export interface Finding {
  code:
    | "store-damaged"
    | "journal-gap"
    | "journal-short"
    | "journal-without-run"
    | "record-damaged"
    | "index-behind"
    | "outputs-without-run"
    | "output-missing"
    | "output-short"
    | "output-changed";
  run?: string;
  message: string;
}
