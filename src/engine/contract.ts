// contract: what an engine is asked for, what it gives back (spec 2.7, 3.1).
// Deliberately absent: where runs are kept; local/engine.ts keeps them on this machine.

import type { Failure } from "../base/failure.ts";
import type { Result } from "../base/result.ts";
import type { EventBody, Inert, RunEvent, Trigger } from "../scheduler/event.ts";
import type { Store } from "../store/index.ts";
import type { Workflow } from "../workflow/model.ts";
import type { Clock } from "./clock.ts";
import type { RunSecrets } from "./local/secrets.ts";

export interface EngineOptions {
  home: string;
  /** Process environment that commands and templates may see; the allowlist of 4.1 still applies. */
  env: NodeJS.ProcessEnv;
  clock?: Clock;
  /** After its commit, in order. */
  onEvent?(event: RunEvent): void;
  /** What a person should know and what stops nothing. */
  onWarning?(warning: Failure): void;
  /** Newest output of a command, masked, for a screen: of what grew faster than it is shown, the end alone. The whole stands in files. */
  onOutput?(output: {
    run: string;
    path: string;
    number: number;
    stream: "stdout" | "stderr";
    bytes: Uint8Array;
  }): void;
  /** Nodes of one run at a time when its document says nothing; default 2 × cores, at least 4 (1.1). */
  concurrencyDefault?: number;
  /** However this process ends, running commands go on under their runner, for whoever resumes their runs (3.4): a server's. */
  outlived?: boolean;
}

export interface RunRequest {
  /** Its id, chosen before: whoever asks twice starts one run (failure `run-exists`). Absent: a new one. */
  id?: string;
  /** Absolute path of the workflow file. */
  file: string;
  text: string;
  workflow: Workflow;
  /** Texts of the subflow documents that can be reached, by absolute path. */
  subflows: Record<string, string>;
  /** Checked and with defaults. */
  inputs: Record<string, unknown>;
  trigger: Trigger;
  /** `--env-file`, laid over the environment of the process. */
  envFile?: Record<string, string>;
  /** Secrets that a person was asked for, by name: they come before all other sources. */
  secrets?: Record<string, string>;
  /** The secrets of the run, when they were found before. */
  found?: RunSecrets;
  /** Node ids, or `*`. */
  approvedInAdvance?: string[];
  /** No command starts before a person of this home has seen it; absent: when the document says that it was imported. */
  inert?: Inert;
  /** What another run has done already is kept. Its inputs must be the same. */
  again?: AgainRequest;
  /** One node alone, or everything up to one. Not together with `again`. */
  only?: OnlyRequest;
}

export interface OnlyRequest {
  /** One of both: this node alone; or everything up to it. */
  node?: string;
  to?: string;
  /** A full id, of a run that has ended: its values stand for what does not run. */
  run?: string;
  /** Values by node: they come before those of the run. */
  pinned?: Readonly<Record<string, string>>;
}

export interface AgainRequest {
  /** A full id, of a run that has ended. */
  run: string;
  /** Everything from here on runs again: `fetch`, `fetch[2]`, `pages[2]`, `sub/gate`. Else what had not succeeded. */
  from?: string;
  /** Nodes that run again while what succeeded behind them is kept. */
  anew?: readonly string[];
  /** The document is not the one that the run recorded. */
  current?: true;
}

export interface ResumeOptions {
  envFile?: Record<string, string>;
  secrets?: Record<string, string>;
  /** Found before: no source is asked again. */
  found?: RunSecrets;
  /** The run is taken up to be ended: its secrets are not looked for. */
  withoutSecrets?: boolean;
}

export interface RunOutcome {
  id: string;
  status: "succeeded" | "failed" | "cancelled" | "timed-out" | "waiting";
  /** Writes the run's result, byte-exact, without a line break after it. Only of a succeeded run. */
  result?: {
    /** It is a secret, or one stands in it. Of a run that is no subflow's, what is written is masked. */
    secret?: "whole" | "part";
    write(sink: NodeJS.WritableStream): Promise<void>;
  };
  /** The first failure that nobody tolerated, with the command that failed as its author wrote it, masked. */
  failure?: { node: string; path: string; failure: Failure; command?: string };
  /** What waits for a person; inside a subflow as `sub/gate`. */
  waiting?: { node: string; path: string }[];
  /** Of a waiting run: the last event of it and of the runs inside, and when a time in it is over. */
  seen?: Record<string, number>;
  wakeAtMs?: number;
}

export interface RunHandle {
  id: string;
  /** Ends it in an orderly way: commands are asked to stop, finally nodes run. */
  cancel(by?: string): void;
  /** Ends every command at once. */
  kill(): void;
  /** Lets go of it as it stands: its commands go on. `done` rejects. */
  leave(): void;
  /** Rejects only for a fault of ours or of the store (StoreFault), or when it was left. What ran goes on then, for whoever resumes the run. */
  done: Promise<RunOutcome>;
}

/** A run that this engine drives at the moment. */
export interface AtWork {
  /** Durable when it returns. */
  tell(body: EventBody): void;
  /** Something was recorded in a run inside of it that rests. */
  stir(): void;
}

export interface Engine {
  store: Store;
  /** Failures: `shell-not-found`, `sandbox-unavailable`, those of secrets (secret-*, config-*) and what the store refuses. Nothing has run then, or is on record. */
  start(request: RunRequest): Promise<Result<RunHandle, Failure>>;
  /** Goes on with a run that no living process works on. `run` is a full id. */
  resume(run: string, options?: ResumeOptions): Promise<Result<RunHandle, Failure>>;
  /** What this engine is at work on: recorded there, a body is folded and acted on at once. */
  working(run: string): AtWork | undefined;
  /** The text without the secrets of a run that this engine works on, or has worked on and that waits; of others it knows none. */
  mask(run: string, text: string): string | undefined;
  /** Ends every command that runs, then lets go of the store. */
  close(): Promise<void>;
  /** Lets go of everything as it stands: running commands go on under their runner, and whoever resumes their runs finds them (3.4). */
  leave(): Promise<void>;
}
