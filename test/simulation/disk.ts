// disk: the store of a simulated world: the journal that keeps the contract in memory, with death before, during and after each write.
//   D1. What an append has answered is there in every later life. What it has written and not synced is there after a kill, and gone
//       after a power cut; both engine and judge must be content with either.
//   D2. Outputs and budgets are real, on a folder and a database of the test.

import { ok } from "../../src/base/result.ts";
import { openBudgets } from "../../src/store/budgets.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { Owner } from "../../src/store/index.ts";
import type { Journal } from "../../src/store/journal.ts";
import { openOutputs } from "../../src/store/outputs.ts";
import type { Store } from "../../src/store/store.ts";
import { type MemoryDisk, memoryJournal } from "../store/memory-journal.ts";
import { Dead, type Life, type World } from "./world.ts";

export interface Disk {
  journal: Journal;
  /** The store as one life sees it. */
  store(life: Life): Store;
  ownerOf(life: Life): Owner;
  isAlive(owner: Owner): boolean;
}

/** `folder` and `database` may be shared by many worlds: nothing in them has the same name twice. */
export function diskOf(world: World, folder: string, database: ReturnType<typeof openSharedDatabase>): Disk {
  const kept: MemoryDisk = new Map();
  const journal = memoryJournal(kept);
  const ownerOf = (life: Life): Owner => ({
    pid: 1_000_000 + life.number,
    startTime: "0",
    bootId: "sim",
    token: `life ${life.number}`,
  });
  const isAlive = (owner: Owner): boolean => world.life.alive && owner.token === ownerOf(world.life).token;
  const outputs = openOutputs(folder);

  function store(life: Life): Store {
    const own = memoryJournal(kept);
    const guarded = Object.fromEntries(
      Object.entries(own).map(([name, call]) => [
        name,
        (...given: never[]) => {
          if (!life.alive) throw new Dead();
          return (call as (...given: never[]) => unknown)(...given);
        },
      ]),
    ) as unknown as Journal;
    return {
      journal: {
        ...guarded,
        append: (...given) => written(life, given[0], () => own.append(...given)),
        createRun: (...given) => written(life, given[0].id, () => own.createRun(...given)),
      },
      outputs,
      budgets: (liveness) => openBudgets(database, liveness),
      removeRun: (run, alive) => own.deleteRun(run, alive),
      sweepRemoved: () => ok([]),
    } as Pick<Store, "journal" | "outputs" | "budgets" | "removeRun" | "sweepRemoved"> as Store;
  }

  /** D1. */
  function written<T>(life: Life, run: string, write: () => T): T {
    world.step(life);
    const before = kept.get(run);
    const snapshot = before && structuredClone(before);
    const answer = write();
    try {
      world.step(life);
    } catch (reason) {
      if (world.died === "power") {
        if (snapshot === undefined) kept.delete(run);
        else kept.set(run, snapshot);
      }
      throw reason;
    }
    // Synced: it is there whatever comes, and whoever asked may never hear of it.
    world.step(life);
    return answer;
  }

  return { journal, store, ownerOf, isAlive };
}

export function openSharedDatabase(path: string) {
  const opened = openDatabase(path);
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}
