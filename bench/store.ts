// How fast does the journal take events, durably, and give them back? `node bench/store.ts [FOLDER]`
//   Control: a plain file on the same disk, appended to and fdatasync'ed for every commit: the least that durability costs here.
//   What is not measured: folding, several writers at once, a disk that other programs keep busy.
// Every question is asked several times in turn with its control; the best of each counts, as anything else is the machine's doing.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { RunEvent } from "../src/scheduler/event.ts";
import { memoryJournal, openStore } from "../src/store/index.ts";

const ROUNDS = 3;
const SINGLE = 2_000;
const BATCHED = 50_000;
const folder = fs.mkdtempSync(path.join(process.argv[2] ?? os.tmpdir(), "curlew-bench-store-"));
let names = 0;

/** An event of ordinary size: the end of a command that printed a short line. */
const event = (run: string, seq: number): RunEvent => ({
  seq,
  at: "2026-11-21T05:00:00.000Z",
  run,
  type: "attempt.succeeded",
  node: "fetch",
  path: `fetch[${seq}]`,
  number: 1,
  value: { text: '{"id":7,"name":"a bird of long flights","state":"open"}' },
  end: { durationMs: 12, exitCode: 0, stdout: { bytes: 56 }, stderr: { bytes: 0 } },
});

const events = (run: string, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => event(run, from + n));

/** Events a second for `total` events in commits of `batch`, in a journal and in the control. */
function journalRate(journal: ReturnType<typeof memoryJournal>, total: number, batch: number): number {
  const run = `r${++names}`;
  const owner = { pid: process.pid, startTime: "0", bootId: "bench", token: "bench" };
  const meta = {
    id: run,
    name: "bench",
    file: "bench.yaml",
    trigger: { kind: "cli" as const },
    startedAt: "2026-11-21T05:00:00.000Z",
  };
  journal.createRun(meta, { owner });
  return rate(total, () => {
    for (let seq = 1; seq <= total; seq += batch) {
      const appended = journal.append(run, events(run, seq, batch));
      if (!appended.ok) throw new Error(appended.error.message);
    }
  });
}

function controlRate(total: number, batch: number): number {
  const fd = fs.openSync(path.join(folder, `control-${++names}`), "a");
  const result = rate(total, () => {
    for (let seq = 1; seq <= total; seq += batch) {
      fs.writeSync(
        fd,
        `${events("r", seq, batch)
          .map((one) => JSON.stringify(one))
          .join("\n")}\n`,
      );
      fs.fdatasyncSync(fd);
    }
  });
  fs.closeSync(fd);
  return result;
}

function rate(total: number, work: () => void): number {
  const start = performance.now();
  work();
  return (total / (performance.now() - start)) * 1000;
}

function best(...measures: (() => number)[]): number[] {
  const found = measures.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [n, measure] of measures.entries()) found[n] = Math.max(found[n]!, measure());
  }
  return found;
}

const perSecond = (value: number) => `${Math.round(value).toLocaleString("en").padStart(11)}/s`;

function main(): void {
  const opened = openStore(path.join(folder, "home"));
  if (!opened.ok) throw new Error(opened.error.message);
  const { journal } = opened.value;
  console.log(
    `appends, durable, on ${folder}\n${"events a commit".padEnd(18)}${"journal".padStart(13)}${"control".padStart(13)}   ratio`,
  );
  for (const batch of [1, 10, 100, 10_000]) {
    const total = batch === 1 ? SINGLE : BATCHED;
    const [ours, control] = best(
      () => journalRate(journal, total, batch),
      () => controlRate(total, batch),
    ) as [number, number];
    console.log(
      `${String(batch).padEnd(18)}${perSecond(ours)}${perSecond(control)}   ${(control / ours).toFixed(2)} × the control's time`,
    );
  }
  const [memory] = best(() => journalRate(memoryJournal(), BATCHED, 1)) as [number];
  console.log(`${"1, in memory".padEnd(18)}${perSecond(memory)}            –`);

  const long = `r${++names}`;
  const owner = { pid: process.pid, startTime: "0", bootId: "bench", token: "bench" };
  journal.createRun(
    { id: long, name: "b", file: "b", trigger: { kind: "cli" }, startedAt: "" },
    { owner, events: events(long, 1, BATCHED) },
  );
  const lines = events(long, 1, BATCHED).map((one) => JSON.stringify(one));
  const [read, parse] = best(
    () => rate(BATCHED, () => void journal.each(long, 1, () => {})),
    () => rate(BATCHED, () => void lines.forEach((line) => void JSON.parse(line))),
  ) as [number, number];
  console.log(
    `\nreading${" ".repeat(11)}${perSecond(read)}${perSecond(parse)}   ${(parse / read).toFixed(2)} × the time of JSON.parse alone`,
  );

  opened.value.close();
  const [open] = best(() =>
    rate(1, () => void (openStore(path.join(folder, "home")) as { value: { close(): void } }).value.close()),
  ) as [number];
  console.log(`opening and closing  ${(1000 / open).toFixed(1)} ms`);
}

try {
  main();
} finally {
  fs.rmSync(folder, { recursive: true });
}
