// Runs triggers beside the server's routes (spec 2.5).

import { limits } from "../../base/limits.ts";
import type { ServerPart } from "../context.ts";
import { TriggerService } from "./service.ts";

export const triggersPart: ServerPart = {
  name: "triggers",
  async start(context) {
    const triggers = new TriggerService(context);
    context.triggers = triggers;
    await triggers.open();
    const again = (): void => {
      triggers.look().catch((reason) => context.log.error({ err: reason }, "triggers could not be looked at"));
    };
    const unlisten = context.bus.listen({
      onEvents: (events) => {
        for (const { event } of events) triggers.onRunEvent(event);
      },
      onMessage: ({ kind }) => kind === "document" && again(),
    });
    const looking = setInterval(() => {
      if (triggers.hasProblems) again();
      triggers.lookAround();
    }, limits.triggerLookMs).unref();
    const tidying = setInterval(() => void triggers.tidy(), limits.triggerTidyMs).unref();
    // The server's start does not wait until a large folder has been read.
    const opened = triggers
      .begin()
      .catch((reason) => context.log.error({ err: reason }, "triggers could not be armed"));
    return {
      close: async () => {
        clearInterval(looking);
        clearInterval(tidying);
        unlisten();
        await triggers.close();
        await opened;
      },
    };
  },
};
