// executor: one interface for the nodes that run something: CLI, LLM, subflow (spec 5.1, 5.3).
//   X1. `prepare` resolves and checks everything and starts nothing; what it answers is recorded before `start` is called.
//   X2. `start` is called at most once for a prepared attempt, and its `done` always settles, with an end or a failure.
//   X3. An attempt of a program that has died is sought, never started: alive, ended, never begun, or lost.

import type { ApprovalDetail } from "../base/approval-detail.ts";
import type { Failure } from "../base/failure.ts";
import type { HttpCall } from "../base/http-call.ts";
import type { Result } from "../base/result.ts";
import type { Value } from "../base/value.ts";
import type { EgressCall } from "../process/egress-proxy.ts";
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
  /** How it came to be allowed to start, when a person has to look. */
  approval?: "granted" | "edited" | "in-advance" | "timed-out";
  /** What is kept away from the command, when anything is. */
  sandbox?: string;
  /** What keeps its command, by name. */
  runner?: string;
}

export interface Facts {
  durationMs: number;
  exitCode?: number;
  signal?: string;
  /** `secret`: it was sealed, not kept. */
  stdout?: { bytes: number; sha256?: string; secret?: true };
  stderr?: { bytes: number; sha256?: string };
  /** HTTP calls in their order, as far as they are known; names of headers in lower case, no secret in a URL. */
  http?: HttpCall[];
  warnings?: { code: string; message: string }[];
  egress?: EgressCall[];
  /** `estimated`: the server did not count. */
  usage?: Usage;
}

/** Of a language model: `usd` where its price is known. */
export interface Usage {
  model: string;
  tokensIn: number;
  tokensOut: number;
  usd?: number;
  estimated?: true;
}

export type AttemptEnding =
  | { status: "succeeded"; value: Value; facts: Facts }
  /** `signsInAgain`: its token was refused, and another attempt with a new one does nothing twice (3.6). */
  | { status: "failed" | "timed-out"; failure: Failure; value: Value; facts: Facts; signsInAgain?: true }
  | { status: "cancelled"; facts: Facts }
  /** How its command ended is not known: what kept it has died. */
  | { status: "lost" }
  /** Of an attempt of before: it is known that it was never begun. */
  | { status: "not-started" };

export interface Attempt {
  done: Promise<AttemptEnding>;
  /** Of a subflow: it may come to a rest in which only people can help it on. */
  pausing?: Pausing;
  /** Ends it in an orderly way: asked, then killed after the node's grace. */
  cancel(): void;
  /** Ends it at once. */
  kill(): void;
  /** Its run stops in the middle: it goes on, for whoever goes on with the run. Absent: it cannot, and is ended. */
  leave?(): void;
  /** Its end has been recorded. */
  recorded?(): void;
  /** Of an attempt of before: whether there is something to go on with; settles before `done`. `keeps`: files its living command needs. */
  found?: Promise<{ adopted: boolean; keeps: readonly string[] }>;
}

/** A subflow at rest: what waits (`sub/gate`), the last event of each run inside, and when a time inside is over. */
export interface Rest {
  waiting: string[];
  seen: Record<string, number>;
  wakeAtMs?: number;
}

export interface Pausing {
  /** Called each time it comes to rest; from then on nothing happens in it until `resume` or `cancel`. */
  onRest(listener: (rest: Rest) => void): void;
  /** Whether somebody has answered since: `seen` is what was there when it came to rest. */
  hasNews(seen: Readonly<Record<string, number>>): boolean;
  resume(): void;
}

/** Why a person must look before this runs, found in what will run (4.2): `deletes`, `escalates`, … */
export interface Ask {
  code: string;
  /** One sentence for the person who decides. */
  message: string;
  /** A value would be the program: approval in advance does not count for it. */
  mustBeSeen?: true;
}

/** What an approval is about: what a person is shown, and keyed digests of everything that decides what would run, by what they are of. */
export interface Binding {
  detail: ApprovalDetail;
  bound: Record<string, string>;
}

export interface Prepared {
  shown: Shown;
  /** Nobody has to look when it is absent or empty. */
  asks?: readonly Ask[];
  /** The program itself is a value: only a person who has seen exactly this may let it start. */
  wholeProgram?: true;
  /** `key` is that of this home. Absent: nothing of it can be approved. */
  binding?(key: Buffer): Promise<Binding>;
  /** It will not be started: what was written for it and may hold a secret is removed. */
  discard?(): void;
  /** `stem` names the files of this attempt in the run's folder: `STEM.out`, `STEM.err`. */
  start(stem: string, onGrowth?: GrowthListener): Attempt;
}

/**
 * So many bytes of the stream stand in its file now, masked. Told some times a second while it grows, not for every write; the last
 * growth may be told only by the end. The file is the truth: read what you need from there.
 */
export type GrowthListener = (stream: "stdout" | "stderr", bytes: number) => void;

/** An attempt of a program that has died: `by` was to keep its command. */
export interface Before {
  stem: string;
  by: string | undefined;
}

export type FoundAttempt = Attempt & Required<Pick<Attempt, "found">>;

export interface Executor<N> {
  prepare(node: N, context: NodeContext): Now<Result<Prepared, Failure>>;
  /** X3. Absent: nothing of such an attempt can be found again. */
  find?(node: N, context: NodeContext, before: Before, onGrowth?: GrowthListener): FoundAttempt;
}
