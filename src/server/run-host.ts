// The runs that this server works on: started, resumed, and ended (spec 2.4, 3.4, 3.5).
//   H1. At start, the server resumes every unfinished run that no process is working on. Later it looks again for runs
//       whose process has ended.
//   H2. After a decision, the run is resumed here, unless the process that took the decision resumes it.
//   H3. A run at rest with a deadline (an approval's timeout) is resumed at that time. In a cluster, H1 and H3 are the
//       work of its machines: a server may lack the labels of the run.
//   H4. If a run cannot be resumed (a secret is missing), the reason is kept and published. A run without events never
//       started and is not resumed.
//   H5. A run that stopped because the store was not writable is resumed once it is.
//   H6. Closing the server cancels no run. The next server resumes them (ADR 58).

import type { Log } from "../app/log.ts";
import { type Failure, failureOf } from "../base/failure.ts";
import { shortRunId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { cancelElsewhere, requestCancel } from "../engine/answer.ts";
import type { Clock } from "../engine/clock.ts";
import type { ResumeOptions, RunHandle, RunRequest } from "../engine/contract.ts";
import { type Engine, StoreFault } from "../engine/index.ts";
import { outermostOf } from "../engine/pending.ts";
import { mayBeAlive } from "../engine/recovery/owner.ts";
import { unfinishedRuns } from "../engine/recovery/unfinished.ts";
import type { PlacedEvent, RunRow, Store } from "../store/index.ts";
import type { EventBus } from "./events/event-bus.ts";

export interface RunHostDeps {
  engine: Engine;
  bus: EventBus;
  log: Log;
  clock: Clock;
  /** The engine takes up runs, because several machines share them. */
  isShared?: boolean;
}

/** H4. */
const neverBegun = failureOf("run-empty", (id: string) => [
  "Its record has no beginning: Curlew ended before it started anything.",
  `"curlew runs rm ${shortRunId(id)}" removes it.`,
]);

/** H5. */
const PASSES: ReadonlySet<string> = new Set(["store-full", "store-busy", "store-failed", "store-unreachable"]);

export class RunHost {
  readonly isShared: boolean;
  private readonly deps: RunHostDeps;
  private readonly store: Store;
  private readonly handles = new Map<string, RunHandle>();
  private readonly beginning = new Map<string, Promise<Result<void, Failure>>>();
  /** Starts that are not on record yet, by the run ids that were chosen for them. */
  private readonly starting = new Map<string, Promise<unknown>>();
  private readonly stuck = new Map<string, Failure>();
  private readonly wakes = new Map<string, { atMs: number; unwake(): void }>();
  private unlisten: () => void = () => {};
  private unlook: () => void = () => {};
  private closed = false;

  constructor(deps: RunHostDeps) {
    this.isShared = deps.isShared === true;
    this.deps = deps;
    this.store = deps.engine.store;
  }

  /** H1. Resolves when all runs have been taken up. */
  async open(): Promise<void> {
    if (this.isShared) return;
    this.unlisten = this.deps.bus.listen({ onEvents: (events) => this.onRunEvent(events) });
    await this.resumeUnfinished(() => true);
    this.scheduleLook();
  }

  /** H1. A run that is stuck waits for someone to resume it. */
  private scheduleLook(): void {
    if (this.closed) return;
    this.unlook = this.deps.clock.at(this.deps.clock.nowMs() + limits.interruptedLookMs, () => {
      const isLeft = ({ id, owner }: RunRow) => owner !== undefined && !this.handles.has(id) && !this.stuck.has(id);
      void this.resumeUnfinished(isLeft).then(() => this.scheduleLook());
    });
  }

  /** Between two runs, requests are served. */
  private async resumeUnfinished(isWanted: (row: RunRow) => boolean): Promise<void> {
    const found = await unfinishedRuns(this.store, { begun: true });
    if (!found.ok) {
      this.deps.log.error({ code: found.error.code }, "Curlew could not look for unfinished runs");
      return;
    }
    const rows = found.value.filter(isWanted);
    const lane = async (): Promise<void> => {
      for (let row = rows.shift(); row !== undefined && !this.closed; row = rows.shift()) {
        await this.continueRun(row.id);
        await new Promise(setImmediate);
      }
    };
    await Promise.all(Array.from({ length: limits.runsResumedAtOnce }, lane));
  }

  /** Failures: those of the engine. A second start with the same id fails only once the first is on record. */
  async start(request: RunRequest): Promise<Result<RunHandle, Failure>> {
    const { id } = request;
    if (id === undefined) return this.begin(request);
    while (this.starting.has(id)) await this.starting.get(id);
    const begun = this.begin(request);
    this.starting.set(id, begun);
    return begun.finally(() => this.starting.delete(id));
  }

  private async begin(request: RunRequest): Promise<Result<RunHandle, Failure>> {
    const begun = await this.deps.engine.start(request);
    if (begun.ok) this.follow(begun.value);
    return begun;
  }

  /**
   * Failures: `run-claimed`, `run-ended`, those of the engine. Succeeds if this server is already working on the run.
   */
  async resume(run: string, options: ResumeOptions = {}): Promise<Result<void, Failure>> {
    if (this.handles.has(run) || this.beginning.has(run)) return ok(undefined);
    const begun = this.resumeHere(run, options).finally(() => this.beginning.delete(run));
    this.beginning.set(run, begun);
    return begun;
  }

  private async resumeHere(run: string, options: ResumeOptions): Promise<Result<void, Failure>> {
    const begun = await this.deps.engine.resume(run, options);
    // A wake that waits stays: the process that holds the claim may only be recording a decision.
    if (begun.ok) this.adopt(begun.value);
    return begun.ok ? ok(undefined) : begun;
  }

  /** A run that the engine has taken up. */
  adopt(handle: RunHandle): void {
    this.wake(handle.id, undefined);
    if (this.stuck.delete(handle.id)) this.deps.bus.publish({ kind: "stuck", run: handle.id });
    this.follow(handle);
  }

  /** Cancels the run in order. Failures: `run-ended`, the store's. */
  async cancel(row: RunRow, by: string): Promise<Result<void, Failure>> {
    if (row.endedAt !== undefined)
      return err({ code: "run-ended", message: `Run ${row.id} has already ended (${row.status}).` });
    // A run that is being resumed here can be cancelled once it is.
    await this.beginning.get(row.id);
    const handle = this.handles.get(row.id);
    if (handle !== undefined) {
      handle.cancel(by);
      return ok(undefined);
    }
    if (row.owner !== undefined && row.owner.pid !== process.pid && mayBeAlive(row.owner))
      return cancelElsewhere(row, this.store, by);
    const recorded = await requestCancel(row.id, by, this.store);
    this.deps.bus.notify();
    return recorded.ok ? this.resume(row.id, { withoutSecrets: true }) : recorded;
  }

  /** The run, if this server works on it and it is not at rest. */
  handle(run: string): RunHandle | undefined {
    return this.handles.get(run);
  }

  stuckRuns(): Iterable<string> {
    return this.stuck.keys();
  }

  /** H4. */
  whyStuck({ id, lastSeq }: Pick<RunRow, "id" | "lastSeq">): Failure | undefined {
    return this.stuck.get(id) ?? (lastSeq === 0 ? neverBegun(id) : undefined);
  }

  close(): void {
    this.closed = true;
    this.unlisten();
    this.unlook();
    for (const { unwake } of this.wakes.values()) unwake();
  }

  private follow(handle: RunHandle): void {
    this.handles.set(handle.id, handle);
    handle.done.then(
      ({ status, wakeAtMs }) => {
        this.handles.delete(handle.id);
        if (status === "waiting" && !this.isShared) this.wake(handle.id, wakeAtMs);
      },
      (reason) => {
        this.handles.delete(handle.id);
        const code = reason instanceof StoreFault ? reason.code : "internal";
        this.markStuck(handle.id, {
          code,
          message: reason instanceof StoreFault ? reason.message : "Curlew failed because of a bug in it.",
        });
        this.deps.log.error({ run: handle.id, code, err: code === "internal" ? reason : undefined }, "a run stopped");
      },
    );
  }

  /** H4, H5. False if the reason is the same as before. */
  private markStuck(run: string, why: Failure): boolean {
    const isNew = this.stuck.get(run)?.code !== why.code;
    this.stuck.set(run, why);
    if (isNew) this.deps.bus.publish({ kind: "stuck", run });
    if (PASSES.has(why.code)) this.wake(run, this.deps.clock.nowMs() + limits.storeTriesMs);
    return isNew;
  }

  /**
   * Resumes a run, such as after a decision. Tries again while another process has claimed it, because that may only be
   * recording a decision. Never fails: if the run cannot be resumed, the reason is kept (H4).
   */
  async continueRun(run: string): Promise<void> {
    for (let tries = 0; !this.closed; tries++) {
      const resumed = await this.resume(run);
      if (resumed.ok || resumed.error.code === "run-ended") return;
      if (resumed.error.code !== "run-claimed") {
        if (this.markStuck(run, resumed.error))
          this.deps.log.warn({ run, code: resumed.error.code }, "a run cannot continue");
        return;
      }
      if (tries >= limits.claimTries) return;
      await new Promise((resolve) => setTimeout(resolve, limits.claimRetryMs).unref());
    }
  }

  /** H2, H3. Handles events of other processes. This server's engine handles its own. */
  private onRunEvent(events: readonly PlacedEvent[]): void {
    for (const { event } of events) {
      if (event.type === "approval.requested" && event.expiresAt !== undefined)
        void this.wakeOutermost(event.run, Date.parse(event.expiresAt));
      if (event.type !== "approval.granted" && event.type !== "approval.rejected") continue;
      if (this.deps.engine.working(event.run) !== undefined) continue;
      // The command line resumes the run itself right after a decision. Give it time.
      const waitMs = event.door === "cli" ? limits.takeOverMs : 0;
      void this.wakeOutermost(event.run, this.deps.clock.nowMs() + waitMs);
    }
  }

  private async wakeOutermost(run: string, atMs: number): Promise<void> {
    const row = await this.store.journal.findRun(run);
    const outermost = row.ok ? (await outermostOf(row.value, this.store))?.run : undefined;
    if (outermost === undefined || outermost.endedAt !== undefined || this.handles.has(outermost.id)) return;
    this.wake(outermost.id, atMs);
  }

  /** Keeps the earliest time until the run is taken up. */
  private wake(run: string, atMs: number | undefined): void {
    const planned = this.wakes.get(run);
    if (atMs !== undefined && planned !== undefined && planned.atMs <= atMs) return;
    planned?.unwake();
    this.wakes.delete(run);
    if (atMs === undefined || this.closed) return;
    const unwake = this.deps.clock.at(atMs, () => {
      this.wakes.delete(run);
      void this.continueRun(run);
    });
    this.wakes.set(run, { atMs, unwake });
  }
}
