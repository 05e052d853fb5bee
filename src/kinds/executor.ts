// executor: the interface of nodes that run something: CLI, LLM, subflow (spec 5.1, 5.3).
//   X1. `prepare` resolves and checks everything and starts nothing. Its result is recorded before `start` is called.
//   X2. `start` is called at most once per prepared attempt, and its `done` always settles, with an ending or a
//       failure.
//   X3. An attempt of a dead engine is looked for, never started: it is alive, ended, never started, or lost.

import type { ApprovalDetail } from "../base/approval-detail.ts";
import type { AttemptDetail, AttemptEnd } from "../base/attempt.ts";
import type { Failure } from "../base/failure.ts";
import type { Now } from "../base/now.ts";
import type { Result } from "../base/result.ts";
import type { Value } from "../base/value.ts";
import type { GrowthListener } from "../process/output.ts";
import type { NodeContext } from "./context.ts";

export type AttemptEnding =
  /** `state`: values for later runs of the workflow (state.ts). */
  | { status: "succeeded"; value: Value; facts: AttemptEnd; state?: Record<string, string> }
  /** `signsInAgain`: its token was rejected, and repeating it with a new token is safe (3.6). */
  | { status: "failed" | "timed-out"; failure: Failure; value: Value; facts: AttemptEnd; signsInAgain?: true }
  | { status: "cancelled"; facts: AttemptEnd }
  /** It is unknown how its command ended, because its runner has died. `leaseLost`: it was ended (deadline.ts). */
  | { status: "lost"; leaseLost?: true }
  /** Only for an earlier process's attempt: it was never started. */
  | { status: "not-started" };

export interface Attempt {
  done: Promise<AttemptEnding>;
  /** Only for a subflow, which can be suspended until a person answers. */
  pausing?: Pausing;
  /** Ends it in an orderly way: asks it to stop, and kills it after the node's grace period. */
  cancel(): void;
  /** Kills it at once. */
  kill(): void;
  /** The driver stops, the attempt continues until the run is resumed. Absent: it cannot continue and is killed. */
  leave?(): void;
  /** Called when its end is recorded. */
  recorded?(): void;
  /**
   * Only for an earlier process's attempt: whether it can continue. Settles before `done`. `keeps`: files that its
   * command needs.
   */
  found?: Promise<{ adopted: boolean; keeps: readonly string[] }>;
}

/** A suspended subflow: waiting nodes (`sub/gate`), the last event number of each run inside, and the next deadline. */
export interface Suspension {
  waiting: string[];
  seen: Record<string, number>;
  wakeAtMs?: number;
}

interface Pausing {
  /** Calls `listener` each time it is suspended. Nothing happens in it then until `resume` or `cancel`. */
  onRest(listener: (rest: Suspension) => void): void;
  /** Whether something was recorded since. `seen`: the event numbers when it was suspended. */
  hasPendingInput(seen: Readonly<Record<string, number>>): Promise<boolean>;
  resume(): void;
}

/** Why a person has to approve this command, found in its text (4.2): `deletes`, `escalates`, … */
export interface Ask {
  code: string;
  /** One sentence for the approver. */
  message: string;
  /** A value would be run as code, so approval in advance does not count. */
  mustBeSeen?: true;
}

/**
 * The subject of an approval: what the person is shown, and keyed hashes of everything that determines what runs, by
 * name.
 */
export interface Binding {
  detail: ApprovalDetail;
  bound: Record<string, string>;
}

export interface Prepared {
  shown: AttemptDetail;
  /** Empty or absent: no approval needed. */
  asks?: readonly Ask[];
  /** The program itself is a value: only a person who has seen exactly this program may approve it. */
  wholeProgram?: true;
  /** `key`: the key of this data directory. Absent: this kind of attempt cannot be approved. */
  binding?(key: Buffer): Promise<Binding>;
  /** Called if it will not be started. Removes files that may contain a secret. */
  discard?(): void;
  /** `stem` names the files of this attempt in the run's folder: `STEM.out`, `STEM.err`. */
  start(stem: string, onGrowth?: GrowthListener): Attempt;
}

/** An attempt of a dead engine. `by`: the runner that was to supervise its command. */
export interface Before {
  stem: string;
  by: string | undefined;
}

export type FoundAttempt = Attempt & Required<Pick<Attempt, "found">>;

export interface Executor<N> {
  prepare(node: N, context: NodeContext): Now<Result<Prepared, Failure>>;
  /** X3. Absent: such an attempt cannot be found again. */
  find?(node: N, context: NodeContext, before: Before, onGrowth?: GrowthListener): FoundAttempt;
}
