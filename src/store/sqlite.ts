// The journal in a SQLite file (journal.ts has the contract).
//   Q1. A record that cannot be decoded affects only its own run.

import { firstRunIdAt } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import type { RunStatus } from "../scheduler/state.ts";
import { OPEN_STATUSES } from "../scheduler/statuses.ts";
import type { AuditWriter } from "./audit.ts";
import type { Database, SqlRow } from "./database.ts";
import {
  notOwner,
  partOfOpen,
  recordDamaged,
  runAmbiguous,
  runClaimed,
  runExists,
  runNotFound,
  type StoreError,
} from "./error.ts";
import type {
  IndexChange,
  IsAlive,
  Journal,
  NewRun,
  OpenCount,
  Owner,
  PlacedEvent,
  PlacedPage,
  RunPage,
  RunQuery,
  RunRow,
} from "./journal.ts";
import { checkSeqs, decodeEvent, newRow, settleQuery } from "./row.ts";
import { checkJournal } from "./sqlite-check.ts";
import { HEAD, insertEvents, insertRow, ownerOf, readRow, setOwner, updateRow } from "./sqlite-row.ts";

const BY_ID = "SELECT * FROM runs WHERE id = ?";

/** With `audit`, audit entries are written in the same transaction as their events. */
export function sqliteJournal(database: Database, audit?: AuditWriter): Journal {
  return new SqliteJournal(database, audit);
}

class SqliteJournal implements Journal {
  private readonly database: Database;
  private readonly audit: AuditWriter | undefined;

  constructor(database: Database, audit?: AuditWriter) {
    this.database = database;
    this.audit = audit;
  }

  // The claims of this journal. The database decides who owns a run. This map tells
  // which claims are this journal's own.
  private readonly tokens = new Map<string, string>();

  createRun(run: NewRun, first: { owner?: Owner; events?: readonly RunEvent[] } = {}): Result<RunRow, StoreError> {
    const { owner, events = [] } = first;
    const row: RunRow = { ...newRow(run), lastSeq: events.length, ...(owner && { owner }) };
    const wrong = checkSeqs(run.id, 0, events);
    if (wrong) return err(wrong);
    const created = this.database.transaction(() => {
      if (this.database.get(BY_ID, run.id)) return err(runExists(run.id));
      const { key } = insertRow(this.database, row);
      insertEvents(this.database, key as number, events);
      const written = this.audit?.write(run.id, events);
      return written === undefined || written.ok ? ok(row) : written;
    });
    if (created.ok && owner) this.tokens.set(run.id, owner.token);
    return created;
  }

  append(run: string, events: readonly RunEvent[], change?: IndexChange): Result<number, StoreError> {
    return this.database.transaction(() => {
      const head = this.database.get(HEAD, run);
      if (!head) return err(runNotFound(run));
      if (head.owner_token === null || head.owner_token !== this.tokens.get(run)) return err(this.ownerError(run));
      const lastSeq = Number(head.last_seq);
      const wrong = checkSeqs(run, lastSeq, events);
      if (wrong) return err(wrong);
      insertEvents(this.database, head.key as number, events);
      updateRow(this.database, head, lastSeq + events.length, change);
      const written = this.audit?.write(run, events);
      if (written !== undefined && !written.ok) return written;
      return ok(lastSeq + events.length);
    });
  }

  private ownerError(run: string): StoreError {
    return notOwner(run, ownerOf(this.database.get(BY_ID, run)!));
  }

  read(run: string, fromSeq = 1, limit = Number.POSITIVE_INFINITY): Result<RunEvent[], StoreError> {
    const events: RunEvent[] = [];
    const seen = this.visitPages(run, fromSeq, limit, (event) => events.push(event));
    return seen.ok ? ok(events) : seen;
  }

  /** Reads page by page, so that no long read transaction holds back the writers' checkpoints. */
  private visitPages(run: string, fromSeq: number, limit: number, visit: (event: RunEvent) => unknown) {
    return this.database.guard((): Result<number, StoreError> => {
      const head = this.database.get("SELECT key FROM runs WHERE id = ?", run);
      if (!head) return err(runNotFound(run));
      const firstSeq = Math.max(1, fromSeq);
      let seq = firstSeq;
      for (let left = limit; left > 0; left -= limits.journalPageEvents) {
        const pageEvents = Math.min(left, limits.journalPageEvents);
        const rows = this.database.all(
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

  readAll(afterPosition: number, limit = limits.journalPageEvents): Result<PlacedPage, StoreError> {
    return this.database.guard(() => {
      const sql = `SELECT pos, seq, body, id FROM events JOIN runs ON run = key
                   WHERE pos > ? ORDER BY pos LIMIT ?`;
      const rows = this.database.all(sql, afterPosition, Math.max(1, Math.min(limit, limits.journalPageEvents)));
      const events = rows.flatMap((row): PlacedEvent[] => {
        const event = decodeEvent(String(row.id), Number(row.seq), String(row.body));
        return event.ok ? [{ position: Number(row.pos), event: event.value }] : [];
      });
      return ok({ events, position: Number(rows.at(-1)?.pos ?? afterPosition) });
    });
  }

  /** Uses the counter of AUTOINCREMENT, because the events themselves may have been removed. */
  lastPosition(): Result<number, StoreError> {
    return this.database.guard(() =>
      ok(Number(this.database.get("SELECT seq FROM sqlite_sequence WHERE name = 'events'")?.seq ?? 0)),
    );
  }

  othersChange(): Result<number, StoreError> {
    return this.database.guard(() => ok(Number(this.database.get("PRAGMA data_version")!.data_version)));
  }

  lastSeq(run: string): Result<number, StoreError> {
    return this.database.guard(() => {
      const head = this.database.get("SELECT last_seq FROM runs WHERE id = ?", run);
      return head ? ok(Number(head.last_seq)) : err(runNotFound(run));
    });
  }

  claim(run: string, owner: Owner, isAlive: IsAlive): Result<RunRow, StoreError> {
    const claimed = this.database.transaction(() => {
      const found = this.database.get(BY_ID, run);
      if (!found) return err(runNotFound(run));
      const row = readRow(found);
      if (!row.ok) return row;
      const other = row.value.owner;
      if (other && other.token !== owner.token && isAlive(other)) return err(runClaimed(run, other));
      setOwner(this.database, found.key as number, owner);
      return ok({ ...row.value, owner });
    });
    if (claimed.ok) this.tokens.set(run, owner.token);
    return claimed;
  }

  release(run: string): Result<void, StoreError> {
    const released = this.database.transaction((): Result<void, StoreError> => {
      const found = this.database.get(BY_ID, run);
      if (!found) return err(runNotFound(run));
      if (found.owner_token === null || found.owner_token !== this.tokens.get(run)) return err(this.ownerError(run));
      setOwner(this.database, found.key as number, undefined);
      return ok(undefined);
    });
    if (released.ok) this.tokens.delete(run);
    return released;
  }

  leftRuns(): Result<string[], StoreError> {
    const sql =
      "SELECT id FROM runs INDEXED BY runs_left WHERE owner_token IS NOT NULL AND ended_at IS NOT NULL ORDER BY id";
    return this.database.guard(() => ok(this.database.all(sql).map((row) => row.id as string)));
  }

  listRuns(query: RunQuery = {}): Result<RunPage, StoreError> {
    return this.database.guard(() => {
      const { limit, statuses } = settleQuery(query);
      const found = new Map<string, SqlRow>();
      for (const arm of queryArms(query, statuses)) {
        for (const row of this.database.all(arm.sql, ...arm.values, limit + 1)) found.set(row.id as string, row);
      }
      const rows = [...found.values()].sort((a, b) => (a.id! < b.id! ? 1 : -1));
      const shown = rows.slice(0, limit).map((row) => ({ id: String(row.id), read: readRow(row) }));
      const damaged = shown.filter(({ read }) => !read.ok).map(({ id }) => id);
      return ok({
        runs: shown.flatMap(({ read }) => (read.ok ? [read.value] : [])),
        ...(rows.length > limit && { next: shown.at(-1)!.id }),
        ...(damaged.length > 0 && { damaged }),
      });
    });
  }

  findRun(name: string): Result<RunRow, StoreError> {
    return this.database.guard(() => {
      const wanted = name.toLowerCase();
      const exact =
        wanted === "latest"
          ? this.database.get("SELECT * FROM runs WHERE parent IS NULL ORDER BY id DESC LIMIT 1")
          : this.database.get(BY_ID, wanted);
      if (exact) return readRow(exact);
      if (!/^[0-9a-z]+$/.test(wanted)) return err(runNotFound(name));
      const begun = (whose: string) =>
        this.database.all(
          `SELECT * FROM runs WHERE id > ? AND id < ? AND ${whose} ORDER BY id DESC LIMIT ?`,
          wanted,
          `${wanted}~`,
          limits.ambiguousRunsShown,
        );
      const top = begun("parent IS NULL");
      const matches = top.length > 0 ? top : begun("parent IS NOT NULL");
      if (matches.length > 1)
        return err(
          runAmbiguous(
            name,
            matches.map((row) => row.id as string),
          ),
        );
      return matches[0] ? readRow(matches[0]) : err(runNotFound(name));
    });
  }

  deleteRun(run: string, isAlive: IsAlive): Result<string[], StoreError> {
    return this.database.transaction(() => {
      const self = this.database.get(BY_ID, run);
      if (!self) return err(runNotFound(run));
      const parent = self.parent === null ? undefined : this.database.get(BY_ID, self.parent!);
      if (parent && parent.ended_at === null) return err(partOfOpen(run, String(parent.id)));
      const family = [self];
      for (const parent of family) family.push(...this.database.all("SELECT * FROM runs WHERE parent = ?", parent.id!));
      for (const row of family) {
        const owner = ownerOf(row);
        if (owner && isAlive(owner)) return err(runClaimed(row.id as string, owner));
      }
      for (const { key } of family) {
        this.database.run("DELETE FROM events WHERE run = ?", key!);
        this.database.run("DELETE FROM runs WHERE key = ?", key!);
      }
      for (const { id } of family) this.database.run("INSERT INTO removed_runs (run) VALUES (?)", id!);
      const oldest = "SELECT max(n) FROM removed_runs";
      this.database.run(`DELETE FROM removed_runs WHERE n <= (${oldest}) - ?`, limits.removedRunsKept);
      return ok(family.map((row) => row.id as string));
    });
  }

  removedSince(n?: number): Result<{ n: number; runs: string[] }, StoreError> {
    return this.database.guard(() => {
      const rows =
        n === undefined ? [] : this.database.all("SELECT n, run FROM removed_runs WHERE n > ? ORDER BY n", n);
      const last = this.database.get("SELECT max(n) AS n FROM removed_runs");
      return ok({ n: Number(last?.n ?? 0), runs: rows.map(({ run }) => String(run)) });
    });
  }

  readonly each: Journal["each"] = (run, fromSeq, visit) =>
    this.visitPages(run, fromSeq, Number.POSITIVE_INFINITY, visit);

  readonly openCounts: Journal["openCounts"] = () => openCounts(this.database);

  readonly check: Journal["check"] = () => checkJournal(this.database);

  readonly close: Journal["close"] = () => this.database.close();
}

/** The failure of a run is in its last event. */
const FAILED_AT = `status = 'failed' AND EXISTS (
  SELECT 1 FROM events WHERE events.run = runs.key AND seq = last_seq AND instr(body, ?))`;

/**
 * The selects that together give the page, each reading one index in id order. A single select with
 * `name = x OR file = x` and `status IN (…)` would sort or scan a long history.
 */
function queryArms(query: RunQuery, statuses: readonly RunStatus[] | undefined): { sql: string; values: string[] }[] {
  const shared: { where: string; value?: string }[] = [];
  const { sinceMs, untilMs, trigger, text, failedAt, begun, asking } = query;
  // Ids sort by creation time.
  if (sinceMs !== undefined) shared.push({ where: "id >= ?", value: firstRunIdAt(sinceMs) });
  if (untilMs !== undefined) shared.push({ where: "id < ?", value: firstRunIdAt(untilMs) });
  if (typeof query.children === "object") shared.push({ where: "parent = ?", value: query.children.of });
  else if (query.children !== "all") shared.push({ where: "parent IS NULL" });
  if (query.cursor !== undefined) shared.push({ where: "id < ?", value: query.cursor });
  if (begun) shared.push({ where: "last_seq > 0" });
  if (asking) shared.push({ where: "waiting > 0" });
  if (trigger !== undefined) shared.push({ where: "instr(started_by, ?)", value: `"kind":${JSON.stringify(trigger)}` });
  if (text !== undefined) {
    const value = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
    shared.push({ where: "(name || char(10) || file || char(10) || id) LIKE ? ESCAPE '\\'", value });
  }
  if (failedAt !== undefined)
    shared.push({ where: FAILED_AT, value: `"type":"run.failed","node":${JSON.stringify(failedAt)},` });

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

/** Counts unfinished runs from an index, without reading their rows. */
const COUNTED = `SELECT file, status, parent IS NOT NULL AS part, count(*) AS runs, sum(last_seq = 0) AS empty, sum(waiting > 0) AS asking, sum(waiting) AS requests
  FROM runs INDEXED BY runs_by_status WHERE status IN (${OPEN_STATUSES.map(() => "?").join(", ")}) GROUP BY 1, 2, 3`;

function openCounts(database: Database): Result<OpenCount[], StoreError> {
  return database.guard(() => {
    const counted = database
      .all(COUNTED, ...OPEN_STATUSES)
      .map(({ file, status, part, runs, empty, asking, requests }) => ({
        ...{ file: String(file), status: status as RunStatus, isPart: part === 1 },
        ...{ runs: Number(runs), empty: Number(empty), asking: Number(asking), requests: Number(requests) },
      }));
    return ok(counted);
  });
}
