// engine (local): all runs of one process on one SQLite store (spec 3.1, 5.6 "local default").
//   L1. A run is written by the engine that claimed it; the claim is part of the same transaction as its first event.
//   L2. `close` ends what still runs before it lets go of the store: nothing is left behind.

import { createHash, randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import type { Failure } from "../../base/failure.ts";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../../base/ids.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { removeLeftAuth, unsupportedAuth } from "../../nodes/curl.ts";
import { keyFor, kindsOf } from "../../nodes/index.ts";
import { chooseInterpreter } from "../../nodes/program.ts";
import { missingSandbox } from "../../nodes/sandbox.ts";
import { createTools, type Tools } from "../../nodes/tools.ts";
import type { RunFiles } from "../../nodes/values.ts";
import type { EventBody, RunEvent, Trigger } from "../../scheduler/event.ts";
import { evolve } from "../../scheduler/evolve.ts";
import { initialState, type RunState, waitingCount } from "../../scheduler/state.ts";
import { openStore, type Store, type StoreError } from "../../store/index.ts";
import { analyze, type Graph } from "../../workflow/graph.ts";
import type { Workflow } from "../../workflow/model.ts";
import { parseWorkflow } from "../../workflow/parse.ts";
import { type Clock, systemClock } from "../clock.ts";
import { lostAttempts } from "../lost.ts";
import { outcomeOf } from "../outcome.ts";
import type { RunGround } from "../run-context.ts";
import { isFinished, RunDriver, type RunWork } from "../run-driver.ts";
import { answersFor } from "../run-work.ts";
import { childRuns } from "./children.ts";
import { removeSecretFiles, runFiles } from "./files.ts";
import {
  exactDocument,
  exactInputs,
  type Keeping,
  keepingOf,
  learnInputs,
  recordedDocument,
  recordedInputs,
} from "./keeping.ts";
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
  /** The first failure that nobody tolerated, with the command that failed as its author wrote it. */
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
  /** Rejects only for a fault of ours or of the store (StoreFault). */
  done: Promise<RunOutcome>;
}

export interface Engine {
  store: Store;
  /** Failures: `shell-not-found`, `sandbox-unavailable`, those of secrets (secret-*, config-*) and what the store refuses. Nothing has run then, or is on record. */
  start(request: RunRequest): Promise<Result<RunHandle, Failure>>;
  /** Goes on with a run that no living process works on. `run` is a full id. */
  resume(run: string, options?: ResumeOptions): Promise<Result<RunHandle, Failure>>;
  /** The text without the secrets of a run that this engine has worked on and that waits. */
  mask(run: string, text: string): string;
  close(): Promise<void>;
}

/** Thrown when the store refuses to keep what must be kept: the run stops where its journal ends. */
export class StoreFault extends Error {
  override name = "StoreFault";
  readonly code: string;
  constructor(error: Pick<Failure, "code" | "message">) {
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
  private readonly tools: Tools;
  private readonly drivers = new Map<string, RunDriver>();
  /** Of runs that wait for a person: whoever resumes them here is not asked again. */
  private readonly secrets = new Map<string, RunSecrets>();

  constructor(options: EngineOptions, store: Store) {
    this.options = options;
    this.store = store;
    this.tools = createTools(resolve(options.home));
    this.clock = options.clock ?? systemClock;
  }

  async start(request: RunRequest): Promise<Result<RunHandle, Failure>> {
    const path = this.environment(request.envFile).PATH;
    const missing =
      missingShell(request.workflow, path) ??
      missingSandbox(request.workflow, path) ??
      unsupportedAuth(request.workflow);
    if (missing !== undefined) return err(missing);
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
    const kept = this.recorded(run);
    if (!kept.ok) return kept;
    const { state, started } = kept.value;
    if (isFinished(state)) return err({ code: "run-ended", message: `Run ${run} has ended already: ${state.status}.` });
    const document = {
      file: started.workflow.file,
      workflow: state.graph.workflow,
      subflows: started.subflows ?? {},
    };
    const known = options.found ?? this.secrets.get(run);
    const secrets = known === undefined ? await this.secretsFor({ ...document, ...options }) : ok(known);
    return secrets.ok ? this.goOn(kept.value, secrets.value) : secrets;
  }

  /** A subflow's run of before: gone on with, or its end. Nothing is asked for: it has what its parent has. */
  private reopen(run: string, secrets: RunSecrets, news: readonly EventBody[]): Result<RunHandle, Failure> {
    const claimed = this.store.journal.claim(run, this.owner, isAlive);
    if (!claimed.ok) return err(asFailure(claimed.error));
    const kept = this.recorded(run);
    if (!kept.ok) {
      this.store.journal.release(run);
      return kept;
    }
    if (!isFinished(kept.value.state)) {
      const handle = this.goOn(kept.value, secrets, news);
      if (!handle.ok) this.store.journal.release(run);
      return handle;
    }
    this.store.journal.release(run);
    const { files } = this.keeping(run, kept.value.state.graph, secrets, kept.value.started);
    return ok({ id: run, cancel: () => {}, kill: () => {}, done: Promise.resolve(outcomeOf(kept.value, files)) });
  }

  /** What was running is adopted when it is a subflow, whose run says how it stands; else it is lost. */
  private goOn(
    { run, state, seq, started }: Recorded,
    secrets: RunSecrets,
    news: readonly EventBody[] = [],
  ): Result<RunHandle, Failure> {
    const folder = this.store.outputs.folder(run);
    if (folder.ok) removeLeftAuth(folder.value);
    const keeping = this.keeping(run, state.graph, secrets, started);
    removeSecretFiles(keeping.folder, false);
    const exact = exactInputs(run, started, keeping);
    if (!exact.ok) return exact;
    const { driver, children } = this.driver(run, state, seq, { ...started, inputs: exact.value }, secrets, keeping);
    const handle = this.handle(driver, secrets, started, keeping);
    const known = (id: string) => this.store.journal.lastSeq(id).ok;
    for (const node of [...state.running.values(), ...state.paused.values()]) {
      if (node.childRun === undefined || !known(node.childRun)) continue;
      const { id, node: drawn } = state.graph.nodes[node.node]!;
      const file = drawn.type === "subflow" ? drawn.data.workflow : id;
      const attempt = children.attach(node.childRun, file, this.clock.nowMs() - (node.firstStartedMs ?? 0));
      driver.adopt({ do: "start-attempt", node: id, path: node.path, number: node.attempts }, attempt);
    }
    driver.tell(...lostAttempts(state, this.clock.nowMs(), known), ...news);
    return ok(handle);
  }

  private recorded(run: string): Result<Recorded, Failure> {
    const events = this.store.journal.read(run);
    if (!events.ok) return err(asFailure(events.error));
    const [first] = events.value;
    if (first?.type !== "run.started")
      return err({ code: "run-empty", message: `Run ${run} has no beginning on record.` });
    const folder = this.store.outputs.folder(run);
    const started = folder.ok ? exactDocument(first, run, folder.value, this.options.home) : first;
    const parsed = parseWorkflow(started.workflow.text, started.workflow.file);
    if (parsed.workflow === undefined)
      return err({ code: "run-unreadable", message: `The workflow of run ${run} cannot be read by this version.` });
    const { graph } = analyze(parsed.workflow);
    let state = initialState(graph, { concurrencyDefault: this.concurrency() });
    for (const event of events.value) state = evolve(state, event);
    return ok({ run, state, seq: events.value.length, started });
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

  mask(run: string, text: string): string {
    return this.secrets.get(run)?.masker.mask(text) ?? text;
  }

  async close(): Promise<void> {
    for (const driver of this.drivers.values()) driver.kill();
    await this.tools.close();
    this.store.close();
  }

  private begin(
    request: RunRequest & { resultIsSecret?: boolean },
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
    const keeping = this.keeping(id, graph, secrets, request);
    learnInputs(request.inputs, keeping);
    const started: Extract<EventBody, { type: "run.started" }> = {
      type: "run.started",
      workflow: { name: request.workflow.name, file: request.file, text: request.text },
      ...(Object.keys(request.subflows).length === 0 ? {} : { subflows: request.subflows }),
      ...recordedInputs(request.inputs, keeping),
      ...recordedDocument(request, keeping),
      ...(request.resultIsSecret === true ? { resultIsSecret: true } : {}),
      trigger: request.trigger,
      ...(parent === undefined ? {} : { parent }),
      ...(request.approvedInAdvance === undefined ? {} : { approvedInAdvance: request.approvedInAdvance }),
      ...advancedOf(request.workflow),
    };
    const state = initialState(graph, { concurrencyDefault: this.concurrency() });
    const { driver } = this.driver(id, state, 0, { ...started, at: startedAt }, secrets, keeping);
    const handle = this.handle(driver, secrets, started, keeping);
    driver.tell(started);
    return ok(handle);
  }

  private keeping(
    id: string,
    graph: Graph,
    { masker, absent }: RunSecrets,
    { resultIsSecret = false }: { resultIsSecret?: boolean },
  ): Keeping {
    const folder = this.store.outputs.folder(id);
    if (!folder.ok) throw new StoreFault(folder.error);
    return keepingOf({
      id,
      folder: folder.value,
      home: this.options.home,
      graph,
      masker,
      lenient: absent === true,
      resultIsSecret,
      nextSeq: () => this.drivers.get(id)?.nextSeq ?? 1,
      fault: (failure) => new StoreFault(failure),
    });
  }

  private driver(
    id: string,
    state: RunState,
    seq: number,
    started: Started,
    secrets: RunSecrets,
    { files, sources }: Keeping,
  ) {
    const children = this.children(started, secrets, files);
    const ground: RunGround = {
      run: { id, name: started.workflow.name, startedAt: started.at },
      inputs: started.inputs,
      secrets: secrets.values,
      environment: secrets.environment,
      folder: dirname(started.workflow.file),
      files,
      masker: secrets.masker,
      sources,
      kinds: kindsOf(this.tools, children),
      nowMs: () => this.clock.nowMs(),
      revision: createHash("sha256").update(started.workflow.text).digest("hex"),
      approvalKey: () => keyFor("approvals", this.options.home),
    };
    const driver: RunDriver = new RunDriver({
      id,
      state,
      seq,
      clock: this.clock,
      work: { ...answersFor(ground), ...this.recording(id) },
    });
    this.drivers.set(id, driver);
    return { driver, children };
  }

  private recording(id: string): Pick<RunWork, "commit" | "onEvent" | "onOutput"> {
    return {
      commit: (events, state) => {
        const last = events.at(-1);
        const change = {
          status: state.status,
          waiting: waitingCount(state),
          ...(isFinished(state) && last !== undefined ? { endedAt: last.at } : {}),
        };
        const appended = this.store.journal.append(id, events, change);
        if (!appended.ok) throw new StoreFault(appended.error);
      },
      onEvent: (event) => this.options.onEvent?.(event),
      onOutput: (path, number, stream, bytes) => this.options.onOutput?.({ run: id, path, number, stream, bytes }),
    };
  }

  private handle(
    driver: RunDriver,
    secrets: RunSecrets,
    started: { parent?: unknown; resultIsSecret?: true },
    { folder, files }: Keeping,
  ): RunHandle {
    const isChild = started.parent !== undefined;
    const done = driver.done.then((state) => {
      this.drivers.delete(driver.id);
      this.store.journal.release(driver.id);
      if (isFinished(state)) this.secrets.delete(driver.id);
      else this.secrets.set(driver.id, secrets);
      removeSecretFiles(folder, isFinished(state) && !isChild);
      if (isFinished(state)) this.forgetChildren(driver.id, state.graph);
      const kept = { run: driver.id, state, seq: driver.nextSeq - 1, started };
      return outcomeOf(kept, isChild ? files : runFiles(folder, () => driver.nextSeq));
    });
    return {
      id: driver.id,
      cancel: (by) => driver.tell({ type: "run.cancel-requested", ...(by === undefined ? {} : { by }) }),
      kill: () => driver.kill(),
      done,
    };
  }

  /** What subflows sealed is there until the result that was read from it is on record for good. */
  private forgetChildren(run: string, graph: Graph): void {
    if (!graph.workflow.nodes.some((node) => node.type === "subflow")) return;
    this.store.journal.each(run, 1, (event) => {
      const child = event.type === "attempt.started" ? event.detail.childRun : undefined;
      const folder = child === undefined ? undefined : this.store.outputs.folder(child);
      if (folder?.ok) removeSecretFiles(folder.value, true);
    });
  }

  /** Subflows: child runs of this engine, each with a journal of its own. */
  private children(started: Started, secrets: RunSecrets, files: RunFiles): ReturnType<typeof childRuns> {
    const subflows = started.subflows ?? {};
    return childRuns({
      documents: subflows,
      freshId: () => newRunId(this.clock.nowMs(), randomBytes(RUN_ID_RANDOM_BYTES)),
      files,
      begin: (request, id, parent) => {
        const given = inAdvanceInside(started.approvedInAdvance ?? [], parent.path);
        const inAdvance = given.length === 0 ? {} : { approvedInAdvance: given };
        return this.begin({ ...request, ...inAdvance, subflows, trigger: { kind: "subflow" } }, id, secrets, parent);
      },
      reopen: (id, news) => this.reopen(id, secrets, news),
      lastSeq: (id) => {
        const seq = this.store.journal.lastSeq(id);
        return seq.ok ? seq.value : 0;
      },
      clock: this.clock,
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

type Started = Pick<
  Extract<RunEvent, { type: "run.started" }>,
  "workflow" | "subflows" | "inputs" | "sealed" | "resultIsSecret" | "parent" | "at" | "approvedInAdvance"
>;

/** A run as its journal says it stands. */
interface Recorded {
  run: string;
  state: RunState;
  /** Its last event. */
  seq: number;
  started: Started;
}

/** What was approved in advance for everything, or as `sub/gate`, counts inside the subflow too. */
function inAdvanceInside(given: readonly string[], path: string): string[] {
  const prefix = `${path.replace(/\[.*$/, "")}/`;
  return given.flatMap((name) => {
    if (name === "*") return ["*"];
    return name.startsWith(prefix) ? [name.slice(prefix.length)] : [];
  });
}

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
