// sqlite-row: one index row, one event, as the tables hold them, each with its sum (Q1, Q2 of sqlite.ts).

import { ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import type { Database, SqlRow } from "./database.ts";
import { rowDamaged, type StoreError } from "./error.ts";
import type { IndexChange, Owner, RunRow, RunStatus } from "./journal.ts";
import { encodeEvent } from "./row.ts";
import { eventSum, sumOf } from "./sum.ts";

/** What an append needs to know of a run. */
export const HEAD = "SELECT key, last_seq, owner_token, status, waiting, ended_at, sum FROM runs WHERE id = ?";

/** Up to where there were no sums yet: the place of an event, the key of a run. */
export interface Unsummed {
  events: number;
  runs: number;
}

export function readUnsummed(database: Database): Unsummed {
  const row = database.get("SELECT events, runs FROM summed WHERE rowid = 1");
  return { events: Number(row?.events ?? 0), runs: Number(row?.runs ?? 0) };
}

// — events —

export function insertEvents(database: Database, key: number, run: string, events: readonly RunEvent[]): void {
  for (const event of events) {
    const body = encodeEvent(event);
    const sum = eventSum(run, event.seq, body);
    database.run("INSERT INTO events (run, seq, body, sum) VALUES (?, ?, ?, ?)", key, event.seq, body, sum);
  }
}

/** Whether the row of an event (pos, seq, body, sum) is what was written. */
export function isWhole({ pos, seq, body, sum }: SqlRow, run: string, unsummed: Unsummed): boolean {
  if (sum === null) return (pos as number) <= unsummed.events;
  return typeof body === "string" && sum === eventSum(run, seq as number, body);
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
    last_seq: row.lastSeq,
    ...ownerColumns(row.owner),
  };
  return database.get(
    `INSERT INTO runs (id, name, file, started_by, status, waiting, started_at, ended_at, parent, parent_path, last_seq,
       owner_token, owner_pid, owner_start, owner_boot, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`,
    ...Object.values(columns),
    rowSum(columns),
  )!;
}

const ownerColumns = (owner: Owner | undefined): SqlRow => ({
  owner_token: owner?.token ?? null,
  owner_pid: owner?.pid ?? null,
  owner_start: owner?.startTime ?? null,
  owner_boot: owner?.bootId ?? null,
});

/** `row`: all of it, as it is. */
export function setOwner(database: Database, row: SqlRow, owner: Owner | undefined): void {
  const columns = ownerColumns(owner);
  const sum = changedSum(row, ownerSum(row) ^ ownerSum(columns));
  const sql = "UPDATE runs SET owner_token = ?, owner_pid = ?, owner_start = ?, owner_boot = ?, sum = ? WHERE key = ?";
  database.run(sql, ...Object.values(columns), sum, row.key!);
}

/** `head`: the row that HEAD gave. Most appends change nothing but the number of the last event. */
export function updateRow(database: Database, head: SqlRow, lastSeq: number, change: IndexChange = {}): void {
  const key = head.key as number;
  const { status = head.status, waiting = head.waiting, endedAt = head.ended_at } = change;
  if (status === head.status && waiting === head.waiting && endedAt === head.ended_at) {
    const sum = changedSum(head, seqSum(head.last_seq!) ^ seqSum(lastSeq));
    database.run("UPDATE runs SET last_seq = ?, sum = ? WHERE key = ?", lastSeq, sum, key);
    return;
  }
  const before = database.get("SELECT * FROM runs WHERE key = ?", key)!;
  const after = { ...before, status: status!, waiting: waiting!, ended_at: endedAt!, last_seq: lastSeq };
  const sum = changedSum(before, rowSum(before) ^ rowSum(after));
  if (status !== head.status) database.run("UPDATE runs SET status = ? WHERE key = ?", status!, key);
  if (endedAt !== head.ended_at) database.run("UPDATE runs SET ended_at = ? WHERE key = ?", endedAt!, key);
  database.run("UPDATE runs SET last_seq = ?, waiting = ?, sum = ? WHERE key = ?", lastSeq, waiting!, sum, key);
}

// — the sum of an index row: those of its parts, one upon the other, so that a part can change without the others being read —

function rowSum(row: SqlRow): number {
  const { id, name, file, started_by, status, waiting, started_at, ended_at, parent, parent_path } = row;
  const columns = [id, name, file, started_by, status, waiting, started_at, ended_at, parent, parent_path];
  return (sumOf(...columns.map(text)) ^ seqSum(row.last_seq!) ^ ownerSum(row)) >>> 0;
}

const seqSum = (seq: SqlRow[string]) => sumOf("seq", String(seq));

function ownerSum({ owner_token, owner_pid, owner_start, owner_boot }: SqlRow): number {
  return sumOf(...[owner_token, owner_pid, owner_start, owner_boot].map(text));
}

/** A column that is not there at all (its name has changed) is not one that is empty. */
const text = (value: SqlRow[string] | undefined) => (value === null ? "" : String(value));

/** Q2: what was wrong before stays wrong by as much. */
function changedSum(row: SqlRow, difference: number): number | null {
  return row.sum === null ? null : ((row.sum as number) ^ difference) >>> 0;
}

function isDamaged(row: SqlRow, unsummed: Unsummed): boolean {
  return row.sum === null ? (row.key as number) > unsummed.runs : row.sum !== rowSum(row);
}

export function readRow(row: SqlRow, unsummed: Unsummed): Result<RunRow, StoreError> {
  const trigger = isDamaged(row, unsummed) ? undefined : parsed(row.started_by as string);
  if (trigger === undefined) return { ok: false, error: rowDamaged(String(row.id)) };
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
