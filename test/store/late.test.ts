// late: suites that run an engine in this process, once more over a store that answers late and in random order (ADR 3).
// No command starts, and the engine reports no event, before the event is stored. CHECK_SEED=n repeats the order.
// Suites that hold the clock are left out, because time does not pass between a question and its answer there.

import { afterEach, describe, expect, vi } from "vitest";
import { ok } from "../../src/base/result.ts";
import type { EngineOptions } from "../../src/engine/contract.ts";
import { thisWorld, type World } from "../../src/engine/world.ts";
import { andThen } from "../../src/kinds/values.ts";
import { openStore } from "../../src/store/index.ts";
import { randomFrom } from "../scheduler/generate.ts";
import { lateStore } from "./late-store.ts";

type IsStored = (run: string, seq: number) => boolean;

const SEED = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1_000_000_000));
console.log(`late store: seed ${SEED}`);

const early: string[] = [];
afterEach(() => expect(early.splice(0), `seed ${SEED}`).toEqual([]));

vi.mock(import("../../src/engine/open.ts"), async (original) => {
  const real = await original();
  const random = randomFrom(SEED);
  const wait = async (): Promise<void> => {
    for (let hops = Math.floor(random() * 4); hops > 0; hops--) await new Promise((next) => setImmediate(next));
  };
  const openEngine = async (options: EngineOptions) => {
    const opened = openStore(options.home);
    if (!opened.ok) return opened;
    const store = opened.value;
    const isStored: IsStored = (run, seq) => {
      const last = store.journal.lastSeq(run);
      return last.ok && last.value >= seq;
    };
    const onEvent: EngineOptions["onEvent"] = (event) => {
      if (!isStored(event.run, event.seq)) early.push(`${event.type} was shown before it was stored`);
      options.onEvent?.(event);
    };
    const engine = await real.engineOn(lateStore(store, wait), { ...options, onEvent }, watched(isStored));
    // The suites look at the store themselves, and do not wait.
    const { working, close, leave } = engine;
    const shown = { store, working, close, leave, start: engine.start.bind(engine) };
    return ok({ ...shown, resume: engine.resume.bind(engine), mask: engine.mask.bind(engine) });
  };
  return { ...real, openEngine };
});

/** A world that sees each start. An attempt is named after the number of its `attempt.started`. */
function watched(isStored: IsStored): World {
  const world = thisWorld();
  const kinds: World["kinds"] = (...given) => {
    const own = world.kinds(...given);
    const prepare: typeof own.prepare = (node, context) =>
      andThen(own.prepare(node, context), (prepared) =>
        ok({
          ...prepared,
          start: (stem, onGrowth) => {
            if (!isStored(context.run.id, Number(stem))) early.push(`${node.id} began before its start was stored`);
            return prepared.start(stem, onGrowth);
          },
        }),
      );
    return { ...own, prepare };
  };
  return { ...world, kinds };
}

describe("over a store that answers late", async () => {
  await import("../../src/engine/engine.test.ts");
  await import("../approvals/stories.test.ts");
  await import("../approvals/subflows.test.ts");
  await import("../runner/server-leaves.test.ts");
});
