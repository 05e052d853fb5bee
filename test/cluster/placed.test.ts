// A subflow goes to a machine with its labels, while its parent stays where it is (spec 6.5, ADR 105). Machines are
// processes, each with a data directory and a runner. They share one PostgreSQL.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { ok } from "../../src/base/result.ts";
import { cancelElsewhere, giveAnswer } from "../../src/engine/answer.ts";
import { ANY, openReader, openSender } from "../../src/engine/cluster/index.ts";
import { pendingOf } from "../../src/engine/pending.ts";
import { type Queued, restElsewhere } from "../../src/engine/placed.ts";
import { readRun } from "../../src/engine/read-run.ts";
import { folder, made } from "../cli/curlew.ts";
import { event, id as idOf, must, newRun, owner } from "../store/fixture.ts";
import { cluster, LONG_LEASE_MS, type MachineProcess } from "./cluster.ts";

const TIMES = { timeout: 120_000 };
const ON = "runsOn: [cpu]\nedges: [train -> after]\n";
const parent = (more = "", after = "echo after ${train} >> ledger"): string =>
  `  - { id: train, type: subflow, data: { title: Train, workflow: train.flow.yaml, ${more}runsOn: [gpu] } }
  - { id: after, type: cli, data: { title: After, content: '${after}' } }\n`;
const held = (more = ""): string =>
  `name: Train\nnodes:
  - { id: fit, type: cli, data: { title: Fit, ${more}content: 'echo "fit $CURLEW_ATTEMPT" >> ledger; touch began; until test -e go; do sleep 0.02; done; echo model' } }\n`;
const QUICK = `name: Train\nnodes:\n  - { id: fit, type: cli, data: { title: Fit, content: 'echo fit >> ledger; echo model' } }\n`;

async function world(child: string, nodes = parent(), more = ON, others: Record<string, string> = {}) {
  const it = await cluster();
  const key = Buffer.alloc(32, 7);
  const reader = async (name: string) => {
    const home = join(it.folder, `home-${name}`);
    const store = must(await openReader({ url: it.url, home, auditKey: () => ok(Buffer.alloc(32, 8)), key }));
    onTestFinished(async () => store.close());
    return store;
  };
  const store = await reader("reader");
  const begin = () => it.submit(nodes, more, { subflows: { "train.flow.yaml": child, ...others } });
  const childrenOf = async (run: string) =>
    (await it.rows("SELECT id, status, owner_machine FROM curlew.runs WHERE parent = $1 ORDER BY id", [run])) as {
      id: string;
      status: string;
      owner_machine: string | null;
    }[];
  const childOf = async (run: string) => {
    await expect.poll(async () => (await childrenOf(run)).length, { timeout: 20_000 }).toBe(1);
    return (await childrenOf(run))[0]!;
  };
  const typesOf = async (run: string) => (await it.events(run)).map(({ type }) => type);
  const view = async (run: string) => must(await readRun(must(await store.journal.findRun(run)), store));
  const sender = await openSender(it.url);
  onTestFinished(() => sender.close());
  /** As `curlew approve --detach` does. */
  const decide = async (run: string, path: string): Promise<void> => {
    const row = async () => must(await store.journal.findRun(run));
    const asking = async () => (await pendingOf(await row(), store)).find((each) => each.path === path);
    await expect.poll(asking, { timeout: 20_000 }).toBeDefined();
    must(await giveAnswer((await asking())!, { grant: true }, store, (text) => text));
    await sender.add({ id: `${run}#${(await row()).lastSeq}`, run, queue: ANY });
  };
  const go = (): void => writeFileSync(join(it.folder, "go"), "");
  return { ...it, store, reader, begin, childOf, childrenOf, typesOf, view, decide, go };
}

const saysTaken = (machine: MachineProcess, run: string) => machine.says(`taken ${run}`, "stdout");

test("a subflow runs on the machine with its labels, and its parent gets the result", TIMES, async () => {
  const it = await world(held());
  const [a, b] = await Promise.all([it.machine("a", "cpu"), it.machine("b", "gpu")]);
  const run = await it.begin();
  await saysTaken(a, run);
  const { id } = await it.childOf(run);
  await saysTaken(b, id);
  await made(join(it.folder, "began"));
  expect(await it.rows("SELECT id, owner_machine FROM curlew.runs ORDER BY id")).toMatchObject([
    { id: run, owner_machine: "a" },
    { id, owner_machine: "b" },
  ]);
  it.go();
  await it.ends(run);
  expect(it.ledger()).toEqual(["fit 1", "after model"]);
  expect(await it.typesOf(run)).toEqual([
    ...["run.started", "attempt.started", "attempt.succeeded", "attempt.started", "attempt.succeeded", "run.succeeded"],
  ]);
  expect((await it.events(id))[0]).toMatchObject({ parent: { run, path: "train" }, runsOn: ["gpu"] });
  a.kill();
  expect((await a.done).stdout).not.toContain(id);
});

test("a machine with all labels runs the subflow itself", TIMES, async () => {
  const it = await world(QUICK);
  const a = await it.machine("a", "cpu,gpu");
  const run = await it.begin();
  await it.ends(run);
  const { id } = await it.childOf(run);
  a.kill();
  expect((await a.done).stdout).not.toContain(id);
});

test("without a machine for the subflow, the parent waits and says for what", TIMES, async () => {
  const it = await world(QUICK);
  await it.machine("a", "cpu");
  const run = await it.begin();
  const { id } = await it.childOf(run);
  expect(await it.view(id)).toMatchObject({ status: "queued", runsOn: ["gpu"] });
  expect(await it.view(run)).toMatchObject({ status: "running", nodes: [{ id: "train", runsOn: ["gpu"] }, {}] });
  await it.machine("b", "gpu");
  await it.ends(run);
  expect(it.ledger()).toEqual(["fit", "after model"]);
});

test("the machine of the subflow is killed: another one with the labels continues it", TIMES, async () => {
  const it = await world(held("onLost: retry, "));
  await it.machine("b", "cpu");
  const a = await it.machine("a", "gpu");
  const run = await it.begin();
  await made(join(it.folder, "began"));
  const c = await it.machine("c", "gpu");
  a.kill();
  await saysTaken(c, (await it.childOf(run)).id);
  await expect.poll(() => it.ledger()).toEqual(["fit 1", "fit 2"]);
  it.go();
  await it.ends(run);
  expect(it.ledger()).toEqual(["fit 1", "fit 2", "after model"]);
});

test(
  "the machine of the parent is killed: the subflow runs once, and the next machine gets its result",
  TIMES,
  async () => {
    const it = await world(held());
    const a = await it.machine("a", "cpu");
    await it.machine("b", "gpu");
    const run = await it.begin();
    await made(join(it.folder, "began"));
    const c = await it.machine("c", "cpu");
    a.kill();
    await saysTaken(c, run);
    it.go();
    await it.ends(run);
    expect(it.ledger()).toEqual(["fit 1", "after model"]);
    expect(await it.childrenOf(run)).toHaveLength(1);
  },
);

test("both machines are killed, and the subflow is neither lost nor repeated without being said", TIMES, async () => {
  const it = await world(held("onLost: retry, "));
  const [a, b] = [await it.machine("a", "cpu"), await it.machine("b", "gpu", 5_000)];
  const run = await it.begin();
  await made(join(it.folder, "began"));
  for (const machine of [a, b]) machine.killAll();
  await Promise.all([it.machine("c", "cpu"), it.machine("d", "gpu")]);
  await expect.poll(() => it.ledger(), { timeout: 40_000 }).toEqual(["fit 1", "fit 2"]);
  it.go();
  await it.ends(run);
  expect(it.ledger()).toEqual(["fit 1", "fit 2", "after model"]);
  const { id } = await it.childOf(run);
  expect((await it.typesOf(id)).filter((type) => type === "attempt.lost")).toHaveLength(1);
});

test("the machine of the parent is killed as soon as the subflow is recorded", TIMES, async () => {
  const it = await world(QUICK);
  const a = await it.machine("a", "cpu");
  const run = await it.begin();
  await it.childOf(run);
  a.kill();
  // As if it had been killed before it added the entry.
  await it.rows("DELETE FROM curlew_queue.workflow_status WHERE queue_name = 'label:gpu'");
  await Promise.all([it.machine("b", "gpu"), it.machine("c", "cpu")]);
  await expect.poll(() => it.statusOf(run), { timeout: 60_000 }).toBe("succeeded");
  expect(it.ledger()).toEqual(["fit", "after model"]);
});

test("a cancellation of the parent reaches the subflow", TIMES, async () => {
  const it = await world(held());
  await Promise.all([it.machine("a", "cpu"), it.machine("b", "gpu")]);
  const run = await it.begin();
  await made(join(it.folder, "began"));
  must(await cancelElsewhere(must(await it.store.journal.findRun(run)), it.store, "someone"));
  await it.ends(run, "cancelled");
  expect(await it.childOf(run)).toMatchObject({ status: "cancelled" });
  expect((await it.typesOf((await it.childOf(run)).id)).filter((type) => type === "run.cancel-requested").length).toBe(
    1,
  );
});

test("a subflow that no machine takes can be cancelled, and its time limit counts", TIMES, async () => {
  const it = await world(QUICK, parent("timeout: 2s, "));
  await it.machine("a", "cpu");
  const run = await it.begin();
  await it.ends(run, "failed");
  expect(await it.childOf(run)).toMatchObject({ status: "cancelled" });
  expect(await it.typesOf(run)).toContain("attempt.timed-out");
});

test("the time limit of a subflow ends it on the other machine", TIMES, async () => {
  const it = await world(held(), parent("timeout: 4s, "));
  await Promise.all([it.machine("a", "cpu"), it.machine("b", "gpu")]);
  const run = await it.begin();
  await made(join(it.folder, "began"));
  await it.ends(run, "failed");
  expect(await it.childOf(run)).toMatchObject({ status: "cancelled" });
  expect(await it.typesOf(run)).toContain("attempt.timed-out");
  expect(it.ledger()).toEqual(["fit 1"]);
});

const GATE = `  - { id: gate, type: cli, data: { title: Gate, content: 'echo gate >> ledger; echo model', needsUserApproval: true } }\n`;

test("an approval in the subflow is decided from anywhere, while it rests and while it works", TIMES, async () => {
  const resting = await world(`name: Train\nnodes:\n${GATE}`);
  await Promise.all([resting.machine("a", "cpu"), resting.machine("b", "gpu")]);
  const run = await resting.begin();
  await expect.poll(() => resting.statusOf(run), { timeout: 20_000 }).toBe("waiting");
  await resting.decide(run, "train/gate");
  await resting.ends(run);
  expect(resting.ledger()).toEqual(["gate", "after model"]);
  expect((await resting.typesOf(run)).filter((type) => /paused|resumed/.test(type))).toEqual([
    ...["attempt.paused", "attempt.resumed"],
  ]);

  const working = await world(`output: gate\n${held()}${GATE}`);
  await Promise.all([working.machine("a", "cpu"), working.machine("b", "gpu")]);
  const other = await working.begin();
  await made(join(working.folder, "began"));
  await working.decide(other, "train/gate");
  await expect.poll(() => working.ledger()).toEqual(["fit 1", "gate"]);
  working.go();
  await working.ends(other);
});

test("runs that wait for a subflow elsewhere leave their slots to others", TIMES, async () => {
  const it = await world(QUICK, parent().replace("[gpu]", "[cpu, gpu]"));
  await it.machine("a", "cpu");
  const runs: string[] = [];
  for (let n = 0; n < 5; n++) runs.push(await it.begin());
  for (const run of runs) await it.childOf(run);
  await it.machine("b", "cpu,gpu");
  for (const run of runs) await it.ends(run);
});

test("a run that continues after its subflow takes a slot of its machine again", TIMES, async () => {
  const it = await world(
    held(),
    parent("", "touch second; until test -e end; do sleep 0.02; done; echo after >> ledger"),
  );
  const a = await it.machine("a", "cpu", LONG_LEASE_MS, { slots: 1 });
  await it.machine("b", "gpu");
  const run = await it.begin();
  await made(join(it.folder, "began"));
  const plain = () => it.submit(`  - { id: x, run: 'echo x >> ledger' }\n`, "runsOn: [cpu]\n");
  const during = await plain();
  await a.says(`end ${during}`, "stdout");
  it.go();
  await made(join(it.folder, "second"));
  const next = await plain();
  const c = await it.machine("c", "cpu");
  await saysTaken(c, next);
  c.kill();
  await c.done;
  writeFileSync(join(it.folder, "end"), "");
  await it.ends(run);
  await saysTaken(a, await plain());
});

/** A run whose machine is gone, and which the machine of its subflow has taken. The subflow's command runs. */
async function takenOver() {
  const it = await world(held());
  const a = await it.machine("a", "cpu");
  const run = await it.begin();
  const { id } = await it.childOf(run);
  const b = await it.machine("b", "cpu,gpu");
  await saysTaken(b, id);
  await made(join(it.folder, "began"));
  a.kill();
  await saysTaken(b, run);
  return { it, run };
}

test("the machine of the subflow takes its parent over", TIMES, async () => {
  const { it, run } = await takenOver();
  it.go();
  await it.ends(run);
  expect(it.ledger()).toEqual(["fit 1", "after model"]);
});

test("a cancellation reaches a subflow whose machine has taken its parent over", TIMES, async () => {
  const { it, run } = await takenOver();
  must(await cancelElsewhere(must(await it.store.journal.findRun(run)), it.store, "someone"));
  await it.ends(run, "cancelled");
  expect(await it.childOf(run)).toMatchObject({ status: "cancelled" });
});

test("a machine that is killed before it releases the ended subflow keeps nothing from the parent", TIMES, async () => {
  const it = await world(QUICK);
  await it.rows(`CREATE FUNCTION curlew.held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF OLD.parent IS NOT NULL AND OLD.ended_at IS NOT NULL THEN RETURN NULL; END IF; RETURN NEW; END $$`);
  await it.rows("CREATE TRIGGER held BEFORE UPDATE ON curlew.runs FOR EACH ROW EXECUTE FUNCTION curlew.held()");
  await Promise.all([it.machine("a", "cpu"), it.machine("b", "gpu")]);
  const run = await it.begin();
  await it.ends(run);
  expect(await it.childOf(run)).toMatchObject({ status: "succeeded", owner_machine: "b" });
});

test("a subflow of a subflow returns to the first machine, with a result that is a file", TIMES, async () => {
  const inner = `name: Inner\nnodes:\n  - { id: gate, type: cli, data: { title: Gate, needsUserApproval: true, content: 'seq 9000' } }\n`;
  const it = await world(
    `name: Train\nnodes:\n  - { id: inner, type: subflow, data: { title: Inner, workflow: inner.flow.yaml, runsOn: [cpu] } }\n`,
    parent("", "printf %s ${train} | wc -c >> ledger"),
    ON,
    { "inner.flow.yaml": inner },
  );
  await Promise.all([it.machine("a", "cpu"), it.machine("b", "gpu")]);
  const run = await it.begin();
  await it.decide(run, "train/inner/gate");
  await it.ends(run);
  expect(it.ledger()).toEqual(["43892"]);
  const [first, second, third] = await it.rows("SELECT id FROM curlew.runs ORDER BY id");
  expect([first, second, third].map((row) => row?.id).includes(run)).toBe(true);
});

test(
  "a result with a secret in it is refused, and so is a subflow of a parent that another machine has",
  TIMES,
  async () => {
    const it = await world(
      `name: Train\noutput: keep\nnodes:\n  - { id: token, type: cli, data: { title: Token, content: 'echo abcdefghijkl' } }
  - { id: keep, type: variable, data: { title: Keep, variableName: key, secret: true } }\nedges: [token -> keep]\n`,
    );
    await Promise.all([it.machine("a", "cpu"), it.machine("b", "gpu")]);
    const run = await it.begin();
    await it.ends(run, "failed");
    const failed = (await it.events(run)).find(({ type, node }) => type === "attempt.failed" && node === "train");
    expect(failed).toMatchObject({ failure: { code: "sealed-unreadable" } });
  },
);

test("the example of the guide runs on two machines", TIMES, async () => {
  const guide = readFileSync(join(import.meta.dirname, "../../docs/how-to/many-machines.md"), "utf8");
  const saved = [...guide.matchAll(/Save `flows\/(\w+\.flow\.yaml)`:\n\n```yaml\n([\s\S]*?)```/g)];
  const files = Object.fromEntries(saved.map(([, name = "", text = ""]) => [name, text]));
  expect(Object.keys(files)).toEqual(["train.flow.yaml", "report.flow.yaml"]);
  const { url } = await cluster({ isReady: false });
  const [one, other] = [folder(files), folder({})];
  expect((await one.run("db init --key-file key", { env: { CURLEW_DB: url } })).code).toBe(0);
  const env = { CURLEW_DB: url, CURLEW_KEY_FILE: join(one.path, "key") };
  const run = one.start("run report.flow.yaml", { env });
  const shown = async () => (await one.run("runs show latest", { env })).stdout;
  await expect.poll(shown, { timeout: 20_000 }).toContain("train waits for a machine with gpu.");
  const worker = other.start("worker --name two --labels gpu", { env });
  expect(await run.done).toMatchObject({ code: 0, stdout: "model of 3\n" });
  worker.process.kill("SIGTERM");
  await worker.done;
});

test("a subflow that waits for a machine is read once, until its record changes, and offered once", TIMES, async () => {
  const it = await world(QUICK);
  const a = await it.machine("a", "cpu");
  const run = await it.begin();
  const { id } = await it.childOf(run);
  a.kill();
  await a.done;
  const read = vi.spyOn(it.store.journal, "read");
  const offers: string[] = [];
  const looking = {
    ...{ store: it.store, home: it.folder },
    elsewhere: {
      lacks: () => "gpu",
      leave: async (entry: string) => offers.push(entry) > 1,
      waitsFor: async () => {},
      returned: () => {},
      waitsForMachineOf: async () => false,
      isValid: () => true,
    },
    ...{ isDriven: () => false, asked: new Set<string>(), queued: new Map<string, Queued>() },
  };
  const look = async (): Promise<void> =>
    expect(await restElsewhere(id, [], looking)).toMatchObject({ error: { code: "run-claimed" } });
  for (let n = 0; n < 3; n++) await look();
  expect([read.mock.calls.length, offers]).toEqual([1, []]);
  // Begun by a machine that could not continue it.
  await it.rows("UPDATE curlew.runs SET status = 'running' WHERE id = $1", [id]);
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  for (let n = 0; n < 4; n++) await look();
  expect([read.mock.calls.length, offers.length]).toEqual([2, 2]);
  vi.setSystemTime(Date.now() + limits.queueSweepMs);
  for (let n = 0; n < 2; n++) await look();
  expect([read.mock.calls.length, new Set(offers).size, offers.length]).toEqual([2, 2, 3]);
});

test("only the machine that has the parent records a subflow for another one", TIMES, async () => {
  const it = await world(QUICK);
  const [one, other] = [await it.reader("one"), await it.reader("other")];
  const [run, child] = [idOf(1), idOf(2)];
  must(await one.journal.createRun(newRun(1), { owner: owner("one"), events: [event(run, 1)] }));
  must(await other.journal.claim(run, owner("other"), () => false));
  const within = { parent: { run, path: "sub" } };
  const record = (by: typeof one) => by.journal.createRun(newRun(2, within), { events: [event(child, 1)] });
  expect(await record(one)).toMatchObject({ ok: false, error: { code: "not-owner" } });
  must(await record(other));
});

test("a secret is not passed to another machine", TIMES, async () => {
  const token = `  - { id: token, type: cli, data: { title: Token, content: 'echo abcdefghijkl' } }\n`;
  const it = await world(
    `name: Train\ninputs: { key: { type: string } }\nnodes:\n  - { id: fit, type: cli, data: { title: Fit, content: 'echo "\${key}"' } }\n`,
    `${token}  - { id: key, type: variable, data: { title: Key, variableName: key, secret: true } }
  - { id: train, type: subflow, data: { title: Train, workflow: train.flow.yaml, inputs: { key: "\${key}" }, runsOn: [gpu] } }\n`,
    "runsOn: [cpu]\nedges: [token -> key, key -> train]\n",
  );
  await Promise.all([it.machine("a", "cpu"), it.machine("b", "gpu")]);
  const run = await it.begin();
  await it.ends(run, "failed");
  const failed = (await it.events(run)).find(({ type, node }) => type === "attempt.failed" && node === "train");
  expect(failed).toMatchObject({ failure: { code: "sealed-unreadable" } });
  expect(await it.childrenOf(run)).toEqual([]);
});
