// trigger kind: how the server runs one kind of trigger. src/workflow/triggers has the half that describes it.
//   K1. A kind decides its starts through the store's triggers or deliveries: the decision and the id of the run are
//       one transaction. Then it calls `decided`, and the outbox starts the runs.

import type { Documents } from "../../app/documents/documents.ts";
import type { Log } from "../../app/log.ts";
import type { Failure } from "../../base/failure.ts";
import type { Result } from "../../base/result.ts";
import type { Clock } from "../../engine/clock.ts";
import type { RunHandle } from "../../engine/contract.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { ServerStore, TriggerLast } from "../../store/index.ts";
import type { DocumentTrigger } from "../../workflow/triggers/index.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { ActiveTrigger } from "./active-trigger.ts";
import type { StartAsk } from "./starting.ts";

export interface ActiveKind<Of extends DocumentTrigger> {
  /** Before any document is read. */
  open?(): Promise<void>;
  /** Replaces its triggers. Those with a `problem` start nothing. */
  arm(triggers: readonly ActiveTrigger<Of>[]): void | Promise<void>;
  /** Describes each for the list of triggers, in the same order. */
  list(triggers: readonly ActiveTrigger<Of>[]): ListedTrigger[] | Promise<ListedTrigger[]>;
  /** Looks again: every limits.triggerLookMs, and after a trigger was paused or resumed. */
  look?(): void | Promise<void>;
  /** After the event is on record. An event may be missed while no server runs: look for it in `arm`. */
  onRunEvent?(event: RunEvent): void;
  /** Ends everything. Nothing is armed after it. */
  disarm(): void | Promise<void>;
}

/** The part of a list item that only the kind knows. */
export interface ListedTrigger {
  /** One line: `schedule 0 9 * * *, UTC`. */
  title: string;
  /** Its fields, if they are not those of the document. */
  fields?: object;
  problem?: string;
  /** Where senders reach it. */
  url?: string;
  /** The next times, soonest first. */
  next?: string[];
  /** If it is not in the trigger's state. */
  last?: TriggerLast;
}

export interface KindDeps {
  store: ServerStore;
  log: Log;
  clock: Clock;
  /** Run ids sort by time. `aheadMs` keeps the order of ids created at the same moment. */
  newRunId(aheadMs?: number): string;
  /** Starts were decided. */
  decided(): void;
  /** Whether a run of the trigger has not ended. */
  isUnfinished(trigger: string): Promise<boolean>;
  /** The number of the trigger's decided starts that are not runs yet. */
  waiting(trigger: string): Promise<number>;
  start(ask: StartAsk): Promise<Result<RunHandle | undefined, Failure>>;
  /** Whether only another server of the cluster can start a run of the file. */
  isOthers(file: string): boolean;
}

/** The parts of the server that triggers use. */
export interface TriggerDeps {
  home: string;
  env: NodeJS.ProcessEnv;
  /** Set when the webhook listener listens. */
  hooksUrl: string;
  hooksPort?: number;
  store: ServerStore;
  clock: Clock;
  log: Log;
  bus: EventBus;
  documents: Documents;
}
