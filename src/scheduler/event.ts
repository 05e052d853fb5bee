// event: what can happen in a run. The journal is a list of these and the only truth; every status is a fold of it (spec 3.1).
//   E1. `seq` counts from 1 without a gap within one run.
//   E2. `type` is a noun and a past participle; it never changes its meaning. docs/reference/events.md lists all, a test keeps it true.
//   E3. No event holds a secret, a clock that was not passed in, or a value above limits.inlineValueBytesMax.
// Deliberately absent: `pass.ended` without a decision, progress, output bytes (they stand in output files).

import type { ApprovalDetail } from "../base/approval-detail.ts";
import type { Failure } from "../base/failure.ts";
import type { HttpCall } from "../base/http-call.ts";
import type { Value } from "../base/value.ts";

export type { Failure } from "../base/failure.ts";
export type { Value } from "../base/value.ts";

/** What was started: shown to people, never needed by the fold. */
export interface AttemptDetail {
  /** The program text as the author wrote it (templates unresolved, so no secret and no value stands in it). */
  command?: string;
  shell?: string;
  cwd?: string;
  /** Names of the variables exported by the workflow, sorted. */
  env?: string[];
  stdin?: { bytes: number; sha256: string };
  /** Files of the run that hold the output, relative to the run's folder. */
  stdoutFile?: string;
  stderrFile?: string;
  /** The run that a subflow node started. */
  childRun?: string;
  /** The process that keeps its command: boot, number, start time. By it the command is found again when this program has died. */
  runner?: string;
  /** What was kept away from the command (4.2): `no-network`, `read-only`, `strict`. */
  sandbox?: string;
  /** Under which name a success is kept (`cache`), and for how long: also by whoever adopts the attempt. `key`: as it may be shown. */
  cache?: { digest: string; key: string; ttlMs: number };
  /** A person has looked at exactly this, or was not asked because it was approved in advance, or the time to answer was over. */
  approval?: "granted" | "edited" | "in-advance" | "timed-out";
}

/** Why a person is asked: `needs-approval` when the document says so, else what was found in the command (4.2). */
export interface Reason {
  code: string;
  message: string;
}

/** Where an answer came from: the machine, and the terminal if there was one, or the address that a server was asked from. */
export interface AnsweredFrom {
  host: string;
  tty?: string;
  address?: string;
  /** The beginning of the name of a browser's session. */
  session?: string;
}

/** `http-error-unnoticed`: it got an HTTP error, and exited 0. */
export interface Warning {
  code: string;
  message: string;
}

/** How an attempt ended: facts for people and for expressions. */
export interface AttemptEnd {
  durationMs: number;
  exitCode?: number;
  signal?: string;
  /** `sha256`: of the bytes in its file. Older journals have `sum` in its place, which is not checked. `secret`: a secret Variable takes it; no file has it. */
  stdout?: { bytes: number; sha256?: string; secret?: true };
  stderr?: { bytes: number; sha256?: string };
  /** HTTP calls in the order of their ends, as far as they are known. */
  http?: HttpCall[];
  /** What the command itself did not mind, and a person should know. */
  warnings?: Warning[];
  /** Calls through the way out of `egress: { allow }`, in their order; with `refused` nothing, or nothing more, got through. */
  egress?: { host: string; port: number; sentBytes: number; receivedBytes: number; ms: number; refused?: string }[];
  /** What a model was asked and has answered; `usd` where its price is known, `estimated` where the server did not count. */
  usage?: { model: string; tokensIn: number; tokensOut: number; usd?: number; estimated?: true };
}

/** An event of another run that this one goes by. */
export interface KeptFrom {
  run: string;
  seq: number;
}

/** The attempt that made a kept result, as its run has it on record. Its files lie in this run's folder too, under these names. */
export interface KeptAttempt {
  number: number;
  startedAt: string;
  endedAt: string;
  status: "succeeded" | "failed" | "timed-out" | "lost";
  detail: AttemptDetail;
  end?: AttemptEnd;
}

/** A run that goes by what another has done already (`runs retry`, `--from`). */
export interface Again {
  run: string;
  /** Everything from this path on runs again. Absent: what had not succeeded. */
  from?: string;
  /** Nodes that run again for their value alone: what succeeded behind them is kept. */
  anew?: string[];
  /** The document is that of the file as it stood then, not the other run's. */
  current?: true;
  /** Subflows that go by a run of their own of before, by path. */
  inside?: Record<string, { run: string; from?: string }>;
}

/** A run of one node (`node`), or of everything up to one (`to`). What it does not run is skipped as `not-wanted`. */
export interface Only {
  node?: string;
  to?: string;
  /** Whose values it took. */
  run?: string;
  /** Nodes whose values were given by hand. */
  pinned?: string[];
  /** The node whose value is the result: the end of the loop that the named one lies in. */
  result: string;
}

/** What has no room: starts in a time, or nodes at a time. */
export type Budget = "rate" | "concurrency";

export type Trigger = { kind: "cli" | "api" | "schedule" | "webhook" | "file" | "subflow" | "mcp"; by?: string };

/** No command of the run starts before a person of this home has seen it (4.2). `within`: of a subflow, the digest of the node that names it. */
export interface Inert {
  why: "imported" | "all-new";
  within?: string;
}

/** An event before the engine has stamped it. `path` names a node, or a pass of it: `fetch`, `fetch[2]`, `cell[1][0]`, indexes from 0. */
export type EventBody =
  | {
      type: "run.started";
      workflow: { name: string; file: string; text: string };
      /** Texts of all subflow documents that can be reached, by absolute path. */
      subflows?: Record<string, string>;
      /** Inputs with a secret in them are masked here; `sealed` names the file that has their exact values. */
      inputs: Record<string, unknown>;
      sealed?: string;
      /** A secret's value happens to stand in a document: `workflow` and `subflows` are masked here, and exact in this file. */
      sealedDocument?: string;
      /** Of a subflow: a secret Variable of the parent takes its result. */
      resultIsSecret?: true;
      trigger: Trigger;
      parent?: { run: string; path: string };
      again?: Again;
      only?: Only;
      /** Nodes approved in advance (`--approve`, `--yes` is `*`); recorded as such. */
      approvedInAdvance?: string[];
      /** Ids of the nodes whose safety level is `advanced`: nobody is asked about them. */
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
  /** `retryAt` (ISO time) is given when another attempt follows. `value` is the output it has, for `continueOnError`. */
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
   * A budget has no room for attempt `number` (`rateLimit`, `concurrency`): it waits without a slot of the run. `key` as it may be shown;
   * `until` (ISO time): when there will be room, as far as that is known; without it, until `budget.freed`.
   */
  | { type: "budget.awaited"; node: string; path: string; number: number; for: Budget; key: string; until?: string }
  /** There is room for it now, or sooner than said: it may try again. */
  | { type: "budget.freed"; node: string; path: string }
  /**
   * A value of before counts again (`cache`); nothing was started. `from`: where it came from, `storedAt` and `expiresAt`: for how long
   * it is used. `key` as it may be shown.
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
  /** `asks`: with `retryAt`, a person decides whether it is repeated (`onLost: ask`). */
  | {
      type: "attempt.lost";
      node: string;
      path: string;
      number: number;
      failure: Failure;
      retryAt?: string;
      asks?: true;
    }
  /** The program that started it died; another has found its command alive, or how it ended, and goes on with it. */
  | { type: "attempt.adopted"; node: string; path: string; number: number }
  /** The program died before it was begun, and that is known: all is as before its `attempt.started`, and its number is used again. */
  | { type: "attempt.not-started"; node: string; path: string; number: number }
  /**
   * A subflow has nothing left to do but to wait for people: it holds no slot. `waiting`: paths as this run names them (`sub/gate`);
   * `seen`: the last event of its run, and of the runs inside it, at that time; `wakeAt`: when a time inside is over.
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
  /** Its child goes on: somebody has answered, or the time to answer is over. */
  | { type: "attempt.resumed"; node: string; path: string; number: number }
  /** A node without a process was decided. `branch`: an IF. `added`: an accumulator, the values it appended (then `value` is absent). */
  | { type: "node.succeeded"; node: string; path: string; value?: Value; branch?: boolean; added?: Value[] }
  | { type: "node.failed"; node: string; path: string; failure: Failure }
  | {
      type: "node.skipped";
      node: string;
      path: string;
      reason: "branch-not-taken" | "run-ended" | "pass-failed" | "not-wanted";
    }
  /**
   * Settled in the run that this one goes by; nothing of it runs here. `failed` only where the document goes on all the same.
   * Its values stand in this run's folder.
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
  /** The loop is open. `passes`: known number of passes, absent for `while` and `until` loops. `first`: the counter of pass 0. */
  | { type: "loop.started"; node: string; path: string; passes?: number; first: number; items?: Value; kept?: KeptFrom }
  /** `path` has the pass index last: `pages[2]`. `counter` is what `${i}` says; `item` is given by for-each loops. */
  | { type: "pass.started"; node: string; path: string; index: number; counter: number; item?: Value; kept?: KeptFrom }
  /**
   * Every node of the pass is settled. `last`: `until` said stop. Its value, or the path of the accumulator whose value it is: what is
   * collected over a thousand passes is not written down a thousand times.
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
   * A failure that nothing in the pass of a listener tolerated: `failedAt` is the path of the node, or that of the pass when its line was
   * not what the listener promised. The other passes go on.
   */
  | { type: "pass.failed"; node: string; path: string; index: number; failedAt: string; failure: Failure }
  /**
   * A listener has printed a complete line, attempt `number` of it. `index`: the pass that it starts. `next`: the first byte behind it in
   * the attempt's stdout, where reading goes on after a restart. `failure`: why it cannot be worked on.
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
  /** The attempt has ended and its output is read to the end. `cut`: bytes of a last line that was not finished when it was stopped. */
  | { type: "lines.ended"; node: string; path: string; number: number; next: number; cut?: number }
  /** No further pass will start (`while` said no, or all known passes have started). */
  | { type: "loop.exhausted"; node: string; path: string; passes: number; kept?: KeptFrom }
  /**
   * A person must look before attempt `number` starts. `prompt`: the document's question, rendered. `again`: why it is asked once more.
   * `onTimeout`: what happens at `expiresAt`.
   */
  | {
      type: "approval.requested";
      node: string;
      path: string;
      number: number;
      hash: string;
      reasons: Reason[];
      detail: ApprovalDetail;
      /** Keyed digests of what is bound, by what they are of: what has changed can be named later. */
      bound: Record<string, string>;
      prompt?: string;
      expiresAt?: string;
      onTimeout?: "reject" | "approve" | "fail";
      again?: string;
    }
  /** An answer counts for the request with the same `hash` and before its `expiresAt`, once; any other changes nothing. */
  | {
      type: "approval.granted";
      node: string;
      path: string;
      hash: string;
      by: string;
      door: string;
      from?: AnsweredFrom;
      /** The whole program text that takes the place of the node's own, for this attempt only. */
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
  /** Nobody answered in time. */
  | { type: "approval.expired"; node: string; path: string; hash: string; as: "reject" | "approve" | "fail" };

/** `at` is ISO 8601 in UTC with milliseconds. */
export type RunEvent = { seq: number; at: string; run: string } & EventBody;
export type EventType = EventBody["type"];
