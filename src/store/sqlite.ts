// sqlite: the journal in one SQLite file (the promises are in journal.ts). What is read is checked only by its writer's transaction.

import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import type { AuditWriter } from "./audit.ts";
import type { Database, SqlRow } from "./database.ts";
import { notOwner, recordDamaged, runAmbiguous, runClaimed, runExists, runNotFound, type StoreError } from "./error.ts";
import type { IndexChange, IsAlive, Journal, NewRun, Owner, RunPage, RunQuery, RunRow, RunStatus } from "./journal.ts";
import { checkSeqs, decodeEvent, encodeEvent, newRow, settleQuery } from "./row.ts";
import { checkJournal } from "./sqlite-check.ts";

const BY_ID = "SELECT * FROM runs WHERE id = ?";
const INSERT_EVENT = "INSERT INTO events (run, seq, body) VALUES (?, ?, ?)";

/** With `audit`, what the audit log is about is written there in the same transaction. */
export function sqliteJournal(database: Database, audit?: AuditWriter): Journal {
  // The claims of this journal. The row decides; this says which row's owner is us.
  const tokens = new Map<string, string>();

  function createRun(
    run: NewRun,
    first: { owner?: Owner; events?: readonly RunEvent[] } = {},
  ): Result<RunRow, StoreError> {
    const { owner, events = [] } = first;
    const row: RunRow = { ...newRow(run), lastSeq: events.length, ...(owner && { owner }) };
    const wrong = checkSeqs(run.id, 0, events);
    if (wrong) return err(wrong);
    const created = database.transaction(() => {
      if (database.get(BY_ID, run.id)) return err(runExists(run.id));
      const { key } = insertRow(database, row);
      for (const event of events) database.run(INSERT_EVENT, key!, event.seq, encodeEvent(event));
      const written = audit?.write(run.id, events);
      return written === undefined || written.ok ? ok(row) : written;
    });
    if (created.ok && owner) tokens.set(run.id, owner.token);
    return created;
  }

  function append(run: string, events: readonly RunEvent[], change?: IndexChange): Result<number, StoreError> {
    return database.transaction(() => {
      const head = database.get("SELECT key, last_seq, owner_token FROM runs WHERE id = ?", run);
      if (!head) return err(runNotFound(run));
      if (head.owner_token === null || head.owner_token !== tokens.get(run)) return err(ownerError(run));
      const lastSeq = Number(head.last_seq);
      const wrong = checkSeqs(run, lastSeq, events);
      if (wrong) return err(wrong);
      for (const event of events) database.run(INSERT_EVENT, head.key!, event.seq, encodeEvent(event));
      updateRow(database, head.key as number, lastSeq + events.length, change);
      const written = audit?.write(run, events);
      if (written !== undefined && !written.ok) return written;
      return ok(lastSeq + events.length);
    });
  }

  const ownerError = (run: string): StoreError => notOwner(run, toRow(database.get(BY_ID, run)!).owner);

  function read(run: string, fromSeq = 1, limit = Number.POSITIVE_INFINITY): Result<RunEvent[], StoreError> {
    const events: RunEvent[] = [];
    const seen = visitPages(run, fromSeq, limit, (event) => events.push(event));
    return seen.ok ? ok(events) : seen;
  }

  /** By pages, so that no read transaction stays open and holds back the writers' checkpoints. */
  function visitPages(run: string, fromSeq: number, limit: number, visit: (event: RunEvent) => unknown) {
    return database.guard((): Result<number, StoreError> => {
      const head = database.get("SELECT key FROM runs WHERE id = ?", run);
      if (!head) return err(runNotFound(run));
      const firstSeq = Math.max(1, fromSeq);
      let seq = firstSeq;
      for (let left = limit; left > 0; left -= limits.journalPageEvents) {
        const pageEvents = Math.min(left, limits.journalPageEvents);
        const rows = database.all(
          "SELECT seq, body FROM events WHERE run = ? AND seq >= ? ORDER BY seq LIMIT ?",
          head.key!,
          seq,
          pageEvents,
        );
        for (const row of rows) {
          if (row.seq !== seq) return err(recordDamaged(run, seq));
          const event = decodeEvent(run, seq, row.body as string);
          if (!event.ok) return event;
          seq++;
          if (visit(event.value) === false) return ok(seq - firstSeq);
        }
        if (rows.length < pageEvents) break;
      }
      return ok(seq - firstSeq);
    });
  }

  function lastSeq(run: string): Result<number, StoreError> {
    return database.guard(() => {
      const head = database.get("SELECT last_seq FROM runs WHERE id = ?", run);
      return head ? ok(Number(head.last_seq)) : err(runNotFound(run));
    });
  }

  function claim(run: string, owner: Owner, isAlive: IsAlive): Result<RunRow, StoreError> {
    const claimed = database.transaction(() => {
      const found = database.get(BY_ID, run);
      if (!found) return err(runNotFound(run));
      const row = toRow(found);
      if (row.owner && row.owner.token !== owner.token && isAlive(row.owner)) return err(runClaimed(run, row.owner));
      setOwner(database, found.key as number, owner);
      return ok({ ...row, owner });
    });
    if (claimed.ok) tokens.set(run, owner.token);
    return claimed;
  }

  function release(run: string): Result<void, StoreError> {
    const released = database.transaction((): Result<void, StoreError> => {
      const found = database.get(BY_ID, run);
      if (!found) return err(runNotFound(run));
      if (found.owner_token === null || found.owner_token !== tokens.get(run)) return err(ownerError(run));
      setOwner(database, found.key as number, undefined);
      return ok(undefined);
    });
    if (released.ok) tokens.delete(run);
    return released;
  }

  function listRuns(query: RunQuery = {}): Result<RunPage, StoreError> {
    return database.guard(() => {
      const { limit, statuses } = settleQuery(query);
      const found = new Map<string, SqlRow>();
      for (const arm of queryArms(query, statuses)) {
        for (const row of database.all(arm.sql, ...arm.values, limit + 1)) found.set(row.id as string, row);
      }
      const rows = [...found.values()].sort((a, b) => (a.id! < b.id! ? 1 : -1));
      const runs = rows.slice(0, limit).map(toRow);
      return ok({ runs, ...(rows.length > limit && { next: runs.at(-1)!.id }) });
    });
  }

  function findRun(name: string): Result<RunRow, StoreError> {
    return database.guard(() => {
      const wanted = name.toLowerCase();
      const exact =
        wanted === "latest"
          ? database.get("SELECT * FROM runs WHERE parent IS NULL ORDER BY id DESC LIMIT 1")
          : database.get(BY_ID, wanted);
      if (exact) return ok(toRow(exact));
      if (!/^[0-9a-z]+$/.test(wanted)) return err(runNotFound(name));
      const begun = (whose: string) =>
        database.all(
          `SELECT * FROM runs WHERE id > ? AND id < ? AND ${whose} ORDER BY id DESC LIMIT ?`,
          wanted,
          `${wanted}~`,
          limits.ambiguousRunsShown,
        );
      const top = begun("parent IS NULL");
      const matches = (top.length > 0 ? top : begun("parent IS NOT NULL")).map(toRow);
      if (matches.length > 1)
        return err(
          runAmbiguous(
            name,
            matches.map((row) => row.id),
          ),
        );
      return matches[0] ? ok(matches[0]) : err(runNotFound(name));
    });
  }

  function deleteRun(run: string, isAlive: IsAlive): Result<string[], StoreError> {
    return database.transaction(() => {
      const self = database.get(BY_ID, run);
      if (!self) return err(runNotFound(run));
      const family = [self];
      for (const parent of family) family.push(...database.all("SELECT * FROM runs WHERE parent = ?", parent.id!));
      for (const { id, owner } of family.map(toRow)) if (owner && isAlive(owner)) return err(runClaimed(id, owner));
      for (const { key } of family) {
        database.run("DELETE FROM events WHERE run = ?", key!);
        database.run("DELETE FROM runs WHERE key = ?", key!);
      }
      return ok(family.map((row) => row.id as string));
    });
  }

  return {
    createRun,
    append,
    read,
    each: (run, fromSeq, visit) => visitPages(run, fromSeq, Number.POSITIVE_INFINITY, visit),
    lastSeq,
    claim,
    release,
    listRuns,
    findRun,
    deleteRun,
    check: () => checkJournal(database),
    close: database.close,
  };
}

function insertRow(database: Database, row: RunRow): SqlRow {
  return database.get(
    `INSERT INTO runs (id, name, file, started_by, status, started_at, parent, parent_path, last_seq,
       owner_token, owner_pid, owner_start, owner_boot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`,
    row.id,
    row.name,
    row.file,
    JSON.stringify(row.trigger),
    row.status,
    row.startedAt,
    row.parent?.run ?? null,
    row.parent?.path ?? null,
    row.lastSeq,
    ...ownerColumns(row.owner),
  )!;
}

const ownerColumns = (owner: Owner | undefined) =>
  owner ? [owner.token, owner.pid, owner.startTime, owner.bootId] : [null, null, null, null];

function setOwner(database: Database, key: number, owner: Owner | undefined): void {
  const sql = "UPDATE runs SET owner_token = ?, owner_pid = ?, owner_start = ?, owner_boot = ? WHERE key = ?";
  database.run(sql, ...ownerColumns(owner), key);
}

/** Most appends change no index, so they must not touch the indexed columns: SQLite would rewrite those entries. */
function updateRow(database: Database, key: number, lastSeq: number, change: IndexChange = {}): void {
  database.run("UPDATE runs SET last_seq = ? WHERE key = ?", lastSeq, key);
  const { status, waiting, endedAt } = change;
  if (status !== undefined) database.run("UPDATE runs SET status = ? WHERE key = ? AND status <> ?1", status, key);
  if (waiting !== undefined) database.run("UPDATE runs SET waiting = ? WHERE key = ?", waiting, key);
  if (endedAt !== undefined) database.run("UPDATE runs SET ended_at = ? WHERE key = ?", endedAt, key);
}

function toRow(row: SqlRow): RunRow {
  return {
    id: row.id as string,
    name: row.name as string,
    file: row.file as string,
    trigger: JSON.parse(row.started_by as string),
    status: row.status as RunStatus,
    startedAt: row.started_at as string,
    ...(row.ended_at !== null && { endedAt: row.ended_at as string }),
    waiting: row.waiting as number,
    ...(row.parent !== null && { parent: { run: row.parent as string, path: row.parent_path as string } }),
    lastSeq: row.last_seq as number,
    ...(row.owner_token !== null && {
      owner: {
        pid: row.owner_pid as number,
        startTime: row.owner_start as string,
        bootId: row.owner_boot as string,
        token: row.owner_token as string,
      },
    }),
  };
}

/**
 * The selects that together hold the page, each along one index in the order of ids: `name = x OR file = x` and `status IN (…)`
 * in one select would sort or scan a long history.
 */
function queryArms(query: RunQuery, statuses: readonly RunStatus[] | undefined): { sql: string; values: string[] }[] {
  const shared: { where: string; value?: string }[] = [];
  if (typeof query.children === "object") shared.push({ where: "parent = ?", value: query.children.of });
  else if (query.children !== "all") shared.push({ where: "parent IS NULL" });
  if (query.cursor !== undefined) shared.push({ where: "id < ?", value: query.cursor });

  const arm = (index: string, ...own: typeof shared) => {
    const terms = [...own, ...shared];
    return {
      sql: `SELECT * FROM runs ${index} WHERE ${terms.map((term) => term.where).join(" AND ") || "1"} ORDER BY id DESC LIMIT ?`,
      values: terms.flatMap((term) => term.value ?? []),
    };
  };
  const status = (value: RunStatus) => ({ where: "status = ?", value });
  const { workflow } = query;
  if (workflow !== undefined) {
    const places = ["name", "file"].map((place) => ({ place, term: { where: `${place} = ?`, value: workflow } }));
    return places.flatMap(({ place, term }) =>
      statuses
        ? statuses.map((one) => arm(`INDEXED BY runs_by_${place}`, term, status(one)))
        : [arm(`INDEXED BY runs_by_${place}`, term)],
    );
  }
  return statuses ? statuses.map((one) => arm("INDEXED BY runs_by_status", status(one))) : [arm("")];
}
