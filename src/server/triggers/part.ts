// Runs triggers beside the server's routes: automatic starts and the webhook listener (spec 2.5, 4.3 "Hook listener").
//   P1. The webhook listener has its own port and HTTP server, so that a tunnel to
//       it exposes webhooks and nothing else.

import { limits } from "../../base/limits.ts";
import { wallClock } from "../../engine/clock.ts";
import type { Part, ServerContext } from "../context.ts";
import { hookHandler, unreadable } from "../hooks/listener.ts";
import { listen } from "../listen.ts";
import { TriggerService } from "./service.ts";

export const triggersPart: Part = {
  name: "triggers",
  async start(context) {
    const triggers = new TriggerService(context);
    context.triggers = triggers;
    const closeHooks = await openHooks(triggers, context);
    const again = (): void => {
      triggers.look().catch((reason) => context.log.error({ err: reason }, "triggers could not be looked at"));
    };
    const unlisten = context.bus.subscribe((message) => {
      if (message.kind === "document") again();
      else if (message.kind === "run") triggers.onRunEvent(message.event);
    });
    const looking = setInterval(() => {
      if (triggers.hasProblems) again();
      triggers.lookAtFolders();
    }, limits.triggerLookMs).unref();
    const tidying = setInterval(() => triggers.tidy(), limits.triggerTidyMs).unref();
    // The server's start does not wait until a large folder has been read.
    const opened = triggers.open().catch((reason) => context.log.error({ err: reason }, "triggers could not be armed"));
    return {
      close: async () => {
        clearInterval(looking);
        clearInterval(tidying);
        unlisten();
        await closeHooks();
        await triggers.close();
        await opened;
      },
    };
  },
};

/** P1. If the port cannot be opened, the server reports that and runs without webhooks. */
async function openHooks(triggers: TriggerService, context: ServerContext): Promise<() => Promise<void>> {
  const { log, clock } = context;
  const { inbox, secrets, hookAt, isReady } = triggers;
  const handler = hookHandler({
    inbox,
    secrets,
    hookAt,
    isReady,
    log,
    nowMs: () => clock.nowMs(),
    wallMs: () => wallClock.nowMs(),
    newRunId: triggers.newRunId,
  });
  const listening = await listen(handler, {
    first: limits.hooksPortDefault,
    connections: limits.hookConnectionsMax,
    unreadable,
    ...(context.hooksPort === undefined ? {} : { port: context.hooksPort }),
  });
  if (!listening.ok) {
    log.error({ code: listening.error.code }, `webhooks are not received: ${listening.error.message}`);
    return async () => {};
  }
  for (const server of listening.value.servers) server.headersTimeout = limits.hookReadMs;
  context.hooksUrl = `http://127.0.0.1:${listening.value.port}`;
  return () => listening.value.close(limits.serverCloseMs);
}
