// A long history costs nothing: opening, listing and finding follow an index to what is asked for (spec 5.4: newest 50 of 100,000 runs in 50 ms).

import path from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/store/database.ts";
import type { Journal, RunQuery } from "../../src/store/journal.ts";
import { sqliteJournal } from "../../src/store/sqlite.ts";
import { openStore } from "../../src/store/store.ts";
import { dead, event, must, newRun, owner } from "./fixture.ts";
import { tempFolder } from "./folders.ts";

const RUNS = process.env.CHECK_FULL ? 100_000 : 20_000;
const EVENTS_EACH = 5;
const MS_MAX = 50;
/** Where nothing is found before all of them were looked at, along an index: not to be noticed by who asked. */
const ALL_MS_MAX = 200;

/** Run n of the history: like an id, and in order. */
const runId = (n: number) => `1m7y7kg4${String(n).padStart(12, "0")}`;

/** Every 10th run is a subflow's of the one before, every 1000th waits, the others are over; one workflow runs only 3 times. */
const FILL = `
  INSERT INTO runs (id, name, file, started_by, status, started_at, ended_at, parent, parent_path, last_seq)
  WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${RUNS})
  SELECT format('1m7y7kg4%012d', n), iif(n <= 3, 'rare', format('flow %d', n % 20)), format('/flows/%d.yaml', n % 20), '{"kind":"cli"}',
    iif(n % 1000 = 0, 'waiting', iif(n % 7 = 0, 'failed', 'succeeded')), '2026-01-01T00:00:00.000Z', NULL,
    iif(n % 10 = 5, format('1m7y7kg4%012d', n - 1), NULL), iif(n % 10 = 5, 'sub', NULL), ${EVENTS_EACH} FROM n;
  INSERT INTO events (run, seq, body)
  WITH RECURSIVE s (s) AS (SELECT 1 UNION ALL SELECT s + 1 FROM s WHERE s < ${EVENTS_EACH})
  SELECT key, s, json_object('at', '2026-01-01T00:00:00.000Z', 'type', 'node.succeeded', 'node', 'n', 'path', 'n', 'value', json_object('text', 'x'))
  FROM runs, s ORDER BY key, s;`;

describe(`with ${RUNS} runs`, () => {
  const home = tempFolder();
  const file = path.join(home, "curlew.db");
  beforeAll(() => {
    const database = must(openDatabase(file));
    must(database.transaction(() => ({ ok: true, value: database.script(FILL) })));
    database.close();
  }, 120_000);

  /** The quickest of five: what the work takes when nothing else is in the way. */
  function quickestMs(work: () => void): number {
    return Math.min(...Array.from({ length: 5 }, () => processorMs(work)));
  }

  const questions: [string, (journal: Journal) => unknown, unknown, msMax?: number][] = [
    ["newest 50", (journal) => list(journal, {}).length, 50],
    ["the next 50", (journal) => list(journal, { cursor: runId(RUNS / 2) })[0], runId(RUNS / 2 - 1)],
    ["what waits", (journal) => list(journal, { status: "waiting", limit: 1000 }).length, RUNS / 1000],
    [
      "what is open, of which there is little",
      (journal) => list(journal, { status: ["running", "waiting", "queued"] })[0],
      runId(RUNS),
    ],
    [
      "a workflow that ran seldom, long ago",
      (journal) => list(journal, { workflow: "rare" }),
      [runId(3), runId(2), runId(1)],
    ],
    ["a workflow by its file", (journal) => list(journal, { workflow: "/flows/7.yaml" })[0], runId(RUNS - 13)],
    ["failed runs of a workflow", (journal) => list(journal, { workflow: "flow 7", status: "failed" }).length, 50],
    ["runs of a run's subflows", (journal) => list(journal, { children: { of: runId(74) } }), [runId(75)]],
    ["what a schedule started", (journal) => list(journal, { trigger: "schedule" }).length, 0, ALL_MS_MAX],
    ["a part of a name that none has", (journal) => list(journal, { text: "nowhere at all" }), [], ALL_MS_MAX],
    ["a node that no run failed at", (journal) => list(journal, { failedAt: "nowhere" }), [], ALL_MS_MAX],
    ["begun since the end", (journal) => list(journal, { sinceMs: 32 ** 9 }), []],
    ["everything behind the last position", (journal) => must(journal.readAll(RUNS * EVENTS_EACH)).events, []],
    ["the latest", (journal) => must(journal.findRun("latest")).id, runId(RUNS)],
    ["one by a start that many share", (journal) => journal.findRun("1m7y").ok, false],
    ["one by its own start", (journal) => must(journal.findRun(`${runId(70).slice(0, -1)}1`)).id, runId(71)],
    ["the events of one", (journal) => must(journal.read(runId(50))).length, EVENTS_EACH],
  ];
  const list = (journal: Journal, query: RunQuery) => must(journal.listRuns(query)).runs.map((row) => row.id);

  test.each(questions)("%s: found along an index, in time", (_what, ask, answer, msMax = MS_MAX) => {
    const database = must(openDatabase(file));
    const asked: string[] = [];
    const journal = sqliteJournal(recording(database, asked));
    expect(ask(journal)).toEqual(answer);
    expect(quickestMs(() => ask(journal))).toBeLessThan(msMax);
    for (const plan of asked.flatMap((sql) => planOf(database, sql))) {
      expect(plan).toMatch(/USING (COVERING )?(INDEX|INTEGER PRIMARY KEY)/);
      expect(plan).not.toMatch(/TEMP B-TREE/);
    }
    database.close();
  });

  test("opening takes milliseconds", () => {
    expect(quickestMs(() => must(openStore(home)).close())).toBeLessThan(MS_MAX);
  });

  test("the self-check goes through all of it and finds nothing", () => {
    const store = must(openStore(home));
    expect(must(store.check())).toEqual([]);
    store.close();
  }, 120_000);

  test("a new run does not wait for the old ones; 10,000 events are one quick append", () => {
    const store = must(openStore(home));
    const run = newRun(1_000_000);
    const many = Array.from({ length: 10_000 }, (_, n) => event(run.id, n + 1));
    const took = processorMs(() => {
      must(store.journal.createRun(run, { owner: owner("me") }));
      must(store.journal.append(run.id, many, { status: "succeeded" }));
    });
    expect(took).toBeLessThan(1000);
    must(store.removeRun(run.id, dead));
    store.close();
  });
});

/** Of this thread: a machine that is busy with other things counts no other time. */
function processorMs(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

/** The same database, that also notes which selects it was asked. */
function recording(database: Database, asked: string[]): Database {
  const noted =
    <T>(ask: (sql: string, ...values: SQLInputValue[]) => T) =>
    (sql: string, ...values: SQLInputValue[]): T => {
      if (sql.startsWith("SELECT")) asked.push(sql);
      return ask(sql, ...values);
    };
  return { ...database, all: noted(database.all), get: noted(database.get) };
}

const planOf = (database: Database, sql: string): string[] =>
  database
    .all(`EXPLAIN QUERY PLAN ${sql}`, ...Array(sql.split("?").length - 1).fill(null))
    .map((row) => String(row.detail));
