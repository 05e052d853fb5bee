// sqlite-row: one index row, one event, as the tables hold them, each with its sum (Q1, Q2 of sqlite.ts).

import { ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import type { Database, SqlRow } from "./database.ts";
import { rowDamaged, type StoreError } from "./error.ts";
import type { IndexChange, Owner, RunRow, RunStatus } from "./journal.ts";
import { encodeEvent } from "./row.ts";
import { eventSum, sumOf } from "./sum.ts";

/** What an append needs to know of a run. */
export const HEAD = "SELECT key, last_seq, owner_token, status, waiting, ended_at FROM runs WHERE id = ?";

/** Never the sum of anything: a row that was damaged when it was changed stays damaged. */
const NO_SUM = -1;

// — events —

export function insertEvents(database: Database, key: number, run: string, events: readonly RunEvent[]): void {
  for (const event of events) {
    const body = encodeEvent(event);
    const sum = eventSum(run, event.seq, body);
    database.run("INSERT INTO events (run, seq, body, sum) VALUES (?, ?, ?, ?)", key, event.seq, body, sum);
  }
}

/** Whether the row of an event (pos, seq, body, sum) is what was written. `unsummedUntil`: there were no sums up to that position. */
export function isWhole({ pos, seq, body, sum }: SqlRow, run: string, unsummedUntil: number): boolean {
  if (sum === null) return (pos as number) <= unsummedUntil;
  return sum === eventSum(run, seq as number, body as string);
}

// — index rows —

export function insertRow(database: Database, row: RunRow): SqlRow {
  const columns: SqlRow = {
    id: row.id,
    name: row.name,
    file: row.file,
    started_by: JSON.stringify(row.trigger),
    status: row.status,
    waiting: 0,
    started_at: row.startedAt,
    ended_at: null,
    parent: row.parent?.run ?? null,
    parent_path: row.parent?.path ?? null,
  };
  return database.get(
    `INSERT INTO runs (id, name, file, started_by, status, waiting, started_at, ended_at, parent, parent_path, sum, last_seq,
       owner_token, owner_pid, owner_start, owner_boot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`,
    ...Object.values(columns),
    rowSum(columns),
    row.lastSeq,
    ...ownerColumns(row.owner),
  )!;
}

const ownerColumns = (owner: Owner | undefined) =>
  owner ? [owner.token, owner.pid, owner.startTime, owner.bootId] : [null, null, null, null];

export function setOwner(database: Database, key: number, owner: Owner | undefined): void {
  const sql = "UPDATE runs SET owner_token = ?, owner_pid = ?, owner_start = ?, owner_boot = ? WHERE key = ?";
  database.run(sql, ...ownerColumns(owner), key);
}

/** `head`: the row that HEAD gave. Most appends change nothing but the number of the last event. */
export function updateRow(database: Database, head: SqlRow, lastSeq: number, change: IndexChange = {}): void {
  const key = head.key as number;
  const { status = head.status, waiting = head.waiting, endedAt = head.ended_at } = change;
  if (status === head.status && waiting === head.waiting && endedAt === head.ended_at) {
    database.run("UPDATE runs SET last_seq = ? WHERE key = ?", lastSeq, key);
    return;
  }
  const before = database.get("SELECT * FROM runs WHERE key = ?", key)!;
  const sum = isDamaged(before)
    ? NO_SUM
    : rowSum({ ...before, status: status!, waiting: waiting!, ended_at: endedAt! });
  if (status !== head.status) database.run("UPDATE runs SET status = ? WHERE key = ?", status!, key);
  if (endedAt !== head.ended_at) database.run("UPDATE runs SET ended_at = ? WHERE key = ?", endedAt!, key);
  database.run("UPDATE runs SET last_seq = ?, waiting = ?, sum = ? WHERE key = ?", lastSeq, waiting!, sum, key);
}

/** Of what the run is and how it stands; not of its claim, nor of its last event, which the journal knows as well. */
function rowSum(row: SqlRow): number {
  const { id, name, file, started_by, status, waiting, started_at, ended_at, parent, parent_path } = row;
  const columns = [id, name, file, started_by, status, waiting, started_at, ended_at, parent, parent_path];
  return sumOf(...columns.map((value) => String(value ?? "")));
}

/** Rows of before there were sums have none. */
export function isDamaged(row: SqlRow): boolean {
  return row.sum !== null && row.sum !== rowSum(row);
}

export function readRow(row: SqlRow): Result<RunRow, StoreError> {
  const trigger = isDamaged(row) ? undefined : parsed(row.started_by as string);
  if (trigger === undefined) return { ok: false, error: rowDamaged(row.id as string) };
  const owner = ownerOf(row);
  return ok({
    id: row.id as string,
    name: row.name as string,
    file: row.file as string,
    trigger,
    status: row.status as RunStatus,
    startedAt: row.started_at as string,
    ...(row.ended_at !== null && { endedAt: row.ended_at as string }),
    waiting: row.waiting as number,
    ...(row.parent !== null && { parent: { run: row.parent as string, path: row.parent_path as string } }),
    lastSeq: row.last_seq as number,
    ...(owner && { owner }),
  });
}

function parsed(json: string): RunRow["trigger"] | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Whoever claimed the run and has not released it. */
export function ownerOf(row: SqlRow): Owner | undefined {
  if (row.owner_token === null) return undefined;
  return {
    pid: row.owner_pid as number,
    startTime: row.owner_start as string,
    bootId: row.owner_boot as string,
    token: row.owner_token as string,
  };
}
