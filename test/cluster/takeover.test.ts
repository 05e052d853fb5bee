// Runs of a cluster continue on another machine when theirs is gone (spec 6.4, 6.7). Machines are processes, each with a
// data directory and a runner. They share one PostgreSQL.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, made } from "../cli/curlew.ts";
import { cluster, LEASE_MS } from "./cluster.ts";

const TIMES = { timeout: 120_000 };

/** Takes a while, says when it begins and ends, and lives until `go` exists. */
const held = (id: string, more = ""): string =>
  `  - { id: ${id}, type: cli, data: { title: ${id}, ${more}content: 'echo "${id} begins $CURLEW_ATTEMPT" >> ledger; echo $CURLEW_FENCE >> fences; touch began; until test -e go; do echo $$ > alive; sleep 0.02; done; echo "${id} ends $CURLEW_ATTEMPT" >> ledger' } }\n`;
const quick = (id: string, more = ""): string =>
  `  - { id: ${id}, type: cli, data: { title: ${id}, content: 'echo ${id} >> ledger${more}' } }\n`;

test("a run is taken by the machine with a free slot, and by one only", TIMES, async () => {
  const it = await cluster();
  await Promise.all([it.machine("a"), it.machine("b")]);
  const runs = [];
  for (let n = 0; n < 6; n++) runs.push(await it.submit(quick("x")));
  for (const run of runs) await it.ends(run);
  expect(it.ledger()).toEqual(["x", "x", "x", "x", "x", "x"]);
});

test("a machine takes one run after the other from all its queues, and waits for no look", TIMES, async () => {
  const it = await cluster();
  const alone = "mkdir alone || echo beside >> ledger; echo x >> ledger; sleep 0.1; rmdir alone";
  const nodes = `  - { id: x, type: cli, data: { title: X, content: '${alone}' } }\n`;
  const queues = ["", "runsOn: [gpu]\n", "runsOn: ['machine:a']\n"];
  const runs = [];
  for (let n = 0; n < 12; n++) runs.push(await it.submit(nodes, queues[n % 3]));
  const a = await it.machine("a", "gpu", undefined, { slots: 1, lookMs: 600_000 });
  for (const run of runs) await it.ends(run);
  const later = await it.submit(nodes);
  await a.says(`end ${later}`, "stdout");
  expect(it.ledger()).toEqual([...runs, later].map(() => "x"));
});

test("a killed machine: its run continues elsewhere within the lease and a second", TIMES, async () => {
  const it = await cluster();
  const a = await it.machine("a");
  const nodes =
    quick("first", "; seq 5000") + held("long", "onLost: retry, ") + quick("last", "; printf %s ${first} | wc -c");
  const run = await it.submit(nodes, "edges: [first -> long, long -> last]\n");
  await made(join(it.folder, "began"));
  const b = await it.machine("b");
  a.kill();
  const killedMs = performance.now();
  await b.says(`taken ${run}`, "stdout");
  expect(performance.now() - killedMs).toBeLessThan(LEASE_MS + 2_000);
  await expect.poll(() => it.ledger()).toContain("long begins 2");
  writeFileSync(join(it.folder, "go"), "");
  await it.ends(run);
  expect(it.ledger()).toEqual(["first", "long begins 1", "long begins 2", "long ends 2", "last"]);
  // From the archive: the first machine is gone.
  const { stdout, stderr } = await folder({}).run(["runs", "logs", run], { env: { CURLEW_DB: it.url } });
  expect(stdout.split("\n").slice(4_998)).toEqual(["first | 4999", "first | 5000", "last | 23892", ""]);
  expect(stderr).toBe("The output of long is only on the machine that ran it.\n");
  const [before, after, ...more] = readFileSync(join(it.folder, "fences"), "utf8").trim().split("\n").map(Number);
  expect([before! > 0, after! > before!, more]).toEqual([true, true, []]);
  const lost = (await it.events(run)).find(({ type }) => type === "attempt.lost");
  expect(lost).toMatchObject({ node: "long", number: 1 });
});

test("a run goes to a machine with all labels that it needs, and waits for one", TIMES, async () => {
  const it = await cluster();
  const a = await it.machine("a", "gpu");
  const run = await it.submit(
    `  - { id: x, type: cli, data: { title: X, runsOn: [folder, "os:${process.platform}"], content: 'echo x >> ledger' } }
  - { id: y, type: cli, data: { title: Y, runsOn: [eu, "machine:b"], content: 'echo y >> ledger' } }\n`,
    "runsOn: [gpu]\nedges: [x -> y]\n",
  );
  const other = await it.submit(quick("other"));
  await it.ends(other);
  expect(it.ledger()).toEqual(["other"]);
  await it.machine("c", "gpu,eu");
  const b = await it.machine("b", "eu,gpu");
  await b.says(`taken ${run}`, "stdout");
  await it.ends(run);
  a.kill();
  expect((await a.done).stdout).not.toContain(run);
});
