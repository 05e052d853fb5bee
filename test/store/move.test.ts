// move: a history goes into a cluster and back, whole and once, also if the move is killed (spec 6.9 no. 6).

import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { ok } from "../../src/base/result.ts";
import { sqlOf } from "../../src/store/ask.ts";
import { openAudit } from "../../src/store/audit.ts";
import { openDatabase } from "../../src/store/database.ts";
import { openDeliveries } from "../../src/store/deliveries.ts";
import { openStore } from "../../src/store/index.ts";
import {
  type Connection,
  connect,
  moveFrom,
  moveTo,
  openPostgresStore,
  setUp,
} from "../../src/store/postgres/index.ts";
import { sqliteJournal } from "../../src/store/sqlite.ts";
import { openTriggers } from "../../src/store/triggers.ts";
import { openTrust } from "../../src/store/trust.ts";
import { tempFolder } from "../setup/folders.ts";
import { has } from "../setup/machine.ts";
import { databases } from "./databases.ts";
import { alive, codeOf, dead, event, events, granted, id, must, newRun, owner } from "./fixture.ts";
import { MOVE_KEYS } from "./move-keys.ts";
import { startProxy } from "./proxy.ts";

const there = has("postgres") ? test : undefined;
const cluster = databases();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const auditKey = () => ok(MOVE_KEYS.clusterKey);

/** A history with something in each table. */
async function homeWithHistory(): Promise<string> {
  const home = path.join(tempFolder(), "home");
  fs.mkdirSync(home, { mode: 0o700 });
  const database = must(openDatabase(path.join(home, "curlew.db")));
  const sql = sqlOf(database);
  const audit = openAudit(sql, () => ok(MOVE_KEYS.homeKey));
  const journal = sqliteJournal(database, audit);
  for (let n = 1; n <= 5; n++) {
    must(journal.createRun(newRun(n, { name: `ünï ${n}` }), { owner: owner("me"), events: events(id(n), 1, 3) }));
    must(journal.append(id(n), [granted(id(n), 4)], { status: "waiting", waiting: n }));
  }
  must(journal.append(id(1), [event(id(1), 5, "\0 🐦 \ud800")], { state: { name: "value" } }));
  must(journal.append(id(1), events(id(1), 6, 1_500), { status: "succeeded", endedAt: "2026-01-02T00:00:00.000Z" }));
  must(journal.release(id(1)));
  must(await openTrust(sql, audit).add([{ hash: "h", file: "/f", node: "n", by: "ada" }], "cli"));
  const triggers = openTriggers(sql);
  must(await triggers.seen("t", 5));
  const start = { trigger: "t", startedBy: { kind: "schedule" as const }, file: "/f" };
  must(
    await triggers.decide("t", { sinceMs: 6 }, [
      { ...start, run: "r1", key: "1" },
      { ...start, run: "r2", key: "2" },
    ]),
  );
  const delivery = { hook: "h", file: "/f", receivedAt: "2026-01-01T00:00:00.000Z", headers: { a: "b" }, query: {} };
  for (const [n, body] of [[0, 255, 0], [1]].entries())
    must(await openDeliveries(sql).receive({ ...delivery, id: `d${n}`, run: `dr${n}`, body: Buffer.from(body) }));
  database.close();
  for (const [name, text] of Object.entries(FILES)) {
    fs.mkdirSync(path.join(home, "runs", id(1)), { recursive: true });
    fs.writeFileSync(path.join(home, "runs", id(1), name), text);
  }
  return home;
}

const FILES = { "3.out": "printed", "3.err": "", "4-1.val": "x".repeat(1_200_000) };

const filesOf = (home: string): unknown =>
  Object.fromEntries(
    fs
      .readdirSync(path.join(home, "runs", id(1)))
      .map((name) => [name, fs.readFileSync(path.join(home, "runs", id(1), name), "utf8")]),
  );

const COMPARED = {
  runs: "SELECT id, name, file, started_by, status, waiting, started_at, ended_at, parent, last_seq, kind, took_ms FROM runs ORDER BY id",
  events: "SELECT id, seq, body FROM events JOIN runs ON run = key ORDER BY pos",
  state: "SELECT * FROM state",
  trusted: "SELECT * FROM trusted",
  audit: "SELECT n, body FROM audit ORDER BY n",
  triggers: "SELECT * FROM triggers",
  starts: "SELECT run, trigger, key, started_by, state FROM trigger_starts ORDER BY n",
  deliveries: "SELECT id, hook, status, headers, body FROM deliveries ORDER BY n",
};

function ofHome(home: string): unknown {
  const database = must(openDatabase(path.join(home, "curlew.db")));
  const rows = Object.entries(COMPARED).map(([name, sql]) => [name, database.all(sql).map(plain)]);
  database.close();
  return Object.fromEntries(rows);
}

async function ofCluster(connection: Connection): Promise<unknown> {
  const rows: [string, unknown][] = [];
  for (const [name, sql] of Object.entries(COMPARED)) {
    const text = sql.replaceAll(/\b(FROM|JOIN) (\w+)/g, "$1 curlew.$2");
    rows.push([name, must(await connection.query(text)).map(plain)]);
  }
  return Object.fromEntries(rows);
}

function plain(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? [...value] : value]),
  );
}

function direct(url: string): Connection {
  const connection = must(connect(url));
  closing.push(() => connection.close());
  return connection;
}

let made = 0;
async function emptyCluster(): Promise<string> {
  await cluster.fresh();
  made += 1;
  must(await direct(cluster.server().url()).query(`CREATE DATABASE moved${made}`));
  const url = cluster.server().url(`moved${made}`);
  must(await setUp(direct(url)));
  return url;
}

there?.("there and back: every record is equal, the logs are intact, and the source is refused", async () => {
  const home = await homeWithHistory();
  const before = ofHome(home);
  const url = await emptyCluster();
  const moving = { home, url, ...MOVE_KEYS };
  expect(codeOf(await moveTo(moving, alive))).toBe("run-claimed");
  expect(must(await moveTo(moving, dead))).toEqual({ runs: 5, events: 1_516, entries: 6 });
  expect(await ofCluster(direct(url))).toEqual(before);
  expect(codeOf(openStore(home))).toBe("store-moved");
  // Again changes nothing.
  expect(must(await moveTo(moving, dead)).events).toBe(1_516);

  const store = must(await openPostgresStore({ url, home, auditKey, marks: MOVE_KEYS.marks }));
  expect(must(await store.audit.verify())).toMatchObject({ entries: 6, findings: [] });
  expect(must(await store.journal.check())).toEqual([]);
  must(await store.journal.claim(id(2), owner("there"), dead));
  expect(codeOf(await moveFrom(moving))).toBe("run-claimed");
  must(
    await store.journal.append(id(2), [event(id(2), 5)], { status: "succeeded", endedAt: "2026-01-03T00:00:00.000Z" }),
  );
  must(await store.journal.release(id(2)));
  const changed = await ofCluster(store.connection);
  await store.close();

  fs.rmSync(path.join(home, "runs", id(1)), { recursive: true });
  expect(must(await moveFrom(moving))).toEqual({ runs: 5, events: 1_517, entries: 6 });
  expect(filesOf(home)).toEqual(FILES);
  expect(ofHome(home)).toEqual(changed);
  const local = must(openStore(home));
  expect(must(local.journal.read(id(1), 5, 1))).toEqual([event(id(1), 5, "\0 🐦 \ud800")]);
  local.close();
  expect(codeOf(await openPostgresStore({ url, home, auditKey }))).toBe("store-moved");
  expect(codeOf(await moveTo(moving, dead))).toBe("move-failed");
});

there?.("only an intact log is moved, and only to a database without a history", async () => {
  const [home, url] = [await homeWithHistory(), await emptyCluster()];
  const moving = { home, url, ...MOVE_KEYS };
  expect(await moveTo({ ...moving, homeKey: Buffer.alloc(32, 9) }, dead)).toMatchObject({
    error: { code: "move-failed", message: expect.stringContaining("audit log") },
  });
  // The mark says where to continue.
  expect(codeOf(await moveFrom(moving))).toBe("move-failed");
  must(await moveTo(moving, dead));
  const other = await homeWithHistory();
  expect(codeOf(await moveTo({ ...moving, home: other }, dead))).toBe("move-failed");
  expect(codeOf(await moveFrom({ ...moving, home: other }))).toBe("move-failed");
  must(openStore(other)).close();
  expect(codeOf(await moveTo({ ...moving, url: await emptyCluster() }, dead))).toBe("move-failed");
});

there?.("a move that is killed continues, and everything is there once", async () => {
  const home = await homeWithHistory();
  const before = ofHome(home);
  for (const n of [9, 20, 30, 45]) {
    const url = await emptyCluster();
    await killedAt(n, home, url);
    expect(must(await moveTo({ home, url, ...MOVE_KEYS }, dead))).toEqual({ runs: 5, events: 1_516, entries: 6 });
    expect(await ofCluster(direct(url))).toEqual(before);
    fs.rmSync(path.join(home, "moved-to"));
  }
});

there?.("a move back that is killed leaves the cluster in use, and is repeated", async () => {
  const [home, url] = [await homeWithHistory(), await emptyCluster()];
  const before = ofHome(home);
  must(await moveTo({ home, url, ...MOVE_KEYS }, dead));
  for (const n of [8, 14, 20]) {
    await killedAt(n, home, url, "back");
    await must(await openPostgresStore({ url, home, auditKey })).close();
    expect(codeOf(openStore(home))).toBe("store-moved");
  }
  expect(must(await moveFrom({ home, url, ...MOVE_KEYS }))).toEqual({ runs: 5, events: 1_516, entries: 6 });
  expect(ofHome(home)).toEqual(before);
});

there?.("a history is not moved back while a machine works in the cluster", async () => {
  const [home, url] = [await homeWithHistory(), await emptyCluster()];
  must(await moveTo({ home, url, ...MOVE_KEYS }, dead));
  const machine = `INSERT INTO curlew.machines VALUES ('one', 't', 1, '', '', '[]', 1, '0', 60000, 0, now(), 'live', NULL, '')`;
  must(await direct(url).query(machine));
  expect(await moveFrom({ home, url, ...MOVE_KEYS })).toMatchObject({
    error: { code: "move-failed", message: expect.stringContaining("Machine one works in this cluster") },
  });
});

/** Kills a move after so many messages to the database. */
async function killedAt(n: number, home: string, url: string, ...direction: string[]): Promise<void> {
  const proxy = await startProxy(cluster.server().port);
  closing.push(() => proxy.close());
  const proxied = url.replace(/:\d+\//, `:${proxy.port}/`);
  // The mark names the place that is used.
  const mark = path.join(home, "moved-to");
  if (fs.existsSync(mark)) fs.writeFileSync(mark, `${proxied}\n`);
  const program = path.join(import.meta.dirname, "mover.ts");
  const child = spawn(process.execPath, [program, home, proxied, ...direction], { stdio: "inherit" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await expect.poll(() => proxy.count(), { interval: 1 }).toBeGreaterThan(n);
  child.kill("SIGKILL");
  await ended;
  fs.writeFileSync(mark, `${url}\n`);
}
