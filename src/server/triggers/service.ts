// Manages all triggers of the served folder: arms, lists, and pauses them, and starts their runs (spec 2.5).
//   D1. A changed document arms its triggers at once. The state of a trigger is kept
//       while the document declares the same.
//   D2. Starts that an earlier server decided or acknowledged come first.
//   D3. Servers of a cluster look at times for starts that another one decided: it may be gone. They leave those of files
//       that they don't serve.

import { randomBytes } from "node:crypto";
import type { TriggerItem } from "../../api/shapes.ts";
import { pathIn } from "../../app/documents/relative-path.ts";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../../base/ids.ts";
import { oneAtATime } from "../../base/one-at-a-time.ts";
import { ok, type Result } from "../../base/result.ts";
import type { RunEvent } from "../../scheduler/event.ts";
import type { StoreError } from "../../store/index.ts";
import type { DocumentTrigger } from "../../workflow/triggers/index.ts";
import type { RunHost } from "../run-host.ts";
import { ActiveDocuments, type ActiveTrigger, triggerId } from "./active-trigger.ts";
import type { ActiveKind, KindDeps, ListedTrigger, TriggerDeps } from "./kind.ts";
import { type ActiveKinds, activeKinds } from "./kinds.ts";
import { Outbox, type OverlapPolicy } from "./outbox.ts";
import { startByTrigger } from "./starting.ts";

export class TriggerService {
  readonly kinds: ActiveKinds;
  private readonly deps: TriggerDeps;
  private readonly documents: ActiveDocuments;
  private readonly outbox: Outbox;
  private armed: ActiveTrigger[] = [];
  private closed = false;

  constructor(deps: TriggerDeps & { runs: RunHost }) {
    this.deps = deps;
    const { store, log, clock, runs, documents } = deps;
    const start: KindDeps["start"] = (ask) =>
      startByTrigger(ask, { documents, start: (request) => runs.start(request) });
    const nowMs = (): number => clock.nowMs();
    const isOthers: KindDeps["isOthers"] = (file) => runs.isShared && pathIn(documents.folder.root, file) === undefined;
    this.documents = new ActiveDocuments(documents, store.triggers, nowMs);
    this.outbox = new Outbox({
      ...{ store, log, nowMs, start, isOthers },
      cancel: async (row) => runs.cancel(row, "schedule"),
      overlapPolicyOf: (id) => this.overlapPolicyOf(id),
    });
    this.kinds = activeKinds(deps, {
      ...{ store, log, clock, start, isOthers },
      newRunId: (aheadMs = 0) => newRunId(clock.nowMs() + aheadMs, randomBytes(RUN_ID_RANDOM_BYTES)),
      decided: () => void this.outbox.dispatch(),
      isUnfinished: (id) => this.outbox.isUnfinished(id),
      waiting: (id) => this.outbox.waiting(id),
    });
  }

  /** Before the triggers are armed. */
  async open(): Promise<void> {
    for (const kind of this.each()) await kind.open?.();
  }

  /** D2, then arms the triggers. */
  async begin(): Promise<void> {
    await this.tidy();
    await this.look();
    if (!this.closed) this.outbox.open();
  }

  /** Reads and arms what has changed. A call during a look waits for another look after it. */
  readonly look = oneAtATime(() => this.lookOn());

  /** Whether a trigger is inactive for a reason that may go away without a change of its file. */
  get hasProblems(): boolean {
    return this.armed.some(({ problem }) => problem !== undefined);
  }

  /** Lets every kind look for what it may have missed. D3. */
  lookAround = (): void => {
    for (const kind of this.each()) void kind.look?.();
    void this.outbox.dispatch();
  };

  async tidy(): Promise<void> {
    const nowMs = this.deps.clock.nowMs();
    await this.documents.sayAgain();
    await this.deps.store.triggers.tidy(nowMs);
    await this.deps.store.deliveries.tidy(nowMs);
  }

  onRunEvent(event: RunEvent): void {
    for (const kind of this.each()) kind.onRunEvent?.(event);
    this.outbox.onRunEvent(event);
  }

  /** All, ordered by path and position in `on:`. */
  async list(): Promise<TriggerItem[]> {
    const { armed } = this;
    const shown = new Map<string, ListedTrigger>();
    for (const [name, kind] of Object.entries(this.kinds)) {
      const own = armed.filter(({ trigger }) => trigger.kind === name);
      const listed = await (kind as ActiveKind<DocumentTrigger>).list(own);
      for (const [at, { id }] of own.entries()) shown.set(id, listed[at]!);
    }
    return Promise.all(armed.map((one) => this.itemOf(one, shown.get(one.id)!)));
  }

  /** The ids of a document's triggers, now and under another file name. */
  idsUnder(path: string, file: string): [from: string, to: string][] {
    return this.armed.filter((one) => one.path === path).map(({ id, trigger }) => [id, triggerId(file, trigger)]);
  }

  /** False if there is no such trigger. */
  async pause(id: string, paused: boolean): Promise<Result<boolean, StoreError>> {
    if (!this.armed.some((one) => one.id === id)) return ok(false);
    const { store, clock } = this.deps;
    const seen = await store.triggers.seen(id, clock.nowMs());
    if (!seen.ok) return seen;
    const done = await store.triggers.pause(id, paused, clock.nowMs());
    if (!done.ok) return done;
    this.lookAround();
    return ok(true);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.outbox.close();
    for (const kind of this.each()) await kind.disarm();
    await this.look();
  }

  private each(): ActiveKind<DocumentTrigger>[] {
    return Object.values(this.kinds) as ActiveKind<DocumentTrigger>[];
  }

  private async lookOn(): Promise<void> {
    if (this.closed) return;
    this.armed = await this.documents.look();
    for (const [name, kind] of Object.entries(this.kinds)) {
      if (this.closed) return;
      const own = this.armed.filter(({ trigger }) => trigger.kind === name);
      await (kind as ActiveKind<DocumentTrigger>).arm(own);
    }
  }

  private async itemOf({ id, path, trigger, problem }: ActiveTrigger, shown: ListedTrigger): Promise<TriggerItem> {
    const state = await this.deps.store.triggers.state(id);
    const kept = state.ok ? state.value : undefined;
    const { kind, index: _, ...fields } = trigger;
    return {
      ...{ id, kind, workflow: path, title: shown.title, paused: kept?.paused === true },
      problem: problem ?? shown.problem,
      fields: { ...fields, ...shown.fields },
      url: shown.url,
      next: shown.next,
      last: shown.last ?? kept?.last,
    };
  }

  private overlapPolicyOf(id: string): OverlapPolicy | undefined {
    const trigger = this.armed.find((one) => one.id === id)?.trigger;
    return trigger !== undefined && "overlap" in trigger ? trigger.overlap : undefined;
  }
}
