// Several processes on one data directory, and what a killed one leaves. All are real, and nothing waits for a fixed
// time.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { endsWithTest } from "../setup/ends.ts";
import { tempFolder } from "../setup/folders.ts";
import { alive, codeOf, dead, event, events, id, must, owner } from "./fixture.ts";

const KILLS = process.env.CHECK_FULL ? 100 : 30;

/** A writer process; `lines` is its output, as it comes. */
function writer(home: string, run: string, token: string, count: number) {
  const args = [path.join(import.meta.dirname, "writer.ts"), home, run, token, String(count)];
  const child = endsWithTest(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] }));
  return { child, lines: createInterface({ input: child.stdout }) };
}

async function allLines(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}

test("processes that open a new data directory at once and append to their own runs do not disturb each other", async () => {
  const home = path.join(tempFolder(), "home");
  const runs = [1, 2, 3, 4].map(id);
  const said = await Promise.all(runs.map((run) => allLines(writer(home, run, run, 300).lines)));
  expect(said.map((lines) => lines.at(-1))).toEqual(["done", "done", "done", "done"]);

  const store = must(openStore(home));
  for (const run of runs) expect(must(store.journal.read(run))).toEqual(events(run, 1, 300));
  expect(must(store.journal.listRuns()).runs.map((row) => row.id)).toEqual(runs.toReversed());
  expect(must(store.check())).toEqual([]);
  store.close();
}, 60_000);

test(`what was acknowledged is there after kill -9, ${KILLS} times`, async () => {
  const home = tempFolder();
  const run = id(1);
  const seed = Math.floor(Math.random() * 1000);
  console.log(`seed ${seed}`);
  let known = 0;
  for (let round = 1; round <= KILLS; round++) {
    const { child, lines } = writer(home, run, `token ${round}`, 1_000_000);
    const closed = once(child, "close");
    // Killed after so many lines. The lines that it prints until it is dead were acknowledged too.
    let words = 1 + ((seed + round * 7) % 23);
    let acknowledged = known;
    for await (const line of lines) {
      expect(line).toMatch(/^(claimed|\d+)$/);
      if (line !== "claimed") acknowledged = Number(line);
      if (--words === 0) child.kill("SIGKILL");
    }
    await closed;

    const store = must(openStore(home));
    const last = must(store.journal.lastSeq(run));
    expect(last).toBeGreaterThanOrEqual(acknowledged);
    // At most the append that was under way was stored without being acknowledged.
    expect(last).toBeLessThanOrEqual(acknowledged + 5);
    expect(must(store.journal.read(run, known + 1))).toEqual(events(run, known + 1, last));
    known = last;
    store.close();
  }
  expect(known).toBeGreaterThan(KILLS);
  const store = must(openStore(home));
  expect(must(store.check())).toEqual([]);
  store.close();
}, 300_000);

test("a process whose run was taken over gets an error, and the new owner continues", async () => {
  const home = tempFolder();
  const run = id(1);
  const { child, lines } = writer(home, run, "first", 1_000_000);
  const heard = lines[Symbol.asyncIterator]();
  expect((await heard.next()).value).toBe("claimed");
  await heard.next();

  const store = must(openStore(home));
  expect(codeOf(store.journal.claim(run, owner("second"), alive))).toBe("run-claimed");
  const { lastSeq } = must(store.journal.claim(run, owner("second"), dead));
  expect(must(store.journal.append(run, [event(run, lastSeq + 1)]))).toBe(lastSeq + 1);

  let lastWord = "";
  for (let word = await heard.next(); !word.done; word = await heard.next()) lastWord = word.value;
  expect(lastWord).toBe("error not-owner");
  expect(must(store.journal.read(run))).toEqual(events(run, 1, lastSeq + 1));
  if (child.exitCode === null) await kill(child);
  store.close();
}, 60_000);
