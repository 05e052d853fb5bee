// The first moments of a store that several processes make at once. Bugs found here: a file that was empty at first and
// then filled was taken for another program's, and SQLite does not wait while another process turns on WAL.

import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { tempFolder } from "../setup/folders.ts";

const ROUNDS = process.env.CHECK_FULL ? 500 : 100;
const THREADS = 4;

test(`${THREADS} threads that make the same store at the same moment all get it, ${ROUNDS} times`, async () => {
  const folder = tempFolder();
  const arrived = new Int32Array(new SharedArrayBuffer(4 * ROUNDS));
  const workerData = { folder, rounds: ROUNDS, threads: THREADS, arrived };
  const said = Array.from({ length: THREADS }, () =>
    once(new Worker(path.join(import.meta.dirname, "opener.ts"), { workerData }), "message"),
  );
  const codes = (await Promise.all(said)).flat(2);
  expect(codes).toHaveLength(THREADS * ROUNDS);
  expect(new Set(codes)).toEqual(new Set(["ok"]));
}, 120_000);
