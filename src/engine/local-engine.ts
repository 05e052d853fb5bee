// local-engine: drives all runs of one process on one SQLite store (spec 3.1, 5.6 "local default").
//   L1. Only the engine that claimed a run writes to it. The claim is part of the transaction that writes the first
//       event.
//   L2. `close` ends all running commands before it closes the store, so nothing is left behind.
//   L3. A run has one driver. Two drivers of this engine would share the claim: the one that records too late stops, and
//       takes the commands of the other with it.

import { createHash, randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Failure } from "../base/failure.ts";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import type { Now } from "../base/now.ts";
import { err, ok, type Result } from "../base/result.ts";
import { missingFor } from "../kinds/index.ts";
import { createTools, type Tools } from "../kinds/tools.ts";
import type { RunFiles } from "../kinds/values.ts";
import type { EventBody, RunEvent } from "../scheduler/event.ts";
import { startKindOf } from "../scheduler/start-kind.ts";
import { initialState, isFinished, type RunState } from "../scheduler/state.ts";
import { keyFor } from "../secrets/home-key.ts";
import type { Owner, RunRow, Store, StoreError } from "../store/index.ts";
import { analyze, type Graph } from "../workflow/graph.ts";
import { cachingAnswers } from "./actions/cached.ts";
import type { RunDeps } from "./actions/run-context.ts";
import { answersFor } from "./actions/run-work.ts";
import { LocalBudgets, mayStillRun } from "./budget-shares.ts";
import { childRuns, inAdvanceInside } from "./child-runs.ts";
import { type Clock, notBefore, systemClock } from "./clock.ts";
import type { AtWork, Engine, EngineOptions, ResumeOptions, RunHandle, RunRequest } from "./contract.ts";
import { orFault, recordingOf, StoreFault, storeFaultOf } from "./driver/recording.ts";
import { RunDriver } from "./driver/run-driver.ts";
import { maskIn } from "./mask-event.ts";
import { outcomeOf } from "./outcome.ts";
import { partialRunOf } from "./partial-run.ts";
import {
  absentResult,
  drivenElsewhere,
  holdsSealed,
  PASSES,
  type Queued,
  restElsewhere,
  sealedElsewhere,
} from "./placed.ts";
import { lostAttempts } from "./recovery/lost.ts";
import { closeOwner } from "./recovery/owner.ts";
import {
  adoptChildren,
  filesOfEarlierEngine,
  findAttempts,
  recordedChildren,
  removeLeftovers,
} from "./recovery/recover.ts";
import { forgetChildren } from "./recovery/sweep.ts";
import { rerunInside, rerunStart } from "./rerun.ts";
import { removeSecretFiles, runFiles } from "./run-files.ts";
import { noSecrets, type RunSecrets, secretsOfRun } from "./run-secrets.ts";
import { asFailure, type Recorded, recordedRun, type Started, startedEvent, storedState } from "./run-start.ts";
import { exactInputs, maskInputs, openRunStorage, type RunStorage } from "./run-storage.ts";
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
  /** L3: runs that are being recorded or resumed. */
  private readonly starting = new Set<string>();
  /** Subflows whose machine was asked to cancel them. */
  private readonly asked = new Set<string>();
  /** Subflows that no machine drives, as they were at the last look. */
  private readonly queued = new Map<string, Queued>();
  private isClosed = false;
  /** Runs whose claim, or places in queues, are being released. */
  private readonly releasing = new Map<string, Promise<void>>();
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

  start(request: RunRequest): Promise<Result<RunHandle, Failure>> {
    return this.startOrRecord(request, false);
  }

  /** If the start could not be written, no run is left. But another server may have started it with the same id. */
  private async removeUnwritten(id: string, isLeft: boolean): Promise<void> {
    const row = await this.store.journal.findRun(id);
    const isOurs = row.ok ? isLeft || row.value.owner?.token === this.owner.token : row.error.code === "run-not-found";
    if (isOurs) await this.store.removeRun(id, () => false);
  }

  /** Records the run, without a claim. Another engine resumes it. */
  async record(request: RunRequest): Promise<Result<{ id: string }, Failure>> {
    const recorded = await this.startOrRecord(request, true);
    if (!recorded.ok) return recorded;
    this.drivers.delete(recorded.value.id);
    return ok({ id: recorded.value.id });
  }

  private async startOrRecord(request: RunRequest, isLeft: boolean): Promise<Result<RunHandle, Failure>> {
    // The machine that drives it is another one. In a cluster, so may be that of a subflow.
    const environment = { ...this.options.env, ...request.envFile };
    const { elsewhere } = this.world;
    const needs = { workflow: request.workflow, subflows: elsewhere === undefined ? request.subflows : undefined };
    const missing = isLeft ? undefined : await missingFor(needs, environment, this.options.home);
    if (missing !== undefined) return err(missing);
    const inert = await inertAtHome(this.options.home, request.workflow);
    if (!inert.ok) return inert;
    const secrets = request.found === undefined ? await this.secretsFor(request) : ok(request.found);
    if (!secrets.ok) return secrets;
    const id = request.id ?? newRunId(this.clock.nowMs(), randomBytes(RUN_ID_RANDOM_BYTES));
    if (this.drivers.has(id) || this.starting.has(id)) return err(runExists(id));
    this.starting.add(id);
    try {
      if (request.id !== undefined && (await this.store.journal.lastSeq(id)).ok) return err(runExists(id));
      const begun = await orFault(this.options.home, () =>
        this.begin({ ...request, ...inert.value, isLeft }, id, secrets.value),
      );
      if (!begun.ok && begun.error.code !== "run-exists" && !this.drivers.has(id))
        await this.removeUnwritten(id, isLeft);
      return begun;
    } finally {
      this.starting.delete(id);
    }
  }

  async resume(run: string, options: ResumeOptions = {}): Promise<Result<RunHandle, Failure>> {
    return this.claimed(run, async () => {
      const resumed = await this.resumeClaimed(run, options);
      if (!resumed.ok) await this.store.journal.release(run);
      return resumed;
    });
  }

  /** After an earlier claim of this engine has been released. L3. */
  private async claimed<T>(run: string, work: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
    if (this.drivers.has(run) || this.starting.has(run)) return err(runDriven(run));
    this.starting.add(run);
    try {
      await this.releasing.get(run)?.catch(() => {});
      const claimed = await this.store.journal.claim(run, this.owner, this.world.isAlive);
      return claimed.ok ? await work() : err(asFailure(claimed.error));
    } finally {
      this.starting.delete(run);
    }
  }

  private async resumeClaimed(run: string, options: ResumeOptions): Promise<Result<RunHandle, Failure>> {
    const kept = await recordedRun(run, this.reading(), options.withoutSecrets);
    if (!kept.ok) return kept;
    const { state, started } = kept.value;
    if (isFinished(state))
      return err({
        code: "run-ended",
        message: `Run ${run} has already ended (${state.status}), so there is nothing to resume.`,
        hint: `"curlew runs retry ${run}" runs it again.`,
      });
    const { workflow, subflows = {} } = started;
    const document = { file: workflow.file, workflow: state.graph.workflow, subflows };
    const known = options.found ?? this.secrets.get(run);
    const secrets = known === undefined ? await this.secretsFor({ ...document, ...options }) : ok(known);
    return secrets.ok
      ? orFault(this.options.home, () => this.continueRun(kept.value, secrets.value, options.news))
      : secrets;
  }

  /** Resumes a subflow's earlier run, or returns its end. It uses its parent's secrets. */
  private async reopen(
    run: string,
    secrets: RunSecrets,
    news: readonly EventBody[],
  ): Promise<Result<RunHandle, Failure>> {
    // A subflow that this engine drives like an outermost run hears of a cancellation, and is looked at again.
    const working = this.world.elsewhere && this.drivers.get(run);
    if (working !== undefined) {
      if (news.length > 0 && !this.asked.has(run) && (await working.tell(...news))) this.asked.add(run);
      return err(runDriven(run));
    }
    const resting = await this.restElsewhere(run, news);
    if (resting?.ok === true) return this.over(resting.value, secrets);
    return resting ?? this.claimed(run, () => this.reopenClaimed(run, secrets, news));
  }

  private restElsewhere(run: string, news: readonly EventBody[]) {
    const { elsewhere, isAlive } = this.world;
    if (elsewhere === undefined) return undefined;
    const isDriven = ({ owner }: RunRow) => owner !== undefined && owner.token !== this.owner.token && isAlive(owner);
    return restElsewhere(run, news, { ...this.reading(), elsewhere, isDriven, asked: this.asked, queued: this.queued });
  }

  private async reopenClaimed(
    run: string,
    secrets: RunSecrets,
    news: readonly EventBody[],
  ): Promise<Result<RunHandle, Failure>> {
    const kept = await recordedRun(run, this.reading());
    if (!kept.ok) {
      await this.store.journal.release(run);
      return kept;
    }
    if (!isFinished(kept.value.state)) {
      const handle = await this.continueRun(kept.value, secrets, news);
      if (!handle.ok) await this.store.journal.release(run);
      return handle;
    }
    await this.store.journal.release(run);
    return this.over(kept.value, secrets);
  }

  /** A run that has ended, or rests elsewhere. */
  private over(kept: Recorded, secrets: RunSecrets): Result<RunHandle, Failure> {
    const { run: id, state, started } = kept;
    const { files } = this.storageOf(id, state.graph, secrets, started);
    const isElsewhere = this.world.elsewhere !== undefined && state.status === "succeeded";
    const absent = isElsewhere ? absentResult(id, state, files) : undefined;
    if (absent !== undefined) return err(absent);
    const outcome = outcomeOf(kept, files, (text) => secrets.masker.mask(text));
    return ok({ id, cancel: () => {}, kill: () => {}, leave: () => {}, done: Promise.resolve(outcome) });
  }

  /** Looks for attempts that were running: a subflow's state comes from its run, a command's from its runner. */
  private async continueRun(
    { run, state, seq, lastMs, started, open }: Recorded,
    secrets: RunSecrets,
    news: readonly EventBody[] = [],
  ): Promise<Result<RunHandle, Failure>> {
    const runStorage = this.storageOf(run, state.graph, secrets, started);
    const left = filesOfEarlierEngine(runStorage.folder);
    const exact = exactInputs(run, started, runStorage, this.options.home);
    if (!exact.ok) return exact;
    const known = await recordedChildren(state, this.store.journal);
    const freed = await this.budgets.adopt(run, state);
    const clock = notBefore(this.clock, lastMs);
    const resumedAt = { seq, clock, started: { ...started, inputs: exact.value }, open };
    const { driver, children } = this.driver(run, state, resumedAt, secrets, runStorage);
    const handle = this.handle(driver, secrets, started, runStorage);
    adoptChildren(driver, state, { children, known, nowMs: clock.nowMs() });
    const { isOurs = () => true } = this.world;
    const ours = [...open].filter(([, { by }]) => by === undefined || isOurs(by));
    const sought = findAttempts(driver, state, new Map(ours));
    removeLeftovers(runStorage.folder, left, sought);
    void driver.tell(...lostAttempts(state, clock.nowMs(), known, new Set(sought.keys())), ...news, ...freed);
    driver.wake();
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

  /** No other machine acts on its runs until then (process/runner/deadline.ts). */
  deadline(atMs: number): void {
    this.tools.runner.deadline(atMs);
  }

  endCommands(run: string): void {
    this.drivers.get(run)?.kill();
  }

  working = (run: string): AtWork | undefined => this.drivers.get(run);

  mask(run: string, text: string): string | undefined {
    return this.secrets.get(run)?.masker.mask(text);
  }

  close = (): Promise<void> => this.end("kill", "close");
  leave = (): Promise<void> => this.end("leave", "leave");

  private async end(each: "kill" | "leave", all: "close" | "leave"): Promise<void> {
    this.isClosed = true;
    for (const driver of this.drivers.values()) driver[each]();
    await this.tools[all]();
    await Promise.all([...this.drivers.values()].map((driver) => driver.durable()));
    await Promise.allSettled(this.releasing.values());
    await this.budgets.close();
    await this.store.close();
    closeOwner(this.world.owner);
  }

  private async begin(
    request: ChildStart & { isLeft?: boolean },
    id: string,
    secrets: RunSecrets,
    parent?: { run: string; path: string },
  ): Promise<Result<RunHandle, Failure>> {
    const { graph } = analyze(request.workflow);
    const rerun = await rerunStart(request, id, graph, { ...this.reading(), isChild: parent !== undefined });
    if (!rerun.ok) return rerun;
    for (const warning of rerun.value?.warnings ?? []) this.options.onWarning?.(warning);
    const startedAt = new Date(this.clock.nowMs()).toISOString();
    const row = {
      ...{ id, file: request.file, startedAt },
      ...maskIn({ name: request.workflow.name, trigger: request.trigger }, secrets.masker),
      kind: startKindOf(request),
      status: request.isLeft === true ? ("queued" as const) : ("running" as const),
      ...(parent === undefined ? {} : { parent }),
    };
    const create = (events: readonly RunEvent[]) =>
      this.store.journal.createRun(row, request.isLeft === true ? { events } : { owner: this.owner, events });
    const storage = this.storageOf(id, graph, secrets, request);
    maskInputs(request.inputs, storage);
    const stored = await storedState(request, secrets, this.store);
    if (!stored.ok) return stored;
    const whole = startedEvent(request, storage, parent, rerun.value?.again, stored.value);
    const partial = await partialRunOf(request.only, id, whole, graph, { ...this.reading(), isChild: false });
    if (!partial.ok) return partial;
    const { started, bodies = rerun.value?.bodies ?? [] } = partial.value;
    if (request.isLeft === true && parent !== undefined && holdsSealed([started, ...bodies])) {
      this.store.outputs.remove(id);
      return err(sealedElsewhere(request.file));
    }
    const state = initialState(graph, { concurrencyDefault: this.concurrency() });
    const begins = { seq: 0, clock: this.clock, started: { ...started, at: startedAt } };
    const { driver } = this.driver(id, state, begins, secrets, storage, create);
    try {
      await (request.isLeft === true ? driver.onlyOpen(started, ...bodies) : driver.open(started, ...bodies));
    } catch (reason) {
      if (!(reason instanceof StoreFault)) throw reason;
      this.drivers.delete(id);
      this.store.outputs.remove(id);
      return err({ code: reason.code, message: reason.message });
    }
    return ok(this.handle(driver, secrets, started, storage));
  }

  private storageOf(
    id: string,
    graph: Graph,
    { masker, absent }: RunSecrets,
    { resultIsSecret = false }: { resultIsSecret?: boolean },
  ): RunStorage {
    const folder = this.store.outputs.folder(id);
    if (!folder.ok) throw new StoreFault(folder.error);
    return openRunStorage({
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
    { files, folder: kept, sources }: RunStorage,
    create?: (events: readonly RunEvent[]) => Now<Result<unknown, StoreError>>,
  ) {
    const children = this.children(started, secrets, files, state.graph);
    const folder = dirname(started.workflow.file);
    const deps: RunDeps = {
      run: { id, name: started.workflow.name, startedAt: started.at, url: this.options.runUrl?.(id) ?? "" },
      fence: () => this.store.journal.epoch?.(id),
      trigger: { kind: started.trigger.kind, at: started.trigger.at ?? started.at },
      inputs: started.inputs,
      handedOn: started.handedOn,
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
      approvalKey: this.options.approvalKey ?? (() => keyFor("approvals", this.options.home)),
      ...trustOf(state.graph, started.inert, { file: started.workflow.file, folder }, this.store),
    };
    const recording = recordingOf(id, kept, this.store, this.options, state.graph, create);
    const answers = answersFor(deps, state.graph, recording.onGrowth);
    const { prepare } = answers;
    const work = { ...recording, ...answers, ...this.budgets.of(id, { commit: recording.commit, prepare }) };
    const storage = { file: deps.file, folder: kept, cache: deps.cache };
    const driver = new RunDriver({ id, state, seq, clock, work: cachingAnswers(work, storage, open) });
    this.drivers.set(id, driver);
    return { driver, children };
  }

  private handle(
    driver: RunDriver,
    secrets: RunSecrets,
    started: Pick<Started, "parent" | "resultIsSecret" | "only">,
    { folder, files }: RunStorage,
  ): RunHandle {
    // A parent here may still read its sealed values.
    const isChild = started.parent !== undefined && this.drivers.has(started.parent.run);
    this.secrets.set(driver.id, secrets);
    const done = driver.done
      .then(async (state) => {
        await this.release(driver.id, state, () => removeSecretFiles(folder, isFinished(state) && !isChild));
        const kept = { run: driver.id, state, seq: driver.nextSeq - 1, started };
        const mask = (text: string): string => secrets.masker.mask(text);
        return outcomeOf(kept, isChild ? files : runFiles(folder, () => driver.nextSeq), mask);
      })
      .catch((reason) => {
        for (const known of [this.drivers, this.secrets]) known.delete(driver.id);
        // Before it is resumed: what comes later would take the places of the next driver.
        void this.whileReleasing(driver.id, this.budgets.stop(driver.id));
        this.tools.runner.leaveRun(driver.id);
        throw storeFaultOf(reason, this.options.home);
      });
    return {
      id: driver.id,
      cancel: (by) => void driver.tell({ type: "run.cancel-requested", by }),
      kill: () => driver.kill(),
      leave: () => driver.fail(new Error(`run ${driver.id} was left`)),
      done,
    };
  }

  /** The run has ended or rests: another process may claim it. */
  private release(run: string, state: RunState, clean: () => void): Promise<void> {
    const released = async (): Promise<void> => {
      this.drivers.delete(run);
      if (isFinished(state)) for (const known of [this.secrets, this.asked]) known.delete(run);
      await this.budgets.leave(run);
      clean();
      if (isFinished(state)) await forgetChildren(run, this.store, state.graph);
      // Last, because an ended run with a claim counts as killed before it got here (sweep.ts).
      await this.store.journal.release(run);
    };
    return this.whileReleasing(run, released());
  }

  private whileReleasing(run: string, work: Promise<void>): Promise<void> {
    const releasing = work.finally(() => this.releasing.delete(run));
    this.releasing.set(run, releasing);
    return releasing;
  }

  /** Subflows are child runs of this engine with their own journals. */
  private children(started: Started, secrets: RunSecrets, files: RunFiles, graph: Graph): ReturnType<typeof childRuns> {
    const subflows = started.subflows ?? {};
    return childRuns({
      documents: subflows,
      freshId: () => newRunId(this.clock.nowMs(), randomBytes(RUN_ID_RANDOM_BYTES)),
      files,
      begin: async (request, id, parent) => {
        const given = inAdvanceInside(started.approvedInAdvance ?? [], parent.path);
        const inAdvance = given.length === 0 ? {} : { approvedInAdvance: given };
        const mask = (text: string): string => secrets.masker.mask(text);
        const again = await rerunInside(started.again, parent.path, request.inputs, { store: this.store, mask });
        const inert = inertInside(graph, started.inert, dirname(started.workflow.file), parent.path);
        const inherited = { ...inAdvance, ...again, ...inert, subflows };
        const child = { ...request, ...inherited, trigger: { kind: "subflow" as const } };
        const label = this.world.elsewhere?.lacks({ workflow: child, runsOn: child.runsOn });
        if (label === undefined) return this.begin(child, id, secrets, parent);
        return this.beginElsewhere(child, id, secrets, parent, label);
      },
      reopen: async (id, news) => {
        // Its store may be closed. The next engine finds the attempt as it was.
        if (this.isClosed) return new Promise(() => {});
        const reopened = await this.reopen(id, secrets, news);
        if (!reopened.ok && (await this.isLater(reopened.error))) return err(drivenElsewhere({ id }));
        if (reopened.ok || reopened.error.code !== "run-claimed") this.world.elsewhere?.returned(id);
        return reopened;
      },
      lastSeq: async (id) => {
        const seq = await this.store.journal.lastSeq(id);
        return seq.ok ? seq.value : 0;
      },
      clock: this.clock,
    });
  }

  /** Records the subflow for a machine with the label. Its id is new, so a second try finds what the first recorded. */
  private async beginElsewhere(
    child: ChildStart,
    id: string,
    secrets: RunSecrets,
    parent: { run: string; path: string },
    label: string,
  ): Promise<Result<RunHandle, Failure>> {
    for (;;) {
      const recorded = await this.begin({ ...child, isLeft: true }, id, secrets, parent);
      for (const known of [this.drivers, this.secrets]) known.delete(id);
      if (recorded.ok || recorded.error.code === "run-exists") break;
      if (!(await this.isLater(recorded.error))) return recorded;
      await sleep(limits.queueAgainMs);
    }
    await this.world.elsewhere?.leave(`${id}:0`, id, label);
    return err(drivenElsewhere({ id }));
  }

  /** Whether to try again. Never answers if this engine is closed: the next one finds the attempt as it was. */
  private isLater({ code }: Failure): Promise<boolean> {
    const passes = this.world.elsewhere !== undefined && PASSES.has(code);
    return passes && this.isClosed ? new Promise(() => {}) : Promise.resolve(passes);
  }

  private concurrency(): number {
    return this.options.concurrencyDefault ?? concurrencyHere();
  }
}

type ChildStart = Parameters<typeof startedEvent>[0];

function runDriven(id: string): Failure {
  return { code: "run-claimed", message: `This process is already working on run ${id}.` };
}

function runExists(id: string): Failure {
  return { code: "run-exists", message: `Run ${id} has already been started.` };
}

/** 2 × cores, at least 4. */
function concurrencyHere(): number {
  return Math.max(4, 2 * availableParallelism());
}
