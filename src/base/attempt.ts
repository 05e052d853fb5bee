// attempt: what is recorded about an attempt: what was started, and how it ended (spec 2.7, 3.2). Nothing in it contains
// a secret.

import type { HttpCall } from "./http-call.ts";

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
