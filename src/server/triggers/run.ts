// Decides starts when a run of another workflow has ended (spec 8.3).
//   E1. The index of runs is the source: a run that ends while no server runs is found when the trigger is armed.
//   E2. A run starts a trigger once. The key of the start is the run's id, and its decision is one transaction with the
//       id of the new run.
//   E3. A run of the trigger's own workflow, of a subflow, or of a part of a workflow starts nothing. A chain of runs
//       that start each other ends after limits.runChainMax.
//   E4. The time of an end may be older than its commit, so the ends of the last limits.runEndsAgainMs are read again.

import { dirname } from "node:path";
import { relativePath } from "../../app/documents/relative-path.ts";
import { limits } from "../../base/limits.ts";
import { oneAtATime } from "../../base/one-at-a-time.ts";
import { isRunEnd, type RunEvent } from "../../scheduler/event.ts";
import type { NewStart, RunRow } from "../../store/index.ts";
import { globMatcher } from "../../workflow/glob.ts";
import type { RunTrigger } from "../../workflow/triggers/index.ts";
import type { ActiveTrigger } from "./active-trigger.ts";
import type { ActiveKind, KindDeps, ListedTrigger } from "./kind.ts";

type Armed = ActiveTrigger<RunTrigger>;

export type RunEndsDeps = Pick<KindDeps, "store" | "log" | "clock" | "newRunId" | "decided">;

export class RunEnds implements ActiveKind<RunTrigger> {
  private readonly deps: RunEndsDeps;
  private armed: readonly Armed[] = [];

  constructor(deps: RunEndsDeps) {
    this.deps = deps;
  }

  async arm(triggers: readonly Armed[]): Promise<void> {
    this.armed = triggers.filter(({ problem }) => problem === undefined);
    if (this.armed.length === 0) return;
    const ids = this.armed.map(({ id }) => id);
    const seen = await this.deps.store.triggers.allSeen(ids, this.deps.clock.nowMs());
    if (seen.ok) await this.look();
    else this.deps.log.error({ code: seen.error.code }, "the triggers of runs could not be read");
  }

  list(triggers: readonly Armed[]): ListedTrigger[] {
    return triggers.map(({ trigger: { workflow, status } }) => ({ title: `run ${workflow} (${status.join(", ")})` }));
  }

  onRunEvent(event: RunEvent): void {
    if (isRunEnd(event)) void this.look();
  }

  readonly look = oneAtATime(async () => {
    for (const armed of this.armed) await this.lookFor(armed);
  });

  async disarm(): Promise<void> {
    this.armed = [];
    await this.look();
  }

  private async lookFor(armed: Armed): Promise<void> {
    const { store, log } = this.deps;
    const state = await store.triggers.state(armed.id);
    if (!state.ok || state.value === undefined || state.value.paused) return;
    const { sinceMs } = state.value;
    const ended = await store.journal.endedSince(sinceMs);
    if (!ended.ok) {
      log.error({ code: ended.error.code, trigger: armed.id }, "runs that have ended could not be read");
      return;
    }
    const found = ended.value.filter((row) => this.isMeant(row, armed));
    const starts = (await Promise.all(found.map((row, nth) => this.startFor(row, armed, nth)))).flat();
    const lastMs = Math.max(sinceMs, ...ended.value.map(({ endedAt = "" }) => Date.parse(endedAt)));
    const readMs = lastMs - limits.runEndsAgainMs;
    // E4. Without a start, the time is moved only now and then, so that a run costs no write.
    if (starts.length === 0 && readMs < sinceMs + limits.runEndsAgainMs) return;
    const decided = await store.triggers.decide(armed.id, { sinceMs: readMs }, starts);
    if (!decided.ok) log.error({ code: decided.error.code, trigger: armed.id }, "starts could not be recorded");
    else if (decided.value.length > 0) this.deps.decided();
  }

  /** E3, except for the length of the chain. */
  private isMeant(row: RunRow, { file, trigger }: Armed): boolean {
    if (row.file === file || !(trigger.status as readonly string[]).includes(row.status)) return false;
    const path = relativePath(dirname(file), row.file);
    return !path.startsWith("../") && globMatcher(trigger.workflow)(path);
  }

  private async startFor(row: RunRow, { id: trigger, file }: Armed, nth: number): Promise<NewStart[]> {
    const chain = (row.trigger.chain ?? 0) + 1;
    if (chain > limits.runChainMax) {
      this.deps.log.warn({ trigger, run: row.id }, "a chain of runs that start each other ends here");
      return [];
    }
    const first = await this.deps.store.journal.read(row.id, 1, 1);
    const [begun] = first.ok ? first.value : [];
    if (begun?.type !== "run.started" || begun.only !== undefined) return [];
    const startedBy = { kind: "run" as const, by: row.id, at: row.endedAt, chain };
    const event = JSON.stringify(await this.summaryOf(row, file));
    return [{ run: this.deps.newRunId(nth), trigger, key: row.id, startedBy, file, event }];
  }

  /** Everything in it was masked when it was recorded. */
  private async summaryOf(row: RunRow, file: string): Promise<object> {
    const last = await this.deps.store.journal.read(row.id, row.lastSeq, 1);
    const [end] = last.ok ? last.value : [];
    const { node, path, failure } = end?.type === "run.failed" ? end : {};
    return {
      run: row.id,
      workflow: relativePath(dirname(file), row.file),
      name: row.name,
      ...{ status: row.status, startedAt: row.startedAt, endedAt: row.endedAt, trigger: row.trigger.kind },
      failure: failure && { node, path, ...failure },
    };
  }
}
