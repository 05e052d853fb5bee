// event: the event types of a run (spec 3.1). The journal is a list of these events and the only source of truth; every
// status is a fold of it.
//   E1. `seq` counts from 1 without gaps within a run.
//   E2. `type` is a noun and a past participle, and its meaning never changes. docs/reference/events.md lists all
//       types, checked by a test.
//   E3. No event contains a secret, a clock reading that was not passed in, or a value above
//       limits.inlineValueBytesMax.
// Not recorded: the end of an iteration before its decision, progress, and output bytes (they are in the output files).

import type { ApprovalDetail } from "../base/approval-detail.ts";
import type { AttemptDetail, AttemptEnd, Warning } from "../base/attempt.ts";
import type { Failure } from "../base/failure.ts";
import type { Value } from "../base/value.ts";

/**
 * Why approval is requested: `needs-approval` when the workflow requires it, otherwise a finding about the command
 * (4.2).
 */
export interface Reason {
  code: string;
  message: string;
}

/** Where a decision was made: the host, and the terminal or the client address of the request. */
export interface AnsweredFrom {
  host: string;
  tty?: string;
  address?: string;
  /** The start of the browser session's name. */
  session?: string;
}

/** The event of an earlier run that this event was copied from. */
export interface KeptFrom {
  run: string;
  seq: number;
}

/**
 * The attempt that produced a kept result, as its run recorded it. Its files are in this run's folder under the same
 * names.
 */
export interface KeptAttempt {
  number: number;
  startedAt: string;
  endedAt: string;
  status: "succeeded" | "failed" | "timed-out" | "lost";
  detail: AttemptDetail;
  end?: AttemptEnd;
}

/** A run that reuses results of an earlier run (`runs retry`, `--from`). */
export interface Rerun {
  run: string;
  /** Everything from this path on runs again. Absent: everything that had not succeeded. */
  from?: string;
  /** Nodes that run again only for their value: successful nodes after them are kept. */
  anew?: string[];
  /** The workflow was read from its file at that time, not taken from the earlier run. */
  current?: true;
  /** Earlier child runs that subflows reuse, by path. */
  inside?: Record<string, { run: string; from?: string }>;
}

/** A run of one node (`node`), or of all nodes up to one (`to`). Other nodes are skipped as `not-wanted`. */
export interface PartialRun {
  node?: string;
  to?: string;
  /** The run whose values it reused. */
  run?: string;
  /** Nodes whose values were set by hand. */
  pinned?: string[];
  /** The node whose value is the result. For a node in a loop, the end of the outermost loop. */
  result: string;
}

/** The exhausted budget: starts per period, or nodes at a time. */
export type Budget = "rate" | "concurrency";

/** `at`: the scheduled time, or when the delivery or the change arrived. Absent: the start of the run. */
export type Trigger = {
  kind: "cli" | "api" | "schedule" | "webhook" | "file" | "run" | "subflow" | "mcp";
  by?: string;
  at?: string;
  /** For `run`: the number of runs before this one that an ended run started in a row. */
  chain?: number;
};

/**
 * No command of the run starts before the user has approved it (4.2). `within`: for a subflow, the hash of the node
 * that names it.
 */
export interface Inert {
  why: "imported" | "all-new";
  within?: string;
}

interface OfNode {
  node: string;
  path: string;
}
interface OfAttempt extends OfNode {
  number: number;
}
interface OfPass extends OfNode {
  index: number;
}

/**
 * An event before the engine stamps it. `path` names a node or an iteration, with indexes from 0: `fetch`, `fetch[2]`,
 * `cell[1][0]`.
 */
export type EventBody =
  | {
      type: "run.started";
      workflow: { name: string; file: string; text: string };
      /** Texts of all reachable subflow files, by absolute path. */
      subflows?: Record<string, string>;
      /** Inputs with a secret in them are masked here; `sealed` names the file with their exact values. */
      inputs: Record<string, unknown>;
      sealed?: string;
      /**
       * Set when a secret's value occurs in the workflow: `workflow` and `subflows` are masked here, and this file has
       * the exact text.
       */
      sealedDocument?: string;
      /** For a subflow: a secret Variable of the parent takes its result. */
      resultIsSecret?: true;
      /** For a subflow: the inputs that the parent filled with a value of a node or an event. */
      handedOn?: string[];
      /** For a subflow: the labels of its node in the parent. */
      runsOn?: string[];
      trigger: Trigger;
      parent?: { run: string; path: string };
      again?: Rerun;
      only?: PartialRun;
      /** Nodes approved in advance (`--approve`; `--yes` is `*`). */
      approvedInAdvance?: string[];
      /** Ids of nodes whose safety level is `advanced`, which need no approval. */
      advanced?: string[];
      inert?: Inert;
      /** The stored state of the workflow when the run started: declared names that had a value. */
      state?: Record<string, string>;
    }
  | { type: "run.cancel-requested"; by?: string }
  | { type: "run.timed-out-requested" }
  | { type: "run.succeeded" }
  | { type: "run.failed"; node: string; path: string; failure: Failure }
  | { type: "run.cancelled" }
  | { type: "run.timed-out" }
  | (OfAttempt & { type: "attempt.started"; detail: AttemptDetail })
  /** `state`: values that the command stored for later runs, written with this event. */
  | (OfAttempt & { type: "attempt.succeeded"; value: Value; end: AttemptEnd; state?: Record<string, string> })
  /** `retryAt` (ISO time) is set when another attempt follows. `value` is the output so far, for `continueOnError`. */
  | (OfAttempt & { type: "attempt.failed"; failure: Failure; value: Value; end: AttemptEnd; retryAt?: string })
  | (OfAttempt & { type: "attempt.timed-out"; failure: Failure; value: Value; end: AttemptEnd; retryAt?: string })
  | (OfAttempt & { type: "attempt.cancelled"; end: AttemptEnd })
  /**
   * Attempt `number` waits for a budget (`rateLimit`, `concurrency`) and takes no slot of the run. `key` is the form
   * that may be shown. `until` (ISO time) says when the budget has room, if known; otherwise it waits for
   * `budget.freed`.
   */
  | (OfAttempt & { type: "budget.awaited"; for: Budget; key: string; until?: string })
  /** The budget has room, perhaps earlier than expected: the attempt may start. */
  | { type: "budget.freed"; node: string; path: string }
  /**
   * A stored value was used (`cache`), and nothing was started. `from` names its source; it may be used from `storedAt`
   * until `expiresAt`. `key` is the form that may be shown.
   */
  | (OfNode & {
      type: "cache.answered";
      value: Value;
      key: string;
      from: { run: string; path: string };
      storedAt: string;
      expiresAt: string;
    })
  /** `asks`: with `retryAt`, the retry needs approval (`onLost: ask`). */
  | (OfAttempt & { type: "attempt.lost"; failure: Failure; retryAt?: string; asks?: true })
  /** The process that started it died. Another has found its command, running or ended, and continues with it. */
  | (OfAttempt & { type: "attempt.adopted" })
  /**
   * The process died before the command started, which is certain. The state is as before `attempt.started`, and the
   * number is used again.
   */
  | (OfAttempt & { type: "attempt.not-started" })
  /**
   * A subflow only waits for approvals, and takes no slot. `waiting`: paths as seen from this run (`sub/gate`). `seen`:
   * the last event of the child run, and of the runs inside it, at that time. `wakeAt`: when a request inside expires.
   */
  | (OfAttempt & { type: "attempt.paused"; waiting: string[]; seen: Record<string, number>; wakeAt?: string })
  /** The child run continues: a request inside was decided or has expired. */
  | (OfAttempt & { type: "attempt.resumed" })
  /**
   * A node without a process has a result. `branch` is set for an IF. `added` has the values that an accumulator
   * appended, and replaces `value`. `state`: the value that a Variable with `persist` stored, written with this event.
   */
  | (OfNode & {
      type: "node.succeeded";
      value?: Value;
      branch?: boolean;
      added?: Value[];
      warnings?: Warning[];
      state?: Record<string, string>;
    })
  | (OfNode & { type: "node.failed"; failure: Failure })
  | (OfNode & {
      type: "node.skipped";
      reason: "branch-not-taken" | "run-ended" | "pass-failed" | "not-wanted" | "no-failure";
    })
  /**
   * The result was copied from an earlier run; nothing of the node runs here. `failed` only where the workflow
   * tolerates the failure. Its values are in this run's folder.
   */
  | (OfNode & {
      type: "node.kept";
      status: "succeeded" | "failed";
      kept: KeptFrom;
      value?: Value;
      branch?: boolean;
      added?: Value[];
      failure?: Failure;
      exitCode?: number;
      attempt?: KeptAttempt;
    })
  /**
   * The loop is open. `passes`: number of iterations, absent for `while` and `until` loops. `first`: the counter of
   * iteration 0.
   */
  | (OfNode & {
      type: "loop.started";
      passes?: number;
      first: number;
      items?: Value;
      kept?: KeptFrom;
      warnings?: Warning[];
    })
  /** `path` ends with the index: `pages[2]`. `counter` is the value of `${i}`. `item` is set by for-each loops. */
  | (OfPass & { type: "pass.started"; counter: number; item?: Value; kept?: KeptFrom })
  /**
   * Every node of the iteration is finished or skipped. `last`: `until` holds. `value` is its value; `from` names an
   * accumulator instead, so that a growing list is not written again for each iteration.
   */
  | (OfPass & { type: "pass.succeeded"; value?: Value; from?: string; last: boolean; kept?: KeptFrom })
  /**
   * An untolerated failure in an iteration of a listener. `failedAt` is the path of the node, or of the iteration when
   * its line was invalid. The other iterations continue.
   */
  | (OfPass & { type: "pass.failed"; failedAt: string; failure: Failure })
  /**
   * Attempt `number` of a listener has printed a complete line. `index`: the iteration that it starts. `next`: the byte
   * of stdout after the line, where reading continues after a restart. `failure`: why the line is invalid.
   */
  | (OfAttempt & { type: "line.received"; index: number; next: number; value: Value; failure?: Failure })
  /**
   * The attempt has ended and its output was read to the end. `cut`: bytes of an unfinished last line when it was
   * stopped.
   */
  | (OfAttempt & { type: "lines.ended"; next: number; cut?: number })
  /** No further iteration will start: `while` is false, or all known iterations have started. */
  | (OfNode & { type: "loop.exhausted"; passes: number; kept?: KeptFrom })
  /**
   * Attempt `number` needs approval. `prompt`: the workflow's question, rendered. `again`: why approval is requested
   * once more. `onTimeout`: what happens at `expiresAt`.
   */
  | (OfAttempt & {
      type: "approval.requested";
      hash: string;
      reasons: Reason[];
      detail: ApprovalDetail;
      /** Keyed hashes of everything that the approval covers, by name, so that a later change can be named. */
      bound: Record<string, string>;
      prompt?: string;
      expiresAt?: string;
      onTimeout?: "reject" | "approve" | "fail";
      again?: string;
    })
  /**
   * Counts once, for the request with the same `hash` and before its `expiresAt`. Any other decision changes nothing.
   */
  | (OfNode & {
      type: "approval.granted";
      hash: string;
      by: string;
      door: string;
      from?: AnsweredFrom;
      /** The whole program text that replaces the node's own, for this attempt only. */
      edited?: string;
    })
  | (OfNode & {
      type: "approval.rejected";
      hash: string;
      by: string;
      door: string;
      from?: AnsweredFrom;
      reason: string;
    })
  /** The request expired without a decision. */
  | (OfNode & { type: "approval.expired"; hash: string; as: "reject" | "approve" | "fail" });

/** `at` is ISO 8601 in UTC with milliseconds. */
export type RunEvent = { seq: number; at: string; run: string } & EventBody;

export type RunEnd = Extract<RunEvent, { type: "run.succeeded" | "run.failed" | "run.cancelled" | "run.timed-out" }>;

export function isRunEnd(event: RunEvent): event is RunEnd {
  return /^run\.(?:succeeded|failed|cancelled|timed-out)$/.test(event.type);
}
