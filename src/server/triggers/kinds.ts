// The registry of trigger kinds that the server runs.

import { wallClock } from "../../engine/clock.ts";
import type { DocumentTrigger } from "../../workflow/triggers/index.ts";
import { Watches } from "./file.ts";
import type { ActiveKind, KindDeps, TriggerDeps } from "./kind.ts";
import { RunEnds } from "./run.ts";
import { Schedules } from "./schedule.ts";
import { Webhooks } from "./webhook.ts";

export type ActiveKinds = ReturnType<typeof activeKinds>;

export function activeKinds(server: TriggerDeps, deps: KindDeps) {
  const schedule = new Schedules({ ...deps, clock: wallClock });
  const webhook = new Webhooks(server, deps);
  server.documents.nextAtOf = (path) => schedule.nextAtOf(path);
  server.documents.hookOwnerOf = (path) => webhook.ownerOf(path);
  return { schedule, webhook, file: new Watches(deps), run: new RunEnds(deps) } satisfies {
    [Kind in DocumentTrigger["kind"]]: ActiveKind<Extract<DocumentTrigger, { kind: Kind }>>;
  };
}
