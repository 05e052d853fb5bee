// The database file itself: damaged, foreign, newer, older, locked, full. Every case ends in an
// error code that people can look up.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../../test/setup/folders.ts";
import { codeOf, event, events, id, modeOf, must, newRun, owner } from "../../test/store/fixture.ts";
import { openDatabase } from "./database.ts";
import { MIGRATIONS } from "./schema.ts";
import { sqliteJournal } from "./sqlite.ts";

/** A closed store with one run of `last` events. Returns its file. */
function storeFile(last = 50): string {
  const file = path.join(tempFolder(), "curlew.db");
  const journal = sqliteJournal(must(openDatabase(file)));
  must(journal.createRun(newRun(1), { owner: owner("me"), events: events(id(1), 1, last) }));
  journal.close();
  return file;
}

/** Changes `file` directly with SQLite. */
function meddle(file: string, sql: string): string {
  const sqlite = new DatabaseSync(file);
  sqlite.exec(sql);
  sqlite.close();
  return file;
}

test("a new file is 0600, in WAL mode, with full synchronous writes, and has Curlew's application id", () => {
  const file = path.join(tempFolder(), "curlew.db");
  const database = must(openDatabase(file));
  expect(modeOf(file)).toBe("600");
  expect(modeOf(`${file}-wal`)).toBe("600");
  expect(database.get("PRAGMA journal_mode")).toEqual({ journal_mode: "wal" });
  expect(database.get("PRAGMA synchronous")).toEqual({ synchronous: 2 });
  expect(database.get("PRAGMA user_version")).toEqual({ user_version: MIGRATIONS.length });
  expect(database.get("PRAGMA application_id")).toEqual({ application_id: 0x43524c57 });
  database.close();
});

test("a file that others could read becomes private", () => {
  const file = storeFile();
  fs.chmodSync(file, 0o644);
  must(openDatabase(file)).close();
  expect(modeOf(file)).toBe("600");
});

test.each([
  ["text", (file: string) => fs.writeFileSync(file, "Dear diary, ".repeat(1000)), "store-damaged"],
  ["a store with a broken head", (file: string) => overwrite(file, 0, 100), "store-damaged"],
  ["a store with a broken schema", (file: string) => overwrite(file, 100, 3000), "store-damaged"],
  ["a store cut off in the middle", (file: string) => fs.truncateSync(file, 4096), "store-damaged"],
  ["another program's database", (file: string) => replace(file, "CREATE TABLE cats (name)"), "store-foreign"],
  ["another program's numbered database", (file: string) => replace(file, "PRAGMA user_version = 1"), "store-foreign"],
  [
    "another program's marked database",
    (file: string) => replace(file, "CREATE TABLE t (x); PRAGMA application_id = 7"),
    "store-foreign",
  ],
  ["a newer store", (file: string) => meddle(file, "PRAGMA user_version = 99"), "store-newer"],
  [
    "a folder",
    (file: string) => {
      fs.rmSync(file);
      fs.mkdirSync(file);
    },
    "store-failed",
  ],
])("%s is refused and left as it is", (_what, make, code) => {
  const file = storeFile();
  make(file);
  const before = fs.statSync(file).isFile() && fs.readFileSync(file);
  const opened = openDatabase(file);
  const used = opened.ok ? sqliteJournal(opened.value).listRuns() : opened;
  expect(used).toMatchObject({ ok: false, error: { code } });
  if (opened.ok) opened.value.close();
  expect(fs.statSync(file).isFile() && fs.readFileSync(file)).toEqual(before);
});

const replace = (file: string, sql: string) => {
  fs.rmSync(file);
  meddle(file, sql);
};

function overwrite(file: string, from: number, bytes: number): void {
  const fd = fs.openSync(file, "r+");
  fs.writeSync(fd, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
  fs.closeSync(fd);
}

test("an empty file becomes a store", () => {
  const file = path.join(tempFolder(), "curlew.db");
  fs.writeFileSync(file, "");
  expect(codeOf(openDatabase(file))).toBe("ok");
});

test("an older store is migrated and loses nothing; the older program then rejects it", () => {
  const file = storeFile();
  const migrations = [...MIGRATIONS, "ALTER TABLE runs ADD COLUMN mood TEXT; UPDATE runs SET mood = 'fine';"];
  const database = must(openDatabase(file, { migrations }));
  expect(database.get("SELECT mood FROM runs")).toEqual({ mood: "fine" });
  expect(must(sqliteJournal(database).read(id(1)))).toEqual(events(id(1), 1, 50));
  database.close();
  expect(openDatabase(file)).toMatchObject({
    error: { code: "store-newer" },
  });
});

test("a migration that fails leaves the older store", () => {
  const file = storeFile();
  const migrations = [...MIGRATIONS, "ALTER TABLE runs ADD COLUMN mood TEXT;", "ALTER TABLE nothing ADD COLUMN x;"];
  expect(codeOf(openDatabase(file, { migrations }))).toBe("store-failed");
  expect(must(sqliteJournal(must(openDatabase(file))).read(id(1)))).toEqual(events(id(1), 1, 50));
});

test("a full disk is reported, keeps the old data, and is over once there is space", () => {
  const file = path.join(tempFolder(), "curlew.db");
  const full = must(openDatabase(file, { pagesMax: 60 }));
  const journal = sqliteJournal(full);
  const run = id(1);
  must(journal.createRun(newRun(1), { owner: owner("me") }));
  let last = 0;
  let appended = journal.append(run, [event(run, 1)]);
  for (; appended.ok; appended = journal.append(run, events(run, last + 1, last + 10, "x".repeat(500))))
    last = appended.value;
  expect(appended).toMatchObject({ error: { code: "store-full" } });
  expect(last).toBeGreaterThan(10);
  expect(must(journal.read(run))).toHaveLength(last);
  expect(must(journal.lastSeq(run))).toBe(last);
  full.get("PRAGMA max_page_count = 1000000");
  expect(must(journal.append(run, [event(run, last + 1)]))).toBe(last + 1);
  expect(must(journal.check())).toEqual([]);
});

test("a writer that keeps the lock is reported after the time limit, and is over once it releases it", () => {
  const file = storeFile();
  const journal = sqliteJournal(must(openDatabase(file, { busyMs: 1 })));
  const other = new DatabaseSync(file);
  other.exec("BEGIN IMMEDIATE");
  expect(codeOf(journal.createRun(newRun(2)))).toBe("store-busy");
  expect(must(journal.read(id(1)))).toHaveLength(50);
  other.exec("ROLLBACK");
  other.close();
  expect(codeOf(journal.createRun(newRun(2)))).toBe("ok");
});

// The system's list of locks.
if (fs.existsSync("/proc/locks"))
  test("a stopped writer is named with a hint, and releases the file when it continues", async () => {
    const file = storeFile();
    const journal = sqliteJournal(must(openDatabase(file, { busyMs: 1 })));
    const holds = `const { DatabaseSync } = require("node:sqlite");
      const it = new DatabaseSync(process.argv[1]);
      it.exec("BEGIN IMMEDIATE");
      console.log("held");
      process.stdin.on("data", () => { it.exec("ROLLBACK"); it.close(); process.stdin.pause(); });`;
    const other = spawn(process.execPath, ["-e", holds, file], { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void other.kill("SIGKILL"));
    await once(other.stdout, "data");
    const { pid } = other;
    expect(journal.createRun(newRun(2))).toMatchObject({
      error: { code: "store-busy", message: expect.stringContaining(`${pid}`) },
    });
    other.kill("SIGSTOP");
    await expect
      .poll(() => journal.createRun(newRun(2)))
      .toMatchObject({ error: { message: expect.stringContaining(`Continue it with "kill -CONT ${pid}"`) } });
    other.kill("SIGCONT");
    other.stdin.end("let go");
    await once(other, "exit");
    expect(codeOf(journal.createRun(newRun(2)))).toBe("ok");
  });

test("a bug inside a transaction leaves no transaction open", () => {
  const database = must(openDatabase(path.join(tempFolder(), "curlew.db")));
  const bug = () => {
    throw new RangeError("a bug");
  };
  expect(() => database.transaction(bug)).toThrow(RangeError);
  expect(codeOf(sqliteJournal(database).createRun(newRun(1)))).toBe("ok");
});

test.each([
  ["an event is missing", "DELETE FROM events WHERE run = 1 AND seq = 7", "journal-gap", "record-damaged"],
  ["the first event is missing", "DELETE FROM events WHERE run = 1 AND seq = 1", "journal-gap", "record-damaged"],
  ["the last event is missing", "DELETE FROM events WHERE run = 1 AND seq = 50", "index-behind", "ok"],
  ["an event isn't JSON", "UPDATE events SET body = '{' WHERE run = 1 AND seq = 7", "record-damaged", "record-damaged"],
  ["the run is missing", "DELETE FROM runs WHERE id LIKE '%1111'", "journal-without-run", "run-not-found"],
])("when %s, only that run is harmed and the self-check says so", (_what, sql, finding, reading) => {
  const file = storeFile();
  const before = sqliteJournal(must(openDatabase(file)));
  must(before.createRun(newRun(2), { events: events(id(2), 1, 9) }));
  before.close();
  const journal = sqliteJournal(must(openDatabase(meddle(file, sql))));
  expect(codeOf(journal.read(id(1)))).toBe(reading);
  expect(must(journal.read(id(2)))).toEqual(events(id(2), 1, 9));
  expect(must(journal.check()).map((one) => one.code)).toEqual(finding.split(" "));
  journal.close();
});

test("a run with an invalid index row is named and can be removed, and the others are listed", () => {
  const file = storeFile(3);
  const before = sqliteJournal(must(openDatabase(file)));
  must(before.createRun(newRun(2), { events: events(id(2), 1, 9) }));
  before.close();
  const journal = sqliteJournal(must(openDatabase(meddle(file, "UPDATE runs SET started_by = '{' WHERE key = 1"))));
  const page = must(journal.listRuns());
  expect(page.runs.map((row) => row.id)).toEqual([id(2)]);
  expect(page.damaged).toEqual([id(1)]);
  expect(journal.findRun(id(1))).toMatchObject({ error: { code: "record-damaged", run: id(1) } });
  expect(codeOf(journal.claim(id(1), owner("me"), () => false))).toBe("record-damaged");
  expect(must(journal.check()).map(({ code, run }) => `${code} ${run}`)).toEqual([`record-damaged ${id(1)}`]);
  expect(must(journal.read(id(1)))).toEqual(events(id(1), 1, 3));
  expect(must(journal.deleteRun(id(1), () => false))).toEqual([id(1)]);
  expect(must(journal.check())).toEqual([]);
  journal.close();
});
