// What does a long history cost? `node bench/history.ts [--quick]`
//   Controls in the same run: the same question to a history of 100 runs, `tail` on the same file, a copy of the same file.
//   The figure is the best of several, each in an opened store; what is slower than that is the machine's doing.
//   What is not measured: a cold disk, several writers at once.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { newRunId } from "../src/base/ids.ts";
import { openEngine } from "../src/engine/index.ts";
import { openStore, type Store } from "../src/store/index.ts";
import { parseWorkflow } from "../src/workflow/parse.ts";

const quick = process.argv.includes("--quick");
const RUNS = quick ? 10_000 : 100_000;
const LOG_BYTES = quick ? 100_000_000 : 1_000_000_000;
const OPEN = 100;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "curlew-bench-history-"));
const OF_HERE = { pid: 2 ** 22 + 1, startTime: "0", bootId: "another boot", token: "gone" };

const FLOW = `curlew: 1
name: open
nodes:
  - { id: a, type: text, data: { title: A, content: a } }
  - { id: b, type: cli, data: { title: B, content: "true", onLost: retry } }
edges: [ a -> b ]
`;

function must<T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

/** A home with so many ended runs of three events, and `open` ones whose program is gone in the middle of their first command. */
function makeHome(name: string, runs: number, open: number): string {
  const home = path.join(folder, name);
  const store = must(openStore(home));
  const file = path.join(folder, "open.flow.yaml");
  const trigger = { kind: "cli" as const };
  for (let n = 0; n < runs + open; n++) {
    const id = newRunId(Date.UTC(2026, 0, 1) + n * 1000, new Uint8Array(11).fill(n % 32));
    const at = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
    const of = { run: id, at } as const;
    const started = {
      ...of,
      seq: 1,
      type: "run.started" as const,
      workflow: { name: "open", file, text: FLOW },
      inputs: {},
      trigger,
    };
    const text = { ...of, seq: 2, type: "node.succeeded" as const, node: "a", path: "a", value: { text: "a" } };
    const ended = n < runs;
    const last = ended ? [{ ...of, seq: 3, type: "run.cancelled" as const }] : [];
    const owner = { ...OF_HERE, token: `gone ${n}` };
    must(store.journal.createRun({ id, name: "open", file, trigger, startedAt: at, status: "running" }, { owner }));
    const change = ended ? ({ status: "cancelled", endedAt: at } as const) : {};
    must(store.journal.append(id, [started, text, ...last] as never, change));
    if (ended) must(store.journal.release(id));
  }
  store.close();
  return home;
}

function bestMs(times: number, work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < times; n++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function row(what: string, ours: number, control: string, reach: number): void {
  const mark = ours <= reach ? "ok  " : "MISS";
  console.log(
    `${mark}  ${what.padEnd(52)} ${ours.toFixed(1).padStart(8)} ms   ${control.padEnd(34)} reach: ≤ ${reach} ms`,
  );
}

const withStore = <T>(home: string, use: (store: Store) => T): T => {
  const store = must(openStore(home));
  try {
    return use(store);
  } finally {
    store.close();
  }
};

async function main(): Promise<void> {
  const large = makeHome("large", RUNS, 0);
  const small = makeHome("small", 100, 0);
  const opening = (home: string) => bestMs(10, () => withStore(home, () => {}));
  row(`open and close, ${RUNS} runs`, opening(large), `100 runs: ${opening(small).toFixed(1)} ms`, 20);
  const listing = (home: string) =>
    withStore(home, (store) => bestMs(10, () => must(store.journal.listRuns({ limit: 50 }))));
  row(`list the newest 50 of ${RUNS} runs`, listing(large), `of 100: ${listing(small).toFixed(1)} ms`, 50);
  tailOfLog();
  await recovery();
  const copy = path.join(folder, "copy.db");
  const copied = bestMs(1, () => fs.copyFileSync(path.join(large, "curlew.db"), copy));
  const backup = bestMs(1, () => withStore(large, (store) => must(store.backup(path.join(folder, "backup")))));
  console.log(
    `      backup of it: ${(backup / 1000).toFixed(1)} s; cp of the database alone: ${(copied / 1000).toFixed(1)} s`,
  );
  const check = bestMs(1, () => withStore(large, (store) => must(store.check())));
  console.log(`      self-check of ${RUNS * 3} events: ${(check / 1000).toFixed(1)} s`);
  const before = fs.statSync(path.join(large, "curlew.db")).size;
  const gone = bestMs(1, () =>
    withStore(large, (store) => must(store.removeLeaving({ keep: RUNS / 2, most: 5_000 }, () => false))),
  );
  const freed = before - fs.statSync(path.join(large, "curlew.db")).size;
  console.log(`      5,000 runs leave: ${(gone / 1000).toFixed(1)} s, ${(freed / 1e6).toFixed(0)} MB given back`);
}

function tailOfLog(): void {
  withStore(path.join(folder, "log"), (store) => {
    const run = newRunId(Date.UTC(2026, 0, 1), new Uint8Array(11));
    const file = must(store.outputs.create(run, "2.out"));
    const block = Buffer.from(`${"a line of a long log ".repeat(4)}\n`.repeat(12_000));
    const fd = fs.openSync(file, "a");
    for (let size = 0; size < LOG_BYTES; size += block.length) fs.writeSync(fd, block);
    fs.closeSync(fd);
    const ours = bestMs(5, () => must(store.outputs.tail(run, "2.out", { lines: 1_000 })));
    const control = bestMs(5, () => execFileSync("tail", ["-n", "1000", file], { maxBuffer: 1 << 26 }));
    row(`the last 1,000 lines of ${LOG_BYTES / 1e6} MB`, ours, `tail -n 1000: ${control.toFixed(1)} ms`, 200);
    fs.rmSync(file);
  });
}

/** From opening the home to the first event that a run which was interrupted goes on with; then until all have ended. */
async function recovery(): Promise<void> {
  const measure = async (history: number): Promise<{ first: number; all: number }> => {
    const home = makeHome(`open-${history}`, history, OPEN);
    const start = performance.now();
    let first = Number.NaN;
    const engine = must(
      openEngine({
        home,
        env: process.env,
        onEvent: ({ type }) => {
          if (Number.isNaN(first) && type === "attempt.started") first = performance.now() - start;
        },
      }),
    );
    const { runs } = must(engine.store.journal.listRuns({ status: ["running", "waiting", "queued"], limit: 1_000 }));
    for (const { id } of runs) await must(await engine.resume(id)).done;
    const all = performance.now() - start;
    if (runs.length !== OPEN) throw new Error(`${runs.length} runs were open`);
    await engine.close();
    return { first, all };
  };
  parseWorkflow(FLOW, "warm");
  const control = await measure(0);
  const ours = await measure(RUNS / 10);
  row(
    `first node resumed, ${RUNS / 10} runs and ${OPEN} open`,
    ours.first,
    `no history: ${control.first.toFixed(1)} ms`,
    1_000,
  );
  console.log(
    `      all ${OPEN} gone on with, one after the other: ${ours.all.toFixed(0)} ms; without a history ${control.all.toFixed(0)} ms`,
  );
}

try {
  await main();
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
