// The journal in a SQLite file (journal.ts has the contract).

import type { AtOnce } from "../base/now.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { RunEvent } from "../scheduler/event.ts";
import { answered, sqlOf } from "./ask.ts";
import type { AuditWriter } from "./audit.ts";
import type { Database } from "./database.ts";
import { notOwner, runClaimed, runExists, runNotFound, type StoreError } from "./error.ts";
import type { IndexChange, IsAlive, Journal, NewRun, Owner, RunRow } from "./journal.ts";
import { checkSeqs, newRow } from "./row.ts";
import { BY_ID, SqlJournal } from "./sql-journal.ts";
import { checkJournal } from "./sqlite-check.ts";
import { HEAD, insertEvents, insertRow, ownerOf, readRow, setOwner, updateRow } from "./sqlite-row.ts";
import { putState } from "./state.ts";

/** With `audit`, audit entries are written in the same transaction as their events. */
export function sqliteJournal(database: Database, audit?: AuditWriter): AtOnce<Journal> {
  return new SqliteJournal(database, audit) satisfies Journal as Journal as AtOnce<Journal>;
}

class SqliteJournal extends SqlJournal implements Journal {
  private readonly database: Database;
  private readonly audit: AuditWriter | undefined;

  constructor(database: Database, audit?: AuditWriter) {
    super(sqlOf(database));
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
      const written = this.audit && answered(this.database, this.audit.write(run.id, events));
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
      for (const [name, value] of Object.entries(change?.state ?? {}))
        answered(this.database, putState({ file: String(head.file), name, value, at: events.at(-1)!.at, run }));
      const written = this.audit && answered(this.database, this.audit.write(run, events));
      if (written !== undefined && !written.ok) return written;
      return ok(lastSeq + events.length);
    });
  }

  private ownerError(run: string): StoreError {
    return notOwner(run, ownerOf(this.database.get(BY_ID, run)!));
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

  readonly check: AtOnce<Journal>["check"] = () => checkJournal(this.database);

  readonly close: AtOnce<Journal>["close"] = () => this.database.close();
}
