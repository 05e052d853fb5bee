// engine (local): all runs of one process on one SQLite store (spec 3.1, 5.6 "local default").
//   L1. A run is written by the engine that claimed it; the claim is part of the same transaction as its first event.
//   L2. `close` ends what still runs before it lets go of the store: nothing is left behind.

import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../../base/ids.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { kindsOf } from "../../nodes/index.ts";
import { chooseInterpreter } from "../../nodes/program.ts";
import type { ChildRuns } from "../../nodes/subflow.ts";
import { createTools, type Tools } from "../../nodes/tools.ts";
import type { RunFiles } from "../../nodes/values.ts";
import type { EventBody, RunEvent, Trigger } from "../../scheduler/event.ts";
import { evolve } from "../../scheduler/evolve.ts";
import { initialState, type RunState } from "../../scheduler/state.ts";
import { openStore, type Store, type StoreError } from "../../store/index.ts";
import { analyze } from "../../workflow/graph.ts";
import type { Workflow } from "../../workflow/model.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { type Clock, systemClock } from "../clock.ts";
import { lostAttempts } from "../lost.ts";
import { outcomeOf } from "../outcome.ts";
import { isFinished, RunDriver, type RunWork } from "../run-driver.ts";
import { answersFor, type RunGround } from "../run-work.ts";
import { childRuns } from "./children.ts";
import { runFiles } from "./files.ts";
import { isAlive, thisProcess } from "./owner.ts";
import { noSecrets, type RunSecrets, secretsOfRun } from "./secrets.ts";

export interface EngineOptions {
  home: string;
  /** Process environment that commands and templates may see; the allowlist of 4.1 still applies. */
  env: NodeJS.ProcessEnv;
  clock?: Clock;
  /** After its commit, in order. */
  onEvent?(event: RunEvent): void;
  /** What a person should know and what stops nothing. */
  onWarning?(warning: Failure): void;
  onOutput?(output: {
    run: string;
    path: string;
    number: number;
    stream: "stdout" | "stderr";
    bytes: Uint8Array;
  }): void;
  /** Nodes of one run at a time when its document says nothing; default 2 × cores, at least 4 (1.1). */
  concurrencyDefault?: number;
}

export interface RunRequest {
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
  /** Node ids, or `*`. */
  approvedInAdvance?: string[];
}

export interface ResumeOptions {
  envFile?: Record<string, string>;
  secrets?: Record<string, string>;
  /** The run is taken up to be ended: its secrets are not looked for. */
  withoutSecrets?: boolean;
}

export interface RunOutcome {
  id: string;
  status: "succeeded" | "failed" | "cancelled" | "timed-out" | "waiting";
  /** Writes the run's result, byte-exact, without a line break after it. Only of a succeeded run. */
  result?: { write(sink: NodeJS.WritableStream): Promise<void> };
  /** The first failure that nobody tolerated, with the command that failed as its author wrote it. */
  failure?: { node: string; path: string; failure: Failure; command?: string };
  /** What waits for a person. */
  waiting?: { node: string; path: string }[];
}

export interface RunHandle {
  id: string;
  /** Ends it in an orderly way: commands are asked to stop, finally nodes run. */
  cancel(by?: string): void;
  /** Ends every command at once. */
  kill(): void;
  /** Rejects only for a fault of ours or of the store (StoreFault). */
  done: Promise<RunOutcome>;
}

export interface Engine {
  store: Store;
  /** Failures: `shell-not-found`, those of secrets (secret-*, config-*) and what the store refuses. Nothing has run then, or is on record. */
  start(request: RunRequest): Promise<Result<RunHandle, Failure>>;
  /** Goes on with a run that no living process works on. `run` is a full id. */
  resume(run: string, options?: ResumeOptions): Promise<Result<RunHandle, Failure>>;
  close(): Promise<void>;
}

/** Thrown when the store refuses to keep what must be kept: the run stops where its journal ends. */
export class StoreFault extends Error {
  override name = "StoreFault";
  readonly code: string;
  constructor(error: StoreError) {
    super(error.message);
    this.code = error.code;
  }
}

/** Failures: the store's (docs/store.md). */
export function openEngine(options: EngineOptions): Result<Engine, Failure> {
  const opened = openStore(options.home);
  if (!opened.ok) return err({ code: opened.error.code, message: opened.error.message });
  return ok(new LocalEngine(options, opened.value));
}

class LocalEngine implements Engine {
  readonly store: Store;
  private readonly options: EngineOptions;
  private readonly clock: Clock;
  private readonly owner = thisProcess();
  private readonly tools: Tools = createTools();
  private readonly drivers = new Map<string, RunDriver>();
  /** Of runs that wait for a person: whoever resumes them here is not asked again. */
  private readonly secrets = new Map<string, RunSecrets>();

  constructor(options: EngineOptions, store: Store) {
    this.options = options;
    this.store = store;
    this.clock = options.clock ?? systemClock;
  }

  async start(request: RunRequest): Promise<Result<RunHandle, Failure>> {
    const shell = missingShell(request.workflow, this.environment(request.envFile).PATH);
    if (shell !== undefined) return err(shell);
    const secrets = await this.secretsFor(request);
    if (!secrets.ok) return secrets;
    return this.begin(request, newRunId(this.clock.nowMs(), randomBytes(RUN_ID_RANDOM_BYTES)), secrets.value);
  }

  async resume(run: string, options: ResumeOptions = {}): Promise<Result<RunHandle, Failure>> {
    const claimed = this.store.journal.claim(run, this.owner, isAlive);
    if (!claimed.ok) return err(asFailure(claimed.error));
    const resumed = await this.resumeClaimed(run, options);
    if (!resumed.ok) this.store.journal.release(run);
    return resumed;
  }

  private async resumeClaimed(run: string, options: ResumeOptions): Promise<Result<RunHandle, Failure>> {
    const events = this.store.journal.read(run);
    if (!events.ok) return err(asFailure(events.error));
    const [started] = events.value;
    if (started?.type !== "run.started")
      return err({ code: "run-empty", message: `Run ${run} has no beginning on record.` });
    const parsed = parseWorkflow(started.workflow.text, started.workflow.file);
    if (parsed.workflow === undefined)
      return err({ code: "run-unreadable", message: `The workflow of run ${run} cannot be read by this version.` });
    const { graph } = analyze(parsed.workflow);
    let state = initialState(graph, { concurrencyDefault: this.concurrency() });
    for (const event of events.value) state = evolve(state, event);
    if (isFinished(state)) return err({ code: "run-ended", message: `Run ${run} has ended already: ${state.status}.` });
    const { file } = started.workflow;
    const document = { file, workflow: parsed.workflow, subflows: started.subflows ?? {} };
    const known = this.secrets.get(run);
    const secrets = known === undefined ? await this.secretsFor({ ...document, ...options }) : ok(known);
    if (!secrets.ok) return secrets;
    const driver = this.driver(run, state, events.value.length, started, secrets.value);
    const handle = this.handle(driver, secrets.value);
    driver.tell(...lostAttempts(state, this.clock.nowMs()));
    return ok(handle);
  }

  private async secretsFor(
    run: Pick<RunRequest, "file" | "workflow" | "subflows" | "envFile" | "secrets"> & ResumeOptions,
  ): Promise<Result<RunSecrets, Failure>> {
    const ground = {
      ...run,
      home: this.options.home,
      env: this.options.env,
      asked: run.secrets,
      warn: (warning: Failure) => this.options.onWarning?.(warning),
    };
    return run.withoutSecrets === true ? ok(noSecrets(ground)) : secretsOfRun(ground);
  }

  async close(): Promise<void> {
    for (const driver of this.drivers.values()) driver.kill();
    await this.tools.close();
    this.store.close();
  }

  private begin(
    request: RunRequest,
    id: string,
    secrets: RunSecrets,
    parent?: { run: string; path: string },
  ): Result<RunHandle, Failure> {
    const { graph } = analyze(request.workflow);
    const startedAt = new Date(this.clock.nowMs()).toISOString();
    const created = this.store.journal.createRun(
      {
        id,
        name: request.workflow.name,
        file: request.file,
        trigger: request.trigger,
        startedAt,
        status: "running",
        ...(parent === undefined ? {} : { parent }),
      },
      { owner: this.owner },
    );
    if (!created.ok) return err(asFailure(created.error));
    const started: Extract<EventBody, { type: "run.started" }> = {
      type: "run.started",
      workflow: { name: request.workflow.name, file: request.file, text: request.text },
      ...(Object.keys(request.subflows).length === 0 ? {} : { subflows: request.subflows }),
      inputs: request.inputs,
      trigger: request.trigger,
      ...(parent === undefined ? {} : { parent }),
      ...(request.approvedInAdvance === undefined ? {} : { approvedInAdvance: request.approvedInAdvance }),
      ...advancedOf(request.workflow),
    };
    const state = initialState(graph, { concurrencyDefault: this.concurrency() });
    const driver = this.driver(id, state, 0, { ...started, at: startedAt }, secrets);
    const handle = this.handle(driver, secrets);
    driver.tell(started);
    return ok(handle);
  }

  private driver(id: string, state: RunState, seq: number, started: Started, secrets: RunSecrets): RunDriver {
    const folder = this.store.outputs.folder(id);
    if (!folder.ok) throw new StoreFault(folder.error);
    const { masker } = secrets;
    const files = runFiles(folder.value, () => driver.nextSeq, masker.mask);
    const ground: RunGround = {
      run: { id, name: started.workflow.name, startedAt: started.at },
      inputs: started.inputs,
      secrets: secrets.values,
      environment: secrets.environment,
      folder: dirname(started.workflow.file),
      files,
      masker,
      kinds: kindsOf(this.tools, this.children(started, secrets, files)),
      nowMs: () => this.clock.nowMs(),
    };
    const driver: RunDriver = new RunDriver({
      id,
      state,
      seq,
      clock: this.clock,
      work: { ...answersFor(ground), ...this.recording(id) },
    });
    this.drivers.set(id, driver);
    return driver;
  }

  private recording(id: string): Pick<RunWork, "commit" | "onEvent" | "onOutput"> {
    return {
      commit: (events, state) => {
        const last = events.at(-1);
        const change = {
          status: state.status,
          waiting: state.waitingApproval.size + state.waitingRetry.size,
          ...(isFinished(state) && last !== undefined ? { endedAt: last.at } : {}),
        };
        const appended = this.store.journal.append(id, events, change);
        if (!appended.ok) throw new StoreFault(appended.error);
      },
      onEvent: (event) => this.options.onEvent?.(event),
      onOutput: (path, number, stream, bytes) => this.options.onOutput?.({ run: id, path, number, stream, bytes }),
    };
  }

  private handle(driver: RunDriver, secrets: RunSecrets): RunHandle {
    const folder = this.store.outputs.folder(driver.id);
    const done = driver.done.then((state) => {
      this.drivers.delete(driver.id);
      this.store.journal.release(driver.id);
      if (isFinished(state)) this.secrets.delete(driver.id);
      else this.secrets.set(driver.id, secrets);
      return outcomeOf(
        driver.id,
        state,
        runFiles(folder.ok ? folder.value : "", () => driver.nextSeq),
      );
    });
    return {
      id: driver.id,
      cancel: (by) => driver.tell({ type: "run.cancel-requested", ...(by === undefined ? {} : { by }) }),
      kill: () => driver.kill(),
      done,
    };
  }

  /** Subflows: child runs of this engine, each with a journal of its own. */
  private children(started: Started, secrets: RunSecrets, files: RunFiles): ChildRuns {
    return childRuns({
      documents: started.subflows ?? {},
      freshId: () => newRunId(this.clock.nowMs(), randomBytes(RUN_ID_RANDOM_BYTES)),
      files,
      begin: (request, id, parent) =>
        this.begin({ ...request, subflows: started.subflows ?? {}, trigger: { kind: "subflow" } }, id, secrets, parent),
    });
  }

  private environment(envFile: Record<string, string> | undefined): NodeJS.ProcessEnv {
    return envFile === undefined ? this.options.env : { ...this.options.env, ...envFile };
  }

  /** 2 × cores, at least 4 (1.1). */
  private concurrency(): number {
    return this.options.concurrencyDefault ?? Math.max(4, 2 * availableParallelism());
  }
}

type Started = Pick<Extract<RunEvent, { type: "run.started" }>, "workflow" | "subflows" | "inputs" | "at">;

/** A shell that is not installed is said before anything runs (1.2). */
function missingShell(workflow: Workflow, path: string | undefined): Failure | undefined {
  for (const node of workflow.nodes) {
    if (node.type !== "cli") continue;
    const chosen = chooseInterpreter(node, path);
    if (!chosen.ok && chosen.error.code === "shell-not-found")
      return { ...chosen.error, message: `Node "${node.id}": ${chosen.error.message}` };
  }
  return undefined;
}

/** Nodes that nobody is asked about, for the record. */
function advancedOf(workflow: Workflow): { advanced?: string[] } {
  const advanced = workflow.nodes.filter(({ type, data }) => type === "cli" && data.safetyLevel === "advanced");
  return advanced.length === 0 ? {} : { advanced: advanced.map(({ id }) => id) };
}

function asFailure(error: StoreError): Failure {
  return { code: error.code, message: error.message };
}
