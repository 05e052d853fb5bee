// The context that the parts and handlers of a server share: folder, engine, store, clock, log, and event bus.

import type { Documents } from "../app/documents/documents.ts";
import type { Log } from "../app/log.ts";
import type { Clock } from "../engine/clock.ts";
import type { Engine } from "../engine/index.ts";
import type { ServerStore } from "../store/index.ts";
import type { EventBus } from "./events/event-bus.ts";
import type { Metrics } from "./metrics.ts";
import type { RunHost } from "./run-host.ts";
import type { Sessions } from "./security/sessions.ts";
import type { TriggerService } from "./triggers/service.ts";

export interface ServerContext {
  version: string;
  home: string;
  /** The served folder: absolute, with links resolved. */
  folder: string;
  env: NodeJS.ProcessEnv;
  engine: Engine;
  store: ServerStore;
  clock: Clock;
  log: Log;
  bus: EventBus;
  /** Starts and resumes runs. */
  runs: RunHost;
  sessions: Sessions;
  metrics: Metrics;
  documents: Documents;
  startedAt: string;
  /** The server's URL without a trailing slash, such as `http://127.0.0.1:4780`. Known once the server listens. */
  url: string;
  /** The URL to show to people: with a host name of the machine, or that of the reverse proxy. */
  shownUrl: string;
  /** The URL of the webhook listener. Empty if it is not running. */
  hooksUrl: string;
  /** `--hooks-port`. If absent, the first free port from `limits.hooksPortDefault`. */
  hooksPort?: number;
  /** Set by the triggers part. */
  triggers?: TriggerService;
  demoUrl?: string;
  /** Aborted when the server starts to close. */
  closing: AbortSignal;
}

/**
 * A service that runs beside the routes: schedules, watches, the webhook listener. Parts start in the
 * order of PARTS and close in reverse.
 */
export interface ServerPart {
  name: string;
  start(context: ServerContext): Promise<{ close(): Promise<void> }>;
}
