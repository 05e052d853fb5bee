// Runs of a cluster when machines, runners, and the database fail (spec 6.7). Machines are
// processes, each with a data directory and a runner.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ok } from "../../src/base/result.ts";
import { giveAnswer } from "../../src/engine/answer.ts";
import { STALLED } from "../../src/engine/cluster/dispatch.ts";
import { forget, machinesOf, openReader, openSender, type Query, setDraining } from "../../src/engine/cluster/index.ts";
import { pendingOf } from "../../src/engine/pending.ts";
import type { RunEvent } from "../../src/scheduler/event.ts";
import { connect } from "../../src/store/postgres/index.ts";
import { made } from "../cli/curlew.ts";
import { codeOf, must, owner } from "../store/fixture.ts";
import { startProxy } from "../store/proxy.ts";
import { cluster, LEASE_MS, LONG_LEASE_MS } from "./cluster.ts";

const TIMES = { timeout: 120_000 };

type Cluster = Awaited<ReturnType<typeof cluster>>;

/** Writes down when it begins and ends, and says each 20 ms that it lives until `go` exists. */
const held = (more = ""): string =>
  `  - { id: long, type: cli, data: { title: Long, ${more}content: 'echo "begins $CURLEW_ATTEMPT" >> ledger; touch began; until test -e go; do date +%s%N > "alive-$CURLEW_ATTEMPT"; sleep 0.02; done; echo "ends $CURLEW_ATTEMPT" >> ledger' } }\n`;
const REPEATED = held("onLost: retry, ");

const letGo = (it: Cluster): void => writeFileSync(join(it.folder, "go"), "");
const aliveMs = (it: Cluster, attempt: number): number =>
  Number(readFileSync(join(it.folder, `alive-${attempt}`), "utf8")) / 1e6;
const lives = (it: Cluster, attempt: number) => expect.poll(() => Date.now() - aliveMs(it, attempt)).toBeLessThan(300);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function begun(it: Cluster, nodes: string, leaseMs = LEASE_MS) {
  const a = await it.machine("a", "", leaseMs);
  const run = await it.submit(nodes);
  await made(join(it.folder, "began"));
  return { a, run };
}

const attempts = async (it: Cluster, run: string): Promise<string[]> =>
  (await it.events(run)).map(({ type }) => type).filter((type) => type.startsWith("attempt."));

test(
  "killed, and back within its lease: its command is adopted, and no other machine takes the run",
  TIMES,
  async () => {
    const it = await cluster();
    const leaseMs = 3 * LEASE_MS;
    const { a, run } = await begun(it, REPEATED, leaseMs);
    const b = await it.machine("b");
    a.kill();
    await a.done;
    const again = await it.machine("a", "", leaseMs);
    const backMs = performance.now();
    await again.says(`taken ${run}`, "stdout");
    expect(performance.now() - backMs).toBeLessThan(1_500);
    await pause(leaseMs + 1_000);
    await lives(it, 1);
    letGo(it);
    await it.ends(run);
    expect(it.ledger()).toEqual(["begins 1", "ends 1"]);
    expect(await attempts(it, run)).toEqual(["attempt.started", "attempt.adopted", "attempt.succeeded"]);
    b.kill();
    expect((await b.done).stdout).not.toContain("taken");
  },
);

test("runs that a machine continues after its restart take its slots", TIMES, async () => {
  const it = await cluster();
  const machine = () => it.machine("a", "", LONG_LEASE_MS, { slots: 1 });
  const plain = () => it.submit(`  - { id: x, run: 'true' }\n`);
  const a = await machine();
  const run = await it.submit(held());
  await made(join(it.folder, "began"));
  a.kill();
  await a.done;
  const again = await machine();
  await again.says(`taken ${run}`, "stdout");
  const next = await plain();
  const b = await it.machine("b");
  await b.says(`taken ${next}`, "stdout");
  b.kill();
  await b.done;
  letGo(it);
  await it.ends(run);
  await again.says(`end ${await plain()}`, "stdout");
});

test("asked to end: its command stays, and its next start adopts it", TIMES, async () => {
  const it = await cluster();
  const { a, run } = await begun(it, REPEATED);
  const b = await it.machine("b");
  a.process.kill("SIGTERM");
  await a.done;
  await pause(LEASE_MS + 2_000);
  await lives(it, 1);
  await it.machine("a");
  letGo(it);
  await it.ends(run);
  expect(it.ledger()).toEqual(["begins 1", "ends 1"]);
  b.kill();
  expect((await b.done).stdout).not.toContain("taken");
});

test(
  "hung: what would be repeated is ended before another repeats it, and the machine records nothing more",
  TIMES,
  async () => {
    const it = await cluster();
    const { a, run } = await begun(it, REPEATED);
    const b = await it.machine("b");
    a.stop();
    await b.says(`taken ${run}`, "stdout");
    await expect.poll(() => existsSync(join(it.folder, "alive-2"))).toBe(true);
    const firstMs = aliveMs(it, 1);
    expect(Date.now() - firstMs).toBeGreaterThan(300);
    a.wake();
    await a.says("fenced", "stdout");
    letGo(it);
    await it.ends(run);
    expect(aliveMs(it, 1)).toBe(firstMs);
    expect(it.ledger()).toEqual(["begins 1", "begins 2", "ends 2"]);
    expect(await attempts(it, run)).toEqual([
      "attempt.started",
      "attempt.lost",
      "attempt.started",
      "attempt.succeeded",
    ]);
  },
);

test(
  "gone, with a command that may be alive: the run waits for a person, then the attempt is lost",
  TIMES,
  async () => {
    const it = await cluster();
    const { a, run } = await begun(it, held());
    const b = await it.machine("b");
    a.kill();
    await expect
      .poll(async () => (await it.rows("SELECT state FROM curlew.machines WHERE name = 'a'"))[0]?.state)
      .toBe("dead");
    await pause(1_500);
    await lives(it, 1);
    expect(await it.statusOf(run)).toBe("running");
    const connected = connect(it.url);
    if (!connected.ok) throw new Error(connected.error.message);
    const query: Query = (text, values) => connected.value.query(text, values);
    expect(await forget(query, "nobody")).toEqual({ ok: true, value: false });
    expect(await forget(query, "a")).toEqual({ ok: true, value: true });
    await connected.value.close();
    await b.says(`end ${run} failed`, "stdout");
    letGo(it);
    expect(it.ledger()[0]).toBe("begins 1");
    expect((await it.events(run)).find(({ type }) => type === "attempt.lost").failure.code).toBe("attempt-lost");
  },
);

test("gone, with a command that may be alive: after the patience the run continues as onLost says", TIMES, async () => {
  const it = await cluster({ patienceMs: 2_000 });
  const { a, run } = await begun(it, held());
  const b = await it.machine("b");
  a.kill();
  await b.says(`end ${run} failed`, "stdout");
});

test("its runner dies as well: the run is taken over, and the record says what was lost", TIMES, async () => {
  const it = await cluster();
  const { a, run } = await begun(it, REPEATED);
  a.killAll();
  const b = await it.machine("b");
  await b.says(`taken ${run}`, "stdout");
  await lives(it, 2);
  letGo(it);
  await it.ends(run);
  expect(await attempts(it, run)).toContain("attempt.lost");
});

test(
  "the database is away longer than the lease: commands continue, their machine keeps them, and ends are recorded",
  TIMES,
  async () => {
    const it = await cluster();
    const { a, run } = await begun(it, held());
    const b = await it.machine("b");
    await it.postgres.stop("immediate");
    await pause(LEASE_MS + 2_000);
    letGo(it);
    await it.postgres.start();
    await it.ends(run);
    await pause(LEASE_MS);
    expect(it.ledger()).toEqual(["begins 1", "ends 1"]);
    for (const each of [a, b]) each.kill();
    expect((await a.done).stdout).not.toContain("fenced");
    expect((await b.done).stdout).not.toContain("taken");
  },
);

test(
  "away longer than the lease, with a command that another machine would repeat: it is ended, and repeated here",
  TIMES,
  async () => {
    const it = await cluster();
    const { run } = await begun(it, REPEATED);
    await it.postgres.stop("immediate");
    await pause(LEASE_MS + 2_000);
    expect(Date.now() - aliveMs(it, 1)).toBeGreaterThan(500);
    await it.postgres.start();
    await expect.poll(() => existsSync(join(it.folder, "alive-2"))).toBe(true);
    letGo(it);
    await it.ends(run);
    const lost = (await it.events(run)).find(({ type }) => type === "attempt.lost");
    expect(lost.failure.code).toBe("lease-lost");
    expect(it.ledger()).toEqual(["begins 1", "begins 2", "ends 2"]);
  },
);

test("M7: a takeover that the queue refuses is tried again", TIMES, async () => {
  const it = await cluster();
  const { a, run } = await begun(it, held("onLost: retry, "));
  const b = await it.machine("b");
  await it.rows("ALTER SCHEMA curlew_queue RENAME TO away");
  a.kill();
  const state = async () => (await it.rows("SELECT state FROM curlew.machines WHERE name = 'a'"))[0]?.state;
  await expect.poll(state, { timeout: 15_000 }).toBe("dead");
  await it.rows("ALTER SCHEMA away RENAME TO curlew_queue");
  await b.says(`taken ${run}`, "stdout");
});

test("a machine that drains takes nothing new, and ends what it has, also after a restart", TIMES, async () => {
  const it = await cluster();
  const { a, run } = await begun(it, held());
  const connected = connect(it.url);
  if (!connected.ok) throw new Error(connected.error.message);
  const query: Query = (text, values) => connected.value.query(text, values);
  expect(await setDraining(query, "a", true)).toEqual({ ok: true, value: true });
  await pause(LEASE_MS / 2);
  const next = await it.submit(held());
  const b = await it.machine("b");
  await b.says(`taken ${next}`, "stdout");
  expect(await machinesOf(query)).toMatchObject({
    value: [
      { name: "a", state: "draining", runs: 1 },
      { name: "b", state: "live" },
    ],
  });
  await connected.value.close();
  a.kill();
  await a.done;
  const again = await it.machine("a");
  await again.says(`taken ${run}`, "stdout");
  letGo(it);
  await it.ends(run);
  await it.ends(next);
  expect(await attempts(it, run)).toEqual(["attempt.started", "attempt.adopted", "attempt.succeeded"]);
  again.kill();
  for (const { done } of [a, again]) expect((await done).stdout).not.toContain(`taken ${next}`);
});

// Vitest reports an error that no one listens to, and fails the file.
test("a database that ends a connection together with its greeting fails the question, not the process", async () => {
  const { url, postgres } = await cluster();
  const proxy = await startProxy(postgres.port);
  onTestFinished(() => proxy.close());
  const through = url.replace(/:\d+\//, `:${proxy.port}/`);
  const store = must(connect(through, 100));
  onTestFinished(() => store.close());
  proxy.endGreeted();
  expect(codeOf(await store.query("SELECT 1"))).toBe("store-unreachable");
  const sender = await openSender(through);
  const adding = sender.add({ id: "r#1", run: "r", queue: "any" });
  await sender.close();
  await expect(adding).rejects.toThrow();
});

test("a name belongs to one process", TIMES, async () => {
  const it = await cluster();
  const a = await it.machine("a");
  await expect(it.machine("a")).rejects.toThrow("machine-name-taken");
  a.kill();
});

test("a run that was not started with the key of the cluster does not run", TIMES, async () => {
  const it = await cluster({ key: Buffer.alloc(32, 1) });
  const a = await it.machine("a");
  const run = await it.submit(held());
  await a.says(`warning run-unsigned Event 1 of run ${run}`, "stdout");
  expect(it.ledger()).toEqual([]);
  expect(await it.statusOf(run)).toBe("queued");
});

test("a machine that can't drive a run says each reason once, and drives it when it can", TIMES, async () => {
  const it = await cluster();
  const [here, key] = [join(it.folder, "home-a"), join(it.folder, "key")];
  const source = (home: string, command: string) => {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "config.yaml"), `secrets:\n  KEY: { command: "${command}" }\n`);
  };
  source(join(it.folder, "home-sender"), "echo abcdefghijkl");
  const run = await it.submit(
    `  - { id: x, env: { static: { KEY: "\${KEY}" } }, run: 'echo x >> ledger' }\n`,
    "secrets: [KEY]\n",
  );
  const a = await it.machine("a");
  const sender = await openSender(it.url);
  onTestFinished(() => sender.close());
  const used = (id: string) =>
    it.rows("SELECT 1 FROM curlew_queue.workflow_status WHERE workflow_uuid = $1 AND status = 'SUCCESS'", [id]);
  const offered = async (id: string) => {
    if (id !== run) await sender.add({ id, run, queue: "any" });
    await expect.poll(async () => (await used(id)).length, { timeout: 20_000 }).toBe(1);
  };
  for (const id of [run, `${run}#1`, `${run}#2`]) await offered(id);
  source(here, `cat ${key}`);
  for (const id of [`${run}#3`, `${run}#4`]) await offered(id);
  writeFileSync(key, "abcdefghijkl");
  await offered(`${run}#5`);
  await it.ends(run);
  expect(it.ledger()).toEqual(["x"]);
  a.kill();
  const said = [...(await a.done).stdout.matchAll(/^warning (\S+)/gm)].map(([, code]) => code);
  expect(said).toEqual(["secret-missing", "secret-source-failed"]);
});

test("rows of machines that are long gone are removed", TIMES, async () => {
  const it = await cluster();
  const run = await it.submit(held());
  await it.rows(`INSERT INTO curlew.machines SELECT name, 'token', 1, '', '', '[]', 1, '0', 3000, 0,
    now() - interval '2 days', 'left', NULL, '' FROM unnest(ARRAY['gone', 'used']) AS name`);
  await it.rows("UPDATE curlew.machines SET token = 'other' WHERE name = 'used'");
  await it.rows("UPDATE curlew.runs SET owner_token = 'other', owner_machine = 'used' WHERE id = $1", [run]);
  await it.machine("a");
  await expect
    .poll(() => it.rows("SELECT name FROM curlew.machines ORDER BY name"))
    .toEqual([{ name: "a" }, { name: "used" }]);
});

test("M9: a run that no machine begins or continues is found", TIMES, async () => {
  const it = await cluster();
  const submit = (id: string) => it.submit(`  - { id: ${id}, run: 'echo ${id} >> ledger' }\n`);
  const [alone, taken, begun] = [await submit("alone"), await submit("taken"), await submit("begun")];
  await it.rows("DELETE FROM curlew_queue.workflow_status WHERE workflow_uuid <> $1", [taken]);
  await it.rows("UPDATE curlew_queue.workflow_status SET status = 'PENDING', executor_id = 'has no answer'");
  await it.rows("UPDATE curlew.runs SET status = 'running' WHERE id = $1", [begun]);
  await it.machine("a");
  for (const run of [alone, taken, begun]) await it.ends(run);
  expect(it.ledger().sort()).toEqual(["alone", "begun", "taken"]);
});

test("M9: a decision whose process died before the run continued is found, and so is its claim", TIMES, async () => {
  const it = await cluster();
  const a = await it.machine("a");
  const asks = (id: string) => `  - { id: ${id}, run: 'echo ${id} >> ledger', needsUserApproval: true }\n`;
  const [decided, claimed] = [await it.submit(asks("decided")), await it.submit(asks("claimed"))];
  const owners = () => it.rows("SELECT status, owner_token FROM curlew.runs");
  const rests = { status: "waiting", owner_token: null };
  await expect.poll(owners, { timeout: 10_000 }).toEqual([rests, rests]);
  a.kill();
  await a.done;
  const key = Buffer.alloc(32, 7);
  const store = must(await openReader({ url: it.url, home: it.folder, auditKey: () => ok(key), key }));
  onTestFinished(async () => store.close());
  const answer = async (run: string) => {
    const [pending] = await pendingOf(must(await store.journal.findRun(run)), store);
    must(await giveAnswer(pending!, { grant: true }, store, (text) => text));
  };
  for (const run of [decided, claimed]) await answer(run);
  must(await store.journal.claim(claimed, owner("of a process that died"), () => false));
  const past = `SELECT 1 FROM curlew.events WHERE body LIKE '%approval.granted%'
    AND (body::json ->> 'at')::timestamptz < clock_timestamp() - interval '2 s'`;
  await expect.poll(async () => (await it.rows(past)).length, { timeout: 5_000 }).toBe(2);
  await it.machine("a");
  await it.ends(decided);
  expect(it.ledger()).toEqual(["decided"]);
  await expect.poll(() => it.statusOf(claimed), { timeout: 75_000 }).toBe("succeeded");
  expect(it.ledger()).toEqual(["decided", "claimed"]);
});

test("a slot of a run that has ended is free, whatever became of the process that had it", TIMES, async () => {
  const it = await cluster();
  const a = await it.machine("a");
  const nodes = `  - { id: x, run: 'echo x >> ledger', concurrency: { key: one, limit: 1 } }\n`;
  const ended = await it.submit(nodes);
  await it.ends(ended);
  a.kill();
  await a.done;
  // Its machine was killed when the end was on record, and started again within its lease.
  const before = JSON.stringify({ ...owner("before"), machine: "a" });
  await it.rows("INSERT INTO curlew.slots VALUES ($1, 'x', 1, 'one', $2) ON CONFLICT DO NOTHING", [...[ended, before]]);
  await it.machine("b");
  await it.ends(await it.submit(nodes));
});

test("M10: a run that waits for a person belongs to no machine, and continues at its deadline", TIMES, async () => {
  const it = await cluster();
  const a = await it.machine("a");
  const asks = "needsUserApproval: true, approval: { timeout: 6s, onTimeout: approve }, ";
  const run = await it.submit(`  - { id: x, type: cli, data: { title: X, ${asks}content: 'echo x >> ledger' } }\n`);
  await expect.poll(() => it.statusOf(run)).toBe("waiting");
  await expect.poll(async () => (await it.rows("SELECT owner_token FROM curlew.runs"))[0]?.owner_token).toBe(null);
  a.kill();
  await it.machine("b");
  await it.ends(run);
  expect(it.ledger()).toEqual(["x"]);
});

test("M10: a run continues at its deadline, although its entry came too early, or was lost", TIMES, async () => {
  const it = await cluster();
  const a = await it.machine("a");
  const asks = "needsUserApproval: true, approval: { timeout: 8s, onTimeout: approve }, ";
  const run = await it.submit(`  - { id: x, ${asks}run: 'echo x >> ledger' }\n`);
  const change = (to: string) =>
    it.rows(`UPDATE curlew_queue.workflow_status SET ${to} WHERE status = 'DELAYED' RETURNING 1`);
  await expect.poll(async () => (await change("delay_until_epoch_ms = 0")).length).toBe(1);
  const lost = () => change("status = 'PENDING', executor_id = 'has no answer'");
  await expect.poll(async () => (await lost()).length).toBe(1);
  expect(await it.statusOf(run)).toBe("waiting");
  a.kill();
  await expect.poll(async () => (await it.rows(STALLED)).length, { timeout: 10_000 }).toBe(1);
  await it.machine("b");
  await it.ends(run);
  expect(it.ledger()).toEqual(["x"]);
});

test(
  "M8: a machine that was declared dead records nothing, also before it knows, and ends its commands",
  TIMES,
  async () => {
    const it = await cluster();
    const short = `  - { id: short, run: 'until test -e short; do sleep 0.02; done' }\n`;
    // It asks for its state only after 20 s.
    const { a, run } = await begun(it, short + held(), 60_000);
    await expect.poll(() => attempts(it, run)).toEqual(["attempt.started", "attempt.started"]);
    await it.rows("UPDATE curlew.machines SET state = 'dead', dead_at = clock_timestamp() WHERE name = 'a'");
    const before = await it.events(run);
    writeFileSync(join(it.folder, "short"), "");
    await a.says(`stopped ${run} not-owner`, "stdout");
    expect(await it.events(run)).toEqual(before);
    await expect.poll(() => Date.now() - aliveMs(it, 1)).toBeGreaterThan(300);
  },
);

test("M14: a machine leaves runs that a newer version wrote to others, without a claim", TIMES, async () => {
  const it = await cluster();
  const plain = `  - { id: x, run: 'echo x >> ledger' }\n`;
  const newer = [
    await it.submit(plain, "", { written: (text) => text.replace("curlew: 1", "curlew: 2") }),
    await it.submit(plain),
  ];
  const key = Buffer.alloc(32, 7);
  const store = must(await openReader({ url: it.url, home: it.folder, auditKey: () => ok(key), key }));
  const by = owner("newer");
  must(await store.journal.claim(newer[1]!, by, () => false));
  const event = { run: newer[1]!, seq: 2, at: new Date().toISOString(), type: "node.teleported", node: "x", path: "x" };
  must(await store.journal.append(newer[1]!, [event as unknown as RunEvent]));
  must(await store.journal.release(newer[1]!));
  await store.close();
  const epochs = () => it.rows("SELECT epoch, owner_token FROM curlew.runs ORDER BY id");
  const before = await epochs();
  const a = await it.machine("a");
  const other = await it.submit(plain);
  for (const run of newer) await a.says(`warning run-unreadable Run ${run}`, "stdout");
  await it.ends(other);
  expect(it.ledger()).toEqual(["x"]);
  expect((await epochs()).slice(0, 2)).toEqual(before);
  const offered = (run: string) =>
    it.rows("SELECT 1 FROM curlew_queue.workflow_status WHERE workflow_uuid LIKE $1 || '>%'", [run]);
  for (const run of newer) await expect.poll(async () => (await offered(run)).length).toBeGreaterThan(1);
});
