// action: the actions that `plan` can ask for (spec 3.1). The engine records an action, performs it, and records the
// result as an event.

export type Action =
  /** Run a CLI, LLM or subflow node. Result: attempt.started, then one attempt.* event that ends it. */
  | { do: "start-attempt"; node: string; path: string; number: number }
  /**
   * Compute a node that runs no process: start, text, variable, if, accumulator. Result: node.succeeded or node.failed.
   */
  | { do: "decide"; node: string; path: string }
  /** Open a loop: resolve its iterations or items. Result: loop.started or node.failed. */
  | { do: "open-loop"; node: string; path: string }
  /**
   * Start the next iteration; a `while` loop evaluates its condition first. `path` is the loop's, without an index.
   * Result: pass.started, loop.exhausted or node.failed.
   */
  | { do: "start-pass"; node: string; path: string; index: number }
  /**
   * Every node of the iteration is finished or skipped: evaluate `until`. `path` is the loop start's with the index.
   * Result: pass.succeeded or node.failed (of the loop end). For a listener: pass.succeeded or pass.failed.
   */
  | { do: "end-pass"; node: string; path: string; index: number }
  /** All iterations are over: the loop end takes its value. Result: node.succeeded of the loop end. */
  | { do: "close-loop"; node: string; path: string }
  /**
   * Read the output of attempt `number` of a listener from byte `from` of `file`, at most `most` lines. `over` is set
   * when the file is complete: the command exited (`exited`) or was stopped (`stopped`). Result: line.received per
   * line, then lines.ended when a complete file has been read. No event when there is no complete line yet.
   */
  | {
      do: "receive-lines";
      node: string;
      path: string;
      number: number;
      file: string | undefined;
      from: number;
      index: number;
      most: number;
      over?: "exited" | "stopped";
    }
  | { do: "skip"; node: string; path: string; reason: "branch-not-taken" | "run-ended" | "pass-failed" | "no-failure" }
  /**
   * Stop a running attempt. Result: attempt.cancelled, or the end that came first. Planned again until an end is
   * recorded.
   */
  | { do: "cancel-attempt"; node: string; path: string; number: number }
  /**
   * Request approval of attempt `number`. Result: approval.requested, or node.failed when the request cannot be
   * prepared.
   */
  | { do: "request-approval"; node: string; path: string; number: number }
  /** An approval request has expired. Result: approval.expired. */
  | { do: "expire-approval"; node: string; path: string; hash: string; as: "reject" | "approve" | "fail" }
  /** An approval inside a paused subflow has expired. Result: attempt.resumed. */
  | { do: "resume-attempt"; node: string; path: string; number: number }
  /** The run's own timeout has passed. Result: run.timed-out-requested. */
  | { do: "time-out-run" }
  | { do: "finish-run"; as: "succeeded" | "failed" | "cancelled" | "timed-out" };

export interface Plan {
  actions: Action[];
  /** When to call plan again even if no event arrives, in milliseconds since the epoch. Absent: only after an event. */
  wakeAtMs?: number;
}
