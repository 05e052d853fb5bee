// How long does an event take to its readers? `node bench/events.ts [--quick]`
//   A server in this process; 100 readers of GET /events in another one; 1,000 events a second, written by a second connection to the
//   store, as another process writes them: the longer way. Control in the same run: one reader, one event at a time.
//   The figure is the time from an event's `at` to the reader that has parsed it. Bound: 50 ms for 99 of 100 (spec 5.5).

import { fork } from "node:child_process";
import fs from "node:fs";
import { get } from "node:http";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readServerFile } from "../src/app/instance.ts";
import { newRunId } from "../src/base/ids.ts";
import { openServer } from "../src/server/serve.ts";
import { openStore } from "../src/store/index.ts";

const SECONDS = process.argv.includes("--quick") ? 3 : 15;

if (process.argv[2] === "readers") readers(process.argv[3]!, process.argv[4]!, Number(process.argv[5]));
else await main();

async function main(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "curlew-bench-events-"));
  const home = path.join(folder, "home");
  const opened = await openServer({
    ...{ version: "bench", home, folder, env: process.env, port: 0, hooksPort: 0, logLevel: "silent" },
    onWarning: () => {},
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const { url, token } = readServerFile(home)!;
  try {
    const alone = await measure(home, url, token, { count: 1, perSecond: 10 });
    const crowd = await measure(home, url, token, { count: 100, perSecond: 1_000 });
    console.log(`1 reader, 10 events/s:        p50 ${alone.p50} ms  p99 ${alone.p99} ms  of ${alone.seen}`);
    console.log(`100 readers, 1,000 events/s:  p50 ${crowd.p50} ms  p99 ${crowd.p99} ms  of ${crowd.seen}`);
    if (crowd.missing > 0 || crowd.p99 > 50) process.exitCode = 1;
    if (crowd.missing > 0) console.log(`${crowd.missing} events did not come`);
  } finally {
    await opened.value.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  p50: number;
  p99: number;
  seen: number;
  missing: number;
}

async function measure(
  home: string,
  url: string,
  token: string,
  { count, perSecond }: { count: number; perSecond: number },
): Promise<Measured> {
  const child = fork(import.meta.filename, ["readers", url, token, String(count)]);
  await new Promise((resolve) => child.once("message", resolve));
  const store = openStore(home);
  if (!store.ok) throw new Error(store.error.message);
  const { journal } = store.value;
  const run = newRunId(Date.now(), new Uint8Array(11).fill(count % 32));
  const owner = { pid: process.pid, startTime: "0", bootId: "bench", token: `bench ${count}` };
  const startedAt = new Date().toISOString();
  journal.createRun({ id: run, name: "bench", file: "/bench", trigger: { kind: "cli" }, startedAt }, { owner });
  let seq = 0;
  const from = performance.now();
  for (let ms = performance.now() - from; ms < SECONDS * 1_000; ms = performance.now() - from) {
    const due = Math.floor((ms * perSecond) / 1_000) - seq;
    const at = new Date().toISOString();
    const value = { text: "x".repeat(200) };
    const events = Array.from({ length: due }, (_, n) => ({
      ...{ seq: seq + n + 1, at, run, type: "node.succeeded" as const, node: "n", path: `n[${seq + n}]`, value },
    }));
    if (due > 0) journal.append(run, events);
    seq += due;
    await sleep(5);
  }
  await sleep(1_000);
  child.send("end");
  const times = await new Promise<number[]>((resolve) =>
    child.once("message", (message) => resolve(message as number[])),
  );
  store.value.close();
  times.sort((one, other) => one - other);
  const part = (p: number): number => times[Math.min(times.length - 1, Math.floor(times.length * p))] ?? Number.NaN;
  return { p50: part(0.5), p99: part(0.99), seen: times.length, missing: seq * count - times.length };
}

/** The other process. */
function readers(url: string, token: string, count: number): void {
  const times: number[] = [];
  let live = 0;
  for (let n = 0; n < count; n++)
    get(`${url}/api/v1/events`, { headers: { authorization: `Bearer ${token}` }, agent: false }, (response) => {
      let rest = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        const now = Date.now();
        const parts = (rest + text).split("\n\n");
        rest = parts.pop()!;
        for (const part of parts) {
          if (part.includes("event: live") && ++live === count) process.send!("live");
          const at = /"at":"([^"]+)"/.exec(part)?.[1];
          if (at !== undefined) times.push(now - Date.parse(at));
        }
      });
    });
  process.once("message", () => process.send!(times, () => process.exit()));
}
