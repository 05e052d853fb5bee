// Retention: which runs are removed, which never are, and that the disk gets the space back.

import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { type LocalStore, openStore } from "../../src/store/store.ts";
import { tempFolder } from "../setup/folders.ts";
import { alive, at, dead, events, id, must, newRun, owner } from "./fixture.ts";

const me = owner("me");

/**
 * Runs 1 to `count` that ended one second after the other, every third failed, every fifth with a subflow's run, each
 * with some output.
 */
function history(count: number, home = tempFolder(), text?: string): { store: LocalStore; home: string } {
  const store = must(openStore(home));
  for (let n = 1; n <= count; n++) {
    must(store.journal.createRun(newRun(n), { owner: me, events: events(id(n), 1, 20, text) }));
    must(store.outputs.write(id(n), "1.val", Buffer.alloc(20_000, n)));
    if (n % 5 === 0) {
      const child = newRun(count + n, { parent: { run: id(n), path: "sub" } });
      must(store.journal.createRun(child, { events: events(child.id, 1, 2) }));
      must(store.outputs.write(child.id, "1.val", Buffer.alloc(20_000, n)));
    }
    must(store.journal.append(id(n), [], { status: n % 3 === 0 ? "failed" : "succeeded", endedAt: at(1_000 + n) }));
    must(store.journal.release(id(n)));
  }
  return { store, home };
}

const left = (store: LocalStore) =>
  must(store.journal.listRuns({ limit: 1_000 }))
    .runs.map((row) => row.id)
    .toReversed();
const ids = (...numbers: number[]) => numbers.map(id);
const size = (home: string) =>
  ["curlew.db", "curlew.db-wal"].reduce(
    (sum, name) => sum + (fs.statSync(path.join(home, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

test.each([
  ["by age", { endedBefore: at(1_004) }, [4, 5, 6, 7, 8, 9, 10]],
  ["by number", { keep: 4 }, [7, 8, 9, 10]],
  ["by age and number: what both say", { endedBefore: at(1_006), keep: 8 }, [3, 4, 5, 6, 7, 8, 9, 10]],
  ["by status", { statuses: ["failed"], endedBefore: at(1_008) }, [1, 2, 4, 5, 7, 8, 9, 10]],
  ["by status and number of that status", { statuses: ["failed"], keep: 1 }, [1, 2, 4, 5, 7, 8, 9, 10]],
  ["some now", { keep: 0, most: 3 }, [4, 5, 6, 7, 8, 9, 10]],
  ["more than there is", { keep: 100 }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
] as const)("%s", (_what, leaving, stay) => {
  const { store, home } = history(10);
  const before = left(store);
  const would = must(store.leaving(leaving)).map((row) => row.id);
  expect(left(store)).toEqual(before);
  const gone = must(store.removeLeaving(leaving, dead));
  expect(left(store)).toEqual(ids(...stay));
  expect(gone.runs.map((row) => row.id)).toEqual(would);
  expect(would).toEqual(before.filter((one) => !ids(...stay).includes(one)));
  expect(must(store.check())).toEqual([]);
  // Runs of subflows and outputs were removed too.
  const folders = must(store.outputs.runs());
  expect(folders.length).toBe(stay.length + stay.filter((n) => n % 5 === 0).length);
  expect(fs.readdirSync(path.join(home, "runs")).length).toBe(folders.length);
  store.close();
});

test("a run that is active, waiting, claimed by a living process or damaged stays", () => {
  const { store, home } = history(4);
  must(store.journal.createRun(newRun(20, { status: "running" }), { owner: me, events: events(id(20), 1, 2) }));
  must(store.journal.createRun(newRun(21, { status: "waiting" }), { events: events(id(21), 1, 2) }));
  must(store.journal.claim(id(2), owner("other"), alive));
  const sqlite = new DatabaseSync(path.join(home, "curlew.db"));
  sqlite.exec(`UPDATE runs SET started_by = '{' WHERE id = '${id(3)}'`);
  sqlite.close();
  expect(must(store.removeLeaving({ keep: 0 }, alive)).runs.map((row) => row.id)).toEqual(ids(1, 4));
  expect(left(store)).toEqual(ids(2, 20, 21));
  expect(must(store.journal.listRuns()).damaged).toEqual([id(3)]);
  store.close();
});

test("the disk gets back their space: outputs, pages of the database, its log", () => {
  const { store, home } = history(200, tempFolder(), "x".repeat(2_000));
  const before = size(home);
  expect(before).toBeGreaterThan(8_000_000);
  const { freedBytes } = must(store.removeLeaving({ keep: 10 }, dead));
  expect(size(home)).toBeLessThan(before / 8);
  expect(freedBytes).toBeGreaterThan(before - size(home) + 190 * 20_000);
  expect(must(store.journal.read(id(200)))).toHaveLength(20);
  expect(must(store.check())).toEqual([]);
  store.close();
});
