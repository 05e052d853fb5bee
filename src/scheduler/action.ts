// action: what `plan` wants done next. The engine records, does, records the end; a finished action comes back as an event (spec 3.1).

export type Action =
  /** Run a CLI, LLM or subflow node. Answer: attempt.started, then one attempt.* end. */
  | { do: "start-attempt"; node: string; path: string; number: number }
  /** Compute a node that runs no process: start, text, variable, if, accumulator. Answer: node.succeeded or node.failed. */
  | { do: "decide"; node: string; path: string }
  /** Open a loop: resolve iterations or items. Answer: loop.started or node.failed. */
  | { do: "open-loop"; node: string; path: string }
  /** Start the next pass; a `while` loop asks its condition first. Answer: pass.started, loop.exhausted or node.failed. `path` is the loop's, without the pass. */
  | { do: "start-pass"; node: string; path: string; index: number }
  /**
   * Everything in the pass is settled: ask `until`. Answer: pass.succeeded or node.failed (of the loop end); of a listener's pass
   * pass.succeeded or pass.failed. `path` is the loop start's with the pass index.
   */
  | { do: "end-pass"; node: string; path: string; index: number }
  /** All passes are over: the loop end hands on its value. Answer: node.succeeded of the loop end. */
  | { do: "close-loop"; node: string; path: string }
  /**
   * Read on in what attempt `number` of a listener printed, from byte `from` of `file`, at most `most` lines. `over`: it has ended by
   * itself (`exited`) or was ended (`stopped`), and what is there is all there will be. Answer: line.received for each, then lines.ended
   * when nothing is left of an attempt that is over; nothing when there is no complete line yet.
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
  | { do: "skip"; node: string; path: string; reason: "branch-not-taken" | "run-ended" | "pass-failed" }
  /** Stop a running attempt. Answer: attempt.cancelled (or whichever end came first). Asked for until the end is recorded. */
  | { do: "cancel-attempt"; node: string; path: string; number: number }
  /** Ask a person about attempt `number`. Answer: approval.requested, or node.failed when it cannot be prepared. */
  | { do: "request-approval"; node: string; path: string; number: number }
  /** The time to answer is over. Answer: approval.expired. */
  | { do: "expire-approval"; node: string; path: string; hash: string; as: "reject" | "approve" | "fail" }
  /** An approval inside a paused subflow expires. Answer: attempt.resumed. */
  | { do: "resume-attempt"; node: string; path: string; number: number }
  /** The run's own time limit has passed. Answer: run.timed-out-requested. */
  | { do: "time-out-run" }
  | { do: "finish-run"; as: "succeeded" | "failed" | "cancelled" | "timed-out" };

export interface Plan {
  actions: Action[];
  /** Milliseconds since the epoch at which plan should be asked again though nothing happened; absent: only after an event. */
  wakeAtMs?: number;
}
