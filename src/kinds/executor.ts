// executor: the interface of nodes that run something: CLI, LLM, subflow (spec 5.1, 5.3).
//   X1. `prepare` resolves and checks everything and starts nothing. Its result is recorded before `start` is called.
//   X2. `start` is called at most once per prepared attempt, and its `done` always settles, with an ending or a
//       failure.
//   X3. An attempt of a dead engine is looked for, never started: it is alive, ended, never started, or lost.

import type { ApprovalDetail } from "../base/approval-detail.ts";
import type { Failure } from "../base/failure.ts";
import type { HttpCall } from "../base/http-call.ts";
import type { Result } from "../base/result.ts";
import type { Value } from "../base/value.ts";
import type { EgressCall } from "../process/egress-proxy.ts";
import type { GrowthListener } from "../process/output.ts";
import type { NodeContext } from "./context.ts";
import type { Now } from "./values.ts";

/** Shown to people and kept in the journal. Never contains a value or a secret. */
export interface Shown {
  command?: string;
  shell?: string;
  cwd?: string;
  env?: string[];
  stdin?: { bytes: number; sha256: string };
  childRun?: string;
  /** How the attempt was approved, if it needed approval. */
  approval?: "granted" | "edited" | "in-advance" | "timed-out";
  /** Name of its sandbox, if it has one. */
  sandbox?: string;
  /** Name of the runner that supervises its command. */
  runner?: string;
}

export interface Facts {
  durationMs: number;
  exitCode?: number;
  signal?: string;
  /** `secret`: the output was sealed and is not kept as a file. */
  stdout?: { bytes: number; sha256?: string; secret?: true };
  stderr?: { bytes: number; sha256?: string };
  /** HTTP calls in order, as far as they are known. Header names are lowercase, and URLs contain no secret. */
  http?: HttpCall[];
  warnings?: { code: string; message: string }[];
  egress?: EgressCall[];
  /** `estimated`: the server did not report usage. */
  usage?: Usage;
}

/** Usage of a model. `usd` is present if the price is known. */
export interface Usage {
  model: string;
  tokensIn: number;
  tokensOut: number;
  usd?: number;
  estimated?: true;
}

export type AttemptEnding =
  | { status: "succeeded"; value: Value; facts: Facts }
  /** `signsInAgain`: its token was rejected, and repeating it with a new token is safe (3.6). */
  | { status: "failed" | "timed-out"; failure: Failure; value: Value; facts: Facts; signsInAgain?: true }
  | { status: "cancelled"; facts: Facts }
  /** It is unknown how its command ended, because its runner has died. */
  | { status: "lost" }
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

export interface Pausing {
  /** Calls `listener` each time it is suspended. Nothing happens in it then until `resume` or `cancel`. */
  onRest(listener: (rest: Suspension) => void): void;
  /** Whether something was recorded since. `seen`: the event numbers when it was suspended. */
  hasPendingInput(seen: Readonly<Record<string, number>>): boolean;
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
  shown: Shown;
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
