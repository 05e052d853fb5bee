// kill -9 of a real `curlew serve` while it catches up on the times of a schedule (spec 2.5): each time becomes one
// run, whatever is killed when. CHECK_SEED=n starts there.

import { expect, test } from "vitest";
import type { ServerStore } from "../../src/store/index.ts";
import { folder } from "../cli/curlew.ts";
import { asked, storeOf } from "../setup/on-postgres.ts";
import { until } from "./until.ts";

const SEED = Number(process.env.CHECK_SEED ?? Math.floor(Math.random() * 1e9));
const TIMES = 40;

test(`the server is killed while ${TIMES} missed times start (seed ${SEED}): each starts one run`, {
  timeout: 90_000,
}, async () => {
  let state = SEED >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const it = folder({
    "a.flow.yaml": `curlew: 1
name: Often
on: [{ schedule: { cron: "0 * * * *", timezone: UTC, catchUp: all, overlap: queue } }]
nodes:
  - { id: t, type: text, data: { title: t, content: done } }
`,
  });
  const serve = () => it.start("serve --port 0 --hooks-port 0 .");
  const inStore = async <T>(ask: (store: ServerStore) => T): Promise<Awaited<T>> => {
    const store = await storeOf(it.home);
    try {
      return await ask(store);
    } finally {
      await store.close();
    }
  };
  const runs = () =>
    inStore(async ({ journal }) => {
      const page = await journal.listRuns({ limit: 1_000 });
      if (!page.ok) throw new Error(page.error.message);
      return page.value.runs;
    });
  const armed = async () => (await asked(it.home, "SELECT id FROM triggers")).length === 1;

  let server = serve();
  await server.says("hooks");
  await until(armed);
  server.process.kill("SIGKILL");
  await server.done;
  await asked(it.home, `UPDATE triggers SET since_ms = ${Date.now() - TIMES * 3_600_000}`);
  let kills = 0;
  server = serve();
  for (let at = 0; (await runs()).length < TIMES; ) {
    const wanted = Math.min(TIMES, at + 1 + Math.floor(random() * 12));
    await until(async () => (await runs()).length >= wanted);
    server.process.kill("SIGKILL");
    await server.done;
    kills += 1;
    at = (await runs()).length;
    server = serve();
  }
  const haveEnded = async () => (await runs()).every(({ endedAt }) => endedAt !== undefined);
  await until(async () => (await haveEnded()) && (await inStore(({ triggers }) => triggers.due())).ok);
  const times = (await runs()).map(({ trigger }) => trigger.by);
  server.process.kill("SIGTERM");
  await server.done;
  expect(new Set(times).size).toBe(times.length);
  expect(times.length - TIMES, "the hour may change in between").toBeLessThanOrEqual(1);
  expect(kills).toBeGreaterThan(2);
});
