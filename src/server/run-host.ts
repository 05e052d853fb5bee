// The runs that this server works on: started, resumed, and ended (spec 2.4, 3.4, 3.5).
//   H1. At start, the server resumes every unfinished run that no process is working on. Runs
//       waiting for approval come to rest again.
//   H2. After a decision, the run is resumed here, unless the process that took the decision resumes it.
//   H3. A run at rest with a deadline (an approval's timeout) is resumed at that time.
//   H4. If a run cannot be resumed (a secret is missing), the reason is kept and published. Other runs are not
//       affected. A run without events never started. It is not resumed and not kept in a list.
//   H5. A run that stopped because the store was not writable is resumed once it is. Its
//       commands keep running in the meantime.
// Deliberately absent: cancelling runs when the server closes. The next server resumes them (ADR 58).

import type { Log } from "../app/log.ts";
import type { Failure } from "../base/failure.ts";
import { shortRunId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import { cancelElsewhere, requestCancel } from "../engine/answer.ts";
import type { Clock } from "../engine/clock.ts";
import type { ResumeOptions, RunHandle, RunRequest } from "../engine/contract.ts";
import { type Engine, StoreFault } from "../engine/index.ts";
import { outermostOf } from "../engine/pending.ts";
import { isAlive } from "../engine/recovery/owner.ts";
import { unfinishedRuns } from "../engine/recovery/unfinished.ts";
import type { PlacedEvent, RunRow, Store } from "../store/index.ts";
import type { EventBus } from "./events/event-bus.ts";

export interface RunHostDeps {
  engine: Engine;
  bus: EventBus;
  log: Log;
  clock: Clock;
}

/** H4. */
function neverBegun(id: string): Failure {
  return {
    code: "run-empty",
    message: "It has no beginning on record: the program ended before that, and started nothing.",
    hint: `"curlew runs rm ${shortRunId(id)}" removes it.`,
  };
}

/** H5. */
const PASSES: ReadonlySet<string> = new Set(["store-full", "store-busy", "store-failed"]);

export class RunHost {
  private readonly deps: RunHostDeps;
  private readonly store: Store;
  private readonly handles = new Map<string, RunHandle>();
  private readonly beginning = new Set<string>();
  private readonly stuck = new Map<string, Failure>();
  private readonly wakes = new Map<string, { atMs: number; unwake(): void }>();
  private unlisten: () => void = () => {};
  private closed = false;

  constructor(deps: RunHostDeps) {
    this.deps = deps;
    this.store = deps.engine.store;
  }

  /** H1. Resolves when all runs have been taken up. Between two runs, requests are served. */
  async open(): Promise<void> {
    this.unlisten = this.deps.bus.listen({ onEvents: (events) => this.onRunEvent(events) });
    const found = unfinishedRuns(this.store, { begun: true });
    if (!found.ok) {
      this.deps.log.error({ code: found.error.code }, "unfinished runs could not be looked for");
      return;
    }
    const rows = [...found.value];
    const lane = async (): Promise<void> => {
      for (let row = rows.shift(); row !== undefined && !this.closed; row = rows.shift()) {
        await this.goOn(row.id);
        await new Promise(setImmediate);
      }
    };
    await Promise.all(Array.from({ length: limits.runsResumedAtOnce }, lane));
  }

  /** Failures: those of the engine. */
  async start(request: RunRequest): Promise<Result<RunHandle, Failure>> {
    const begun = await this.deps.engine.start(request);
    if (begun.ok) this.follow(begun.value);
    return begun;
  }

  /**
   * Failures: `run-claimed`, `run-ended`, those of the engine. Succeeds if this server is already working on the run.
   */
  async resume(run: string, options: ResumeOptions = {}): Promise<Result<void, Failure>> {
    if (this.handles.has(run) || this.beginning.has(run)) return ok(undefined);
    this.beginning.add(run);
    this.wake(run, undefined);
    try {
      const begun = await this.deps.engine.resume(run, options);
      if (!begun.ok) return begun;
      if (this.stuck.delete(run)) this.deps.bus.publish({ kind: "stuck", run });
      this.follow(begun.value);
      return ok(undefined);
    } finally {
      this.beginning.delete(run);
    }
  }

  /** Resumes a run after a decision. Never fails: if the run cannot be resumed, the reason is kept (H4). */
  goOnWith(run: string): Promise<void> {
    return this.goOn(run);
  }

  /** Cancels the run in order. Failures: `run-ended`, the store's. */
  async cancel(row: RunRow, by: string): Promise<Result<void, Failure>> {
    if (row.endedAt !== undefined)
      return err({ code: "run-ended", message: `Run ${row.id} has ended already (${row.status}).` });
    const handle = this.handles.get(row.id);
    if (handle !== undefined) {
      handle.cancel(by);
      return ok(undefined);
    }
    if (row.owner !== undefined && row.owner.pid !== process.pid && isAlive(row.owner))
      return cancelElsewhere(row, this.store);
    const recorded = requestCancel(row.id, by, this.store);
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
    for (const { unwake } of this.wakes.values()) unwake();
  }

  private follow(handle: RunHandle): void {
    this.handles.set(handle.id, handle);
    handle.done.then(
      ({ status, wakeAtMs }) => {
        this.handles.delete(handle.id);
        if (status === "waiting") this.wake(handle.id, wakeAtMs);
      },
      (reason) => {
        this.handles.delete(handle.id);
        const code = reason instanceof StoreFault ? reason.code : "internal";
        this.stick(handle.id, {
          code,
          message: reason instanceof StoreFault ? reason.message : "An error inside Curlew.",
        });
        this.deps.log.error({ run: handle.id, code, err: code === "internal" ? reason : undefined }, "a run stopped");
      },
    );
  }

  /** H4, H5. False if the reason is the same as before. */
  private stick(run: string, why: Failure): boolean {
    const isNew = this.stuck.get(run)?.code !== why.code;
    this.stuck.set(run, why);
    if (isNew) this.deps.bus.publish({ kind: "stuck", run });
    if (PASSES.has(why.code)) this.wake(run, this.deps.clock.nowMs() + limits.storeTriesMs);
    return isNew;
  }

  /** Tries again while another process has claimed the run, because it may only be recording a decision. */
  private async goOn(run: string, options: ResumeOptions = {}): Promise<void> {
    for (let tries = 0; !this.closed; tries++) {
      const resumed = await this.resume(run, options);
      if (resumed.ok || resumed.error.code === "run-ended") return;
      if (resumed.error.code !== "run-claimed") {
        if (this.stick(run, resumed.error))
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
        this.wakeOutermost(event.run, Date.parse(event.expiresAt));
      if (event.type !== "approval.granted" && event.type !== "approval.rejected") continue;
      if (this.deps.engine.working(event.run) !== undefined) continue;
      // The command line resumes the run itself right after a decision. Give it time.
      const waitMs = event.door === "cli" ? limits.takeOverMs : 0;
      this.wakeOutermost(event.run, this.deps.clock.nowMs() + waitMs);
    }
  }

  private wakeOutermost(run: string, atMs: number): void {
    const row = this.store.journal.findRun(run);
    const outermost = row.ok ? outermostOf(row.value, this.store)?.run : undefined;
    if (outermost === undefined || outermost.endedAt !== undefined || this.handles.has(outermost.id)) return;
    this.wake(outermost.id, atMs);
  }

  /** Keeps the earliest time until the run is taken up. */
  private wake(run: string, atMs: number | undefined): void {
    const known = this.wakes.get(run);
    if (atMs !== undefined && known !== undefined && known.atMs <= atMs) return;
    known?.unwake();
    this.wakes.delete(run);
    if (atMs === undefined || this.closed) return;
    const unwake = this.deps.clock.at(atMs, () => {
      this.wakes.delete(run);
      void this.goOn(run);
    });
    this.wakes.set(run, { atMs, unwake });
  }
}
