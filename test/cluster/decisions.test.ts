// A person decides on any machine about a run that another one drives (spec 6.6, M13).

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ok } from "../../src/base/result.ts";
import { cancelElsewhere, giveAnswer } from "../../src/engine/answer.ts";
import { ANY, openReader, openSender } from "../../src/engine/cluster/index.ts";
import { pendingOf } from "../../src/engine/pending.ts";
import type { Store } from "../../src/store/index.ts";
import { made } from "../cli/curlew.ts";
import { must } from "../store/fixture.ts";
import { cluster } from "./cluster.ts";

const TIMES = { timeout: 120_000 };
const plain = (text: string): string => text;

async function asking() {
  const it = await cluster();
  const a = await it.machine("a");
  const run = await it.submit(
    `  - { id: long, type: cli, data: { title: Long, content: 'touch began; until test -e go; do sleep 0.02; done' } }
  - { id: gate, type: cli, data: { title: Gate, content: 'echo passed >> ledger', needsUserApproval: true } }\n`,
  );
  await made(join(it.folder, "began"));
  const reader = async (key: Buffer): Promise<Store> => {
    const store = must(
      await openReader({ url: it.url, home: join(it.folder, "home-reader"), auditKey: () => ok(key), key }),
    );
    onTestFinished(async () => store.close());
    return store;
  };
  const store = await reader(Buffer.alloc(32, 7));
  const row = async () => must(await store.journal.findRun(run));
  await expect.poll(async () => (await pendingOf(await row(), store)).length).toBe(1);
  const [pending] = await pendingOf(await row(), store);
  return { ...it, a, run, store, reader, row, pending: pending! };
}

test("an approval reaches the machine that drives the run, and a forged one does not count", TIMES, async () => {
  const { store, reader, pending, run, ...it } = await asking();
  const forger = await reader(Buffer.alloc(32, 1));
  expect(await giveAnswer(pending, { grant: true }, forger, plain)).toMatchObject({ error: { code: "not-waiting" } });
  const grant = {
    type: "approval.granted" as const,
    node: "gate",
    path: "gate",
    hash: pending.request.hash,
    by: "mallory",
    door: "cli",
  };
  for (const body of [grant, { type: "run.cancel-requested" as const, by: "mallory" }])
    expect(await forger.tellOwner!(run, run, body)).toMatchObject({ error: { code: "not-waiting" } });
  expect(it.ledger()).toEqual([]);
  expect(await giveAnswer(pending, { grant: true }, store, plain)).toEqual({ ok: true, value: undefined });
  await expect.poll(() => it.ledger()).toEqual(["passed"]);
  expect(await giveAnswer(pending, { grant: true }, store, plain)).toMatchObject({ error: { code: "not-waiting" } });
  writeFileSync(join(it.folder, "go"), "");
  await it.ends(run);
});

test("a cancellation reaches it as well, and a machine that does not answer is named", TIMES, async () => {
  const { store, run, a, row, ...it } = await asking();
  a.stop();
  const silent = cancelElsewhere(await row(), store, "someone");
  expect(await silent).toMatchObject({ ok: false, error: { code: "machine-silent" } });
  a.wake();
  await it.ends(run, "cancelled");
});

test("rows that are written by hand approve, start, and cancel nothing, and are not read", TIMES, async () => {
  const { a, run, reader, pending, ...it } = await asking();
  writeFileSync(join(it.folder, "go"), "");
  // It rests now, so any machine may take it.
  await expect.poll(async () => (await it.rows("SELECT owner_token FROM curlew.runs"))[0]?.owner_token).toBe(null);
  const [last] = await it.rows("SELECT seq, body FROM curlew.events ORDER BY seq DESC LIMIT 1");
  const { at } = JSON.parse(String(last!.body));
  const grant = { at, type: "approval.granted", node: "gate", path: "gate", hash: pending.request.hash, by: "mallory" };
  const put = `WITH head AS (UPDATE curlew.runs SET last_seq = last_seq + 1 WHERE id = $1 RETURNING key, last_seq)
    INSERT INTO curlew.events SELECT (pg_current_xact_id()::text::bigint << 16), key, last_seq, $2, coalesce(
      (SELECT max(mark) FROM curlew.events), '') FROM head`;
  await it.rows(put, [run, JSON.stringify(grant)]);
  // Another run, with the first event of a signed one, waits in the queue.
  await it.rows(`INSERT INTO curlew.runs (id, name, file, started_by, status, started_at, last_seq, kind)
    SELECT overlay(id placing '00' from length(id) - 1), name, file, started_by, 'queued', started_at, 1, kind FROM curlew.runs`);
  await it.rows(`INSERT INTO curlew.events SELECT pos + 1000000, (SELECT max(key) FROM curlew.runs), seq, body, mark
    FROM curlew.events WHERE seq = 1`);
  const [forged] = await it.rows("SELECT id FROM curlew.runs WHERE status = 'queued'");
  const sender = await openSender(it.url);
  for (const id of [run, String(forged!.id)]) {
    await sender.add({ id: `${id}#hand`, run: id, queue: ANY });
    await a.says(`warning run-unsigned Event ${id === run ? Number(last!.seq) + 1 : 1} of run ${id}`, "stdout");
    const store = await reader(Buffer.alloc(32, 7));
    expect(await store.journal.read(id)).toMatchObject({ error: { code: "run-unsigned" } });
  }
  await sender.close();
  expect(it.ledger()).toEqual([]);
});
