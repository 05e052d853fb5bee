// Converts index rows and events to and from the rows of the tables.

import { ok, type Result } from "../base/result.ts";
import { parseJson } from "../base/tolerant.ts";
import type { RunEvent } from "../scheduler/event.ts";
import type { StartKind } from "../scheduler/start-kind.ts";
import type { RunStatus } from "../scheduler/state.ts";
import type { Database, SqlRow } from "./database.ts";
import { rowDamaged, type StoreError } from "./error.ts";
import type { IndexChange, Owner, RunRow } from "./journal.ts";
import { encodeEvent } from "./row.ts";

/** The columns of a run that an append needs. */
export const HEAD =
  "SELECT key, file, last_seq, owner_token, status, waiting, started_at, ended_at FROM runs WHERE id = ?";

// — events —

export function insertEvents(database: Database, key: number, events: readonly RunEvent[]): void {
  for (const event of events)
    database.run("INSERT INTO events (run, seq, body) VALUES (?, ?, ?)", key, event.seq, encodeEvent(event));
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
    kind: row.kind,
    ...ownerColumns(row.owner),
  };
  return database.get(
    `INSERT INTO runs (id, name, file, started_by, status, waiting, started_at, ended_at, parent, parent_path, last_seq, kind,
       owner_token, owner_pid, owner_start, owner_boot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`,
    ...Object.values(columns),
  )!;
}

const ownerColumns = (owner: Owner | undefined): SqlRow => ({
  owner_token: owner?.token ?? null,
  owner_pid: owner?.pid ?? null,
  owner_start: owner?.startTime ?? null,
  owner_boot: owner?.bootId ?? null,
});

export function setOwner(database: Database, key: number, owner: Owner | undefined): void {
  const sql = "UPDATE runs SET owner_token = ?, owner_pid = ?, owner_start = ?, owner_boot = ? WHERE key = ?";
  database.run(sql, ...Object.values(ownerColumns(owner)), key);
}

/** `head`: the row selected with HEAD. Only changed columns are written, because each of the others has an index. */
export function updateRow(database: Database, head: SqlRow, lastSeq: number, change: IndexChange = {}): void {
  const key = head.key as number;
  const { status = head.status, waiting = head.waiting, endedAt = head.ended_at } = change;
  if (status !== head.status) database.run("UPDATE runs SET status = ? WHERE key = ?", status!, key);
  if (endedAt !== head.ended_at) {
    const tookMs = Math.max(0, Date.parse(String(endedAt)) - Date.parse(String(head.started_at)));
    database.run("UPDATE runs SET ended_at = ?, took_ms = ? WHERE key = ?", endedAt!, tookMs, key);
  }
  database.run("UPDATE runs SET last_seq = ?, waiting = ? WHERE key = ?", lastSeq, waiting!, key);
}

export function readRow(row: SqlRow): Result<RunRow, StoreError> {
  const trigger = parseJson(row.started_by as string) as RunRow["trigger"] | undefined;
  if (trigger === undefined) return { ok: false, error: rowDamaged(String(row.id)) };
  const owner = ownerOf(row);
  return ok({
    id: row.id as string,
    name: row.name as string,
    file: row.file as string,
    trigger,
    kind: row.kind as StartKind,
    status: row.status as RunStatus,
    startedAt: row.started_at as string,
    ...(row.ended_at !== null && { endedAt: row.ended_at as string }),
    waiting: row.waiting as number,
    ...(row.parent !== null && { parent: { run: row.parent as string, path: row.parent_path as string } }),
    lastSeq: row.last_seq as number,
    ...(owner && { owner }),
  });
}

/** The process that claimed the run and has not released it. */
export function ownerOf(row: SqlRow): Owner | undefined {
  if (row.owner_token === null) return undefined;
  return {
    pid: row.owner_pid as number,
    startTime: row.owner_start as string,
    bootId: row.owner_boot as string,
    token: row.owner_token as string,
    ...(typeof row.owner_machine === "string" && { machine: row.owner_machine }),
    ...(typeof row.owner_home === "string" && { home: row.owner_home }),
  };
}
