// context: what the parts and handlers of one server share: its home and folder, the engine and store, the clock, the log, the hub of events.

import type { Clock } from "../engine/clock.ts";
import type { Engine } from "../engine/index.ts";
import type { ServerStore } from "../store/index.ts";
import type { Documents } from "./document/documents.ts";
import type { Figures } from "./figures.ts";
import type { Hub } from "./hub.ts";
import type { Log } from "./log.ts";
import type { RunHost } from "./run-host.ts";
import type { Sessions } from "./security/sessions.ts";
import type { TriggerDesk } from "./triggers/desk.ts";

export interface ServerContext {
  version: string;
  home: string;
  /** The served folder, absolute and without links. */
  folder: string;
  env: NodeJS.ProcessEnv;
  engine: Engine;
  store: ServerStore;
  clock: Clock;
  log: Log;
  hub: Hub;
  /** Starts runs and goes on with them. */
  runs: RunHost;
  sessions: Sessions;
  figures: Figures;
  documents: Documents;
  startedAt: string;
  /** Where it is reached, known once it listens: `http://127.0.0.1:4780`, without a slash at the end. */
  url: string;
  /** The same as people reach it: by a name of the machine, or the reverse proxy in front. */
  shownUrl: string;
  /** Of the listener for hooks; empty while there is none. */
  hooksUrl: string;
  /** `--hooks-port`; absent: the first free one from `limits.hooksPortDefault`. */
  hooksPort?: number;
  /** Put here by its part. */
  triggers?: TriggerDesk;
  demoUrl?: string;
  /** Aborted when the server begins to close. */
  closing: AbortSignal;
}

/** What runs beside the routes: schedules, watches, the hook listener. Started in the order of PARTS, closed in the other. */
export interface Part {
  name: string;
  start(context: ServerContext): Promise<{ close(): Promise<void> }>;
}
