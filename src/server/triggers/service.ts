// Manages all triggers of the served folder: arms, lists, and pauses them, and starts their runs (spec 2.5).
//   D1. A changed document arms its triggers at once. The state of a trigger is kept
//       while the document declares the same.
//   D2. Starts that an earlier server decided or acknowledged come first.

import { randomBytes } from "node:crypto";
import type { Triggers } from "../../api/shapes.ts";
import type { Documents } from "../../app/documents/documents.ts";
import type { Log } from "../../app/log.ts";
import type { Failure } from "../../base/failure.ts";
import { newRunId, RUN_ID_RANDOM_BYTES } from "../../base/ids.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Clock } from "../../engine/clock.ts";
import { wallClock } from "../../engine/clock.ts";
import type { RunHandle } from "../../engine/contract.ts";
import { readPublicHooksUrl } from "../../secrets/config.ts";
import { lookForSecrets } from "../../secrets/where.ts";
import type { ServerStore, StoreError } from "../../store/index.ts";
import type { DocumentTrigger, ScheduleTrigger } from "../../workflow/triggers.ts";
import type { EventBus } from "../events/event-bus.ts";
import { Inbox } from "../hooks/inbox.ts";
import type { Hook, HooksDeps } from "../hooks/listener.ts";
import { HookSecrets } from "../hooks/secrets.ts";
import { withoutHome } from "../problem.ts";
import type { RunHost } from "../run-host.ts";
import { ActiveDocuments, type ActiveTrigger } from "./active-trigger.ts";
import { listed } from "./listed.ts";
import { Outbox, type OverlapPolicy } from "./outbox.ts";
import { Schedules } from "./schedules.ts";
import { type StartAsk, startByTrigger } from "./starting.ts";
import { nextTimes } from "./times.ts";
import { Watches } from "./watches.ts";

/** The parts of the server that triggers use. The webhook listener sets `hooksUrl` when it listens. */
export interface TriggerDeps {
  home: string;
  env: NodeJS.ProcessEnv;
  hooksUrl: string;
  store: ServerStore;
  clock: Clock;
  log: Log;
  bus: EventBus;
  runs: RunHost;
  documents: Documents;
}

export class TriggerService {
  readonly inbox: Inbox;
  readonly secrets: HookSecrets;
  private readonly deps: TriggerDeps;
  private readonly documents: ActiveDocuments;
  private readonly outbox: Outbox;
  private readonly schedules: Schedules;
  private readonly watches: Watches;
  private armed: ActiveTrigger[] = [];
  private hooks = new Map<string, Hook>();
  /** Schedules by document, for the list of workflows, which needs them for every document. */
  private timed = new Map<string, ActiveTrigger<ScheduleTrigger>[]>();
  private looking: Promise<void> | undefined;
  private lookAgain = false;
  private closed = false;
  private ready = false;

  constructor(deps: TriggerDeps) {
    this.deps = deps;
    const { store, log, clock, home, env } = deps;
    const start = (ask: StartAsk) => this.start(ask);
    const nowMs = (): number => clock.nowMs();
    const common = { store, log, clock, newRunId: this.newRunId, start, nowMs, changed: () => {} };
    this.documents = new ActiveDocuments(deps.documents, store.triggers, nowMs);
    this.outbox = new Outbox({
      ...common,
      cancel: async (row) => deps.runs.cancel(row, "schedule"),
      overlapPolicyOf: (id) => this.overlapPolicyOf(id),
    });
    const decided = (): void => this.outbox.dispatch();
    this.schedules = new Schedules({
      ...common,
      clock: wallClock,
      decided,
      isUnfinished: (id) => this.outbox.isUnfinished(id),
      waiting: (id) => this.outbox.waiting(id),
    });
    this.watches = new Watches({ ...common, decided });
    this.secrets = new HookSecrets({
      ...{ home, env, nowMs },
      warn: ({ code, message }) => log.warn({ code }, message),
    });
    this.inbox = new Inbox({
      ...common,
      tell: (id, hook, status) => deps.bus.publish({ kind: "delivery", id, hook, status }),
    });
  }

  /** D2, then arms the triggers. */
  async open(): Promise<void> {
    this.tidy();
    await this.look();
    this.ready = true;
    if (this.closed) return;
    this.outbox.open();
    this.inbox.begin();
    this.deps.documents.nextAtOf = (path) => this.nextAtOf(path);
    this.deps.documents.hookOwnerOf = (hook) => this.hooks.get(hook)?.path;
  }

  /** Reads and arms what has changed. A call during a look waits for another look after it. */
  look(): Promise<void> {
    this.lookAgain = true;
    this.looking ??= this.lookOn().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  /** Whether a trigger is inactive for a reason that may go away without a change of its file. */
  get hasProblems(): boolean {
    return this.armed.some(({ problem }) => problem !== undefined);
  }

  /** Call this when a folder may have been replaced. */
  lookAtFolders = (): void => this.watches.lookAtFolders();

  tidy(): void {
    const nowMs = this.deps.clock.nowMs();
    this.documents.sayAgain();
    this.deps.store.triggers.tidy(nowMs);
    this.deps.store.deliveries.tidy(nowMs);
  }

  newRunId = (aheadMs = 0): string => newRunId(this.deps.clock.nowMs() + aheadMs, randomBytes(RUN_ID_RANDOM_BYTES));

  onRunEvent: Outbox["onRunEvent"] = (event) => this.outbox.onRunEvent(event);

  isReady = (): boolean => this.ready;

  hookAt: HooksDeps["hookAt"] = (path) => {
    const hook = this.hooks.get(path);
    if (hook === undefined) return undefined;
    const state = this.deps.store.triggers.state(hook.id);
    return { hook, paused: state.ok && state.value?.paused === true };
  };

  /** All, ordered by path and position in `on:`. */
  armedNow(): readonly ActiveTrigger[] {
    return this.armed;
  }

  /** Reads the tunnel's URL from config.yaml each time, so that a new one is shown at once. */
  async list(armed: readonly ActiveTrigger[]): Promise<Triggers> {
    const { store, log, env, home, hooksUrl } = this.deps;
    const nowMs = wallClock.nowMs();
    const shown = await readPublicHooksUrl(home);
    const url = hooksUrl === "" ? "" : ((shown.ok ? shown.value : undefined) ?? hooksUrl);
    return listed(armed, {
      store,
      nowMs,
      url,
      ...(shown.ok ? {} : { urlProblem: withoutHome(shown.error, this.deps.home).message }),
      secrets: this.secrets,
      look: () => lookForSecrets({ environment: env, home, warn: ({ code }) => log.warn({ code }, "about secrets") }),
      problemOf: (id) => this.watches.problemOf(id),
    });
  }

  /** False if there is no such trigger. */
  pause(id: string, paused: boolean): Result<boolean, StoreError> {
    if (!this.armed.some((one) => one.id === id)) return ok(false);
    const { store, clock } = this.deps;
    const seen = store.triggers.seen(id, clock.nowMs());
    if (!seen.ok) return seen;
    const done = store.triggers.pause(id, paused, clock.nowMs());
    if (!done.ok) return done;
    this.schedules.look();
    return ok(true);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.schedules.close();
    this.outbox.close();
    this.inbox.close();
    await this.watches.close();
    await this.looking;
  }

  private async lookOn(): Promise<void> {
    while (this.lookAgain && !this.closed) {
      this.lookAgain = false;
      this.armed = await this.documents.look();
      if (this.closed) return;
      // The first document that declares a path owns it.
      this.hooks = new Map(
        this.of("webhook")
          .toReversed()
          .map((hook) => [hook.trigger.path, hook]),
      );
      this.timed = Map.groupBy(this.of("schedule"), ({ path }) => path);
      this.schedules.arm(this.of("schedule"));
      await this.watches.arm(this.of("file"));
    }
  }

  private of<Kind extends DocumentTrigger["kind"]>(
    kind: Kind,
  ): ActiveTrigger<Extract<DocumentTrigger, { kind: Kind }>>[] {
    return this.armed.filter(
      (one): one is ActiveTrigger<Extract<DocumentTrigger, { kind: Kind }>> => one.trigger.kind === kind,
    );
  }

  private start(ask: StartAsk): Promise<Result<RunHandle | undefined, Failure>> {
    const { documents, runs } = this.deps;
    return startByTrigger(ask, { documents, start: (request) => runs.start(request) });
  }

  private overlapPolicyOf(id: string): OverlapPolicy | undefined {
    const trigger = this.armed.find((one) => one.id === id)?.trigger;
    return trigger?.kind === "schedule" ? trigger.overlap : undefined;
  }

  private nextAtOf(path: string): string | undefined {
    const nowMs = this.deps.clock.nowMs();
    const next = (this.timed.get(path) ?? []).flatMap((one) => {
      const state = this.deps.store.triggers.state(one.id);
      const stands = one.problem !== undefined || (state.ok && state.value?.paused === true);
      return stands ? [] : nextTimes(one.trigger, nowMs, 1);
    });
    return next.length === 0 ? undefined : new Date(Math.min(...next)).toISOString();
  }
}
