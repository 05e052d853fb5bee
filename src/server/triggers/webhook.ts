// Runs webhooks: their listener, their inbox, and their secrets (spec 2.5, 4.3 "Hook listener").
//   P1. The webhook listener has its own port and HTTP server, so that a tunnel to it exposes webhooks and nothing else.

import { dirname } from "node:path";
import { limits } from "../../base/limits.ts";
import { wallClock } from "../../engine/clock.ts";
import { readSetting } from "../../secrets/config.ts";
import { lookForSecrets } from "../../secrets/where.ts";
import type { WebhookTrigger } from "../../workflow/triggers/index.ts";
import { Inbox } from "../hooks/inbox.ts";
import { type Hook, hookHandler, unreadable } from "../hooks/listener.ts";
import { HookSecrets } from "../hooks/secrets.ts";
import { listen } from "../listen.ts";
import { withoutHome } from "../problem.ts";
import type { ActiveKind, KindDeps, ListedTrigger, TriggerDeps } from "./kind.ts";

const NO_PORT = "Curlew could not open a port for webhooks. The server's log says why.";

export class Webhooks implements ActiveKind<WebhookTrigger> {
  readonly inbox: Inbox;
  private readonly server: TriggerDeps;
  private readonly deps: KindDeps;
  private readonly secrets: HookSecrets;
  /** By path. Undefined until the documents have been read. */
  private hooks: ReadonlyMap<string, Hook> | undefined;
  private unlisten: () => Promise<void> = async () => {};

  constructor(server: TriggerDeps, deps: KindDeps) {
    const { home, env, log, bus, clock } = server;
    this.server = server;
    this.deps = deps;
    this.secrets = new HookSecrets({
      ...{ home, env, nowMs: () => clock.nowMs() },
      warn: ({ code, message }) => log.warn({ code }, message),
    });
    this.inbox = new Inbox({
      ...deps,
      tell: (id, hook, status) => bus.publish({ kind: "delivery", id, hook, status }),
    });
  }

  /** P1. If the port cannot be opened, the server reports that and runs without webhooks. */
  async open(): Promise<void> {
    const { log, clock, hooksPort: port } = this.server;
    const handler = hookHandler({
      ...{ inbox: this.inbox, secrets: this.secrets, log },
      hookAt: (path) => this.hooks?.get(path),
      isPaused: (hook) => this.isPaused(hook),
      isReady: () => this.hooks !== undefined,
      nowMs: () => clock.nowMs(),
      wallMs: () => wallClock.nowMs(),
      newRunId: this.deps.newRunId,
    });
    const listening = await listen(handler, { first: limits.hooksPortDefault, port, unreadable });
    if (!listening.ok) {
      log.error({ code: listening.error.code }, `webhooks are not received: ${listening.error.message}`);
      return;
    }
    for (const server of listening.value.servers) server.headersTimeout = limits.hookReadMs;
    this.server.hooksUrl = `http://127.0.0.1:${listening.value.port}`;
    this.unlisten = () => listening.value.close(limits.serverCloseMs);
  }

  async arm(hooks: readonly Hook[]): Promise<void> {
    const isFirst = this.hooks === undefined;
    // The first document that declares a path owns it.
    this.hooks = new Map(hooks.toReversed().map((hook) => [hook.trigger.path, hook]));
    if (isFirst) await this.inbox.begin();
  }

  /** Another server of the cluster may have acknowledged a delivery, and be gone. */
  look(): void {
    if (this.hooks !== undefined) void this.inbox.begin();
  }

  ownerOf(path: string): string | undefined {
    return this.hooks?.get(path)?.path;
  }

  /** Reads the tunnel's URL from config.yaml each time, so that a new one is shown at once. */
  async list(hooks: readonly Hook[]): Promise<ListedTrigger[]> {
    const { home, env, log, hooksUrl, store } = this.server;
    const shown = await readSetting(home, "publicHooksUrl");
    const base = hooksUrl === "" ? "" : ((shown.ok ? shown.value : undefined) ?? hooksUrl);
    // Finds where secrets are without reading values, because some sources would prompt the user.
    const looked = hooks.some(({ trigger }) => trigger.secret !== undefined)
      ? await lookForSecrets({ environment: env, home, warn: ({ code }) => log.warn({ code }, "about secrets") })
      : undefined;
    const shownOf = async ({ id, file, trigger: { path, verify, secret } }: Hook): Promise<ListedTrigger> => {
      const isMissing = secret !== undefined && looked?.of(secret, [dirname(file)]).source === undefined;
      const lastAt = await store.deliveries.lastAt(path);
      const url = `${base}/h/${path}`;
      return {
        title: `webhook ${url} (${verify === "none" ? "verify none" : `verify ${verify}, secret ${secret ?? "missing"}`})`,
        url,
        last: lastAt.ok && lastAt.value !== undefined ? { at: lastAt.value } : undefined,
        problem:
          (base === "" ? NO_PORT : undefined) ??
          (isMissing && verify !== "none"
            ? `The secret ${secret} is not set, so Curlew rejects deliveries.`
            : undefined) ??
          this.secrets.trouble(id)?.message ??
          (shown.ok ? undefined : withoutHome(shown.error, home).message),
      };
    };
    return Promise.all(hooks.map(shownOf));
  }

  async disarm(): Promise<void> {
    await this.unlisten();
    this.inbox.close();
  }

  private async isPaused(hook: Hook): Promise<boolean> {
    const state = await this.deps.store.triggers.state(hook.id);
    return state.ok && state.value?.paused === true;
  }
}
