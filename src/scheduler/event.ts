// event: the event types of a run (spec 3.1). The journal is a list of these events and the only source of truth; every
// status is a fold of it.
//   E1. `seq` counts from 1 without gaps within a run.
//   E2. `type` is a noun and a past participle, and its meaning never changes. docs/reference/events.md lists all
//       types, checked by a test.
//   E3. No event contains a secret, a clock reading that was not passed in, or a value above
//       limits.inlineValueBytesMax.
// Not recorded: the end of an iteration before its decision, progress, and output bytes (they are in the output files).

import type { ApprovalDetail } from "../base/approval-detail.ts";
import type { Failure } from "../base/failure.ts";
import type { HttpCall } from "../base/http-call.ts";
import type { Value } from "../base/value.ts";

/** The details of what was started, for display only: the fold never needs them. */
export interface AttemptDetail {
  /** The program text as written, with its templates unresolved. So it contains no value and no secret. */
  command?: string;
  shell?: string;
  cwd?: string;
  /** Names of the variables exported by the workflow, sorted. */
  env?: string[];
  stdin?: { bytes: number; sha256: string };
  /** The output files, relative to the run's folder. */
  stdoutFile?: string;
  stderrFile?: string;
  /** The run that a subflow node started. */
  childRun?: string;
  /**
   * The runner process of the command: boot id, process id, start time. Used to find the command again after Curlew has
   * died.
   */
  runner?: string;
  /** The restrictions on the command (4.2): `no-network`, `read-only`, `strict`. */
  sandbox?: string;
  /**
   * Where a success is stored (`cache`) and for how long; also used when another process adopts the attempt. `key` is
   * the form that may be shown.
   */
  cache?: { digest: string; key: string; ttlMs: number };
  /** How it was approved: by a decision, in advance, or because the request expired and that counts as approved. */
  approval?: "granted" | "edited" | "in-advance" | "timed-out";
}

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

/** For example `http-error-unnoticed`: the command received an HTTP error and exited with 0. */
export interface Warning {
  code: string;
  message: string;
}

/** How an attempt ended, for display and for expressions. */
export interface AttemptEnd {
  durationMs: number;
  exitCode?: number;
  signal?: string;
  /**
   * `sha256` is the checksum of the bytes in the file. Older journals have `sum` instead, which is not checked.
   * `secret`: a secret Variable takes the output, so it is not written to a file.
   */
  stdout?: { bytes: number; sha256?: string; secret?: true };
  stderr?: { bytes: number; sha256?: string };
  /** Known HTTP calls, in the order in which they ended. */
  http?: HttpCall[];
  /** Problems that the command itself ignored. */
  warnings?: Warning[];
  /**
   * Calls through the network proxy of `egress: { allow }`, in order. With `refused`, the proxy passed nothing or
   * nothing more.
   */
  egress?: { host: string; port: number; sentBytes: number; receivedBytes: number; ms: number; refused?: string }[];
  /** Use of a language model. `usd` is set if the price is known, `estimated` if the server did not count tokens. */
  usage?: { model: string; tokensIn: number; tokensOut: number; usd?: number; estimated?: true };
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
export interface Again {
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
export interface Only {
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

export type Trigger = { kind: "cli" | "api" | "schedule" | "webhook" | "file" | "subflow" | "mcp"; by?: string };

/**
 * No command of the run starts before the user has approved it (4.2). `within`: for a subflow, the hash of the node
 * that names it.
 */
export interface Inert {
  why: "imported" | "all-new";
  within?: string;
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
      trigger: Trigger;
      parent?: { run: string; path: string };
      again?: Again;
      only?: Only;
      /** Nodes approved in advance (`--approve`; `--yes` is `*`). */
      approvedInAdvance?: string[];
      /** Ids of nodes whose safety level is `advanced`, which need no approval. */
      advanced?: string[];
      inert?: Inert;
    }
  | { type: "run.cancel-requested"; by?: string }
  | { type: "run.timed-out-requested" }
  | { type: "run.succeeded" }
  | { type: "run.failed"; node: string; path: string; failure: Failure }
  | { type: "run.cancelled" }
  | { type: "run.timed-out" }
  | { type: "attempt.started"; node: string; path: string; number: number; detail: AttemptDetail }
  | { type: "attempt.succeeded"; node: string; path: string; number: number; value: Value; end: AttemptEnd }
  /** `retryAt` (ISO time) is set when another attempt follows. `value` is the output so far, for `continueOnError`. */
  | {
      type: "attempt.failed";
      node: string;
      path: string;
      number: number;
      failure: Failure;
      value: Value;
      end: AttemptEnd;
      retryAt?: string;
    }
  | {
      type: "attempt.timed-out";
      node: string;
      path: string;
      number: number;
      failure: Failure;
      value: Value;
      end: AttemptEnd;
      retryAt?: string;
    }
  | { type: "attempt.cancelled"; node: string; path: string; number: number; end: AttemptEnd }
  /**
   * Attempt `number` waits for a budget (`rateLimit`, `concurrency`) and takes no slot of the run. `key` is the form
   * that may be shown. `until` (ISO time) says when the budget has room, if known; otherwise it waits for
   * `budget.freed`.
   */
  | { type: "budget.awaited"; node: string; path: string; number: number; for: Budget; key: string; until?: string }
  /** The budget has room, perhaps earlier than expected: the attempt may start. */
  | { type: "budget.freed"; node: string; path: string }
  /**
   * A stored value was used (`cache`), and nothing was started. `from` names its source; it may be used from `storedAt`
   * until `expiresAt`. `key` is the form that may be shown.
   */
  | {
      type: "cache.answered";
      node: string;
      path: string;
      value: Value;
      key: string;
      from: { run: string; path: string };
      storedAt: string;
      expiresAt: string;
    }
  /** `asks`: with `retryAt`, the retry needs approval (`onLost: ask`). */
  | {
      type: "attempt.lost";
      node: string;
      path: string;
      number: number;
      failure: Failure;
      retryAt?: string;
      asks?: true;
    }
  /** The process that started it died. Another has found its command, running or ended, and continues with it. */
  | { type: "attempt.adopted"; node: string; path: string; number: number }
  /**
   * The process died before the command started, which is certain. The state is as before `attempt.started`, and the
   * number is used again.
   */
  | { type: "attempt.not-started"; node: string; path: string; number: number }
  /**
   * A subflow only waits for approvals, and takes no slot. `waiting`: paths as seen from this run (`sub/gate`). `seen`:
   * the last event of the child run, and of the runs inside it, at that time. `wakeAt`: when a request inside expires.
   */
  | {
      type: "attempt.paused";
      node: string;
      path: string;
      number: number;
      waiting: string[];
      seen: Record<string, number>;
      wakeAt?: string;
    }
  /** The child run continues: a request inside was decided or has expired. */
  | { type: "attempt.resumed"; node: string; path: string; number: number }
  /**
   * A node without a process has a result. `branch` is set for an IF. `added` has the values that an accumulator
   * appended, and replaces `value`.
   */
  | { type: "node.succeeded"; node: string; path: string; value?: Value; branch?: boolean; added?: Value[] }
  | { type: "node.failed"; node: string; path: string; failure: Failure }
  | {
      type: "node.skipped";
      node: string;
      path: string;
      reason: "branch-not-taken" | "run-ended" | "pass-failed" | "not-wanted";
    }
  /**
   * The result was copied from an earlier run; nothing of the node runs here. `failed` only where the workflow
   * tolerates the failure. Its values are in this run's folder.
   */
  | {
      type: "node.kept";
      node: string;
      path: string;
      status: "succeeded" | "failed";
      kept: KeptFrom;
      value?: Value;
      branch?: boolean;
      added?: Value[];
      failure?: Failure;
      exitCode?: number;
      attempt?: KeptAttempt;
    }
  /**
   * The loop is open. `passes`: number of iterations, absent for `while` and `until` loops. `first`: the counter of
   * iteration 0.
   */
  | { type: "loop.started"; node: string; path: string; passes?: number; first: number; items?: Value; kept?: KeptFrom }
  /** `path` ends with the index: `pages[2]`. `counter` is the value of `${i}`. `item` is set by for-each loops. */
  | { type: "pass.started"; node: string; path: string; index: number; counter: number; item?: Value; kept?: KeptFrom }
  /**
   * Every node of the iteration is finished or skipped. `last`: `until` holds. `value` is its value; `from` names an
   * accumulator instead, so that a growing list is not written again for each iteration.
   */
  | {
      type: "pass.succeeded";
      node: string;
      path: string;
      index: number;
      value?: Value;
      from?: string;
      last: boolean;
      kept?: KeptFrom;
    }
  /**
   * An untolerated failure in an iteration of a listener. `failedAt` is the path of the node, or of the iteration when
   * its line was invalid. The other iterations continue.
   */
  | { type: "pass.failed"; node: string; path: string; index: number; failedAt: string; failure: Failure }
  /**
   * Attempt `number` of a listener has printed a complete line. `index`: the iteration that it starts. `next`: the byte
   * of stdout after the line, where reading continues after a restart. `failure`: why the line is invalid.
   */
  | {
      type: "line.received";
      node: string;
      path: string;
      number: number;
      index: number;
      next: number;
      value: Value;
      failure?: Failure;
    }
  /**
   * The attempt has ended and its output was read to the end. `cut`: bytes of an unfinished last line when it was
   * stopped.
   */
  | { type: "lines.ended"; node: string; path: string; number: number; next: number; cut?: number }
  /** No further iteration will start: `while` is false, or all known iterations have started. */
  | { type: "loop.exhausted"; node: string; path: string; passes: number; kept?: KeptFrom }
  /**
   * Attempt `number` needs approval. `prompt`: the workflow's question, rendered. `again`: why approval is requested
   * once more. `onTimeout`: what happens at `expiresAt`.
   */
  | {
      type: "approval.requested";
      node: string;
      path: string;
      number: number;
      hash: string;
      reasons: Reason[];
      detail: ApprovalDetail;
      /** Keyed hashes of everything that the approval covers, by name, so that a later change can be named. */
      bound: Record<string, string>;
      prompt?: string;
      expiresAt?: string;
      onTimeout?: "reject" | "approve" | "fail";
      again?: string;
    }
  /**
   * Counts once, for the request with the same `hash` and before its `expiresAt`. Any other decision changes nothing.
   */
  | {
      type: "approval.granted";
      node: string;
      path: string;
      hash: string;
      by: string;
      door: string;
      from?: AnsweredFrom;
      /** The whole program text that replaces the node's own, for this attempt only. */
      edited?: string;
    }
  | {
      type: "approval.rejected";
      node: string;
      path: string;
      hash: string;
      by: string;
      door: string;
      from?: AnsweredFrom;
      reason: string;
    }
  /** The request expired without a decision. */
  | { type: "approval.expired"; node: string; path: string; hash: string; as: "reject" | "approve" | "fail" };

/** `at` is ISO 8601 in UTC with milliseconds. */
export type RunEvent = { seq: number; at: string; run: string } & EventBody;
export type EventType = EventBody["type"];
