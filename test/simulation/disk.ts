// disk: the store of a simulated world: an in-memory journal that keeps the contract, with death before, during and
// after each write.
//   D1. An acknowledged append is there in every later life. A write that was not synced survives a kill, and is gone
//       after a power cut. Engine and judge must accept both.
//   D3. A late disk answers later, in random order, or never: then the engine hangs until it is killed. Only one append
//       of a run is under way at a time.
//   D2. Outputs and budgets are real, in a folder and a database of the test.

import type { AtOnce } from "../../src/base/now.ts";
import { ok } from "../../src/base/result.ts";
import { sqlOf } from "../../src/store/ask.ts";
import { openBudgets } from "../../src/store/budgets.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { Owner } from "../../src/store/index.ts";
import type { Journal } from "../../src/store/journal.ts";
import { Outputs } from "../../src/store/outputs.ts";
import type { Store } from "../../src/store/store.ts";
import { late } from "../store/late-store.ts";
import { type MemoryDisk, memoryJournal } from "../store/memory-journal.ts";
import { Dead, type Life, type World } from "./world.ts";

export interface Disk {
  journal: AtOnce<Journal>;
  /** The store as one life sees it. */
  store(life: Life): Store;
  ownerOf(life: Life): Owner;
  isAlive(owner: Owner): boolean;
}

const NEVER_SHARE = 0.002;

/** `folder` and `database` may be shared by many worlds: nothing in them has the same name twice. */
export function diskOf(
  world: World,
  folder: string,
  database: ReturnType<typeof openSharedDatabase>,
  isLate = false,
): Disk {
  const kept: MemoryDisk = new Map();
  const journal = memoryJournal(kept);
  const ownerOf = (life: Life): Owner => ({
    pid: 1_000_000 + life.number,
    startTime: "0",
    bootId: "sim",
    token: `life ${life.number}`,
  });
  const isAlive = (owner: Owner): boolean => world.life.alive && owner.token === ownerOf(world.life).token;
  const outputs = new Outputs(folder);

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
    const mortal: Journal = {
      ...guarded,
      append: (...given) => written(life, given[0], () => own.append(...given)),
      createRun: (...given) => written(life, given[0].id, () => own.createRun(...given)),
    };
    const patient = late(mortal, () => waits(life));
    return {
      journal: isLate ? { ...patient, append: oneAtATime(patient.append), createRun: patient.createRun } : mortal,
      outputs,
      budgets: (liveness) => openBudgets(sqlOf(database), liveness),
      removeRun: (run, alive) => own.deleteRun(run, alive),
      sweepRemoved: () => ok([]),
      // No earlier run has stored anything.
      state: { read: () => ok({}) },
    } as Pick<Store, "journal" | "outputs" | "budgets" | "removeRun" | "sweepRemoved"> & { state: object } as Store;
  }

  /** D3. Questions of a dead engine are never answered. */
  async function waits(life: Life): Promise<void> {
    for (let hops = Math.floor(world.random() * 4); hops >= 0; hops--) {
      world.stirs += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const isNever = life.alive && world.random() < NEVER_SHARE;
    if (isNever) world.hangs = true;
    if (isNever || !life.alive) await new Promise(() => {});
  }

  function oneAtATime(append: Journal["append"]): Journal["append"] {
    const under = new Set<string>();
    return async (run, ...given) => {
      if (under.has(run)) world.broken.push(`two groups of run ${run} were on their way to the store`);
      under.add(run);
      const answer = await append(run, ...given);
      under.delete(run);
      return answer;
    };
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
    // Synced: it is there whatever happens, even if the caller never learns of it.
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
