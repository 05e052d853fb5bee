// executor: one interface for the nodes that run something: CLI, LLM, subflow (spec 5.1, 5.3).
//   X1. `prepare` resolves and checks everything and starts nothing; what it answers is recorded before `start` is called.
//   X2. `start` is called at most once for a prepared attempt, and its `done` always settles, with an end or a failure.

import type { Failure } from "../base/failure.ts";
import type { Result } from "../base/result.ts";
import type { Value } from "../base/value.ts";
import type { NodeContext } from "./context.ts";
import type { Now } from "./values.ts";

/** Shown to people and kept in the journal; never a value, never a secret. */
export interface Shown {
  command?: string;
  shell?: string;
  cwd?: string;
  env?: string[];
  stdin?: { bytes: number; sha256: string };
  childRun?: string;
}

export interface Facts {
  durationMs: number;
  exitCode?: number;
  signal?: string;
  stdout?: { bytes: number };
  stderr?: { bytes: number };
}

export type AttemptEnding =
  | { status: "succeeded"; value: Value; facts: Facts }
  | { status: "failed" | "timed-out"; failure: Failure; value: Value; facts: Facts }
  | { status: "cancelled"; facts: Facts };

export interface Attempt {
  done: Promise<AttemptEnding>;
  /** Settles when only a person can help it on: a subflow that waits for an approval. */
  waiting?: Promise<void>;
  /** Ends it in an orderly way: asked, then killed after the node's grace. */
  cancel(): void;
  /** Ends it at once. */
  kill(): void;
}

/** Why a person must look before this runs, found in what will run (4.2): `deletes`, `escalates`, … */
export interface Ask {
  code: string;
  /** One sentence for the person who decides. */
  message: string;
}

export interface Prepared {
  shown: Shown;
  /** Nobody has to look when it is absent or empty. */
  asks?: readonly Ask[];
  /** `stem` names the files of this attempt in the run's folder. */
  start(stem: string, onOutput: OutputListener): Attempt;
}

export type OutputListener = (stream: "stdout" | "stderr", bytes: Uint8Array) => void;

export interface Executor<N> {
  prepare(node: N, context: NodeContext): Now<Result<Prepared, Failure>>;
}
