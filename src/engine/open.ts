// open: opens an engine on the store of a data directory (spec 3.4).

import type { Failure } from "../base/failure.ts";
import { err, ok, type Result } from "../base/result.ts";
import { type LocalStore, openStore, type Store } from "../store/index.ts";
import type { Engine, EngineOptions } from "./contract.ts";
import { LocalEngine } from "./local-engine.ts";
import { sweepEnded } from "./recovery/sweep.ts";
import { thisWorld, type World } from "./world.ts";

/** An engine on the store of this machine. */
interface OpenEngine extends Engine {
  store: LocalStore;
}

/** Failures: the store's (docs/reference/data-directory.md). */
export async function openEngine(options: EngineOptions): Promise<Result<OpenEngine, Failure>> {
  const opened = openStore(options.home);
  if (!opened.ok) return err({ code: opened.error.code, message: opened.error.message });
  const store = opened.value;
  return ok(Object.assign(await engineOn(store, options, thisWorld()), { store }));
}

export async function engineOn(store: Store, options: EngineOptions, world: World): Promise<Engine> {
  await sweepEnded(store, world.owner, world.isAlive);
  return new LocalEngine(options, store, world);
}
