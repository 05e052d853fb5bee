// late: the main suites of the server, once more over a store that answers late and in random order. CHECK_SEED=n repeats
// the order.

import { afterAll, describe } from "vitest";
import { ok } from "../../src/base/result.ts";
import { engineOn } from "../../src/engine/open.ts";
import { thisWorld } from "../../src/engine/world.ts";
import { openStore } from "../../src/store/index.ts";
import { serverStore } from "../../src/store/server-store.ts";
import { randomFrom } from "../scheduler/generate.ts";
import { isOnPostgres, onOneMachine } from "../setup/on-postgres.ts";
import { lateStore } from "../store/late-store.ts";
import { OPENING } from "./served.ts";

const SEED = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1_000_000_000));
console.log(`late store of a server: seed ${SEED}`);
const random = randomFrom(SEED);
const wait = (): Promise<void> => new Promise((next) => setTimeout(next, random() * 3));

OPENING.open = async (options) => {
  const opened = openStore(options.home);
  if (!opened.ok) return opened;
  const store = lateStore(serverStore(opened.value), wait);
  return ok({ engine: await engineOn(store, options, thisWorld()), store });
};
afterAll(() => {
  OPENING.open = undefined;
});

const SUITES = ["runs", "approvals", "lists", "start", "hooks", "removed", "workflows", "watch", "schedules"];

onOneMachine("this store answers late over SQLite.");
for (const suite of SUITES) describe.skipIf(isOnPostgres)(suite, () => import(`./${suite}.test.ts`));
