// open: opens an engine on the store of a data directory (spec 3.4).

import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { openStore, type Store } from "../store/index.ts";
import type { Engine, EngineOptions } from "./contract.ts";
import { LocalEngine } from "./local-engine.ts";
import { sweepEnded } from "./recovery/sweep.ts";
import { thisWorld, type World } from "./world.ts";

/** Failures: the store's (docs/reference/data-directory.md). */
export function openEngine(options: EngineOptions): Result<Engine, Failure> {
  const opened = openStore(options.home);
  if (!opened.ok) return err({ code: opened.error.code, message: opened.error.message });
  return ok(engineOn(opened.value, options, thisWorld()));
}

export function engineOn(store: Store, options: EngineOptions, world: World): Engine {
  sweepEnded(store, world.owner, world.isAlive);
  return new LocalEngine(options, store, world);
}
