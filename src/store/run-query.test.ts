// Counts of runs by status in slices of time, as the charts show them.

import path from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { at, events, id, must, newRun, owner } from "../../test/store/fixture.ts";
import type { RunStatus } from "../scheduler/state.ts";
import { sqlOf } from "./ask.ts";
import { openDatabase } from "./database.ts";
import type { NewRun } from "./journal.ts";
import { countRuns } from "./run-query.ts";
import { sqliteJournal } from "./sqlite.ts";

function history(runs: [second: number, status: RunStatus, more?: Partial<NewRun>][]) {
  const database = must(openDatabase(path.join(tempFolder(), "curlew.db")));
  const journal = sqliteJournal(database);
  for (const [n, status, more] of runs)
    must(journal.createRun(newRun(n, { status, ...more }), { owner: owner("me"), events: events(id(n), 1, 1) }));
  return database;
}

test("runs are counted by status in slices; empty slices are left out, subflows and tests as in the list", async () => {
  const database = history([
    [0, "succeeded"],
    [1, "failed"],
    [2, "failed"],
    [30, "waiting"],
    [31, "succeeded", { kind: "test" }],
    [32, "succeeded", { parent: { run: id(30), path: "sub" } }],
    [59, "succeeded"],
    [60, "succeeded"],
  ]);
  const range = { sinceMs: Date.parse(at(0)), untilMs: Date.parse(at(60)) };
  const counted = must(await countRuns(sqlOf(database), { ...range, slices: 6, tests: false }));
  expect(counted).toEqual({
    ...range,
    stepMs: 10_000,
    slices: [
      { at: 0, status: "failed", runs: 2 },
      { at: 0, status: "succeeded", runs: 1 },
      { at: 3, status: "waiting", runs: 1 },
      { at: 5, status: "succeeded", runs: 1 },
    ],
  });
  expect(must(await countRuns(sqlOf(database), { ...range, slices: 1, status: ["failed", "waiting"] })).slices).toEqual(
    [
      { at: 0, status: "failed", runs: 2 },
      { at: 0, status: "waiting", runs: 1 },
    ],
  );
  database.close();
});

test("without a start, the counts begin at the oldest run; without runs, there is nothing", async () => {
  const database = history([[10, "succeeded"]]);
  const untilMs = Date.parse(at(20));
  expect(must(await countRuns(sqlOf(database), { untilMs, slices: 5 }))).toEqual({
    ...{ sinceMs: Date.parse(at(10)), untilMs, stepMs: 2000 },
    slices: [{ at: 0, status: "succeeded", runs: 1 }],
  });
  database.close();
  const empty = history([]);
  expect(must(await countRuns(sqlOf(empty), { untilMs, slices: 5 })).slices).toEqual([]);
  empty.close();
});

test("10,000 runs are counted at once, and a page of the longest is found without sorting them", async () => {
  const database = history([]);
  database.script(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
    INSERT INTO runs (id, name, file, started_by, status, started_at, last_seq, took_ms)
    SELECT printf('%020d', i), 'a', 'f', '{"kind":"cli"}', 'succeeded', '2026-01-01T00:00:00.000Z', 0, i FROM n`);
  const range = { sinceMs: 0, untilMs: Date.parse(at(20)) };
  expect(must(await countRuns(sqlOf(database), { ...range, slices: 400 })).slices).toMatchObject([{ runs: 10_000 }]);
  const plan = database.all(
    "EXPLAIN QUERY PLAN SELECT * FROM runs WHERE took_ms IS NOT NULL AND parent IS NULL ORDER BY took_ms DESC, id DESC LIMIT 5",
  );
  expect(plan.map(({ detail }) => String(detail)).join("\n")).toMatch(/USING INDEX runs_by_time/);
  expect(plan.map(({ detail }) => String(detail)).join("\n")).not.toMatch(/TEMP B-TREE/);
  database.close();
});
