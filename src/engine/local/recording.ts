// recording: the events of a run made durable, then told to whoever listens (spec 3.1, 5.3).
//   J1. When the store refuses to keep what must be kept, the run stops where its journal ends.

import type { Failure } from "../../base/failure.ts";
import { waitingCount } from "../../scheduler/state.ts";
import type { Store } from "../../store/index.ts";
import type { EngineOptions } from "../contract.ts";
import { isFinished, type RunWork } from "../run-driver.ts";

/** Thrown then (J1). */
export class StoreFault extends Error {
  override name = "StoreFault";
  readonly code: string;
  constructor(error: Pick<Failure, "code" | "message">) {
    super(error.message);
    this.code = error.code;
  }
}

export function recordingOf(
  id: string,
  store: Store,
  options: EngineOptions,
): Pick<RunWork, "commit" | "onEvent" | "onOutput"> {
  return {
    commit: (events, state) => {
      const last = events.at(-1);
      const change = {
        status: state.status,
        waiting: waitingCount(state),
        ...(isFinished(state) && last !== undefined ? { endedAt: last.at } : {}),
      };
      const appended = store.journal.append(id, events, change);
      if (!appended.ok) throw new StoreFault(appended.error);
    },
    onEvent: (event) => options.onEvent?.(event),
    onOutput: (path, number, stream, bytes) => options.onOutput?.({ run: id, path, number, stream, bytes }),
  };
}
