// opener: a thread that opens new databases at the same moment as others, for opening.test.ts. Reports how each opening
// went.

import path from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "../../src/store/database.ts";
import { codeOf } from "./fixture.ts";

const { folder, rounds, threads, arrived } = workerData as {
  folder: string;
  rounds: number;
  threads: number;
  /** One counter per round: how many have arrived at it. */
  arrived: Int32Array;
};

const codes: string[] = [];
for (let round = 0; round < rounds; round++) {
  if (Atomics.add(arrived, round, 1) + 1 === threads) Atomics.notify(arrived, round);
  for (let n = Atomics.load(arrived, round); n < threads; n = Atomics.load(arrived, round))
    Atomics.wait(arrived, round, n);
  const opened = openDatabase(path.join(folder, `${round}.db`));
  codes.push(codeOf(opened));
  if (opened.ok) opened.value.close();
}
parentPort!.postMessage(codes);
