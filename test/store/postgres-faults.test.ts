// postgres-faults: connections that break at any statement, in any way, and a server that ends. Everything that was
// acknowledged is recorded, once (spec 6.4 M1, M3; 6.9 no. 2).

import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { ok } from "../../src/base/result.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { all } from "../../src/store/ask.ts";
import { type ClusterStore, connect, openPostgresStore } from "../../src/store/postgres/index.ts";
import { tempFolder } from "../setup/folders.ts";
import { has } from "../setup/machine.ts";
import { databases } from "./databases.ts";
import { alive, codeOf, dead, event, events, granted, id, must, newRun, owner } from "./fixture.ts";
import { BREAKS, type FaultProxy, startProxy } from "./proxy.ts";

const there = has("postgres") ? test : undefined;
const cluster = databases();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function behindProxy(waitMs = 10_000): Promise<{ store: ClusterStore; proxy: FaultProxy; direct: ClusterStore }> {
  const url = await cluster.fresh();
  const proxy = await startProxy(cluster.server().port);
  closing.push(() => proxy.close());
  const open = async (through: string): Promise<ClusterStore> => {
    const home = path.join(tempFolder(), "home");
    const auditKey = () => ok(Buffer.alloc(32, 7));
    const store = must(await openPostgresStore({ url: through, home, auditKey, waitMs }));
    closing.push(() => store.close());
    return store;
  };
  const through = url.replace(/:\d+\//, `:${proxy.port}/`);
  return { store: await open(through), proxy, direct: await open(url) };
}

const answered = (run: string, seq: number): RunEvent => granted(run, seq);

/** A run from its start to its end, with everything that is stored beside it. */
async function story(store: ClusterStore): Promise<void> {
  const { journal, triggers, deliveries, startKeys, state } = store;
  const run = id(1);
  must(await startKeys.take("key", "asked", run, 0));
  must(await triggers.seen("t", 0));
  const start = { run: "r2", trigger: "t", key: "1", startedBy: { kind: "schedule" as const }, file: "/f" };
  must(await triggers.decide("t", { sinceMs: 5 }, [start]));
  const body = { headers: {}, query: {}, body: Buffer.from("x") };
  const delivery = { id: "d", hook: "h", file: "/f", senderId: "s", receivedAt: "2026-01-01T00:00:00.000Z", run: "r3" };
  must(await deliveries.receive({ ...delivery, ...body }));
  must(await journal.createRun(newRun(1), { owner: owner("me"), events: events(run, 1, 2) }));
  must(await journal.append(run, events(run, 3, 5), { status: "running" }));
  must(await journal.append(run, [event(run, 6)], { state: { name: "value" } }));
  must(await journal.append(run, [answered(run, 7)]));
  must(await journal.append(run, [], { waiting: 1 }));
  must(await journal.release(run));
  must(await journal.claim(run, owner("me again"), dead));
  must(
    await journal.append(run, events(run, 8, 9), {
      status: "succeeded",
      endedAt: "2026-01-01T00:01:00.000Z",
      waiting: 0,
    }),
  );
  must(await journal.release(run));
  expect(must(await state.read("/flows/shop.yaml"))).toEqual({ name: "value" });
}

async function isRecorded({ journal, triggers, deliveries, audit }: ClusterStore): Promise<void> {
  const seqs = must(await journal.read(id(1))).map(({ seq }) => seq);
  expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(must(await journal.findRun(id(1)))).toMatchObject({ lastSeq: 9, status: "succeeded", waiting: 0 });
  expect(must(await journal.findRun(id(1))).owner).toBeUndefined();
  expect(must(await triggers.due()).map(({ run }) => run)).toEqual(["r2"]);
  expect(must(await deliveries.open()).map(({ run }) => run)).toEqual(["r3"]);
  expect(must(await audit.verify())).toMatchObject({ entries: 1, findings: [] });
  expect(must(await journal.check())).toEqual([]);
}

/** Each way breaks other statements, unless CHECK_FULL is set. */
const STEP = process.env.CHECK_FULL === undefined ? BREAKS.length : 1;

for (const how of BREAKS)
  there?.(`a connection that breaks at any statement, ${how}: everything is recorded once`, async () => {
    let n = process.env.CHECK_FULL === undefined ? 1 + BREAKS.indexOf(how) : 1;
    for (let broke = true; broke; n += STEP) {
      const { store, proxy, direct } = await behindProxy();
      proxy.breakAt(n, how);
      await story(store).catch((reason) => {
        throw new Error(`at statement ${n}`, { cause: reason });
      });
      broke = proxy.broke();
      await isRecorded(direct);
      for (const close of closing.splice(0).reverse()) await close();
    }
    expect(n).toBeGreaterThan(40);
  });

there?.("M3: an answer that is lost while its statement is still under way is found later", async () => {
  const { store, proxy, direct } = await behindProxy();
  must(await store.journal.createRun(newRun(1), { owner: owner("me") }));
  const admin = must(connect(cluster.server().url()));
  closing.push(() => admin.close());
  const appended = await admin.tries(async (ask) => {
    await ask("BEGIN");
    await ask("SELECT 1 FROM curlew.runs FOR UPDATE");
    proxy.breakAt(1, "left");
    const append = store.journal.append(id(1), events(id(1), 1, 3));
    const waiting = "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(async () => must(await direct.connection.query(waiting))[0]?.n).toBe(2);
    expect(proxy.broke()).toBe(true);
    await ask("COMMIT");
    return ok(await append);
  });
  expect(must(must(appended))).toBe(3);
  expect(must(await direct.journal.read(id(1)))).toHaveLength(3);
});

there?.("a writer that is cut off within a transaction does not keep the others waiting", async () => {
  const { store, proxy, direct } = await behindProxy();
  const begun = Promise.withResolvers<void>();
  let tries = 0;
  const cutOff = store.connection.sql("state").transaction(function* () {
    if (tries === 0) proxy.cut();
    tries += 1;
    begun.resolve();
    yield* all("SELECT 1");
    return ok(undefined);
  });
  await begun.promise;
  must(await direct.state.set({ file: "/f", name: "n", value: "v", at: "2026-01-01T00:00:00.000Z" }));
  proxy.join();
  must(await cutOff);
  expect(tries).toBe(2);
});

there?.(
  "a server that is stopped and started again: appends wait, questions say what is wrong, nothing is lost",
  async () => {
    const { store } = await behindProxy(300);
    const runs = [1, 2, 3, 4, 5];
    for (const n of runs) must(await store.journal.createRun(newRun(n), { owner: owner("me") }));
    const acknowledged = new Map<string, number>();
    let going = true;
    const writers = runs.map(async (n) => {
      for (let seq = 1; going || seq < 20; seq++)
        acknowledged.set(id(n), must(await store.journal.append(id(n), [event(id(n), seq)])));
    });
    for (const how of ["fast", "immediate"] as const) {
      await cluster.server().stop(how);
      expect(codeOf(await store.journal.listRuns())).toBe("store-unreachable");
      await cluster.server().start();
      const before = acknowledged.get(id(1)) ?? 0;
      await expect.poll(() => acknowledged.get(id(1)) ?? 0, { timeout: 20_000 }).toBeGreaterThan(before + 3);
    }
    going = false;
    await Promise.all(writers);
    for (const n of runs) {
      const kept = must(await store.journal.read(id(n))).map(({ seq }) => seq);
      expect(kept).toEqual(Array.from({ length: acknowledged.get(id(n))! }, (_, at) => at + 1));
    }
    expect(must(await store.journal.check())).toEqual([]);
  },
);

there?.("a cut that heals: what was held back is recorded, and a fenced writer is refused", async () => {
  const { store, proxy, direct } = await behindProxy();
  for (const n of [1, 2]) must(await store.journal.createRun(newRun(n), { owner: owner("me") }));
  proxy.cut();
  const held = [1, 2].map((n) => store.journal.append(id(n), events(id(n), 1, 2)));
  must(await direct.journal.claim(id(2), owner("other"), dead));
  expect(codeOf(await direct.journal.claim(id(1), owner("other"), alive))).toBe("run-claimed");
  proxy.join();
  expect((await Promise.all(held)).map(codeOf)).toEqual(["ok", "not-owner"]);
  expect(must(await direct.journal.lastSeq(id(2)))).toBe(0);
});
