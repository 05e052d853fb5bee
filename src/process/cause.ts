// cause: why a command ended, ranked into one answer in one place (spec 3.2).
//   K1. A command that never ran has no exit: not-found and not-started come first.
//   K2. Who asked first wins: the first of time limit, cancel, output limit and lost output is the cause, whatever the exit code then is.
//   K3. Nothing asked: the exit itself, by signal or by code.

export type Cause =
  | { type: "exited"; code: number }
  | { type: "signalled"; signal: string }
  | { type: "timed-out"; limit: "total" | "idle"; afterMs: number }
  | { type: "cancelled"; reason: string }
  /** `program` is not on PATH or not there. */
  | { type: "not-found"; program: string }
  | { type: "not-started"; reason: string }
  /** It printed more than `bytes`. Exactly that many were kept. */
  | { type: "output-limit"; bytes: number }
  /** Its output could not be stored: a full disk, most often. */
  | { type: "output-failed"; reason: string };

/** Why we ended a command that was running. */
export type StopReason = Extract<Cause, { type: "timed-out" | "cancelled" | "output-limit" | "output-failed" }>;

export interface EndFacts {
  spawnFailure?: Extract<Cause, { type: "not-found" | "not-started" }> | undefined;
  /** The first reason for which we ended it, when there was one before it exited. */
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
