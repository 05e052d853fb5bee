// cause: ranks the reasons why a command ended, and picks one (spec 3.2).
//   K1. A command that never ran has no exit: not-found and not-started come first.
//   K2. The first stop counts: the first of time limit, cancellation, output limit, and lost output is the cause,
//       whatever the exit code.
//   K3. Without a stop, the exit itself is the cause, by signal or by code.

export type Cause =
  | { type: "exited"; code: number }
  | { type: "signalled"; signal: string }
  | { type: "timed-out"; limit: "total" | "idle"; afterMs: number }
  | { type: "cancelled"; reason: string }
  /** `program` is not on PATH, or the path does not exist. */
  | { type: "not-found"; program: string }
  | { type: "not-started"; reason: string }
  /** It printed more than `bytes`. Exactly that many were kept. */
  | { type: "output-limit"; bytes: number }
  /** Its output could not be stored, usually because the disk is full. */
  | { type: "output-failed"; reason: string };

/** Why Curlew ended a running command. */
export type StopReason = Extract<Cause, { type: "timed-out" | "cancelled" | "output-limit" | "output-failed" }>;

export interface EndFacts {
  spawnFailure?: Extract<Cause, { type: "not-found" | "not-started" }> | undefined;
  /** The first reason for which Curlew ended it before it exited, if any. */
  stopped?: StopReason | undefined;
  exitCode: number | null;
  signal: string | null;
}

export function rankCause(facts: EndFacts): Cause {
  if (facts.spawnFailure) return facts.spawnFailure;
  if (facts.stopped) return facts.stopped;
  if (facts.signal !== null) return { type: "signalled", signal: facts.signal };
  if (facts.exitCode !== null) return { type: "exited", code: facts.exitCode };
  return { type: "not-started", reason: "the system reported neither an exit code nor a signal" };
}
