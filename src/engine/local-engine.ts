// local-engine: drives all runs of one process on one SQLite store (spec 3.1, 5.6 "local default").
//   L1. Only the engine that claimed a run writes to it. The claim is part of the transaction that writes the first
//       event.
//   L2. `close` ends all running commands before it closes the store, so nothing is left behind.

import { createHash, randomBytes } from "node:crypto";
import { dirname, resolve } from "node:path";
import type { Failure } from "../base/failure.ts";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../base/ids.ts";
import { err, ok, type Result } from "../base/result.ts";
import { missingFor } from "../kinds/index.ts";
import { createTools, type Tools } from "../kinds/tools.ts";
import type { RunFiles } from "../kinds/values.ts";
import type { EventBody, RunEvent } from "../scheduler/event.ts";
import { initialState, isFinished, type RunState } from "../scheduler/state.ts";
import { keyFor } from "../secrets/home-key.ts";
import type { Owner, Store, StoreError } from "../store/index.ts";
import { analyze, type Graph } from "../workflow/graph.ts";
import { keepingAnswers } from "./actions/cached.ts";
import type { RunDeps } from "./actions/run-context.ts";
import { answersFor } from "./actions/run-work.ts";
import { LocalBudgets, mayStillRun } from "./budget-shares.ts";
import { childRuns, inAdvanceInside } from "./child-runs.ts";
import { type Clock, notBefore, systemClock } from "./clock.ts";
import { concurrencyHere } from "./concurrency.ts";
import type { AtWork, Engine, EngineOptions, ResumeOptions, RunHandle, RunRequest } from "./contract.ts";
import { orFault, recordingOf, StoreFault, storeFaultOf } from "./driver/recording.ts";
import { RunDriver } from "./driver/run-driver.ts";
import { maskIn } from "./mask-event.ts";
import { outcomeOf } from "./outcome.ts";
import { onlyOf } from "./partial-run.ts";
import { lostAttempts } from "./recovery/lost.ts";
import { closeOwner } from "./recovery/owner.ts";
import { adoptChildren, leftFiles, seekAttempts, sweepLeft } from "./recovery/recover.ts";
import { forgetChildren } from "./recovery/sweep.ts";
import { inAgain, takenOver } from "./rerun.ts";
import { removeSecretFiles, runFiles } from "./run-files.ts";
import { noSecrets, type RunSecrets, secretsOfRun } from "./run-secrets.ts";
import { asFailure, type Recorded, recordedRun, type Started, startedEvent } from "./run-start.ts";
import { exactInputs, type Keeping, keepingOf, learnInputs } from "./run-storage.ts";
import { inertAtHome, inertInside, trustOf } from "./trust.ts";
import type { World } from "./world.ts";

export class LocalEngine implements Engine {
  readonly store: Store;
  private readonly options: EngineOptions;
  private readonly clock: Clock;
  private readonly world: World;
  private readonly owner: Owner;
  private readonly tools: Tools;
  private readonly drivers = new Map<string, RunDriver>();
  private readonly budgets: LocalBudgets;
  /** Secrets of runs that are active or wait for approval, so that resuming them here does not ask for them again. */
  private readonly secrets = new Map<string, RunSecrets>();

  constructor(options: EngineOptions, store: Store, world: World) {
    this.options = options;
    this.store = store;
    this.world = world;
    this.owner = world.owner;
    this.tools = createTools(resolve(options.home), options);
    this.clock = options.clock ?? systemClock;
    this.budgets = new LocalBudgets({
      budgets: store.budgets({ isAlive: world.isAlive, isHeld: (slot) => mayStillRun(slot, store) }),
      owner: this.owner,
      clock: this.clock,
      freed: (run, path) => this.drivers.get(run)?.free(path),
    });
  }

  async start(request: RunRequest): Promise<Result<RunHandle, Failure>> {
    const missing = await missingFor(request.workflow, { ...this.options.env, ...request.envFile }, this.options.home);
    if (missing !== undefined) return err(missing);
    const inert = await inertAtHome(this.options.home, request.workflow);
    if (!inert.ok) return inert;
    const secrets = request.found === undefined ? await this.secretsFor(request) : ok(request.found);
    if (!secrets.ok) return secrets;
    const id = request.id ?? newRunId(this.clock.nowMs(), randomBytes(RUN_ID_RANDOM_BYTES));
    if (request.id !== undefined && (this.drivers.has(id) || this.store.journal.lastSeq(id).ok))
      return err({ code: "run-exists", message: `Run ${id} has been started already.` });
    const begun = orFault(this.options.home, () => this.begin({ ...request, ...inert.value }, id, secrets.value));
    // If the start could not be written, no run is left.
    if (!begun.ok && !this.drivers.has(id)) this.store.removeRun(id, () => false);
    return begun;
  }

  async resume(run: string, options: ResumeOptions = {}): Promise<Result<RunHandle, Failure>> {
    const claimed = this.store.journal.claim(run, this.owner, this.world.isAlive);
    if (!claimed.ok) return err(asFailure(claimed.error));
    const resumed = await this.resumeClaimed(run, options);
    if (!resumed.ok) this.store.journal.release(run);
    return resumed;
  }

  private async resumeClaimed(run: string, options: ResumeOptions): Promise<Result<RunHandle, Failure>> {
    const kept = recordedRun(run, this.reading(), options.withoutSecrets);
    if (!kept.ok) return kept;
    const { state, started } = kept.value;
    if (isFinished(state))
      return err({
        code: "run-ended",
        message: `Run ${run} has ended already (${state.status}); there is nothing to resume.`,
        hint: `"curlew runs retry ${run}" runs it again.`,
      });
    const { workflow, subflows = {} } = started;
    const document = { file: workflow.file, workflow: state.graph.workflow, subflows };
    const known = options.found ?? this.secrets.get(run);
    const secrets = known === undefined ? await this.secretsFor({ ...document, ...options }) : ok(known);
    return secrets.ok ? orFault(this.options.home, () => this.goOn(kept.value, secrets.value)) : secrets;
  }

  /** Resumes a subflow's earlier run, or returns its end. It uses its parent's secrets. */
  private reopen(run: string, secrets: RunSecrets, news: readonly EventBody[]): Result<RunHandle, Failure> {
    const claimed = this.store.journal.claim(run, this.owner, this.world.isAlive);
    if (!claimed.ok) return err(asFailure(claimed.error));
    const kept = recordedRun(run, this.reading());
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
    const outcome = outcomeOf(kept.value, files, (text) => secrets.masker.mask(text));
    return ok({ id: run, cancel: () => {}, kill: () => {}, leave: () => {}, done: Promise.resolve(outcome) });
  }

  /** Looks for attempts that were running: a subflow's state comes from its run, a command's from its runner. */
  private goOn(
    { run, state, seq, lastMs, started, open }: Recorded,
    secrets: RunSecrets,
    news: readonly EventBody[] = [],
  ): Result<RunHandle, Failure> {
    const keeping = this.keeping(run, state.graph, secrets, started);
    const left = leftFiles(keeping.folder);
    const exact = exactInputs(run, started, keeping, this.options.home);
    if (!exact.ok) return exact;
    const clock = notBefore(this.clock, lastMs);
    const goesOn = { seq, clock, started: { ...started, inputs: exact.value }, open };
    const { driver, children } = this.driver(run, state, goesOn, secrets, keeping);
    const handle = this.handle(driver, secrets, started, keeping);
    const known = (id: string) => this.store.journal.lastSeq(id).ok;
    adoptChildren(driver, state, { children, known, nowMs: clock.nowMs() });
    const freed = this.budgets.adopt(run, state);
    const sought = seekAttempts(driver, state, open);
    sweepLeft(keeping.folder, left, sought);
    driver.tell(...lostAttempts(state, clock.nowMs(), known, new Set(sought.keys())), ...news, ...freed);
    return ok(handle);
  }

  private reading() {
    return { store: this.store, home: this.options.home, concurrencyDefault: this.concurrency() };
  }

  private async secretsFor(
    run: Pick<RunRequest, "file" | "workflow" | "subflows" | "envFile" | "secrets"> & ResumeOptions,
  ): Promise<Result<RunSecrets, Failure>> {
    const deps = {
      ...run,
      home: this.options.home,
      env: this.options.env,
      asked: run.secrets,
      warn: (warning: Failure) => this.options.onWarning?.(warning),
    };
    return run.withoutSecrets === true ? ok(noSecrets(deps)) : secretsOfRun(deps);
  }

  working = (run: string): AtWork | undefined => this.drivers.get(run);

  mask(run: string, text: string): string | undefined {
    return this.secrets.get(run)?.masker.mask(text);
  }

  close = (): Promise<void> => this.end("kill", "close");
  leave = (): Promise<void> => this.end("leave", "leave");

  private async end(each: "kill" | "leave", all: "close" | "leave"): Promise<void> {
    for (const driver of this.drivers.values()) driver[each]();
    await this.tools[all]();
    this.budgets.close();
    this.store.close();
    closeOwner(this.world.owner);
  }

  private begin(
    request: RunRequest & { resultIsSecret?: boolean },
    id: string,
    secrets: RunSecrets,
    parent?: { run: string; path: string },
  ): Result<RunHandle, Failure> {
    const { graph } = analyze(request.workflow);
    const goesBy = takenOver(request, id, graph, { ...this.reading(), isChild: parent !== undefined });
    if (!goesBy.ok) return goesBy;
    for (const warning of goesBy.value?.warnings ?? []) this.options.onWarning?.(warning);
    const startedAt = new Date(this.clock.nowMs()).toISOString();
    const row = {
      ...{ id, file: request.file, startedAt },
      ...maskIn({ name: request.workflow.name, trigger: request.trigger }, secrets.masker),
      status: "running" as const,
      ...(parent === undefined ? {} : { parent }),
    };
    const create = (events: readonly RunEvent[]) => this.store.journal.createRun(row, { owner: this.owner, events });
    const keeping = this.keeping(id, graph, secrets, request);
    learnInputs(request.inputs, keeping);
    const whole = startedEvent(request, keeping, parent, goesBy.value?.again);
    const only = onlyOf(request.only, id, whole, graph, { ...this.reading(), isChild: false });
    if (!only.ok) return only;
    const { started, bodies = goesBy.value?.bodies ?? [] } = only.value;
    const state = initialState(graph, { concurrencyDefault: this.concurrency() });
    const begins = { seq: 0, clock: this.clock, started: { ...started, at: startedAt } };
    const { driver } = this.driver(id, state, begins, secrets, keeping, create);
    try {
      driver.open(started, ...bodies);
    } catch (reason) {
      if (!(reason instanceof StoreFault)) throw reason;
      this.drivers.delete(id);
      this.store.outputs.remove(id);
      return err({ code: reason.code, message: reason.message });
    }
    return ok(this.handle(driver, secrets, started, keeping));
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
    { seq, clock, started, open }: { seq: number; clock: Clock; started: Started; open?: Recorded["open"] },
    secrets: RunSecrets,
    { files, folder: kept, sources }: Keeping,
    create?: (events: readonly RunEvent[]) => Result<unknown, StoreError>,
  ) {
    const children = this.children(started, secrets, files, state.graph);
    const folder = dirname(started.workflow.file);
    const deps: RunDeps = {
      run: { id, name: started.workflow.name, startedAt: started.at },
      inputs: started.inputs,
      secrets: secrets.values,
      environment: secrets.environment,
      file: started.workflow.file,
      folder,
      files,
      masker: secrets.masker,
      sources,
      kinds: this.world.kinds(this.tools, children),
      cache: this.store.cache,
      nowMs: () => clock.nowMs(),
      revision: createHash("sha256").update(started.workflow.text).digest("hex"),
      approvalKey: () => keyFor("approvals", this.options.home),
      ...trustOf(state.graph, started.inert, { file: started.workflow.file, folder }, this.store),
    };
    const recording = recordingOf(id, kept, this.store, this.options, create);
    const work = {
      ...recording,
      ...answersFor(deps, state.graph, recording.onGrowth),
      ...this.budgets.of(id, recording.commit),
    };
    const answers = { file: deps.file, folder: kept, cache: deps.cache };
    const driver = new RunDriver({ id, state, seq, clock, work: keepingAnswers(work, answers, open) });
    this.drivers.set(id, driver);
    return { driver, children };
  }

  private handle(
    driver: RunDriver,
    secrets: RunSecrets,
    started: { parent?: unknown } & Pick<Started, "resultIsSecret" | "only">,
    { folder, files }: Keeping,
  ): RunHandle {
    const isChild = started.parent !== undefined;
    this.secrets.set(driver.id, secrets);
    const done = driver.done
      .then((state) => {
        this.drivers.delete(driver.id);
        this.budgets.leave(driver.id);
        if (isFinished(state)) this.secrets.delete(driver.id);
        removeSecretFiles(folder, isFinished(state) && !isChild);
        if (isFinished(state)) forgetChildren(driver.id, this.store, state.graph);
        // Last, because an ended run with a claim counts as killed before it got here (sweep.ts).
        this.store.journal.release(driver.id);
        const kept = { run: driver.id, state, seq: driver.nextSeq - 1, started };
        const mask = (text: string): string => secrets.masker.mask(text);
        return outcomeOf(kept, isChild ? files : runFiles(folder, () => driver.nextSeq), mask);
      })
      .catch((reason) => {
        for (const known of [this.drivers, this.secrets]) known.delete(driver.id);
        this.budgets.stop(driver.id);
        this.tools.runner.leaveRun(driver.id);
        throw storeFaultOf(reason, this.options.home);
      });
    return {
      id: driver.id,
      cancel: (by) => driver.tell({ type: "run.cancel-requested", ...(by === undefined ? {} : { by }) }),
      kill: () => driver.kill(),
      leave: () => driver.fail(new Error(`run ${driver.id} was left`)),
      done,
    };
  }

  /** Subflows are child runs of this engine with their own journals. */
  private children(started: Started, secrets: RunSecrets, files: RunFiles, graph: Graph): ReturnType<typeof childRuns> {
    const subflows = started.subflows ?? {};
    return childRuns({
      documents: subflows,
      freshId: () => newRunId(this.clock.nowMs(), randomBytes(RUN_ID_RANDOM_BYTES)),
      files,
      begin: (request, id, parent) => {
        const given = inAdvanceInside(started.approvedInAdvance ?? [], parent.path);
        const inAdvance = given.length === 0 ? {} : { approvedInAdvance: given };
        const mask = (text: string): string => secrets.masker.mask(text);
        const again = inAgain(started.again, parent.path, request.inputs, { store: this.store, mask });
        const inert = inertInside(graph, started.inert, dirname(started.workflow.file), parent.path);
        const inherited = { ...inAdvance, ...again, ...inert, subflows };
        return this.begin({ ...request, ...inherited, trigger: { kind: "subflow" } }, id, secrets, parent);
      },
      reopen: (id, news) => this.reopen(id, secrets, news),
      lastSeq: (id) => {
        const seq = this.store.journal.lastSeq(id);
        return seq.ok ? seq.value : 0;
      },
      clock: this.clock,
    });
  }

  private concurrency(): number {
    return this.options.concurrencyDefault ?? concurrencyHere();
  }
}
