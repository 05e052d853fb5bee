// move: brings the history of a data directory into the database of a cluster, and back (spec 6.2 `db move`).
//   V1. Nothing is lost at any moment: the source stays as it is. A move that was interrupted continues when it is called again.
//   V2. Nothing runs in two places: no run may be active. A data directory is marked before its first record is copied.
//       A cluster is locked against writing and marked together with the last one, so a move that fails changes nothing.
//   V3. The audit log is checked, and chained again with the key of its new place. Its entries stay the same.
//   V4. Outputs and large values are copied to the archive and from there. Those that it does not take, sealed values, and
//       cached files stay where they are: in the data directory of this machine.
// Deliberately absent: starts that count in a rate, because nothing runs while a history is moved.

import fs from "node:fs";
import path from "node:path";
import { limits } from "../../base/limits.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { actorHere } from "../actor.ts";
import { type Asking, all, answered, run as execute, get, type Sql, sqlOf } from "../ask.ts";
import { chained, headMac } from "../audit-chain.ts";
import { checkAudit } from "../audit-check.ts";
import { type Database, openDatabase, type SqlRow, type SqlValue } from "../database.ts";
import { moveFailed, runClaimed, runUnsigned, type StoreError } from "../error.ts";
import type { IsAlive } from "../journal.ts";
import { markMoved, movedTo, unmarkMoved } from "../moved.ts";
import { Outputs } from "../outputs.ts";
import { ownerOf } from "../sqlite-row.ts";
import { Archive } from "./archive.ts";
import { type Connection, connect } from "./connection.ts";
import type { EventMarks } from "./journal.ts";
import { checkVersion, MOVED_AWAY } from "./schema.ts";

export interface Moving {
  /** The data directory, an absolute path. */
  home: string;
  url: string;
  /** The keys of the two audit logs. */
  homeKey: Buffer;
  clusterKey: Buffer;
  /** The marks of the cluster's events. */
  marks: EventMarks;
}

export interface Moved {
  runs: number;
  events: number;
  entries: number;
}

/** Tables that are copied whole, each in one transaction, and their columns. */
const TABLES: Record<string, string> = {
  state: "file, name, value, at, run",
  trusted: "hash, file, node, by, at",
  cache: "digest, key, workflow, node, run, path, stored_ms, expires_ms, bytes, text",
  triggers: "id, paused, since_ms, seen_ms, last",
  trigger_starts: "run, trigger, key, started_by, file, event, state",
  watched: "trigger, path, mark",
  trigger_documents: "file, says, seen_ms",
  deliveries: "id, hook, file, sender_id, received_at, bytes, status, reason, run, replay_of, headers, query, body",
  start_keys: "key, request, run, at_ms",
};

/** V2. A move back copies these tables. Nothing is written to them until the mark is set. */
const LOCKED = ["runs", "events", "audit", "archive", ...Object.keys(TABLES)].map((table) => `curlew.${table}`);

const RUN =
  "id, name, file, started_by, status, waiting, started_at, ended_at, parent, parent_path, last_seq, kind, took_ms";

/** Where the records go. */
interface Target {
  sql: Sql;
  putEvents(rows: readonly SqlRow[]): Asking<void>;
  /** How far an interrupted move came. */
  progress(of: string): Asking<string | undefined>;
  reached(of: string, at: string): Asking<void>;
}

/** Errors: run-claimed, move-failed, store-*. */
export async function moveTo(moving: Moving, isAlive: IsAlive): Promise<Result<Moved, StoreError>> {
  const connected = await connectedTo(moving.url);
  if (!connected.ok) return connected;
  const connection = connected.value;
  const opened = openDatabase(path.join(moving.home, "curlew.db"));
  if (!opened.ok) return opened;
  const database = opened.value;
  try {
    // V2. Other processes wait until the end.
    const locked = database.guard(() => ok(database.run("BEGIN IMMEDIATE")));
    if (!locked.ok) return locked;
    const ready = await mayMove(moving, connection, database, isAlive);
    if (!ready.ok) return ready;
    markMoved(moving.home, connection.shown);
    const source = reading(database);
    const moved = await copied(source, clusterTarget(connection, moving.marks), moving.homeKey, moving.clusterKey);
    if (!moved.ok) return moved;
    const mine = await connection.query("UPDATE curlew.runs SET by_user = $1 WHERE by_user IS NULL", [
      actorHere().user,
    ]);
    if (!mine.ok) return mine;
    const kept = await outputsTo(connection, moving.home);
    if (!kept.ok) return kept;
    const complete = await connection.query(SET_FACT, [COMPLETE, moving.home]);
    return complete.ok ? moved : complete;
  } finally {
    database.close();
    await connection.close();
  }
}

/** Errors: run-claimed, move-failed, store-*. */
export async function moveFrom(moving: Moving): Promise<Result<Moved, StoreError>> {
  const connected = await connectedTo(moving.url);
  if (!connected.ok) return connected;
  const connection = connected.value;
  const file = path.join(moving.home, "curlew.db");
  const part = path.join(moving.home, "curlew.db.part");
  try {
    const back = await connection.tries(async (ask) => {
      await ask(`BEGIN; LOCK TABLE ${LOCKED.join(", ")} IN SHARE MODE`);
      const ready = await mayReturn(moving, connection, file);
      const copy = ready.ok ? await copyBack(moving, connection, part) : ready;
      if (copy.ok) await ask(SET_FACT, [MOVED_AWAY, moving.home]);
      await ask(copy.ok ? "COMMIT" : "ROLLBACK");
      return copy;
    });
    if (!back.ok) return back;
    if (fs.existsSync(file)) fs.renameSync(file, path.join(moving.home, "curlew.db.moved"));
    fs.renameSync(part, file);
    unmarkMoved(moving.home);
    return back;
  } finally {
    await connection.close();
  }
}

/** Into a new file. */
async function copyBack(moving: Moving, connection: Connection, part: string): Promise<Result<Moved, StoreError>> {
  for (const end of ["", "-wal", "-shm"]) fs.rmSync(part + end, { force: true });
  const opened = openDatabase(part);
  if (!opened.ok) return opened;
  const target = homeTarget(opened.value);
  const back = await copied(connection.sql(), target, moving.clusterKey, moving.homeKey, moving.marks);
  opened.value.close();
  if (!back.ok) return back;
  const brought = await outputsFrom(connection, moving.home);
  return brought.ok ? back : brought;
}

async function outputsTo(connection: Connection, home: string): Promise<Result<void, StoreError>> {
  const outputs = new Outputs(path.join(home, "runs"));
  const archive = new Archive(connection, outputs);
  const there = await connection.query("SELECT id FROM curlew.runs");
  if (!there.ok) return there;
  for (const id of there.value.map((row) => String(row.id))) {
    const files = outputs.list(id);
    const kept = files.ok ? await archive.keep(id, undefined, files.value) : files;
    if (!kept.ok) return kept;
    archive.forget(id);
  }
  return ok(undefined);
}

async function outputsFrom(connection: Connection, home: string): Promise<Result<void, StoreError>> {
  const archive = new Archive(connection, new Outputs(path.join(home, "runs")));
  const there = await connection.query("SELECT DISTINCT run FROM curlew.archive");
  if (!there.ok) return there;
  for (const { run } of there.value) {
    const brought = await archive.bring(String(run));
    if (!brought.ok) return brought;
  }
  return ok(undefined);
}

async function connectedTo(url: string): Promise<Result<Connection, StoreError>> {
  const connected = connect(url);
  if (!connected.ok) return connected;
  const version = await checkVersion(connected.value, "moved away too");
  if (version.ok) return connected;
  await connected.value.close();
  return version;
}

/** Facts: the directory that a history comes from, and that it is here completely. */
const [MOVING, COMPLETE] = ["moving from", "moved from"];
const SET_FACT = "INSERT INTO curlew.facts VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";

async function mayMove(
  { home }: Moving,
  connection: Connection,
  database: Database,
  isAlive: IsAlive,
): Promise<Result<void, StoreError>> {
  const before = movedTo(home);
  if (before !== undefined && before !== connection.shown)
    return err(moveFailed(`The history of ${home} is already on its way to ${before}.`));
  for (const row of database.all("SELECT * FROM runs WHERE owner_token IS NOT NULL")) {
    const owner = ownerOf(row)!;
    if (isAlive(owner)) return err(runClaimed(String(row.id), owner));
  }
  const facts = await connection.query("SELECT name, value FROM curlew.facts");
  if (!facts.ok) return facts;
  const known = new Map(facts.value.map(({ name, value }) => [name, value]));
  if (known.has(MOVED_AWAY)) return err(moveFailed("The history of this database was moved away. Use a new database."));
  if (known.get(MOVING) === home) return ok(undefined);
  const used = await connection.query(
    "SELECT 1 FROM curlew.runs UNION ALL SELECT 1 FROM curlew.audit UNION ALL SELECT 1 FROM curlew.state LIMIT 1",
  );
  if (!used.ok) return used;
  if (used.value.length > 0) return err(moveFailed(`${connection.shown} has a history already. Use a new database.`));
  const marked = await connection.query(SET_FACT, [MOVING, home]);
  return marked.ok ? ok(undefined) : marked;
}

const WORKING = `SELECT name FROM curlew.machines
  WHERE state IN ('live', 'draining') AND seen + lease_ms * interval '1 ms' > clock_timestamp() ORDER BY name`;

async function mayReturn({ home }: Moving, connection: Connection, file: string): Promise<Result<void, StoreError>> {
  const active = await connection.query("SELECT * FROM curlew.runs WHERE owner_token IS NOT NULL AND ended_at IS NULL");
  if (!active.ok) return active;
  const facts = await connection.query("SELECT name FROM curlew.facts");
  if (!facts.ok) return facts;
  const known = new Set(facts.value.map(({ name }) => name));
  if (known.has(MOVING) && !known.has(COMPLETE))
    return err(moveFailed("The move to this database is not complete. Repeat: curlew db move --to"));
  const [row] = active.value;
  if (row !== undefined) return err(runClaimed(String(row.id), ownerOf(row)!));
  const machines = await connection.query(WORKING);
  if (!machines.ok) return machines;
  const [machine] = machines.value;
  if (machine !== undefined)
    return err(moveFailed(`Machine ${machine.name} works in this cluster. Stop it, and repeat the move.`));
  const mark = movedTo(home);
  if (mark === connection.shown || !fs.existsSync(file)) return ok(undefined);
  return err(
    moveFailed(
      mark === undefined
        ? `${home} already has a history. Choose another folder with --home.`
        : `The history of ${home} is in ${mark}.`,
    ),
  );
}

/** The caller's transaction is open already. */
function reading(database: Database): Sql {
  const guard: Sql["guard"] = (work) => database.guard(() => answered(database, work()));
  return { ...sqlOf(database), guard, snapshot: guard };
}

/** `marks`: those of the source, if it is a cluster. */
async function copied(
  source: Sql,
  target: Target,
  from: Buffer,
  to: Buffer,
  marks?: EventMarks,
): Promise<Result<Moved, StoreError>> {
  const checked = await checkAudit(source, () => ok(from));
  if (!checked.ok) return checked;
  const [wrong] = checked.value.findings;
  if (wrong !== undefined)
    return err(moveFailed(`The audit log is not intact: ${wrong.message} Restore a backup, or ask who changed it.`));
  const runs = await inPages(source, target, "runs", RUNS, (rows) => putRows("runs", RUN, rows));
  if (!runs.ok) return runs;
  const sql = marks === undefined ? EVENTS : EVENTS.replace("body", "body, mark");
  const events = await inPages(source, target, "events", sql, target.putEvents, (row) => unsigned(row, marks));
  if (!events.ok) return events;
  for (const [table, columns] of Object.entries(TABLES)) {
    const done = await whole(source, target, table, columns);
    if (!done.ok) return done;
  }
  const entries = await chainedAgain(source, target, to);
  if (!entries.ok) return entries;
  return compared(source, target);
}

const RUNS = `SELECT key AS at, ${RUN} FROM runs WHERE key > ? ORDER BY key LIMIT ?`;
const EVENTS = "SELECT pos AS at, seq, body, id FROM events JOIN runs ON run = key WHERE pos > ? ORDER BY pos LIMIT ?";

/** V1. Each page and the mark of how far it goes are one transaction. */
async function inPages(
  source: Sql,
  target: Target,
  name: string,
  sql: string,
  put: (rows: readonly SqlRow[]) => Asking<void>,
  wrongOf: (row: SqlRow) => StoreError | undefined = () => undefined,
): Promise<Result<void, StoreError>> {
  const known = await target.sql.guard(function* () {
    return ok(yield* target.progress(name));
  });
  if (!known.ok) return known;
  for (let at = Number(known.value ?? 0); ; ) {
    const page = await source.guard(function* () {
      return ok(yield* all(sql, at, limits.journalPageEvents));
    });
    if (!page.ok) return page;
    if (page.value.length === 0) return ok(undefined);
    const wrong = page.value.map(wrongOf).find((each) => each !== undefined);
    if (wrong !== undefined) return err(wrong);
    at = Number(page.value.at(-1)!.at);
    const stored = await target.sql.transaction(function* () {
      yield* put(page.value);
      yield* target.reached(name, String(at));
      return ok(undefined);
    });
    if (!stored.ok) return stored;
  }
}

async function whole(source: Sql, target: Target, table: string, columns: string): Promise<Result<void, StoreError>> {
  // Where rows have numbers, their order is kept.
  const order = ["trigger_starts", "deliveries"].includes(table) ? "n" : columns.split(", ").slice(0, 2).join(", ");
  const rows = await source.guard(function* () {
    return ok(yield* all(`SELECT ${columns} FROM ${table} ORDER BY ${order}`));
  });
  if (!rows.ok) return rows;
  return target.sql.transaction(function* () {
    if ((yield* target.progress(table)) !== undefined) return ok(undefined);
    yield* putRows(table, columns, rows.value);
    yield* target.reached(table, "all");
    return ok(undefined);
  });
}

function* putRows(table: string, columns: string, rows: readonly SqlRow[]): Asking<void> {
  const names = columns.split(", ");
  const sql = `INSERT INTO ${table} (${columns}) VALUES (${names.map(() => "?").join(", ")})`;
  for (const row of rows) yield* execute(sql, ...names.map((name) => row[name]!));
}

/** V3. */
async function chainedAgain(source: Sql, target: Target, key: Buffer): Promise<Result<void, StoreError>> {
  const entries = await source.guard(function* () {
    return ok(yield* all("SELECT n, body FROM audit ORDER BY n"));
  });
  if (!entries.ok) return entries;
  return target.sql.transaction(function* () {
    if ((yield* target.progress("audit")) !== undefined) return ok(undefined);
    let hash = "";
    for (const { n, body } of entries.value) {
      hash = chained(key, hash, String(body));
      yield* execute("INSERT INTO audit (n, body, hash) VALUES (?, ?, ?)", n!, body!, hash);
    }
    const count = entries.value.length;
    const mac = count === 0 ? "" : headMac(key, 0, count, hash);
    yield* execute("UPDATE audit_head SET since = 0, count = ?, hash = ?, mac = ?", count, hash, mac);
    yield* target.reached("audit", "all");
    return ok(undefined);
  });
}

async function compared(source: Sql, target: Target): Promise<Result<Moved, StoreError>> {
  const [was, is] = [await source.guard(counting), await target.sql.guard(counting)];
  if (!was.ok || !is.ok) return was.ok ? is : was;
  if (JSON.stringify(was.value) === JSON.stringify(is.value)) return is;
  return err(moveFailed(`Not everything arrived: ${JSON.stringify(is.value)} of ${JSON.stringify(was.value)}.`));
}

function* counting(): Asking<Result<Moved, StoreError>> {
  const counts: number[] = [];
  for (const table of ["runs", "events", "audit"])
    counts.push(Number((yield* get(`SELECT count(*) AS n FROM ${table}`))?.n));
  const [runs = 0, events = 0, entries = 0] = counts;
  return ok({ runs, events, entries });
}

/** Events that were written by hand do not become part of a history without marks. */
function unsigned({ id, seq, body, mark }: SqlRow, marks: EventMarks | undefined): StoreError | undefined {
  const isRight = marks === undefined || marks.isSigned(String(mark), String(id), Number(seq), String(body));
  return isRight ? undefined : runUnsigned(String(id), Number(seq));
}

/** Parameters: ids, numbers, bodies, marks. */
const PUT_EVENTS = `INSERT INTO events (pos, run, seq, body, mark)
  SELECT (pg_current_xact_id()::text::bigint << 16) + e.n - 1, r.key, e.seq, e.body, e.mark
  FROM unnest(?::text[], ?::bigint[], ?::text[], ?::text[]) WITH ORDINALITY AS e (id, seq, body, mark, n)
  JOIN runs r ON r.id = e.id`;

function clusterTarget(connection: Connection, marks: EventMarks): Target {
  return {
    sql: connection.sql("move"),
    *putEvents(rows) {
      const columns = ["id", "seq", "body"].map((name) => rows.map((row) => row[name]));
      const signed = rows.map(({ id, seq, body }) => marks.sign(String(id), Number(seq), String(body)));
      yield* execute(PUT_EVENTS, ...([...columns, signed] as unknown as SqlValue[]));
    },
    *progress(of) {
      const row = yield* get("SELECT value FROM curlew.facts WHERE name = ?", `moved ${of}`);
      return row === undefined ? undefined : String(row.value);
    },
    *reached(of, at) {
      const sql = "INSERT INTO curlew.facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
      yield* execute(sql, `moved ${of}`, at);
    },
  };
}

/** A new file each time, so there is no progress to remember. */
function homeTarget(database: Database): Target {
  return {
    sql: sqlOf(database),
    *putEvents(rows) {
      const sql = "INSERT INTO events (run, seq, body) SELECT key, ?, ? FROM runs WHERE id = ?";
      for (const { id, seq, body } of rows) yield* execute(sql, seq!, body!, id!);
    },
    progress: () => nothing(),
    reached: () => nothing(),
  };
}

function* nothing(): Asking<undefined> {
  yield* [];
}
