// Histories that older versions wrote (old/version-N.sql: their files, dumped). They open, are migrated, and mean the
// same. `UPDATE=1 npx vitest run test/store/old.test.ts` writes their meaning to old/version-N.json; look at the
// difference.

import fs from "node:fs";
import path from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { expect, test } from "vitest";
import { readRun } from "../../src/engine/read-run.ts";
import { openDatabase } from "../../src/store/database.ts";
import { MIGRATIONS } from "../../src/store/schema.ts";
import { openStore } from "../../src/store/store.ts";
import { tempFolder } from "../setup/folders.ts";
import { codeOf, must } from "./fixture.ts";

const OLD = path.join(import.meta.dirname, "old");
const versions = fs
  .readdirSync(OLD)
  .filter((name) => name.endsWith(".sql"))
  .map((name) => name.replace(".sql", ""));

/** A data directory with the file that the older version left, and the key of its audit log. */
function home(version: string): string {
  const folder = tempFolder();
  fs.writeFileSync(path.join(folder, "key"), Buffer.alloc(32, 7), { mode: 0o600 });
  using sqlite = new DatabaseSync(path.join(folder, "curlew.db"));
  sqlite.exec(fs.readFileSync(path.join(OLD, `${version}.sql`), "utf8"));
  return folder;
}

/** Every row of every table that the file has. */
function everything(folder: string): Record<string, Record<string, SQLOutputValue>[]> {
  using sqlite = new DatabaseSync(path.join(folder, "curlew.db"));
  const tables = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return Object.fromEntries(tables.map(({ name }) => [name, sqlite.prepare(`SELECT * FROM ${name}`).all()]));
}

test("there is a history of every older version", () => {
  expect(versions).toEqual(MIGRATIONS.slice(0, -1).map((_step, n) => `version-${n + 1}`));
});

test.each(versions)("%s is migrated without losing or changing anything", (version) => {
  const folder = home(version);
  const before = everything(folder);
  must(openDatabase(path.join(folder, "curlew.db"))).close();
  const after = everything(folder);
  // Checksums of records and the list of interrupted removals are no longer used.
  const { summed: _, leaving_runs: __, ...kept } = before;
  for (const [table, rows] of Object.entries(kept))
    expect({ table, rows: after[table] }).toEqual({ table, rows: rows.map((row) => expect.objectContaining(row)) });
});

test.each(versions)(
  "%s: every run folds to the same state as then, and the self-check finds nothing",
  async (version) => {
    const store = must(openStore(home(version)));
    const { runs, damaged } = must(store.journal.listRuns({ children: "all" }));
    expect(damaged).toBeUndefined();
    const said = [];
    for (const row of runs) said.push(must(await readRun(row, store)));
    // The dump has no output files.
    expect(must(store.check()).filter(({ code }) => code !== "output-missing")).toEqual([]);
    expect(must(store.audit.verify()).findings).toEqual([]);
    store.close();
    const golden = path.join(OLD, `${version}.json`);
    if (process.env.UPDATE) fs.writeFileSync(golden, `${JSON.stringify(said, null, 1)}\n`);
    expect(said).toEqual(JSON.parse(fs.readFileSync(golden, "utf8")));
  },
);

test("version-7: runs of older programs have the kind that started them", () => {
  const store = must(openStore(home("version-7")));
  const { runs } = must(store.journal.listRuns());
  expect(runs.map(({ kind }) => kind)).toEqual(["retry", "test", "manual", "file", "webhook"]);
  expect(must(store.journal.listRuns({ sort: "longest" })).runs[0]).toMatchObject({ kind: "webhook" });
  store.close();
});

test("a migration that failed half-way leaves the older store, which an older program still opens", () => {
  const folder = home("version-2");
  const file = path.join(folder, "curlew.db");
  const broken = [...MIGRATIONS.slice(0, -1), `${MIGRATIONS.at(-1)}; ALTER TABLE nothing ADD COLUMN x;`];
  expect(codeOf(openDatabase(file, { migrations: broken }))).toBe("store-failed");
  const older = must(openDatabase(file, { migrations: MIGRATIONS.slice(0, 2) }));
  older.close();
  must(openDatabase(file)).close();
  expect(codeOf(openDatabase(file, { migrations: MIGRATIONS.slice(0, 2) }))).toBe("store-newer");
});
