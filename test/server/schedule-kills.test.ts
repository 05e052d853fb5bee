// kill -9 of a real `curlew serve` while it catches up on the times of a schedule (spec 2.5): each time becomes one
// run, whatever is killed when. CHECK_SEED=n starts there.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { serverStore } from "../../src/store/server-store.ts";
import { folder } from "../cli/curlew.ts";
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
  const asked = <T>(ask: (store: ReturnType<typeof serverStore>) => T): T => {
    const store = openStore(it.home);
    if (!store.ok) throw new Error(store.error.message);
    try {
      return ask(serverStore(store.value));
    } finally {
      store.value.close();
    }
  };
  const runs = () =>
    asked(({ journal }) => {
      const page = journal.listRuns({ limit: 1_000 });
      if (!page.ok) throw new Error(page.error.message);
      return page.value.runs;
    });
  const armed = () => {
    using database = new DatabaseSync(join(it.home, "curlew.db"));
    return database.prepare("SELECT count(*) AS n FROM triggers").get()?.n === 1;
  };

  let server = serve();
  await server.says("hooks");
  await until(armed);
  server.process.kill("SIGKILL");
  await server.done;
  {
    using database = new DatabaseSync(join(it.home, "curlew.db"));
    database.prepare("UPDATE triggers SET since_ms = ?").run(Date.now() - TIMES * 3_600_000);
  }
  let kills = 0;
  server = serve();
  for (let at = 0; runs().length < TIMES; ) {
    const wanted = Math.min(TIMES, at + 1 + Math.floor(random() * 12));
    await until(() => runs().length >= wanted);
    server.process.kill("SIGKILL");
    await server.done;
    kills += 1;
    at = runs().length;
    server = serve();
  }
  await until(() => runs().every(({ endedAt }) => endedAt !== undefined) && asked(({ triggers }) => triggers.due()).ok);
  const times = runs().map(({ trigger }) => trigger.by);
  server.process.kill("SIGTERM");
  await server.done;
  expect(new Set(times).size).toBe(times.length);
  expect(times.length - TIMES, "the hour may change in between").toBeLessThanOrEqual(1);
  expect(kills).toBeGreaterThan(2);
});
