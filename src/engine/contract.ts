// contract: the interface of the engine (spec 2.7, 3.1).

import type { Failure } from "../base/failure.ts";
import type { Now } from "../base/now.ts";
import type { Result } from "../base/result.ts";
import type { EventBody, Inert, RunEvent, Trigger } from "../scheduler/event.ts";
import type { Store } from "../store/index.ts";
import type { Workflow } from "../workflow/model.ts";
import type { Clock } from "./clock.ts";
import type { MachineRow } from "./cluster/machines.ts";
import type { StreamedLine } from "./driver/streamed-lines.ts";
import type { RunSecrets } from "./run-secrets.ts";

export interface EngineOptions {
  home: string;
  /** The process environment that commands and templates may see. The allowlist of 4.1 still applies. */
  env: NodeJS.ProcessEnv;
  clock?: Clock;
  /** Called after the event's commit, in order. */
  onEvent?(event: RunEvent): void;
  /** Where a server shows the run. Absent or undefined: nowhere. */
  runUrl?(run: string): string | undefined;
  /** Called for problems that a person should know about but that stop nothing. */
  onWarning?(warning: Failure): void;
  /**
   * New output of a command, masked, for display. If it grows too fast, only the newest part. Files hold the complete
   * output.
   */
  onOutput?(output: {
    run: string;
    path: string;
    number: number;
    stream: "stdout" | "stderr";
    bytes: Uint8Array;
  }): void;
  /** Each line that a node with `streamOutput: true` prints, masked, before the end of its attempt. */
  onLine?(line: StreamedLine): void;
  /** The store has refused an event, because another machine has the run. */
  onNotOwner?(run: string): void;
  /** Where several machines may ask for and take the same approval: their common key. */
  approvalKey?(): Result<Buffer, Failure>;
  /** Concurrent nodes per run if the workflow does not say. Default: 2 × cores, at least 4 (1.1). */
  concurrencyDefault?: number;
  /**
   * If this process ends, running commands continue under their runner and are found when their runs are resumed (3.4).
   * For servers.
   */
  outlived?: boolean;
}

export interface RunRequest {
  /** Id chosen by the caller, so that asking twice starts one run (failure `run-exists`). Absent: a new id. */
  id?: string;
  /** Absolute path of the workflow file. */
  file: string;
  text: string;
  workflow: Workflow;
  /** Texts of the subflow files that can be reached, by absolute path. */
  subflows: Record<string, string>;
  /** Checked, with defaults filled in. */
  inputs: Record<string, unknown>;
  trigger: Trigger;
  /** From `--env-file`. Overrides the environment of the process. */
  envFile?: Record<string, string>;
  /** Secrets that a person typed in, by name. They take precedence over all other sources. */
  secrets?: Record<string, string>;
  /** The run's secrets, if already looked up. */
  found?: RunSecrets;
  /** Node ids, or `*`. */
  approvedInAdvance?: string[];
  /**
   * Marks the run as untrusted: no command starts before a user of this data directory has seen it. Absent: untrusted
   * if the workflow file is marked as imported.
   */
  inert?: Inert;
  /** Reuse the results of another run. Its inputs must be the same. */
  again?: RerunRequest;
  /** Run one node, or everything up to one. Not together with `again`. */
  only?: PartialRunRequest;
}

export interface PartialRunRequest {
  /** Exactly one of the two: `node` runs this node alone, `to` runs everything up to it. */
  node?: string;
  to?: string;
  /** Full id of a run that has ended. Its values are used for nodes that do not run. */
  run?: string;
  /** Values by node. They take precedence over those of the run. */
  pinned?: Readonly<Record<string, string>>;
}

export interface RerunRequest {
  /** Full id of a run that has ended. */
  run: string;
  /**
   * Everything from this node on runs again: `fetch`, `fetch[2]`, `pages[2]`, `sub/gate`. Absent: everything that had
   * not succeeded.
   */
  from?: string;
  /** Nodes that run again while the succeeded nodes after them are kept. */
  rerun?: readonly string[];
  /** The workflow file differs from the one that the run recorded. */
  current?: true;
}

export interface ResumeOptions {
  envFile?: Record<string, string>;
  secrets?: Record<string, string>;
  /** Secrets that are already looked up, so that no source is asked again. */
  found?: RunSecrets;
  /** The run is resumed only to be ended, so its secrets are not looked up. */
  withoutSecrets?: boolean;
  /** Recorded first. */
  news?: readonly EventBody[];
}

export interface RunOutcome {
  id: string;
  status: "succeeded" | "failed" | "cancelled" | "timed-out" | "waiting";
  /** Writes the run's result, byte-exact, without a newline after it. Only for a succeeded run. */
  result?: {
    /** Whether the result is or contains a secret. Unless the run is a subflow's, the written text is masked. */
    secret?: "whole" | "part";
    /** The last nodes, if all of them were skipped: there is no result. */
    skipped?: string[];
    write(sink: NodeJS.WritableStream): Promise<void>;
  };
  /** The first failure that was not tolerated, with the failed command as written in the workflow file, masked. */
  failure?: { node: string; path: string; failure: Failure; command?: string; answer?: Failure["answer"] };
  /** Nodes that wait for an approval. Nodes inside a subflow are named `sub/gate`. */
  waiting?: { node: string; path: string }[];
  /** For a waiting run: the last event number of it and of its subflow runs, and the time of its next deadline. */
  seen?: Record<string, number>;
  wakeAtMs?: number;
}

export interface RunHandle {
  id: string;
  /** Ends the run in an orderly way: commands are asked to stop, `finally` nodes run. */
  cancel(by?: string): void;
  /** Kills every command at once. */
  kill(): void;
  /** Stops driving the run and leaves its commands running. `done` rejects. */
  leave(): void;
  /**
   * Rejects only for an internal fault, a StoreFault, or after `leave`. Running commands then continue until the run is
   * resumed.
   */
  done: Promise<RunOutcome>;
}

/** A run that this engine is driving. */
export interface AtWork {
  /** Records the event. Answers whether it is durable. */
  tell(body: EventBody): Now<boolean>;
  /** Something was recorded in the run of a suspended subflow. */
  wake(): void;
}

export interface Engine {
  store: Store;
  /** The machines that share the runs. Absent where runs are kept on one machine. */
  machines?: Machines;
  /**
   * Failures: `shell-not-found`, `sandbox-unavailable`, `secret-*`, `config-*`, and the store's. Nothing is run or
   * recorded then.
   */
  start(request: RunRequest): Promise<Result<RunHandle, Failure>>;
  /** Resumes a run that no living process is driving. `run` is a full id. */
  resume(run: string, options?: ResumeOptions): Promise<Result<RunHandle, Failure>>;
  /** The run, if this engine is driving it. An event recorded through it is acted on at once. */
  working(run: string): AtWork | undefined;
  /**
   * The text with the run's secrets masked. Undefined for runs that this engine neither drives nor has left waiting.
   */
  mask(run: string, text: string): string | undefined;
  /** Ends every running command, then closes the store. */
  close(): Promise<void>;
  /**
   * Stops driving all runs. Running commands continue under their runner and are found when their runs are resumed
   * (3.4).
   */
  leave(): Promise<void>;
}

/** The machines of a cluster. Failures: those of the store. */
export interface Machines {
  list(): Promise<Result<MachineRow[], Failure>>;
  /** False: there is no such machine. */
  setDraining(name: string, drains: boolean): Promise<Result<boolean, Failure>>;
  /** Its runs no longer wait for it. False: there is no such machine, or its lease is valid. */
  forget(name: string): Promise<Result<boolean, Failure>>;
}
